#include "core/shogi/move_tree.hpp"

#include <algorithm>
#include <array>
#include <cassert>

namespace yomi::shogi {

MoveTree::MoveTree(MoveTreeLimits limits) : limits_(limits) {
    // The root takes one of the indices; kNoNode itself is none.
    limits_.max_moves = std::min<std::size_t>(limits_.max_moves, kNoNode - 1);
    arena_ = Arena<MoveNode>(limits_.max_moves + 1);
    arena_.make();
}

void MoveTree::clear() {
    arena_.clear();
    arena_.make();
}

// ---- adding ------------------------------------------------------------------------------------

Result<NodeIndex> MoveTree::make(NodeIndex parent,
                                 Move move,
                                 std::int32_t key,
                                 std::uint32_t payload) {
    assert(contains(parent));
    const std::uint32_t depth = arena_[parent].depth + 1;
    if (depth > limits_.max_depth) {
        return fail(
            ErrorCode::out_of_range,
            "the move tree is at its limit of " + std::to_string(limits_.max_depth) + " plies");
    }
    const NodeIndex node = arena_.make(move, key, payload, kNoNode, kNoNode, parent, depth);
    if (node == kNoNode) {
        return fail(
            ErrorCode::out_of_range,
            "the move tree is at its limit of " + std::to_string(limits_.max_moves) + " moves");
    }
    return node;
}

Result<NodeIndex> MoveTree::add_front(NodeIndex parent,
                                      Move move,
                                      std::int32_t key,
                                      std::uint32_t payload) {
    auto node = make(parent, move, key, payload);
    if (!node) return node;
    arena_[*node].sibling = arena_[parent].child;
    arena_[parent].child = *node;
    return node;
}

Result<NodeIndex> MoveTree::add_back(NodeIndex parent,
                                     Move move,
                                     std::int32_t key,
                                     std::uint32_t payload) {
    const NodeIndex last = last_child(parent);
    return last == kNoNode ? add_front(parent, move, key, payload)
                           : add_after(last, move, key, payload);
}

Result<NodeIndex> MoveTree::add_after(NodeIndex previous,
                                      Move move,
                                      std::int32_t key,
                                      std::uint32_t payload) {
    assert(contains(previous) && previous != kRoot);
    auto node = make(arena_[previous].parent, move, key, payload);
    if (!node) return node;
    arena_[*node].sibling = arena_[previous].sibling;
    arena_[previous].sibling = *node;
    return node;
}

Result<NodeIndex> MoveTree::add_ordered(NodeIndex parent,
                                        Move move,
                                        std::int32_t key,
                                        std::uint32_t payload) {
    NodeIndex previous = kNoNode;
    for (NodeIndex node = arena_[parent].child; node != kNoNode && arena_[node].key >= key;
         node = arena_[node].sibling) {
        previous = node;
    }
    return previous == kNoNode ? add_front(parent, move, key, payload)
                               : add_after(previous, move, key, payload);
}

Result<NodeIndex> MoveTree::add_line(std::span<const Move> line, NodeIndex from) {
    for (const Move move : line) {
        NodeIndex next = find(from, move);
        if (next == kNoNode) {
            const auto added = add_back(from, move);
            if (!added) return added;
            next = *added;
        }
        from = next;
    }
    return from;
}

Result<std::size_t> MoveTree::merge(const MoveTree& other) {
    const std::size_t before = size();
    // Where each node of `other` has its twin here; a parent comes before its children in the walk.
    std::vector<NodeIndex> twin(other.arena_.size(), kNoNode);
    twin[kRoot] = kRoot;
    for (NodeIndex node = other.arena_[kRoot].child; node != kNoNode;
         node = other.next_in_order(node, kRoot, true)) {
        const MoveNode& theirs = other.arena_[node];
        const NodeIndex parent = twin[theirs.parent];
        NodeIndex ours = find(parent, theirs.move);
        if (ours == kNoNode) {
            const auto added = add_back(parent, theirs.move, theirs.key, theirs.payload);
            if (!added) return fail(added.error());
            ours = *added;
        }
        twin[node] = ours;
    }
    return size() - before;
}

// ---- order -------------------------------------------------------------------------------------

/// Joins two sorted lists; of equal keys those of `earlier` come first.
NodeIndex MoveTree::merge_lists(NodeIndex earlier, NodeIndex later) noexcept {
    NodeIndex head = kNoNode;
    NodeIndex tail = kNoNode;
    while (earlier != kNoNode || later != kNoNode) {
        const bool take_earlier =
            later == kNoNode || (earlier != kNoNode && arena_[earlier].key >= arena_[later].key);
        NodeIndex& source = take_earlier ? earlier : later;
        const NodeIndex node = source;
        source = arena_[node].sibling;
        (tail == kNoNode ? head : arena_[tail].sibling) = node;
        tail = node;
    }
    return head;
}

void MoveTree::sort_children(NodeIndex parent) noexcept {
    // Bottom-up: runs[i] is empty or a sorted list of 2^i nodes that came before all shorter runs.
    std::array<NodeIndex, 33> runs;
    runs.fill(kNoNode);
    for (NodeIndex rest = arena_[parent].child; rest != kNoNode;) {
        NodeIndex run = rest;
        rest = arena_[run].sibling;
        arena_[run].sibling = kNoNode;
        std::size_t i = 0;
        for (; runs[i] != kNoNode; ++i) {
            run = merge_lists(runs[i], run);
            runs[i] = kNoNode;
        }
        runs[i] = run;
    }
    NodeIndex sorted = kNoNode;
    for (const NodeIndex run : runs) {
        if (run != kNoNode) sorted = merge_lists(run, sorted);
    }
    arena_[parent].child = sorted;
}

void MoveTree::sort_all() noexcept {
    for (std::size_t node = 0; node < arena_.size(); ++node) {
        sort_children(static_cast<NodeIndex>(node));
    }
}

void MoveTree::move_to_front(NodeIndex node) noexcept {
    assert(contains(node) && node != kRoot);
    MoveNode& parent = arena_[arena_[node].parent];
    if (parent.child == node) return;
    NodeIndex previous = parent.child;
    while (arena_[previous].sibling != node)
        previous = arena_[previous].sibling;
    arena_[previous].sibling = arena_[node].sibling;
    arena_[node].sibling = parent.child;
    parent.child = node;
}

// ---- reading -----------------------------------------------------------------------------------

NodeIndex MoveTree::last_child(NodeIndex parent) const noexcept {
    NodeIndex last = kNoNode;
    for (NodeIndex node = arena_[parent].child; node != kNoNode; node = arena_[node].sibling)
        last = node;
    return last;
}

NodeIndex MoveTree::find(NodeIndex parent, Move move) const noexcept {
    NodeIndex node = arena_[parent].child;
    while (node != kNoNode && arena_[node].move != move)
        node = arena_[node].sibling;
    return node;
}

NodeIndex MoveTree::find_line(std::span<const Move> line, NodeIndex from) const noexcept {
    for (const Move move : line) {
        from = find(from, move);
        if (from == kNoNode) break;
    }
    return from;
}

std::vector<Move> MoveTree::path_to(NodeIndex node) const {
    std::vector<Move> path(arena_[node].depth);
    for (std::size_t i = path.size(); i-- > 0; node = arena_[node].parent)
        path[i] = arena_[node].move;
    return path;
}

std::vector<Move> MoveTree::first_line(NodeIndex from) const {
    std::vector<Move> line;
    for (NodeIndex node = arena_[from].child; node != kNoNode; node = arena_[node].child) {
        line.push_back(arena_[node].move);
    }
    return line;
}

std::size_t MoveTree::child_count(NodeIndex parent) const noexcept {
    std::size_t count = 0;
    for (NodeIndex node = arena_[parent].child; node != kNoNode; node = arena_[node].sibling)
        ++count;
    return count;
}

NodeIndex MoveTree::next_in_order(NodeIndex node, NodeIndex from, bool descend) const noexcept {
    if (descend && arena_[node].child != kNoNode) return arena_[node].child;
    while (node != from) {
        if (arena_[node].sibling != kNoNode) return arena_[node].sibling;
        node = arena_[node].parent;
    }
    return kNoNode;
}

std::size_t MoveTree::count_moves(NodeIndex from) const noexcept {
    std::size_t count = 0;
    walk(from, [&count](NodeIndex) { ++count; });
    return count;
}

std::size_t MoveTree::count_lines(NodeIndex from) const noexcept {
    std::size_t count = 0;
    walk(from, [&](NodeIndex node) { count += arena_[node].child == kNoNode ? 1U : 0U; });
    return count;
}

std::uint32_t MoveTree::height(NodeIndex from) const noexcept {
    std::uint32_t deepest = arena_[from].depth;
    walk(from, [&](NodeIndex node) { deepest = std::max(deepest, arena_[node].depth); });
    return deepest - arena_[from].depth;
}

bool MoveTree::equals(const MoveTree& other) const noexcept {
    if (size() != other.size()) return false;
    NodeIndex a = kRoot;
    NodeIndex b = kRoot;
    // In lockstep: equal depths along the same order make the same tree.
    while (a != kNoNode && b != kNoNode) {
        const MoveNode& x = arena_[a];
        const MoveNode& y = other.arena_[b];
        if (x.move != y.move || x.key != y.key || x.payload != y.payload || x.depth != y.depth) {
            return false;
        }
        a = next_in_order(a, kRoot, true);
        b = other.next_in_order(b, kRoot, true);
    }
    return a == b;
}

// ---- vectors -----------------------------------------------------------------------------------

std::vector<MoveBranch> MoveTree::to_branches(NodeIndex from) const {
    std::vector<MoveBranch> branches;
    // open[d]: the vector that moves of depth d below `from` go to. Growing it moves only finished
    // entries: whatever lies below them is done when their next sibling arrives.
    std::vector<std::vector<MoveBranch>*> open{&branches};
    walk(from, [&](NodeIndex node) {
        const MoveNode& source = arena_[node];
        const std::size_t depth = source.depth - arena_[from].depth;
        open.resize(depth);
        open.back()->push_back({source.move, source.key, source.payload});
        open.push_back(&open.back()->back().children);
    });
    return branches;
}

Result<MoveTree> MoveTree::from_branches(std::span<const MoveBranch> branches,
                                         MoveTreeLimits limits) {
    MoveTree tree(limits);
    struct Level {
        std::span<const MoveBranch> rest;
        NodeIndex parent;
        NodeIndex last;  // sibling to link behind
    };
    std::vector<Level> open{{branches, kRoot, kNoNode}};
    while (!open.empty()) {
        Level& level = open.back();
        if (level.rest.empty()) {
            open.pop_back();
            continue;
        }
        const MoveBranch& branch = level.rest.front();
        level.rest = level.rest.subspan(1);
        if (!branch.move) {
            return fail(ErrorCode::bad_value, "only the root of a move tree has no move");
        }
        const auto node =
            level.last == kNoNode
                ? tree.add_front(level.parent, branch.move, branch.key, branch.payload)
                : tree.add_after(level.last, branch.move, branch.key, branch.payload);
        if (!node) return fail(node.error());
        level.last = *node;
        open.push_back({branch.children, *node, kNoNode});
    }
    return tree;
}

}  // namespace yomi::shogi
