#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/hash.hpp"
#include "core/shogi/move_tree.hpp"

/// Move trees as vectors of children, grown beside a `MoveTree` by the same random changes.
namespace yomi::shogi::oracle {

inline Square at(int file, int rank) {
    return make_square(file - 1, rank - 1);
}

inline Move drop_of(PieceType kind, int file, int rank) {
    return Move::drop(kind, at(file, rank), Color::black);
}
inline Move white_move(PieceType kind, int from_file, int from_rank, int file, int rank) {
    return Move::board(
        at(from_file, from_rank), at(file, rank), make_piece(Color::white, kind), false);
}

/// Any move that can be written down, legal or not.
inline Move random_any_move(SplitMix64& random) {
    const auto color = static_cast<Color>(random.below(2));
    const auto to = static_cast<Square>(random.below(kSquares));
    if (random.below(4) == 0) {
        return Move::drop(static_cast<PieceType>(1 + random.below(kHandKinds)), to, color);
    }
    const auto type = static_cast<PieceType>(1 + random.below(kPieceTypes - 1));
    const auto from =
        static_cast<Square>((to + 1 + static_cast<int>(random.below(kSquares - 1))) % kSquares);
    return Move::board(
        from, to, make_piece(color, type), can_promote(type) && random.below(2) == 0);
}

inline NodeIndex must(const Result<NodeIndex>& node) {
    EXPECT_TRUE(node) << (node ? "" : node.error().message);
    return node.value_or(MoveTree::kRoot);
}

inline MoveTree must(Result<MoveTree> tree) {
    EXPECT_TRUE(tree) << (tree ? ""
                               : tree.error().message + " at " +
                                     std::to_string(tree.error().column));
    return tree ? *std::move(tree) : MoveTree();
}

// ---- the slow twin: vectors of children
// ----------------------------------------------------------

inline std::size_t plain_moves(const std::vector<MoveBranch>& list) {
    std::size_t count = list.size();
    for (const MoveBranch& branch : list)
        count += plain_moves(branch.children);
    return count;
}
inline std::size_t plain_lines(const std::vector<MoveBranch>& list) {
    std::size_t count = 0;
    for (const MoveBranch& b : list)
        count += b.children.empty() ? 1 : plain_lines(b.children);
    return count;
}
inline std::uint32_t plain_height(const std::vector<MoveBranch>& list) {
    std::uint32_t height = 0;
    for (const MoveBranch& b : list)
        height = std::max(height, 1 + plain_height(b.children));
    return height;
}
inline void plain_order(const std::vector<MoveBranch>& list,
                        std::vector<Move> path,
                        std::vector<std::vector<Move>>& out) {
    for (const MoveBranch& branch : list) {
        path.push_back(branch.move);
        out.push_back(path);
        plain_order(branch.children, path, out);
        path.pop_back();
    }
}
inline void plain_sort(std::vector<MoveBranch>& list) {
    std::stable_sort(list.begin(), list.end(), [](const MoveBranch& a, const MoveBranch& b) {
        return a.key > b.key;
    });
    for (MoveBranch& branch : list)
        plain_sort(branch.children);
}
/// Every path from the root, as a set.
inline std::set<std::vector<std::uint32_t>> plain_paths(const MoveTree& tree) {
    std::set<std::vector<std::uint32_t>> paths;
    tree.walk(MoveTree::kRoot, [&](NodeIndex node) {
        std::vector<std::uint32_t> path;
        for (const Move move : tree.path_to(node))
            path.push_back(move.bits());
        paths.insert(path);
    });
    return paths;
}

/// A tree and its twin, grown by the same random changes.
struct Grown {
    MoveTree tree;
    std::vector<MoveBranch> plain;
};

inline Grown grow(SplitMix64& random, int changes, std::uint32_t key_span) {
    Grown grown;
    for (int i = 0; i < changes; ++i) {
        // Walk down both trees by child numbers to a random place.
        std::vector<MoveBranch>* list = &grown.plain;
        NodeIndex node = MoveTree::kRoot;
        while (!list->empty() && random.below(3) != 0) {
            const std::uint32_t pick = random.below(static_cast<std::uint32_t>(list->size()));
            node = grown.tree[node].child;
            for (std::uint32_t k = 0; k < pick; ++k)
                node = grown.tree[node].sibling;
            list = &(*list)[pick].children;
        }
        const MoveBranch fresh{random_any_move(random),
                               static_cast<std::int32_t>(random.below(2 * key_span + 1)) -
                                   static_cast<std::int32_t>(key_span),
                               random.below(4) == 0 ? random.below(1000) : MoveNode::kNoPayload};
        switch (random.below(5)) {
            case 0:
                must(grown.tree.add_front(node, fresh.move, fresh.key, fresh.payload));
                list->insert(list->begin(), fresh);
                break;
            case 1:
                must(grown.tree.add_back(node, fresh.move, fresh.key, fresh.payload));
                list->push_back(fresh);
                break;
            case 2: {
                must(grown.tree.add_ordered(node, fresh.move, fresh.key, fresh.payload));
                list->insert(std::find_if(list->begin(),
                                          list->end(),
                                          [&](const MoveBranch& b) { return b.key < fresh.key; }),
                             fresh);
                break;
            }
            case 3: {
                if (list->empty()) break;
                const std::uint32_t pick = random.below(static_cast<std::uint32_t>(list->size()));
                NodeIndex previous = grown.tree[node].child;
                for (std::uint32_t k = 0; k < pick; ++k)
                    previous = grown.tree[previous].sibling;
                must(grown.tree.add_after(previous, fresh.move, fresh.key, fresh.payload));
                list->insert(list->begin() + pick + 1, fresh);
                break;
            }
            default: {
                if (list->empty()) break;
                const std::uint32_t pick = random.below(static_cast<std::uint32_t>(list->size()));
                NodeIndex chosen = grown.tree[node].child;
                for (std::uint32_t k = 0; k < pick; ++k)
                    chosen = grown.tree[chosen].sibling;
                grown.tree.move_to_front(chosen);
                std::rotate(list->begin(), list->begin() + pick, list->begin() + pick + 1);
            }
        }
    }
    return grown;
}

inline void expect_same(const Grown& grown) {
    const auto& [tree, plain] = grown;
    ASSERT_EQ(tree.to_branches(), plain);
    ASSERT_EQ(tree.size(), plain_moves(plain));
    ASSERT_EQ(tree.count_moves(MoveTree::kRoot), plain_moves(plain));
    ASSERT_EQ(tree.count_lines(), plain_lines(plain));
    ASSERT_EQ(tree.height(), plain_height(plain));
    ASSERT_EQ(tree.child_count(MoveTree::kRoot), plain.size());
    std::vector<std::vector<Move>> order;
    plain_order(plain, {}, order);
    std::size_t i = 0;
    tree.walk(MoveTree::kRoot, [&](NodeIndex node) {
        ASSERT_LT(i, order.size());
        ASSERT_EQ(tree.path_to(node), order[i]);
        ASSERT_EQ(tree[node].depth, order[i].size());
        ASSERT_EQ(tree[node].move, order[i].back());
        ++i;
    });
    ASSERT_EQ(i, order.size());
}

}  // namespace yomi::shogi::oracle
