// The ABC search at a fixed node budget: nodes and depths reached are its signature, time comes
// second. Usage: abc_bench [nodes]
//        abc_bench match A B nodes games     A, B: full | plain | exact | log | uniform
// `plain` is fixed-depth alpha-beta over the very same estimates, deepened ply by ply; `full` is
// the alpha-beta engine. Openings are eight random plies, each played with both colours.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/hash.hpp"
#include "core/shogi/movegen.hpp"
#include "core/shogi/notation/usi.hpp"
#include "core/shogi/search/abc/abc.hpp"
#include "core/shogi/search/abc/shogi_tree.hpp"
#include "core/shogi/search/value.hpp"

namespace {

using namespace yomi;
using namespace yomi::shogi;

constexpr std::array<std::string_view, 6> kPositions{
    "startpos moves 7g7f 3c3d 2g2f 4c4d",
    "startpos moves 7g7f 3c3d 8h2b+ 3a2b 7i8h 7a7b 8h7g 8c8d 2g2f",
    "startpos moves 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d P*2c 2d2h 8e8f 8g8f 8b8f P*8g",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
    "l3kgsnl/9/p1pS+Bp3/7pp/6PP1/9/PPPPPPn1P/1B1GG2+r1/LNS1K3L w RG3Psnp 54",
    "ln2k3l/1Rs1gsgb1/2pppp3/p5Npp/5PP2/PP2P3P/2PPS4/1Bs2K3/LN3G1+rL w 2Pgnp 56",
};

struct Choice {
    Move move;
    Score score = {};
};
using Player = std::function<Choice(const Position&)>;

/// Alpha-beta of fixed depth; the best move of a node is remembered for the next depth.
class Plain {
public:
    Choice play(const Position& position, std::uint64_t nodes) {
        engine::SearchMemory memory(1 << 20);
        abc::Table estimates;
        estimates.attach(memory, 1);
        tree_.begin(position,
                    {},
                    {},
                    eval::Kind::classic,
                    {},
                    &estimates,
                    search::Limits({.nodes = nodes}, {}));
        best_.assign(kSlots, {});
        stopped_ = false;
        Choice choice;
        for (int depth = 1; depth < 40; ++depth) {
            root_ = {};
            const abc::Value value = visit(depth, -abc::kBeyond, abc::kBeyond, 0);
            // The first root move is the best of the depth before: half a depth may be used.
            if (root_) choice.move = root_;
            if (stopped_) break;
            choice.score = search::to_score(value);
            if (search::is_mate(value)) break;
        }
        return choice;
    }

private:
    struct Slot {
        std::uint64_t key = 0;
        std::uint16_t move_bits = 0;
    };
    static constexpr std::size_t kSlots = 1 << 16;

    abc::Value visit(int depth, abc::Value alpha, abc::Value beta, int ply) {
        if (stopped_ || tree_.should_stop()) {
            stopped_ = true;
            return 0;
        }
        const int sign = tree_.max_to_move() ? 1 : -1;
        if (const auto end = tree_.ending(ply)) {
            if (ply == 0) root_ = end->move;
            return sign * end->value;
        }
        if (depth == 0) return sign * tree_.estimate();
        std::vector<abc::Candidate> moves;
        tree_.list_moves(moves, ply);
        if (moves.empty()) return sign * *tree_.no_moves(ply);
        Slot& slot = best_[tree_.key() % kSlots];
        if (slot.key == tree_.key()) {
            const auto known = std::find_if(moves.begin(), moves.end(), [&](const auto& c) {
                return c.move.bits16() == slot.move_bits;
            });
            if (known != moves.end()) std::rotate(moves.begin(), known, known + 1);
        }
        abc::Value best = -abc::kBeyond;
        Move best_move;
        for (const abc::Candidate& c : moves) {
            tree_.do_move(c.move);
            const abc::Value value = -visit(depth - 1, -beta, -std::max(alpha, best), ply + 1);
            tree_.undo_move();
            if (stopped_) return 0;
            if (value <= best) continue;
            best = value;
            best_move = c.move;
            if (ply == 0) root_ = c.move;
            if (value < beta) continue;
            tree_.succeeded(c.move);
            break;
        }
        slot = {.key = tree_.key(), .move_bits = best_move.bits16()};
        return best;
    }

