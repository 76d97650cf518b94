#include "core/shogi/search/abc/record.hpp"

#include <algorithm>
#include <utility>

namespace yomi::shogi::abc {

Record::Record(std::size_t max_moves) : tree_(MoveTreeLimits{.max_moves = max_moves}) {
    tree_.set_payload(kRoot, 0);
    facts_.emplace_back();
}

NodeIndex Record::keep(Result<NodeIndex> added) {
    if (!added) {
        truncated_ = true;
        return kNoNode;
    }
    tree_.set_payload(*added, static_cast<std::uint32_t>(facts_.size()));
    facts_.emplace_back();
    return *added;
}

NodeIndex Record::add(NodeIndex parent, Move move) {
    return parent == kNoNode ? kNoNode : keep(tree_.add_front(parent, move));
}

NodeIndex Record::add_behind(NodeIndex parent, Move move) {
    if (parent == kNoNode) return kNoNode;
    const NodeIndex first = tree_[parent].child;
    return keep(first == kNoNode ? tree_.add_front(parent, move) : tree_.add_after(first, move));
}

void Record::graft(const Record& other, NodeIndex from, NodeIndex to) {
    if (to == kNoNode) return;
    const Quarters paid = facts(to).paid;
    facts(to) = other.facts(from);
    facts(to).paid = paid;
    std::vector<std::pair<NodeIndex, NodeIndex>> open{{from, to}};
    std::vector<NodeIndex> children;
    while (!open.empty()) {
        const auto [source, target] = open.back();
        open.pop_back();
        children.clear();
        for (NodeIndex c = other.tree()[source].child; c != kNoNode; c = other.tree()[c].sibling)
            children.push_back(c);
        // Added in front from the last to the first, so that the order stays.
        for (auto it = children.rbegin(); it != children.rend(); ++it) {
            const NodeIndex copy = add(target, other.tree()[*it].move);
            if (copy == kNoNode) return;
            facts(copy) = other.facts(*it);
            if (other.tree()[*it].child != kNoNode) open.emplace_back(*it, copy);
        }
    }
}

}  // namespace yomi::shogi::abc
