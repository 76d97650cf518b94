#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/shogi/move_tree.hpp"
#include "core/shogi/search/abc/cost.hpp"
#include "core/shogi/search/abc/tree.hpp"

namespace yomi::shogi::abc {

/// What the search found out at one node of a recorded tree.
struct NodeFacts {
    /// MAX's view: the estimate, or the value when `proved`.
    Value estimate = 0;
    bool exact = false;        ///< `estimate` is what the tree says, not a guess or a bound
    bool max_to_move = false;  ///< meaningful once `visited`
    bool visited = false;
    bool proved = false;      ///< ended by the rules
    bool by_path = false;     ///< `proved` for this line only
    bool from_table = false;  ///< answered by a result of another line
    bool capped = false;      ///< the longest line allowed ended here
    bool tainted = false;     ///< the answer leans on a repetition or on the cap
    bool answered = false;
    bool holds = false;      ///< the answer: the value is at least `g`
    Value g = 0;             ///< the question
    Value bound = 0;         ///< a bound on the value that the answer gives, beyond `g`
    Conspirators count = 1;  ///< leaves that must be wrong to overturn the answer
    Budgets left{};          ///< the budgets it was asked with
    int alternatives = 0;    ///< other good moves that its mover had, as far as they were counted
    Quarters paid = 0;       ///< what the move to this node cost
};

/// The expanded tree of one question: the proof of its answer and everything refuted on the way.
///
/// The moves lie in a two-link `MoveTree`; the payload of a move is the index of its facts. The
/// move that gave its side what it wanted is the first of its siblings; behind it come the others
/// that were looked at and those only estimated.
///
/// Threads one owner; reading is free for all while nobody writes.
/// Cost    28 bytes a move and 52 for its facts.
class Record {
public:
    static constexpr NodeIndex kRoot = MoveTree::kRoot;
    static constexpr std::size_t kMaxMoves = 2'000'000;

    explicit Record(std::size_t max_moves = kMaxMoves);

    [[nodiscard]] const MoveTree& tree() const noexcept { return tree_; }
    [[nodiscard]] const NodeFacts& facts(NodeIndex node) const noexcept {
        return facts_[tree_[node].payload];
    }
    [[nodiscard]] NodeFacts& facts(NodeIndex node) noexcept { return facts_[tree_[node].payload]; }
    /// The root's answer; nothing has been answered while `answered` is false.
    [[nodiscard]] const NodeFacts& root() const noexcept { return facts(kRoot); }
    /// Nodes, the root counted.
    [[nodiscard]] std::size_t size() const noexcept { return facts_.size(); }
    /// Whether something did not fit; the numbers of such a tree are too small.
    [[nodiscard]] bool truncated() const noexcept { return truncated_; }

    /// Adds a move in front of its siblings. Returns `kNoNode` when there is no room or `parent` is
    /// `kNoNode`.
    NodeIndex add(NodeIndex parent, Move move);
    /// Adds a move behind the first of its siblings, or as the only one.
    NodeIndex add_behind(NodeIndex parent, Move move);
    /// Copies facts and moves below `from` of another record to `to`. The price of the move to `to`
    /// stays.
    void graft(const Record& other, NodeIndex from, NodeIndex to);

private:
    NodeIndex keep(Result<NodeIndex> added);

    MoveTree tree_;
    std::vector<NodeFacts> facts_;
    bool truncated_ = false;
};

}  // namespace yomi::shogi::abc
