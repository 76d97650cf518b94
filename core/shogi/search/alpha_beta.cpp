#include "core/shogi/search/alpha_beta.hpp"

#include <algorithm>
#include <utility>

#include "core/shogi/movegen.hpp"
#include "core/shogi/search/crew.hpp"
#include "core/shogi/search/deepening.hpp"
#include "core/shogi/search/mate_scout.hpp"
#include "core/shogi/search/ordering.hpp"
#include "core/shogi/search/searcher.hpp"

namespace yomi::shogi {

using engine::StopReason;
using search::RootMove;
using search::Value;

namespace {

/// A forced move needs no thought, but its score does: this deep is quick and honest.
constexpr int kForcedMoveDepth = 8;
/// Plies searched past a mate before it counts as the shortest.
constexpr int kPastMate = 4;
/// Beyond the end of a line: so deep, at most so many nodes; a score that differs by more falls.
constexpr int kVerifyDepth = 8;
constexpr std::uint64_t kVerifyNodes = 20'000;
constexpr Value kVerifyMargin = 150;
/// The mate solver may spend one node in so many, at least so many at a time, on so many plies.
constexpr std::uint64_t kScoutShare = 16;
constexpr std::uint64_t kScoutLeast = 64;
constexpr std::uint64_t kScoutMost = 20'000;
constexpr std::size_t kScoutPlies = 6;

/// For searches whose progress nobody follows.
class Unobserved final : public search::SearchObserver {
public:
    void on_poll() override {}
    void on_new_best(const RootMove&) override {}
};

}  // namespace

/// Iterative deepening over the root moves; everything that outlives a node of the tree.
struct AlphaBeta::Impl final : search::SearchObserver {
    Answer analyse(const Request& request,
                   engine::SearchMemory& memory,
                   std::stop_token stop,
                   engine::Sink<Progress>& sink);

    void on_poll() override;
    void on_new_best(const RootMove& best) override;
    [[nodiscard]] std::uint64_t other_nodes() const override {
        return crew_.nodes() + scout_.nodes();
    }

private:
    void list_root_moves(const Request& request);
    void iterate();
    int follow_guide();
    void verify_lines(const search::Limits& limits);
    [[nodiscard]] std::vector<Move> scout(const Position& position, std::uint64_t share);
    void scout_root();
    void scout_line();
    void prefer_mate();
    [[nodiscard]] std::uint64_t nodes() const {
        return searcher_.nodes() + crew_.nodes() + scout_.nodes();
    }
    [[nodiscard]] StopReason finished(int depth) const;
    void take_lines(int depth, bool complete);
    void report(bool depth_complete);
    [[nodiscard]] search::Limits::Clock::time_point now() const {
        return search::Limits::Clock::now();
    }

    search::Searcher searcher_;
    search::TranspositionTable table_;
    search::Crew crew_;
    search::MateScout scout_;
    std::optional<RootMove> mate_;  ///< found by the scout
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
    engine::Budget budget = request.budget;
    if (request.verify && budget.time) *budget.time -= *budget.time / 10;
    const search::Limits limits(budget, std::move(stop));
    request_ = &request;
    sink_ = &sink;
    last_report_ = limits.start();
    state_ = Progress{};
    previous_.clear();
    mate_.reset();
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

