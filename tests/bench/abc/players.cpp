#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "core/shogi/search/abc/abc.hpp"
#include "core/shogi/search/abc/shogi_tree.hpp"
#include "core/shogi/search/value.hpp"
#include "tests/bench/abc/bench.hpp"

namespace yomi::shogi::abc_bench {

namespace {

/// Alpha-beta of fixed depth; the best move of a node is remembered for the next depth.
class Plain {
public:
    explicit Plain(Judge judge) : judge_(std::move(judge)) {}

    Choice play(const Position& position, std::uint64_t nodes) {
        engine::SearchMemory memory(1 << 20);
        abc::Table estimates;
        estimates.attach(memory, 1);
        tree_.begin(position,
                    {},
                    {},
                    judge_.kind,
                    judge_.net,
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

    Judge judge_;
    abc::ShogiTree tree_;
    std::vector<Slot> best_;
    Move root_;
    bool stopped_ = false;
};

}  // namespace

Player make_player(std::string_view name, const Judge& judge) {
    if (name == "plain") {
        const auto plain = std::make_shared<Plain>(judge);
        return [=](const Position& p, std::uint64_t nodes) { return plain->play(p, nodes); };
    }
    if (name == "full") {
        const auto full = std::make_shared<AlphaBeta>();
        return [=](const Position& p, std::uint64_t nodes) {
            engine::SearchMemory memory(1 << 21);
            engine::NullSink<AnalysisProgress> sink;
            AnalysisRequest request{.position = p, .evaluation = judge.kind, .net = judge.net};
            request.budget.nodes = nodes;
            const AnalysisAnswer answer = full->analyse(request, memory, {}, sink);
            return Choice{answer.bestmove, answer.result.lines.front().score};
        };
    }
    const std::size_t colon = name.find(':');
    const auto cost = abc::cost_mode_of(name.substr(0, colon));
    if (!cost) return {};
    abc::AbcRequest request;
    request.options.cost = *cost;
    if (colon != std::string_view::npos)
        request.options.margin = std::atoi(std::string(name.substr(colon + 1)).c_str());
    request.search.evaluation = judge.kind;
    request.search.net = judge.net;
    const auto engine = std::make_shared<abc::Abc>();
    return [=](const Position& p, std::uint64_t nodes) {
        engine::SearchMemory memory(1 << 21);
        engine::NullSink<abc::AbcProgress> sink;
        abc::AbcRequest question = request;
        question.search.position = p;
        question.search.budget.nodes = nodes;
        const abc::AbcAnswer answer = engine->analyse(question, memory, {}, sink);
        return Choice{answer.search.bestmove, answer.search.result.lines.front().score};
    };
}

}  // namespace yomi::shogi::abc_bench
