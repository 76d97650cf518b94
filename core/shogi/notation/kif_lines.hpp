#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/arena.hpp"
#include "core/shogi/move_tree.hpp"

namespace yomi::shogi {

/// The line of moves that a 変化 (or the beginning) has opened, and those that it branches from.
class LineStack {
public:
    /// Ends the present line; the next move starts one at `ply`.
    void open(std::uint32_t ply) {
        open_ = false;
        next_start_ = ply;
    }
    /// A move (or an ending, which belongs to no line) below `parent`.
    void add(NodeIndex parent, NodeIndex node, bool is_move) {
        set_more(parent, false);
        if (!is_move) return;
        if (!open_) lines_.push_back({.start = next_start_, .nodes = {}});
        open_ = true;
        lines_.back().nodes.push_back(node);
    }
    /// The last move below `parent` carries a `+`: more of them will come.
    void mark_more(NodeIndex parent) {
        set_more(parent, true);
        any_mark_ = true;
    }
    [[nodiscard]] bool empty() const { return lines_.empty(); }

    /// Where a variation at `ply` branches off: the node of the ply before. `kNoNode` if no line is
    /// long enough.
    NodeIndex parent_of(std::uint32_t ply) {
        while (!lines_.empty() && (lines_.back().start >= ply || lines_.back().end() + 1 < ply))
            lines_.pop_back();
        if (ply == 1) return MoveTree::kRoot;
        if (lines_.empty()) return kNoNode;
        if (any_mark_) prefer_marked(ply);
        // The line on top starts before `ply` and reaches the ply before it.
        return lines_.back().nodes[ply - 1 - lines_.back().start];
    }

private:
    struct Line {
        std::uint32_t start = 1;  ///< ply of its first move
        std::vector<NodeIndex> nodes;
        [[nodiscard]] std::uint32_t end() const {
            return start + static_cast<std::uint32_t>(nodes.size()) - 1;
        }
        [[nodiscard]] bool reaches(std::uint32_t ply) const { return start <= ply && ply <= end(); }
    };

    void set_more(NodeIndex parent, bool more) {
        if (more_.size() <= parent) more_.resize(parent + 1);
        more_[parent] = more;
    }

    /// Kifu for Windows marks each move that has later siblings, and lists variations so that the
    /// newest line is always meant. A writer that lists them in another order still marks: then the
    /// line is meant whose move is marked and waits for a sibling.
    void prefer_marked(std::uint32_t ply) {
        for (std::size_t k = lines_.size(); k-- > 0;) {
            const Line& line = lines_[k];
            if (!line.reaches(ply - 1)) continue;
            const NodeIndex parent = line.nodes[ply - 1 - line.start];
            if (parent >= more_.size() || !more_[parent]) continue;
            lines_.resize(k + 1);
            return;
        }
    }

    std::vector<Line> lines_;
    std::vector<bool> more_;  ///< [node] a sibling of its last child is still to come
    bool any_mark_ = false;
    bool open_ = false;
    std::uint32_t next_start_ = 1;
};

}  // namespace yomi::shogi