    abc::ShogiTree tree_;
    std::vector<Slot> best_;
    Move root_;
    bool stopped_ = false;
};

Player make_player(std::string_view name, std::uint64_t nodes) {
    if (name == "plain") {
        const auto plain = std::make_shared<Plain>();
        return [=](const Position& p) { return plain->play(p, nodes); };
    }
    if (name == "full") {
        const auto full = std::make_shared<AlphaBeta>();
        return [=](const Position& p) {
            engine::SearchMemory memory(1 << 21);
            engine::NullSink<AnalysisProgress> sink;
            AnalysisRequest request{.position = p};
            request.budget.nodes = nodes;
            const AnalysisAnswer answer = full->analyse(request, memory, {}, sink);
            return Choice{answer.bestmove, answer.result.lines.front().score};
        };
    }
    const auto cost = abc::cost_mode_of(name);
    if (!cost) return {};
    const auto engine = std::make_shared<abc::Abc>();
    return [=](const Position& p) {
        engine::SearchMemory memory(1 << 21);
        engine::NullSink<abc::AbcProgress> sink;
        abc::AbcRequest request;
        request.search.position = p;
        request.search.budget.nodes = nodes;
        request.options.cost = *cost;
        const abc::AbcAnswer answer = engine->analyse(request, memory, {}, sink);
        return Choice{answer.search.bestmove, answer.search.result.lines.front().score};
    };
}

/// 1 Black wins, 0 White, 1/2 a draw. Three scores in a row below -3,000 give up.
double play_game(Position position, const Player& black, const Player& white) {
    constexpr int kLongest = 320;
    std::array<int, 2> hopeless{};
    for (int ply = 0; ply < kLongest; ++ply) {
        const GameStatus status = status_of(position);
        const Color side = position.side_to_move();
        if (is_over(status)) {
            const auto winner = winner_of(status, side);
            return !winner ? 0.5 : *winner == Color::black ? 1 : 0;
        }
        const Choice choice = (side == Color::black ? black : white)(position);
        const bool mated = choice.score.kind == Score::Kind::mate && choice.score.value <= 0;
        const bool lost = choice.score.kind == Score::Kind::cp && choice.score.value < -3'000;
        int& count = hopeless[static_cast<std::size_t>(index(side))];
        count = lost ? count + 1 : 0;
        if (mated || count >= 3 || !choice.move) return side == Color::black ? 0 : 1;
        position.do_move(choice.move);
    }
    return 0.5;
}

int run_match(std::string_view first, std::string_view second, std::uint64_t nodes, int games) {
    const Player a = make_player(first, nodes);
    const Player b = make_player(second, nodes);
    if (!a || !b || games < 1) return 1;
    std::array<int, 3> results{};  // lost, drawn, won by the first
    for (int game = 0; game < games; ++game) {
        SplitMix64 random(1'000 + static_cast<std::uint64_t>(game / 2));
        Position position = Position::startpos();
        for (int ply = 0; ply < 8; ++ply) {
            MoveList moves;
            legal_moves(position, moves);
            position.do_move(moves[random.below(static_cast<std::uint32_t>(moves.size()))]);
        }
        const bool black = game % 2 == 0;
        const double score = play_game(position, black ? a : b, black ? b : a);
        ++results[static_cast<std::size_t>(std::lround(2 * (black ? score : 1 - score)))];
    }
    const double score = (results[2] + results[1] / 2.0) / games;
    std::printf("%s v %s, %llu nodes: +%d =%d -%d",
                std::string(first).c_str(),
                std::string(second).c_str(),
                static_cast<unsigned long long>(nodes),
                results[2],
                results[1],
                results[0]);
    if (score > 0 && score < 1) std::printf(" Elo %+.0f", -400 * std::log10(1 / score - 1));
    std::printf("\n");
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc == 6 && std::string_view(argv[1]) == "match")
        return run_match(argv[2], argv[3], std::strtoull(argv[4], nullptr, 10), std::atoi(argv[5]));
    const std::uint64_t nodes = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 30'000;
    for (const abc::CostMode cost : abc::kCostModes) {
        std::uint64_t signature = 0;
        std::string depths;
        const std::clock_t start = std::clock();
        for (const std::string_view text : kPositions) {
            const auto game = parse_usi_position(text);
            if (!game) return 1;
            engine::SearchMemory memory(16 << 20);
            engine::NullSink<abc::AbcProgress> sink;
            abc::AbcRequest request;
            request.search.position = game->position;
            request.search.budget.nodes = nodes;
            request.options.cost = cost;
            abc::Abc engine;
            const abc::AbcAnswer answer = engine.analyse(request, memory, {}, sink);
            depths += " " + std::to_string(answer.search.result.depth);
            signature = mix64(signature ^ answer.search.result.nodes ^
                              (static_cast<std::uint64_t>(answer.search.bestmove.bits()) << 32) ^
                              answer.certificate.down.size());
        }
        const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
        std::printf("%-8s signature %016llx D%s CPU %.2f s\n",
                    std::string(to_string(cost)).c_str(),
                    static_cast<unsigned long long>(signature),
                    depths.c_str(),
                    seconds);
    }
    return 0;
}
