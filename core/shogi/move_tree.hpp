#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/base/arena.hpp"
#include "core/base/result.hpp"
#include "core/shogi/types.hpp"

namespace yomi::shogi {

/// One move of a tree with its two links.
///
/// Shape   28 bytes. `child` (the seed's link1) is the first move of the next ply, `sibling`
/// (link2) the next
///         alternative to this move; `kNoNode` ends a list. `payload` is an index into whatever
///         table the owner of the tree keeps beside it, or `kNoPayload`.
struct MoveNode {
    static constexpr std::uint32_t kNoPayload = std::numeric_limits<std::uint32_t>::max();

    /// `kNoMove` at the root. A record's tree has endings without a move as well; the text form
    /// (`to_text`) has no words for those.
    Move move;
    std::int32_t key = 0;  ///< sort key, greater is better; its unit is the caller's
    std::uint32_t payload = kNoPayload;
    NodeIndex child = kNoNode;
    NodeIndex sibling = kNoNode;
    NodeIndex parent = kNoNode;
    std::uint32_t depth = 0;  ///< plies from the root, which has 0

    friend bool operator==(const MoveNode&, const MoveNode&) = default;
};
static_assert(sizeof(MoveNode) == 28);

/// The same tree with a vector of children in each node: for code that builds or reads a tree in
/// one go.
struct MoveBranch {
    Move move;
    std::int32_t key = 0;
    std::uint32_t payload = MoveNode::kNoPayload;
    std::vector<MoveBranch> children = {};

    friend bool operator==(const MoveBranch&, const MoveBranch&) = default;
};

/// Bounds of one tree. The root does not count.
struct MoveTreeLimits {
    std::size_t max_moves = kNoNode - 1;
    std::uint32_t max_depth = 4096;  ///< plies
};

/// A tree of moves: solutions of tsume and hisshi, guide trees, variations of a record.
///
/// Every move has two links, to the next ply and to the next alternative, as indices into one
/// arena: the tree is a value, copies and frees as one block. A node has one parent and is linked
/// when it is made, so there is no sharing and no cycle. Siblings may carry the same move when the
/// caller adds it twice; `add_line` and `merge` never do so.
///
/// Errors  adding fails with out_of_range when a limit is reached and leaves the tree as it was.
/// Threads one owner at a time; reading is free for all while nobody writes.
/// Cost    28 bytes a move. No operation recurses, so depth never costs stack.
/// Source  Arioka, "KFEnd: data structures" (2000), `CSST` with link1, link2 and key, figure 5.
class MoveTree {
public:
    static constexpr NodeIndex kRoot = 0;

    explicit MoveTree(MoveTreeLimits limits = {});

    [[nodiscard]] const MoveNode& operator[](NodeIndex node) const noexcept { return arena_[node]; }
    /// Whether `node` is a node of this tree; indices count up from the root in the order of
    /// adding.
    [[nodiscard]] bool contains(NodeIndex node) const noexcept { return node < arena_.size(); }
    void set_key(NodeIndex node, std::int32_t key) noexcept { arena_[node].key = key; }
    void set_payload(NodeIndex node, std::uint32_t payload) noexcept {
        arena_[node].payload = payload;
    }
    /// Removes every move and what the root carried.
    void clear();

    // ---- adding: O(1) unless noted
    // -----------------------------------------------------------------

    /// Adds a move as the first of the moves below `parent`.
    Result<NodeIndex> add_front(NodeIndex parent,
                                Move move,
                                std::int32_t key = 0,
                                std::uint32_t payload = MoveNode::kNoPayload);
    /// Adds a move as the last one below `parent`. Cost: walks the siblings.
    Result<NodeIndex> add_back(NodeIndex parent,
                               Move move,
                               std::int32_t key = 0,
                               std::uint32_t payload = MoveNode::kNoPayload);
    /// Adds a move right behind its sibling `previous` (not the root).
    Result<NodeIndex> add_after(NodeIndex previous,
                                Move move,
                                std::int32_t key = 0,
                                std::uint32_t payload = MoveNode::kNoPayload);
    /// Adds a move before the first sibling whose key is less, so behind all equal ones: into a
    /// list in descending order this is one step of a stable sort. Cost: walks the siblings.
    Result<NodeIndex> add_ordered(NodeIndex parent,
                                  Move move,
                                  std::int32_t key,
                                  std::uint32_t payload = MoveNode::kNoPayload);
    /// Follows `line` from `from`, adds at the back what is not there, and returns the last node.
    /// Errors  as adding; the moves that fitted stay.
    Result<NodeIndex> add_line(std::span<const Move> line, NodeIndex from = kRoot);
    /// Adds every line of `other` that is not here, behind what is here and in the order of
    /// `other`; a move that both have keeps the key and payload it has here.
    ///
    /// Returns the number of moves added.
    /// Errors  as adding; the moves that fitted stay.
    Result<std::size_t> merge(const MoveTree& other);

