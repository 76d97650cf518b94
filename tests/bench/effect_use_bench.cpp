// Where the effect board could pay: the classic evaluation asks how often each side bears on the
// squares round both kings, and on how many squares at all. Here the same numbers come from the
// effect board (reads, after its upkeep move by move) and from bitboards (made anew in every
// position). All ways must give one signature. Usage: effect_use_bench [games] [rounds]
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "core/base/hash.hpp"
#include "core/shogi/attacks.hpp"
#include "core/shogi/effect.hpp"
#include "core/shogi/eval/classic_counts.hpp"
#include "core/shogi/movegen.hpp"

namespace {

using namespace yomi;
using namespace yomi::shogi;

constexpr int kLongest = 200;

std::vector<std::vector<Move>> play_games(int count) {
    SplitMix64 random(2000'08'12);
    std::vector<std::vector<Move>> games(static_cast<std::size_t>(count));
    for (auto& game : games) {
        Position position = Position::startpos();
        while (game.size() < kLongest) {
            MoveList list;
            legal_moves(position, list);
            if (list.empty()) break;
            game.push_back(list[random.below(static_cast<std::uint32_t>(list.size()))]);
            position.do_move(game.back());
        }
    }
    return games;
}

/// Guards (the king left out) and attackers of the squares round both kings, each 0, 1 or 2.
template <class Count>
std::uint64_t zone_sum(const Position& position, Count&& count) {
    std::uint64_t sum = 0;
    for (const Color side : {Color::black, Color::white}) {
        const Square king = position.king(side);
        for (const Square s : king_steps(king)) {
            const int guards = count(side, s) - 1;
            sum +=
                static_cast<std::uint64_t>(3 * std::min(guards, 2) + std::min(count(~side, s), 2));
        }
    }
    return sum;
}

std::uint64_t zone_by_effects(const Position& position, const EffectBoard& effects) {
    return zone_sum(position, [&](Color by, Square s) { return effects.total(by, s); });
}

std::uint64_t zone_by_attackers(const Position& position) {
    return zone_sum(position, [&](Color by, Square s) {
        return position.attackers(by, s, position.occupied()).count();
    });
}

std::uint64_t zone_by_counts(const std::array<eval::ClassicCounts, 2>& counts) {
    std::uint64_t sum = 0;
    for (const eval::ClassicCounts& side : counts) {
        for (std::size_t i = 0; i < side.zone_size; ++i)
            sum += side.zone[i] % 9U;
    }
    return sum;
}

/// Squares that each side bears on once and twice, Black's minus White's.
std::uint64_t cover_by_effects(const EffectBoard& effects) {
    int sum = 0;
    for (int i = 0; i < kSquares; ++i) {
        const auto s = static_cast<Square>(i);
        sum += std::min(effects.total(Color::black, s), 2) -
               std::min(effects.total(Color::white, s), 2);
    }
    return static_cast<std::uint64_t>(sum);
}

std::uint64_t cover_by_counts(const std::array<eval::ClassicCounts, 2>& counts) {
    return static_cast<std::uint64_t>(counts[0].covered_once + counts[0].covered_twice -
                                      counts[1].covered_once - counts[1].covered_twice);
}

/// Walks all games with `step(position, move)` after each move; median nanoseconds a position.
template <class Start, class Step>
void measure(const char* name,
             const std::vector<std::vector<Move>>& games,
             int rounds,
             Start&& start,
             Step&& step) {
    std::size_t plies = 0;
    for (const auto& game : games)
        plies += game.size();
    std::vector<double> times;
    std::uint64_t signature = 0;
    for (int round = 0; round < rounds; ++round) {
        signature = 0;
        const std::clock_t begin = std::clock();  // CPU time: a busy machine disturbs it less
        for (const auto& game : games) {
            Position position = Position::startpos();
            start();
            for (const Move move : game) {
                position.do_move(move);
                signature = signature * 31 + step(position, move);
            }
        }
        const double spent = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
        times.push_back(spent * 1e9 / static_cast<double>(plies));
    }
    std::sort(times.begin(), times.end());
    std::printf("%-46s %016llx %8.1f ns a position (%.1f .. %.1f)\n",
                name,
                static_cast<unsigned long long>(signature),
                times[times.size() / 2],
                times.front(),
                times.back());
}

}  // namespace

int main(int argc, char** argv) {
    const int count = std::clamp(argc > 1 ? std::atoi(argv[1]) : 100, 1, 10'000);
    const int rounds = std::clamp(argc > 2 ? std::atoi(argv[2]) : 11, 1, 1'000);
    const auto games = play_games(count);
    const EffectBoard first = *EffectBoard::from_setup(Position::startpos().setup());
    EffectBoard effects;
    const auto fresh = [&] { effects = first; };
    const auto nothing = [] {};

    // What every line below contains: the position's own moves.
    measure("moves alone", games, rounds, nothing, [](const Position&, Move) { return 0U; });
    measure("moves and effect upkeep", games, rounds, fresh, [&](const Position&, Move move) {
        effects.do_move(move);
        return 0U;
    });
    measure("king zones, effect board", games, rounds, fresh, [&](const Position& p, Move move) {
        effects.do_move(move);
        return zone_by_effects(p, effects);
    });
    measure("king zones, attackers of each square",
            games,
            rounds,
            nothing,
            [](const Position& p, Move) { return zone_by_attackers(p); });
    measure("king zones, one bitboard pass", games, rounds, nothing, [](const Position& p, Move) {
        return zone_by_counts(eval::classic_counts(p));
    });
    measure(
        "zones and cover, effect board", games, rounds, fresh, [&](const Position& p, Move move) {
            effects.do_move(move);
            return zone_by_effects(p, effects) + cover_by_effects(effects);
        });
    measure(
        "zones and cover, one bitboard pass", games, rounds, nothing, [](const Position& p, Move) {
            const auto counts = eval::classic_counts(p);
            return zone_by_counts(counts) + cover_by_counts(counts);
        });
    return 0;
}
