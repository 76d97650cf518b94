// Where the effect board could pay move by move: mate-in-one, and the ordering of quiet moves. Each
// question is answered three ways that must agree: by playing the moves, by bitboards asked about
// the squares concerned, and by an effect board that follows the game (its upkeep counted, and
// left out). Usage: effect_moves_bench [games] [rounds]
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "core/base/hash.hpp"
#include "core/shogi/attacks.hpp"
#include "core/shogi/effect.hpp"
#include "core/shogi/movegen.hpp"

namespace {

using namespace yomi;
using namespace yomi::shogi;

constexpr int kLongest = 200;

using Game = std::vector<Move>;

/// Random games, but a side that can give check does so every other time: mates then come up.
std::vector<Game> play_games(int count) {
    SplitMix64 random(2000'08'12);
    std::vector<Game> games(static_cast<std::size_t>(count));
    for (Game& game : games) {
        Position position = Position::startpos();
        while (game.size() < kLongest) {
            MoveList list;
            if (!position.in_check() && random.below(2) == 0) checking_moves(position, list);
            if (list.empty()) legal_moves(position, list);
            if (list.empty()) break;
            game.push_back(list[random.below(static_cast<std::uint32_t>(list.size()))]);
            position.do_move(game.back());
        }
    }
    return games;
}

// ---- mate in one --------------------------------------------------------------------------------

bool mates(Position& position, Move move) {
    position.do_move(move);
    const bool mate = count_legal_moves(position) == 0;
    position.undo_move();
    return mate;
}

/// Whether the king keeps a square to flee to after a checking move, as far as a look at the
/// squares round him tells: a square that nothing bears on, now or from where the moved piece
/// stands then. `bears(square)` says whether the attacker bears on a square, `slides(square)`
/// whether by a slider. Sound, not complete: false says nothing.
template <class Bears, class Slides>
bool king_escapes(const Position& position, Move move, Bears&& bears, Slides&& slides) {
    const Color attacker = position.side_to_move();
    const Square king = position.king(~attacker);
    // A piece that leaves a slider's ray opens lines that no effect shows yet.
    if (!move.is_drop() && slides(move.from())) return false;
    Bitboard occupied = position.occupied() ^ Bitboard::of(king);
    if (!move.is_drop()) occupied ^= Bitboard::of(move.from());
    occupied |= Bitboard::of(move.to());
    const Bitboard covered = attacks(move.piece_after(), move.to(), occupied);
    Bitboard flights = king_steps(king) & ~position.pieces(~attacker) & ~covered;
    if (flights.test(move.to())) flights ^= Bitboard::of(move.to());  // a capture: asked by playing
    for (const Square square : flights) {
        if (!bears(square)) return true;
    }
    return false;
}

struct Mates {
    std::uint64_t found = 0;
    std::uint64_t played = 0;  ///< checks that had to be played to know
};

template <class Escapes>
void count_mates(Position& position, Mates& sum, Escapes&& escapes) {
    if (position.in_check()) return;
    MoveList checks;
    checking_moves(position, checks);
    for (const Move move : checks) {
        if (escapes(move)) continue;
        ++sum.played;
        sum.found += mates(position, move);
    }
}

void mates_by_playing(Position& position, Mates& sum) {
    count_mates(position, sum, [](Move) { return false; });
}

void mates_by_bitboards(Position& position, Mates& sum) {
    const Color us = position.side_to_move();
    const Bitboard sliders = position.pieces(PieceType::lance) |
                             position.pieces(PieceType::bishop) | position.pieces(PieceType::rook) |
                             position.pieces(PieceType::horse) | position.pieces(PieceType::dragon);
    count_mates(position, sum, [&](Move move) {
        return king_escapes(
            position,
            move,
            [&](Square s) { return position.attackers(us, s, position.occupied()).any(); },
            [&](Square s) {
                return (position.attackers(us, s, position.occupied()) & sliders).any();
            });
    });
}

void mates_by_effects(Position& position, const EffectBoard& effects, Mates& sum) {
    const Color us = position.side_to_move();
    count_mates(position, sum, [&](Move move) {
        return king_escapes(
            position,
            move,
            [&](Square s) { return effects.total(us, s) != 0; },
            [&](Square s) { return effects.far(us, s) != 0; });
    });
}

// ---- ordering of quiet moves --------------------------------------------------------------------

/// How safe the mover stands where a quiet move takes it, and what it leaves behind: guards less
/// attackers of the target, attackers of the origin. The mover's own effect is counted on both
/// sides of every comparison, so the two ways below give the same number.
template <class Count>
int safety(const Position& position, Move move, Count&& count) {
    const Color us = position.side_to_move();
    int key = count(us, move.to()) - 2 * count(~us, move.to());
    if (!move.is_drop()) key += count(~us, move.from());
    return key;
}

template <class Count>
std::uint64_t order(const Position& position, Count&& count) {
    if (position.in_check()) return 0;
    MoveList quiets;
    quiet_moves(position, quiets);
    std::uint64_t sum = 0;
    for (const Move move : quiets)
        sum = sum * 31 + static_cast<std::uint64_t>(safety(position, move, count) + 64);
    return sum;
}

std::uint64_t order_by_bitboards(const Position& position) {
    return order(position, [&](Color by, Square s) {
        return position.attackers(by, s, position.occupied()).count();
    });
}

/// Each square is asked about once, when the first move needs it.
std::uint64_t order_by_bitboards_kept(const Position& position) {
    std::array<std::array<std::int8_t, kSquares>, 2> kept;
    kept[0].fill(-1);
    kept[1].fill(-1);
    return order(position, [&](Color by, Square s) {
        std::int8_t& known = kept[static_cast<std::size_t>(by)][static_cast<std::size_t>(s)];
        if (known < 0) {
            known =
                static_cast<std::int8_t>(position.attackers(by, s, position.occupied()).count());
        }
        return static_cast<int>(known);
    });
}

std::uint64_t order_by_effects(const Position& position, const EffectBoard& effects) {
    return order(position, [&](Color by, Square s) { return effects.total(by, s); });
}

// ---- running ------------------------------------------------------------------------------------

double cpu_ns() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

enum class Upkeep : std::uint8_t { none, effects };

/// Runs `ask(position, effects)` in every position of the games and returns the median CPU
/// nanoseconds a position. With `Upkeep::effects` the effect board follows each move and is taken
/// back at the end, as a search would have to; otherwise it is copied from a ready one for free.
template <class Ask>
double measure(const std::vector<Game>& games, int rounds, Upkeep upkeep, Ask&& ask) {
    std::size_t plies = 0;
    for (const Game& game : games)
        plies += game.size();
    const EffectBoard start = *EffectBoard::from_setup(Position::startpos().setup());
    std::vector<Piece> captured(kLongest);
    std::vector<double> times;
    for (int round = 0; round < rounds; ++round) {
        const double begin = cpu_ns();
        for (const Game& game : games) {
            Position position = Position::startpos();
            EffectBoard effects = start;
            for (std::size_t i = 0; i < game.size(); ++i) {
                position.do_move(game[i]);
                if (upkeep == Upkeep::effects) captured[i] = effects.do_move(game[i]);
                ask(position, effects);
            }
            for (std::size_t i = game.size(); i-- > 0;) {
                position.undo_move();
                if (upkeep == Upkeep::effects) effects.undo_move(game[i], captured[i]);
            }
        }
        times.push_back((cpu_ns() - begin) / static_cast<double>(plies));
    }
    std::nth_element(times.begin(), times.begin() + rounds / 2, times.end());
    return times[static_cast<std::size_t>(rounds / 2)];
}

}  // namespace

