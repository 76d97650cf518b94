// Several threads in one tree: young brothers wait.

#include "core/othello/search/team.hpp"

#include <algorithm>

namespace yomi::othello::search {

Team::Team(Table& table, const eval::Evaluator* evaluator, int helpers, const Limits& limits) {
    for (int i = 0; i < helpers; ++i) {
        searches_.push_back(std::make_unique<TreeSearch>(table, evaluator));
        searches_.back()->set_limits(limits);
        searches_.back()->join(this);
    }
    for (auto& search : searches_)
        threads_.emplace_back([this, &search] { serve(*search); });
}

Team::~Team() {
    {
        const std::lock_guard lock(mutex_);
        over_ = true;
    }
    changed_.notify_all();
    threads_.clear();  // joins
}

void Team::share(TreeSearch& owner, SplitPoint& point) {
    std::unique_lock lock(mutex_);
    open_.push_back(&point);
    unvisited_.fetch_add(1, std::memory_order_relaxed);
    changed_.notify_one();
    owner.split_ = &point;
    owner.take_moves(lock, point);
    // No move is left to take. Those who still search one may need help with it.
    while (point.guests > 0) {
        if (SplitPoint* const below = find_work(&point)) {
            visit(lock, owner, *below);
        } else {
            wait(lock);
        }
    }
    count_visit(point);
    std::erase(open_, &point);
    owner.split_ = point.parent;
    lock.unlock();
    owner.guesses_ = point.guesses;
    owner.resume();
}

void Team::serve(TreeSearch& helper) {
    std::unique_lock lock(mutex_);
    while (!over_) {
        if (SplitPoint* const point = find_work(nullptr)) {
            visit(lock, helper, *point);
        } else {
            wait(lock);
        }
    }
}

Team::SplitPoint* Team::find_work(const SplitPoint* above) noexcept {
    SplitPoint* best = nullptr;
    for (SplitPoint* const point : open_) {
        if (!point->has_work() || point->decided()) continue;
        if (above != nullptr && !point->below(*above)) continue;
        if (best == nullptr || point->depth > best->depth) best = point;
    }
    return stopped() ? nullptr : best;
}

void Team::visit(std::unique_lock<std::mutex>& lock, TreeSearch& guest, SplitPoint& point) {
    TreeSearch::SplitPoint* const home = guest.split_;
    ++point.guests;
    count_visit(point);
    guest.split_ = &point;
    guest.guesses_ = point.guesses;
    guest.resume();
    guest.take_moves(lock, point);
    guest.split_ = home;
    guest.flush_nodes();
    if (--point.guests == 0) changed_.notify_all();
}

void Team::wait(std::unique_lock<std::mutex>& lock) {
    waiting_.fetch_add(1, std::memory_order_relaxed);
    changed_.wait(lock);
    waiting_.fetch_sub(1, std::memory_order_relaxed);
}

void Team::count_visit(SplitPoint& point) noexcept {
    if (point.visited) return;
    point.visited = true;
    unvisited_.fetch_sub(1, std::memory_order_relaxed);
}

void TreeSearch::flush_nodes() noexcept {
    if (team_ == nullptr) return;
    team_->add_nodes(nodes_ - told_nodes_);
    told_nodes_ = nodes_;
}

void TreeSearch::resume() noexcept {
    stopped_ = false;
    poll();
}

void TreeSearch::take_moves(std::unique_lock<std::mutex>& lock, SplitPoint& point) {
    while (point.has_work() && !stopped_) {
        const Move move = point.moves.pick(point.next++);
        lock.unlock();
        const Node child = child_of(point.node, move.square, move.flipped);
        const int score = -null_window(
            child, -point.alpha - 1, point.depth - 1, point.empties - 1, point.selectivity);
        lock.lock();
        if (stopped_) break;  // decided above, by another move here, or at an end of the limits
        if (score <= point.best) continue;
        point.best = score;
        point.best_move = move.square;
        if (score > point.alpha) point.closed.store(true, std::memory_order_relaxed);
    }
}

bool TreeSearch::helper_waits() const noexcept {
    return team_ != nullptr && team_->someone_waits();
}

bool TreeSearch::split(const Node& node,
                       int alpha,
                       int depth,
                       int empties,
                       int selectivity,
                       Moves& moves,
                       std::size_t next,
                       int& best,
                       Square& best_move) {
    if (depth < kSplitFrom || moves.size - next < 2 || !helper_waits()) return false;
    SplitPoint point{.node = node,
                     .alpha = alpha,
                     .depth = depth,
                     .empties = empties,
                     .selectivity = selectivity,
                     .guesses = guesses_,
                     .parent = split_,
                     .moves = moves,
                     .next = next,
                     .best = best,
                     .best_move = best_move};
    team_->share(*this, point);
    best = point.best;
    best_move = point.best_move;
    return true;
}

bool TreeSearch::limits_reached() noexcept {
    std::uint64_t nodes = nodes_;
    if (team_ != nullptr) {
        if (team_->stopped()) return true;
        flush_nodes();
        nodes = team_->nodes();
    }
    const bool reached = nodes >= limits_.nodes || limits_.stop.stop_requested() ||
                         (limits_.until && std::chrono::steady_clock::now() >= *limits_.until);
    if (reached && team_ != nullptr) team_->stop();
    return reached;
}

void TreeSearch::poll() noexcept {
    next_poll_ =
        team_ != nullptr ? nodes_ + kPollEvery : std::min(nodes_ + kPollEvery, limits_.nodes);
    if (limits_reached() || (split_ != nullptr && split_->decided())) {
        stopped_ = true;
        next_poll_ = ~std::uint64_t{0};
    }
}

}  // namespace yomi::othello::search
