#include "core/shogi/search/alpha_beta.hpp"

#include <algorithm>
#include <utility>

#include "core/shogi/movegen.hpp"
#include "core/shogi/search/searcher.hpp"

namespace yomi::shogi {

using engine::StopReason;
using search::RootMove;
using search::Value;

namespace {

constexpr Value kFirstWindow = 30;
constexpr int kWindowFromDepth = 4;
/// A forced move needs no thought, but its score does: this deep is quick and honest.
constexpr int kForcedMoveDepth = 8;

}  // namespace

/// Iterative deepening over the root moves; everything that outlives a node of the tree.
struct AlphaBeta::Impl final : search::SearchObserver {
    Answer analyse(const Request& request,
                   engine::SearchMemory& memory,
                   std::stop_token stop,
                   engine::Sink<Progress>& sink);

    void on_poll() override;
    void on_new_best(const RootMove& best) override;

private:
    void list_root_moves(const Request& request);
    void iterate();
    bool search_line(std::size_t first, int depth);
    [[nodiscard]] StopReason finished(int depth) const;
    void take_lines(int depth, bool complete);
    void report(bool depth_complete);
    [[nodiscard]] search::Limits::Clock::time_point now() const {
        return search::Limits::Clock::now();
    }

    search::Searcher searcher_;
    search::TranspositionTable table_;
    std::vector<RootMove> moves_;
    std::vector<Value> previous_;  ///< score of each line in the last completed depth
    Progress state_;               ///< what is reported and answered
    const Request* request_ = nullptr;
    engine::Sink<Progress>* sink_ = nullptr;
    search::Limits::Clock::time_point last_report_{};
    std::size_t lines_ = 1;
    int depth_ = 0;
};

AlphaBeta::AlphaBeta() : impl_(std::make_unique<Impl>()) {}
AlphaBeta::~AlphaBeta() = default;
AlphaBeta::AlphaBeta(AlphaBeta&&) noexcept = default;
AlphaBeta& AlphaBeta::operator=(AlphaBeta&&) noexcept = default;

AlphaBeta::Answer AlphaBeta::analyse(const Request& request,
                                     engine::SearchMemory& memory,
                                     std::stop_token stop,
                                     engine::Sink<Progress>& sink) {
    return impl_->analyse(request, memory, std::move(stop), sink);
}

AlphaBeta::Answer AlphaBeta::Impl::analyse(const Request& request,
                                           engine::SearchMemory& memory,
                                           std::stop_token stop,
                                           engine::Sink<Progress>& sink) {
    const search::Limits limits(request.budget, std::move(stop));
    request_ = &request;
    sink_ = &sink;
    last_report_ = limits.start();
    state_ = Progress{};
    previous_.clear();
    depth_ = 0;

    Answer answer;
    answer.status = status_of(request.position, request.rules);
    if (is_over(answer.status)) {
        if (answer.status == GameStatus::mated) {
            state_.lines.push_back({.score = Score::mate(0)});
        } else if (answer.status == GameStatus::repetition ||
                   answer.status == GameStatus::max_plies) {
            state_.lines.push_back({.score = Score::cp(search::kDraw)});
        } else if (answer.declares()) {
            state_.lines.push_back({.score = Score::mate(1)});
            answer.bestmove = try_move(request.position, request.rules.declaration);
        }
        state_.elapsed = limits.elapsed();
        answer.result = std::exchange(state_, {});
        answer.stopped_by = StopReason::game_over;
        return answer;
    }

    table_.attach(memory, eval::Evaluator::tag(request.evaluation, request.net));
    searcher_.begin(
        request.position, table_, limits, *this, request.evaluation, request.rules, request.net);
    list_root_moves(request);
    StopReason reason = StopReason::completed;
    if (!moves_.empty()) {
        searcher_.score_statically(moves_);
        take_lines(0, false);
        iterate();
        reason = searcher_.stopped() ? searcher_.stop_reason() : finished(depth_);
        answer.bestmove = state_.lines.front().pv.front();
        if (state_.lines.front().pv.size() > 1) answer.ponder = state_.lines.front().pv[1];
    }
    state_.nodes = searcher_.nodes();
    state_.elapsed = searcher_.limits().elapsed();
    state_.hashfull = table_.hashfull();
    answer.result = std::exchange(state_, {});
    answer.stopped_by = reason;
    return answer;
}

void AlphaBeta::Impl::list_root_moves(const Request& request) {
    MoveList legal;
    legal_moves(request.position, legal);
    moves_.clear();
    for (const Move move : legal) {
        const auto& wanted = request.search_moves;
        if (wanted.empty() || std::find(wanted.begin(), wanted.end(), move) != wanted.end()) {
            moves_.push_back({.move = move});
        }
    }
    lines_ = std::min(static_cast<std::size_t>(std::max(request.multipv, 1)), moves_.size());
}

void AlphaBeta::Impl::iterate() {
    for (int depth = 1; depth <= search::kMaxDepth; ++depth) {
        if (searcher_.poll()) return;
        depth_ = depth;
        for (std::size_t first = 0; first < lines_; ++first) {
            if (!search_line(first, depth)) return;
        }
        take_lines(depth, true);
        report(true);
        if (finished(depth) != StopReason::completed) return;
    }
}

/// One line of one depth: windows round the last score, widened until the score lies inside.
/// False when the search was stopped in between.
bool AlphaBeta::Impl::search_line(std::size_t first, int depth) {
    Value window = kFirstWindow;
    Value alpha = -search::kInfinite;
    Value beta = search::kInfinite;
    if (depth >= kWindowFromDepth && first < previous_.size() &&
        !search::is_mate(previous_[first])) {
        alpha = std::max(previous_[first] - window, -search::kInfinite);
        beta = std::min(previous_[first] + window, search::kInfinite);
    }
    const auto best_first = [](const RootMove& a, const RootMove& b) { return a.score > b.score; };
    searcher_.reset_seldepth();
    while (true) {
        const Value value = searcher_.search_root(moves_, first, alpha, beta, depth);
        if (searcher_.stopped()) return false;
        // Stable: moves that did not raise alpha keep the order that earlier depths gave them.
        std::stable_sort(
            moves_.begin() + static_cast<std::ptrdiff_t>(first), moves_.end(), best_first);
        if (value <= alpha) {
            beta = (alpha + beta) / 2;
            alpha = std::max(value - window, -search::kInfinite);
        } else if (value >= beta) {
            beta = std::min(value + window, search::kInfinite);
        } else {
            break;
        }
        window += window / 2 + 5;
        // Past a few pawns a mate may be in sight: ask without bounds.
        if (window > 500) {
            alpha = -search::kInfinite;
            beta = search::kInfinite;
        }
    }
    std::stable_sort(
        moves_.begin(), moves_.begin() + static_cast<std::ptrdiff_t>(first) + 1, best_first);
    return true;
}

/// Why no deeper iteration is needed; `completed` when nothing speaks against one.
StopReason AlphaBeta::Impl::finished(int depth) const {
    const engine::Budget& budget = request_->budget;
    // A mate in n is the shortest once n plies have been searched. Every line must be settled.
    const auto settled = [depth](const Line& line) {
        return line.score.kind == Score::Kind::mate && std::abs(line.score.value) <= depth;
    };
    if (std::all_of(state_.lines.begin(), state_.lines.end(), settled)) return StopReason::mate;
    if (budget.depth && depth >= *budget.depth) return StopReason::depth;
    const bool time_drives = budget.time && !budget.nodes && !budget.depth;
    if (time_drives && moves_.size() == 1 && request_->search_moves.empty() &&
        depth >= kForcedMoveDepth) {
        return StopReason::one_legal_move;
    }
    return StopReason::completed;
}

void AlphaBeta::Impl::take_lines(int depth, bool complete) {
    state_.depth = depth;
    state_.depth_complete = complete;
    state_.lines.clear();
    state_.seldepth = 0;
    previous_.clear();
    for (std::size_t i = 0; i < lines_; ++i) {
        const RootMove& m = moves_[i];
        Line line{
            .score = search::to_score(m.score), .depth = depth, .seldepth = m.seldepth, .pv = m.pv};
        if (!search::is_mate(m.score)) searcher_.prolong(line.pv, std::min(depth, 2));
        state_.seldepth = std::max(state_.seldepth, m.seldepth);
        state_.lines.push_back(std::move(line));
        previous_.push_back(m.score);
    }
}

void AlphaBeta::Impl::report(bool depth_complete) {
    Progress progress = state_;
    progress.depth_complete = depth_complete;
    progress.nodes = searcher_.nodes();
    progress.elapsed = searcher_.limits().elapsed();
    progress.hashfull = table_.hashfull();
    last_report_ = now();
    sink_->report(progress);
}

void AlphaBeta::Impl::on_poll() {
    // Before the first depth there is nothing to say.
    if (state_.depth == 0) return;
    if (searcher_.limits().last_look() - last_report_ >= request_->min_interval) report(false);
}

void AlphaBeta::Impl::on_new_best(const RootMove& best) {
    // A better move found half-way through a depth is worth more than the whole depth before it.
    // With several lines only whole depths count, because all lines belong to one depth.
    if (lines_ != 1 || depth_ < 2) return;
    state_.depth = depth_;
    state_.depth_complete = false;
    state_.seldepth = std::max(state_.seldepth, best.seldepth);
    state_.lines.assign(1,
                        {.score = search::to_score(best.score),
                         .depth = depth_,
                         .seldepth = best.seldepth,
                         .pv = best.pv});
}

}  // namespace yomi::shogi