int main(int argc, char** argv) {
    const int count = std::clamp(argc > 1 ? std::atoi(argv[1]) : 100, 1, 10'000);
    const int rounds = std::clamp(argc > 2 ? std::atoi(argv[2]) : 11, 1, 1'000);
    const std::vector<Game> games = play_games(count);

    Mates playing;
    Mates bitboards;
    Mates effects;
    std::uint64_t keys[3] = {0, 0, 0};
    measure(games, 1, Upkeep::effects, [&](Position& position, const EffectBoard& board) {
        mates_by_playing(position, playing);
        mates_by_bitboards(position, bitboards);
        mates_by_effects(position, board, effects);
        keys[0] = mix64(keys[0] ^ order_by_bitboards(position));
        keys[1] = mix64(keys[1] ^ order_by_bitboards_kept(position));
        keys[2] = mix64(keys[2] ^ order_by_effects(position, board));
    });
    const bool agree = playing.found == bitboards.found && playing.found == effects.found &&
                       keys[0] == keys[1] && keys[0] == keys[2];
    std::printf("signature %016llx\n",
                static_cast<unsigned long long>(mix64(keys[0] ^ playing.found)));
    std::printf("mates in one %llu; checks played %llu, with bitboards %llu, with effects %llu\n",
                static_cast<unsigned long long>(playing.found),
                static_cast<unsigned long long>(playing.played),
                static_cast<unsigned long long>(bitboards.played),
                static_cast<unsigned long long>(effects.played));
    if (!agree) {
        std::printf("the ways do not agree\n");
        return 1;
    }

    std::uint64_t sink = 0;
    Mates counted;
    const double moves = measure(games, rounds, Upkeep::none, [](Position&, const EffectBoard&) {});
    const double kept =
        measure(games, rounds, Upkeep::effects, [](Position&, const EffectBoard&) {});
    std::printf("%-52s %8.0f ns a position\n", "the game's moves alone, do and undo", moves);
    std::printf("%-52s %8.0f ns more\n", "upkeep of the effect board", kept - moves);
    const auto show = [&](const char* name, Upkeep upkeep, auto&& ask) {
        const double ns = measure(games, rounds, upkeep, ask);
        std::printf("%-52s %8.0f ns more", name, ns - moves);
        if (upkeep == Upkeep::effects) std::printf(", %.0f without the upkeep", ns - kept);
        std::printf("\n");
    };
    show("mate in one: play every check",
         Upkeep::none,
         [&](Position& position, const EffectBoard&) { mates_by_playing(position, counted); });
    show("mate in one: king's squares by bitboards",
         Upkeep::none,
         [&](Position& position, const EffectBoard&) { mates_by_bitboards(position, counted); });
    show("mate in one: king's squares by effects",
         Upkeep::effects,
         [&](Position& position, const EffectBoard& board) {
             mates_by_effects(position, board, counted);
         });
    show("quiet moves by safety: bitboards for every move",
         Upkeep::none,
         [&](Position& position, const EffectBoard&) { sink += order_by_bitboards(position); });
    show(
        "quiet moves by safety: bitboards, once a square",
        Upkeep::none,
        [&](Position& position, const EffectBoard&) { sink += order_by_bitboards_kept(position); });
    show("quiet moves by safety: effects",
         Upkeep::effects,
         [&](Position& position, const EffectBoard& board) {
             sink += order_by_effects(position, board);
         });
    std::printf("(%llu)\n", static_cast<unsigned long long>((sink ^ counted.found) & 1));
    return 0;
}
