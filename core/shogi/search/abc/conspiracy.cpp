#include "core/shogi/search/abc/conspiracy.hpp"

#include <algorithm>
#include <cstddef>

namespace yomi::shogi::abc {

namespace {

Conspiracy leaf(const NodeFacts& facts, Value g) noexcept {
    Conspirators count = facts.proved ? kProved : 1;
    // What was shown for a threshold holds all the more for an easier one.
    if (facts.from_table && (facts.holds ? g <= facts.g : g >= facts.g)) count = facts.count;
    return facts.estimate >= g ? Conspiracy{.lower = count} : Conspiracy{.upper = count};
}

/// What a node starts from before its children are joined.
Conspiracy start(bool max_to_move) noexcept {
    return max_to_move ? Conspiracy{.lower = 0, .upper = kProved}
                       : Conspiracy{.lower = kProved, .upper = 0};
}

void join(Conspiracy& node, bool max_to_move, const Conspiracy& child) noexcept {
    if (max_to_move) {
        node.lower = together(node.lower, child.lower);
        node.upper = std::min(node.upper, child.upper);
    } else {
        node.lower = std::min(node.lower, child.lower);
        node.upper = together(node.upper, child.upper);
    }
}

}  // namespace

std::vector<Conspiracy> conspiracy_numbers(const Record& record, Value g) {
    const MoveTree& tree = record.tree();
    std::vector<Conspiracy> nodes(record.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const auto node = static_cast<NodeIndex>(i);
        const NodeFacts& facts = record.facts(node);
        nodes[i] = tree[node].child == kNoNode ? leaf(facts, g) : start(facts.max_to_move);
    }
    // A node is made after its parent, so backwards is post-order.
    for (std::size_t i = nodes.size(); i-- > 1;) {
        const NodeIndex parent = tree[static_cast<NodeIndex>(i)].parent;
        join(nodes[parent], record.facts(parent).max_to_move, nodes[i]);
    }
    return nodes;
}

std::vector<Conspiracy> conspiracy_curve(const Record& record, std::span<const Value> thresholds) {
    std::vector<Conspiracy> curve;
    curve.reserve(thresholds.size());
    for (const Value g : thresholds)
        curve.push_back(conspiracy_numbers(record, g).front());
    return curve;
}

std::vector<Value> recorded_values(const Record& record) {
    const MoveTree& tree = record.tree();
    std::vector<Value> values(record.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto node = static_cast<NodeIndex>(i);
        const NodeFacts& facts = record.facts(node);
        values[i] = tree[node].child == kNoNode ? facts.estimate
                    : facts.max_to_move         ? -kBeyond
                                                : kBeyond;
    }
    for (std::size_t i = values.size(); i-- > 1;) {
        const NodeIndex parent = tree[static_cast<NodeIndex>(i)].parent;
        values[parent] = record.facts(parent).max_to_move ? std::max(values[parent], values[i])
                                                          : std::min(values[parent], values[i]);
    }
    return values;
}

Value recorded_value(const Record& record) {
    return recorded_values(record).front();
}

}  // namespace yomi::shogi::abc
