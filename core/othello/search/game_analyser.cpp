#include "core/othello/search/game_analyser.hpp"

#include <algorithm>
#include <utility>

namespace yomi::othello {
namespace {

using Clock = std::chrono::steady_clock;

/// The placements of a game with the positions that they were played in.
struct Step {
    Position before;
    Square square;
};

std::vector<Step> steps_of(const Game& game) {
    std::vector<Step> steps;
    Position position = game.start;
    for (const Move& move : game.moves) {
        if (!move.is_pass()) steps.push_back({position, move.square});
        position.do_move(move);
    }
    return steps;
}

void add_up(GameAnalysis& analysis) {
    analysis.sides = {};
    analysis.lost_at.reset();
    for (std::size_t i = 0; i < analysis.plies.size(); ++i) {
        const GamePly& ply = analysis.plies[i];
        if (!ply.analysis) continue;
        SideSummary& side = analysis.sides[static_cast<std::size_t>(ply.side)];
        const int loss = ply.analysis->loss;
        ++side.moves;
        side.total_loss += loss;
        if (loss == 0) ++side.best_moves;
        if (loss > 0) ++side.errors;
        if (loss >= kMistake && loss < kBlunder) ++side.mistakes;
        if (loss >= kBlunder) ++side.blunders;
        if (ply.analysis->best >= 0 && ply.analysis->played < 0) analysis.lost_at = i;
    }
}

/// One call of `analyse`.
class Walk {
public:
    Walk(const GameRequest& request,
         engine::SearchMemory& memory,
         std::stop_token stop,
         engine::Sink<GameAnalysis>& sink)
        : request_(request),
          memory_(memory),
          stop_(std::move(stop)),
          sink_(sink),
          begin_(Clock::now()) {}

    GameAnalysis run() {
        const std::vector<Step> steps = steps_of(request_.game);
        for (std::size_t i = 0; i < steps.size(); ++i) {
            result_.plies.push_back({.number = static_cast<int>(i) + 1,
                                     .side = steps[i].before.side,
                                     .move = steps[i].square});
        }
        result_.stopped_by = engine::StopReason::completed;
        for (std::size_t i = steps.size(); i-- > 0;) {
            if (!analyse_ply(steps, i)) break;
            add_up(result_);
            result_.elapsed = elapsed();
            sink_.report(result_);
        }
        result_.elapsed = elapsed();
        return std::move(result_);
    }

private:
    [[nodiscard]] std::chrono::microseconds elapsed() const {
        return std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begin_);
    }

    /// The best line of a position, or of one of its moves; none when the budget ended first.
    std::optional<AnalysisLine> search(const Position& position, std::vector<Square> only) {
        AnalysisRequest request{.position = position,
                                .level = request_.level,
                                .search_moves = std::move(only),
                                .leaves_table = true};
        request.budget.threads = request_.budget.threads;
        if (request_.budget.time) {
            const auto left = *request_.budget.time -
                              std::chrono::duration_cast<std::chrono::milliseconds>(elapsed());
            request.budget.time = std::max(left, std::chrono::milliseconds(0));
        }
        if (request_.budget.nodes) {
            const std::uint64_t all = *request_.budget.nodes;
            request.budget.nodes = all > result_.nodes ? all - result_.nodes : 0;
        }
        engine::NullSink<AnalysisProgress> quiet;
        AnalysisAnswer answer = analyser_.analyse(request, memory_, stop_, quiet);
        result_.nodes += answer.result.nodes;
        using engine::StopReason;
        const StopReason reason = answer.stopped_by;
        if (reason == StopReason::cancelled || reason == StopReason::time ||
            reason == StopReason::nodes) {
            result_.stopped_by = reason;
            return std::nullopt;
        }
        return std::move(answer.result.lines.front());
    }

    bool analyse_ply(const std::vector<Step>& steps, std::size_t i) {
        const auto best = search(steps[i].before, {});
        if (!best) return false;
        PlyAnalysis ply{.best = best->discs,
                        .played = best->discs,
                        .exact = best->exact,
                        .confidence = best->confidence,
                        .depth = best->depth,
                        .pv = best->pv};
        if (best->pv.front() != steps[i].square) {
            if (const auto proved = proved_value(steps, i); proved && best->exact) {
                ply.played = *proved;
            } else {
                const auto played = search(steps[i].before, {steps[i].square});
                if (!played) return false;
                ply.played = played->discs;
                ply.exact = best->exact && played->exact;
                ply.confidence = std::min(best->confidence, played->confidence);
            }
        }
        // A searched value may fall below that of a move that was searched alone.
        ply.best = std::max(ply.best, ply.played);
        ply.loss = ply.best - ply.played;
        result_.plies[i].analysis = std::move(ply);
        return true;
    }

    /// What is proved about the position after move `i`, for the mover of `i`.
    [[nodiscard]] std::optional<int> proved_value(const std::vector<Step>& steps,
                                                  std::size_t i) const {
        const Color side = steps[i].before.side;
        if (i + 1 == steps.size()) {
            const Position& end = request_.game.end;
            if (!end.is_over()) return std::nullopt;
            return final_score(end.board) * (end.side == side ? 1 : -1);
        }
        const auto& next = result_.plies[i + 1].analysis;
        if (!next || !next->exact) return std::nullopt;
        return next->best * (steps[i + 1].before.side == side ? 1 : -1);
    }

    const GameRequest& request_;
    engine::SearchMemory& memory_;
    std::stop_token stop_;
    engine::Sink<GameAnalysis>& sink_;
    Clock::time_point begin_;
    Analyser analyser_;
    GameAnalysis result_;
};

}  // namespace

GameAnalysis GameAnalyser::analyse(const GameRequest& request,
                                   engine::SearchMemory& memory,
                                   std::stop_token stop,
                                   engine::Sink<GameAnalysis>& sink) {
    return Walk(request, memory, std::move(stop), sink).run();
}

}  // namespace yomi::othello