    // ---- order
    // -------------------------------------------------------------------------------------

    /// Sorts the moves below `parent` by key, greatest first, equal keys in their old order.
    /// Cost: O(n log n), a merge sort on the links; allocates nothing.
    void sort_children(NodeIndex parent) noexcept;
    /// Sorts the moves below every node.
    void sort_all() noexcept;
    /// Makes `node` (not the root) the first of its siblings; the others keep their order. Cost:
    /// walks them.
    void move_to_front(NodeIndex node) noexcept;

    // ---- reading
    // -----------------------------------------------------------------------------------

    /// The first move below `parent` that equals `move`, or `kNoNode`.
    [[nodiscard]] NodeIndex find(NodeIndex parent, Move move) const noexcept;
    /// The node at the end of `line`, or `kNoNode` if the tree does not have it.
    [[nodiscard]] NodeIndex find_line(std::span<const Move> line,
                                      NodeIndex from = kRoot) const noexcept;
    /// The moves from the root to `node`, its own last.
    [[nodiscard]] std::vector<Move> path_to(NodeIndex node) const;
    /// The moves met by taking the first move again and again below `from`.
    [[nodiscard]] std::vector<Move> first_line(NodeIndex from = kRoot) const;
    [[nodiscard]] std::size_t child_count(NodeIndex parent) const noexcept;

    /// Moves in the tree, the root not counted. O(1).
    [[nodiscard]] std::size_t size() const noexcept { return arena_.size() - 1; }
    [[nodiscard]] bool empty() const noexcept { return size() == 0; }
    /// Moves below `from`.
    [[nodiscard]] std::size_t count_moves(NodeIndex from) const noexcept;
    /// Lines below `from`: moves without a move below them. 0 for a node that is a leaf itself.
    [[nodiscard]] std::size_t count_lines(NodeIndex from = kRoot) const noexcept;
    /// Plies of the longest line below `from`.
    [[nodiscard]] std::uint32_t height(NodeIndex from = kRoot) const noexcept;

    /// Calls `visit(NodeIndex)` for each move below `from`, a move before those below it and before
    /// its later siblings. If `visit` returns bool, false skips the moves below that move.
    template <class Visit>
    void walk(NodeIndex from, Visit&& visit) const {
        for (NodeIndex node = arena_[from].child; node != kNoNode;) {
            bool descend = true;
            if constexpr (std::is_void_v<std::invoke_result_t<Visit&, NodeIndex>>) {
                visit(node);
            } else {
                descend = visit(node);
            }
            node = next_in_order(node, from, descend);
        }
    }

    // ---- other forms
    // -------------------------------------------------------------------------------

    /// The moves below `from` as vectors. The root's own key and payload are not in them.
    [[nodiscard]] std::vector<MoveBranch> to_branches(NodeIndex from = kRoot) const;
    static Result<MoveTree> from_branches(std::span<const MoveBranch> branches,
                                          MoveTreeLimits limits = {});

    /// The whole tree as one line of ASCII text.
    ///
    ///     tree  := '.' rest                        the root
    ///     node  := move rest
    ///     rest  := [':' key] ['#' payload] ['(' node {',' node} ')']
    ///     move  := piece from to ['+'] | piece '*' to
    ///
    /// `piece` is the moving piece as SFEN writes it (lower case for White, '+' before a promoted
    /// one), then come the squares as in USI: `.(P7g7f:35(p3c3d,p8c8d#2),+R2b1a,G*5b)`. A key of 0
    /// and a missing payload are left out. It needs no position to be read, unlike USI, whose moves
    /// do not name the piece.
    [[nodiscard]] std::string to_text() const;
    /// Reads that form back. It judges notation, not legality.
    /// Errors  bad_notation, or out_of_range when a limit is reached, with `column` into `text`.
    static Result<MoveTree> parse(std::string_view text, MoveTreeLimits limits = {});

    /// Same moves, keys and payloads in the same order, whatever the order of adding and the
    /// limits.
    friend bool operator==(const MoveTree& a, const MoveTree& b) noexcept { return a.equals(b); }

private:
    Result<NodeIndex> make(NodeIndex parent, Move move, std::int32_t key, std::uint32_t payload);
    [[nodiscard]] NodeIndex next_in_order(NodeIndex node,
                                          NodeIndex from,
                                          bool descend) const noexcept;
    [[nodiscard]] NodeIndex last_child(NodeIndex parent) const noexcept;
    [[nodiscard]] NodeIndex merge_lists(NodeIndex earlier, NodeIndex later) noexcept;
    [[nodiscard]] bool equals(const MoveTree& other) const noexcept;

    MoveTreeLimits limits_;
    Arena<MoveNode> arena_;
};

}  // namespace yomi::shogi