    const bool warm = table_.attach(memory, eval::Evaluator::tag(request.evaluation, request.net));
    searcher_.begin(request.position,
                    table_,
                    limits,
                    *this,
                    request.evaluation,
                    request.rules,
                    request.net,
                    request.keep_learning && warm);
    list_root_moves(request);
    StopReason reason = StopReason::completed;
    if (!moves_.empty()) {
        scout_.begin(limits.token());
        searcher_.score_statically(moves_);
        answer.guided = follow_guide();
        take_lines(0, false);
        crew_.start(std::max(request.budget.threads - 1, 0), request, table_, moves_, lines_);
        iterate();
        crew_.stop();
        reason = searcher_.stopped() ? searcher_.stop_reason() : finished(depth_);
        answer.bestmove = state_.lines.front().pv.front();
        if (state_.lines.front().pv.size() > 1) answer.ponder = state_.lines.front().pv[1];
    }
    state_.nodes = nodes();
    if (request.verify && reason != StopReason::cancelled) verify_lines(limits);
    state_.elapsed = limits.elapsed();
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
    // In an order that does not depend on the colours: ties are broken by it.
    const Color side = request.position.side_to_move();
    std::sort(moves_.begin(), moves_.end(), [side](const RootMove& a, const RootMove& b) {
        return search::seen_by_mover(a.move, side) < search::seen_by_mover(b.move, side);
    });
    lines_ = std::min(static_cast<std::size_t>(std::max(request.multipv, 1)), moves_.size());
}

void AlphaBeta::Impl::iterate() {
    for (int depth = 1; depth <= search::kMaxDepth; ++depth) {
        if (searcher_.poll()) return;
        scout_root();
        depth_ = depth;
        // The table may have lost the guide since.
        for (const auto& line : request_->guide)
            searcher_.follow(line);
        for (std::size_t first = 0; first < lines_; ++first) {
            const auto previous =
                first < previous_.size() ? std::optional(previous_[first]) : std::nullopt;
            if (!search::search_line(searcher_, moves_, first, depth, previous)) return;
        }
        prefer_mate();
        take_lines(depth, true);
        report(true);
        if (finished(depth) != StopReason::completed) return;
        scout_line();
    }
}

/// A mate from `position`, for one `share`th of what the solver may still spend.
std::vector<Move> AlphaBeta::Impl::scout(const Position& position, std::uint64_t share) {
    const std::uint64_t quota = nodes() / kScoutShare;
    const std::uint64_t spent = scout_.nodes();
    if (quota < spent + kScoutLeast) return {};
    // The solver does not see the clock, so a look is short; and it keeps to the node limit.
    const std::uint64_t look = std::min((quota - spent) / share, kScoutMost);
    const auto& limit = request_->budget.nodes;
    if (limit && nodes() + 2 * look + search::MateScout::kWalkNodes > *limit) return {};
    std::vector<Move> line = scout_.look(position, look);
    const int last_ply = position.ply() + static_cast<int>(line.size()) - 1;
    // A mate after the last ply allowed is none.
    if (request_->rules.max_plies > 0 && last_ply > request_->rules.max_plies) line.clear();
    return line;
}

/// Asks the mate solver about the root, as long as no mate is known.
void AlphaBeta::Impl::scout_root() {
    if (mate_ || search::is_mate(moves_.front().score)) return;
    std::vector<Move> line = scout(request_->position, 2);
    if (line.empty()) return;
    const auto first = std::find_if(
        moves_.begin(), moves_.end(), [&](const RootMove& m) { return m.move == line.front(); });
    if (first == moves_.end()) return;  // not among the moves asked about
    const int plies = static_cast<int>(line.size());
    mate_ = RootMove{.move = line.front(),
                     .score = search::mate_in(plies),
                     .seldepth = plies,
                     .pv = std::move(line)};
    prefer_mate();
    take_lines(depth_, depth_ > 0);
}

/// Asks the mate solver about the positions of the best line.
void AlphaBeta::Impl::scout_line() {
    const RootMove& best = moves_.front();
    if (search::is_mate(best.score)) return;
    Position walker = request_->position;
    std::vector<Move> way;
    for (const Move move : best.pv) {
        if (way.size() >= kScoutPlies) return;
        walker.do_move(move);
        way.push_back(move);
        std::vector<Move> line = scout(walker, 4);
        if (!line.empty()) searcher_.know_mate(way, std::move(line));
    }
}

/// The scout's mate is the best move unless the search has found a shorter one.
void AlphaBeta::Impl::prefer_mate() {
    if (!mate_ || moves_.front().score >= mate_->score) return;
    const auto found = std::find_if(
        moves_.begin(), moves_.end(), [this](const RootMove& m) { return m.move == mate_->move; });
    *found = *mate_;
    std::rotate(moves_.begin(), found, found + 1);
}

/// Brings the guide's first moves to the front and its lines into the table.
int AlphaBeta::Impl::follow_guide() {
    int followed = 0;
    for (auto line = request_->guide.rbegin(); line != request_->guide.rend(); ++line) {
        followed += searcher_.follow(*line);
        if (line->empty()) continue;
        const auto found = std::find_if(moves_.begin(), moves_.end(), [&](const RootMove& m) {
            return m.move == line->front();
        });
        if (found != moves_.end()) std::rotate(moves_.begin(), found, found + 1);
    }
    return followed;
}

/// Searches on from the end of each line whose score is no mate.
void AlphaBeta::Impl::verify_lines(const search::Limits& limits) {
    Unobserved unobserved;
    for (Line& line : state_.lines) {
        if (line.score.kind == Score::Kind::mate || line.pv.empty()) continue;
        Position end = request_->position;
        for (const Move move : line.pv)
            end.do_move(move);
        if (is_over(status_of(end, request_->rules))) continue;
        engine::Budget budget{.nodes = kVerifyNodes};
        if (request_->budget.time) {
            const auto spent =
                std::chrono::duration_cast<std::chrono::milliseconds>(limits.elapsed());
            if (spent >= *request_->budget.time) return;
            budget.time = *request_->budget.time - spent;
        }
        searcher_.begin(end,
                        table_,
                        search::Limits(budget, limits.token()),
                        unobserved,
                        request_->evaluation,
                        request_->rules,
                        request_->net);
        MoveList legal;
        legal_moves(end, legal);
        std::vector<RootMove> moves;
        for (const Move move : legal)
            moves.push_back({.move = move});
        searcher_.score_statically(moves);
        std::optional<Value> value;
        Verification verified;
        for (int depth = 1; depth <= kVerifyDepth; ++depth) {
            if (!search::search_line(searcher_, moves, 0, depth, value)) break;
            value = moves.front().score;
            verified.depth = depth;
            verified.pv = moves.front().pv;
        }
        state_.nodes += searcher_.nodes();
        if (!value) return;
        const bool same_side = line.pv.size() % 2 == 0;
        // A mate from the line's end is as many plies farther away from the root.
        Value after = search::to_table(*value, -static_cast<int>(line.pv.size()));
        after = same_side ? after : -after;
        verified.score = search::to_score(after);
        verified.holds = !search::is_mate(after) &&
                         std::abs(verified.score.value - line.score.value) <= kVerifyMargin;
        line.verified = std::move(verified);
    }
}

/// Why no deeper iteration is needed; `completed` when nothing speaks against one.
StopReason AlphaBeta::Impl::finished(int depth) const {
    const engine::Budget& budget = request_->budget;
    // A mate in n is the shortest once n plies have been searched, and some more where a shorter
    // one may hide: what the table remembers was searched with reduced checks as long as no mate
    // was in sight. Mates in one are seen in any case. Every line must be settled.
    const auto settled = [depth](const Line& line) {
        const int plies = std::abs(line.score.value);
        return line.score.kind == Score::Kind::mate && plies + (plies > 3 ? kPastMate : 0) <= depth;
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
    progress.nodes = nodes();
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
    if (lines_ != 1 || depth_ < 2 || (mate_ && best.score < mate_->score)) return;
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
