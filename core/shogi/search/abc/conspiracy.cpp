#include "core/shogi/search/abc/conspiracy.hpp"

#include <algorithm>
#include <cstddef>

namespace yomi::shogi::abc {

namespace {

/// Adds without ever leaving "proved".
Conspirators sum(Conspirators a, Conspirators b) noexcept {
    return a >= kProved - b ? kProved : a + b;
}

Conspiracy leaf(const NodeFacts& facts, Value g) noexcept {
    const Conspirators count = facts.proved ? kProved : 1;
    return facts.estimate >= g ? Conspiracy{.lower = count} : Conspiracy{.upper = count};
}

/// What a node starts from before its children are joined.
Conspiracy start(bool max_to_move) noexcept {
    return max_to_move ? Conspiracy{.lower = 0, .upper = kProved}
                       : Conspiracy{.lower = kProved, .upper = 0};
}

void join(Conspiracy& node, bool max_to_move, const Conspiracy& child) noexcept {
    if (max_to_move) {
        node.lower = sum(node.lower, child.lower);
        node.upper = std::min(node.upper, child.upper);
    } else {
        node.lower = std::min(node.lower, child.lower);
        node.upper = sum(node.upper, child.upper);
    }
}

}  // namespace

std::vector<Conspiracy> conspiracy_curve(const Record& record, std::span<const Value> thresholds) {
    const MoveTree& tree = record.tree();
    const std::size_t size = record.size();
    std::vector<Conspiracy> nodes(size);
    std::vector<Conspiracy> curve;
    curve.reserve(thresholds.size());
    for (const Value g : thresholds) {
        for (std::size_t i = 0; i < size; ++i) {
            const auto node = static_cast<NodeIndex>(i);
            nodes[i] = tree[node].child == kNoNode ? leaf(record.facts(node), g)
                                                   : start(record.facts(node).max_to_move);
        }
        // A node is made after its parent, so backwards is post-order.
        for (std::size_t i = size; i-- > 1;) {
            const NodeIndex parent = tree[static_cast<NodeIndex>(i)].parent;
            join(nodes[parent], record.facts(parent).max_to_move, nodes[i]);
        }
        curve.push_back(nodes.front());
    }
    return curve;
}

Value recorded_value(const Record& record) {
    const MoveTree& tree = record.tree();
    const std::size_t size = record.size();
    std::vector<Value> values(size);
    for (std::size_t i = 0; i < size; ++i) {
        const auto node = static_cast<NodeIndex>(i);
        const NodeFacts& facts = record.facts(node);
        values[i] = tree[node].child == kNoNode ? facts.estimate
                    : facts.max_to_move         ? -kBeyond
                                                : kBeyond;
    }
    for (std::size_t i = size; i-- > 1;) {
        const NodeIndex parent = tree[static_cast<NodeIndex>(i)].parent;
        values[parent] = record.facts(parent).max_to_move ? std::max(values[parent], values[i])
                                                          : std::min(values[parent], values[i]);
    }
    return values.front();
}

}  // namespace yomi::shogi::abc
