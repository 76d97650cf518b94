#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "core/othello/search/tree_search.hpp"

namespace yomi::othello::search {

/// A node whose first move is searched and whose other moves several threads take one by one.
/// Everything but `closed` and the constants is guarded by the team's mutex.
struct TreeSearch::SplitPoint {
    const Node& node;
    const int alpha;
    const int depth;
    const int empties;
    const int selectivity;
    const int guesses;         ///< of the owner: ProbCut searches that are open above
    SplitPoint* const parent;  ///< where the owner was taking moves; null: nowhere
    Moves& moves;
    std::size_t next;  ///< the first move that nobody has taken
    int best;
    Square best_move;
    int guests = 0;        ///< threads at work here beside the owner
    bool visited = false;  ///< somebody came
    /// A move cut: who is below leaves. Relaxed: only a hint to stop early, the result is `best`.
    std::atomic<bool> closed{false};

    [[nodiscard]] bool has_work() const noexcept {
        return next < moves.size && !closed.load(std::memory_order_relaxed);
    }
    /// Whether this node or one above it is decided.
    [[nodiscard]] bool decided() const noexcept {
        for (const SplitPoint* at = this; at != nullptr; at = at->parent) {
            if (at->closed.load(std::memory_order_relaxed)) return true;
        }
        return false;
    }
    [[nodiscard]] bool below(const SplitPoint& other) const noexcept {
        for (const SplitPoint* at = this; at != nullptr; at = at->parent) {
            if (at == &other) return true;
        }
        return false;
    }
};

/// The threads of one search: one master and its helpers, which split nodes by the rule that young
/// brothers wait (Feldmann 1993): the other moves of a node are shared out once the first is
/// searched. A thread that waits for others to leave its node helps below that node meanwhile.
///
/// Threads built and destroyed by the master's thread; the helpers live as long.
/// Cost    a helper is a thread with a searcher (100 KB); a split takes the mutex once a move.
class Team {
public:
    Team(Table& table, const eval::Evaluator* evaluator, int helpers, const Limits& limits);
    /// Ends the helpers; the master must not be searching.
    ~Team();
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;

    /// Positions entered by all threads; up to 512 of each may be missing while they search.
    [[nodiscard]] std::uint64_t nodes() const noexcept {
        return nodes_.load(std::memory_order_relaxed);
    }

private:
    friend class TreeSearch;
    using SplitPoint = TreeSearch::SplitPoint;

    // All counters are relaxed: they decide when to look again, never what is true.
    void add_nodes(std::uint64_t count) noexcept {
        nodes_.fetch_add(count, std::memory_order_relaxed);
    }
    [[nodiscard]] bool stopped() const noexcept { return stop_.load(std::memory_order_relaxed); }
    void stop() noexcept { stop_.store(true, std::memory_order_relaxed); }
    /// Whether a split would find a thread that has nothing to do.
    [[nodiscard]] bool someone_waits() const noexcept {
        return waiting_.load(std::memory_order_relaxed) >
               unvisited_.load(std::memory_order_relaxed);
    }

    /// The owner's part: shares the moves of `point` out until all are searched or one cuts.
    void share(TreeSearch& owner, SplitPoint& point);
    void serve(TreeSearch& helper);
    /// An open node below `above` (null: anywhere) with moves to take, the one highest up.
    SplitPoint* find_work(const SplitPoint* above) noexcept;
    void visit(std::unique_lock<std::mutex>& lock, TreeSearch& guest, SplitPoint& point);
    void wait(std::unique_lock<std::mutex>& lock);
    void count_visit(SplitPoint& point) noexcept;

    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<SplitPoint*> open_;
    bool over_ = false;
    std::atomic<int> waiting_{0};
    std::atomic<int> unvisited_{0};  ///< open nodes to which nobody has come yet
    std::atomic<std::uint64_t> nodes_{0};
    std::atomic<bool> stop_{false};
    std::vector<std::unique_ptr<TreeSearch>> searches_;
    std::vector<std::jthread> threads_;
};

}  // namespace yomi::othello::search
