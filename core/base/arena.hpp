#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace yomi {

/// Index of a node in an `Arena`. Links inside trees are indices, so a tree copies, moves and
/// serialises as plain data.
using NodeIndex = std::uint32_t;
inline constexpr NodeIndex kNoNode = std::numeric_limits<NodeIndex>::max();

/// A growing block of nodes that are freed together.
///
/// Shape   at most 2^32-1 nodes, further bounded by `max_nodes`.
/// Errors  `make` returns `kNoNode` when the bound is reached; nothing is lost.
/// Threads one owner at a time.
/// Cost    amortised O(1) a node; references are invalidated by `make`, indices never.
template <class Node>
class Arena {
public:
    explicit Arena(std::size_t max_nodes = kNoNode)
        : max_nodes_(std::min<std::size_t>(max_nodes, kNoNode)) {}

    template <class... Args>
    NodeIndex make(Args&&... args) {
        if (nodes_.size() >= max_nodes_) return kNoNode;
        nodes_.push_back(Node{std::forward<Args>(args)...});
        return static_cast<NodeIndex>(nodes_.size() - 1);
    }

    Node& operator[](NodeIndex index) noexcept { return nodes_[index]; }
    const Node& operator[](NodeIndex index) const noexcept { return nodes_[index]; }
    [[nodiscard]] std::size_t size() const noexcept { return nodes_.size(); }
    [[nodiscard]] bool empty() const noexcept { return nodes_.empty(); }
    void clear() noexcept { nodes_.clear(); }

    friend bool operator==(const Arena& a, const Arena& b) { return a.nodes_ == b.nodes_; }

private:
    std::size_t max_nodes_;
    std::vector<Node> nodes_;
};

}  // namespace yomi
