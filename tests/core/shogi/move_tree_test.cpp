#include "core/shogi/move_tree.hpp"

#include <limits>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/oracle/move_tree_oracle.hpp"

namespace {

using namespace yomi;
using namespace yomi::shogi;
using namespace yomi::shogi::oracle;

// ---- random trees
// --------------------------------------------------------------------------------

TEST(MoveTree, RandomTreesEqualTheirVectorTwins) {
    SplitMix64 random(42);
    for (int round = 0; round < 300; ++round) {
        Grown grown = grow(random, static_cast<int>(random.below(120)), 5);
        expect_same(grown);
        ASSERT_FALSE(HasFatalFailure()) << round;
        // Below any node as well.
        grown.tree.walk(MoveTree::kRoot, [&](NodeIndex node) {
            const auto below = grown.tree.to_branches(node);
            ASSERT_EQ(grown.tree.count_moves(node), plain_moves(below));
            ASSERT_EQ(grown.tree.count_lines(node), plain_lines(below));
            ASSERT_EQ(grown.tree.height(node), plain_height(below));
        });
        grown.tree.sort_all();
        plain_sort(grown.plain);
        expect_same(grown);
        ASSERT_FALSE(HasFatalFailure()) << round;
    }
}

TEST(MoveTree, VectorsAndBackIsTheSameTree) {
    SplitMix64 random(43);
    for (int round = 0; round < 300; ++round) {
        const Grown grown = grow(random, static_cast<int>(random.below(120)), 5);
        const MoveTree back = must(MoveTree::from_branches(grown.plain));
        ASSERT_EQ(back, grown.tree);
        ASSERT_EQ(back.to_branches(), grown.plain);
    }
}

TEST(MoveTree, TextAndBackIsTheSameTree) {
    SplitMix64 random(44);
    for (int round = 0; round < 300; ++round) {
        Grown grown = grow(random, static_cast<int>(random.below(120)), 1U << 30);
        if (round % 3 == 0) grown.tree.set_key(MoveTree::kRoot, -7);
        if (round % 5 == 0) grown.tree.set_payload(MoveTree::kRoot, 12);
        const std::string text = grown.tree.to_text();
        const MoveTree back = must(MoveTree::parse(text));
        ASSERT_EQ(back, grown.tree) << text;
        ASSERT_EQ(back.to_text(), text);
    }
}

TEST(MoveTree, EqualityLooksAtMovesKeysPayloadsAndShape) {
    SplitMix64 random(45);
    for (int round = 0; round < 100; ++round) {
        const Grown grown = grow(random, 40, 5);
        if (grown.tree.empty()) continue;
        const auto node =
            static_cast<NodeIndex>(1 + random.below(static_cast<std::uint32_t>(grown.tree.size())));
        MoveTree other = grown.tree;
        EXPECT_EQ(other, grown.tree);
        other.set_key(node, grown.tree[node].key + 1);
        EXPECT_NE(other, grown.tree);
        other = grown.tree;
        other.set_payload(node, 12345);
        EXPECT_NE(other, grown.tree);
        other = grown.tree;
        must(other.add_back(node, random_any_move(random)));
        EXPECT_NE(other, grown.tree);
    }
    // Same moves in the same order at other depths.
    const MoveTree flat = must(MoveTree::parse(".(P7g7f,p3c3d)"));
    const MoveTree deep = must(MoveTree::parse(".(P7g7f(p3c3d))"));
    EXPECT_NE(flat, deep);
}

// ---- sorting
// -------------------------------------------------------------------------------------

TEST(MoveTree, SortIsDescendingStableAndKeepsTheMultiset) {
    SplitMix64 random(46);
    for (int round = 0; round < 200; ++round) {
        const std::uint32_t count = random.below(600);
        MoveTree tree;
        std::multiset<std::uint32_t> before;
        std::vector<MoveBranch> plain;
        for (std::uint32_t i = 0; i < count; ++i) {
            const Move move = random_any_move(random);
            const auto key = static_cast<std::int32_t>(random.below(1 + count / 4));
            // The payload is the old place: among equal keys it must rise.
            must(tree.add_front(MoveTree::kRoot, move, key, count - 1 - i));
            before.insert(move.bits());
            plain.insert(plain.begin(), {move, key, count - 1 - i});
        }
        tree.sort_children(MoveTree::kRoot);
        std::multiset<std::uint32_t> after;
        const MoveNode* previous = nullptr;
        for (NodeIndex n = tree[MoveTree::kRoot].child; n != kNoNode; n = tree[n].sibling) {
            after.insert(tree[n].move.bits());
            if (previous != nullptr) {
                ASSERT_GE(previous->key, tree[n].key);
                if (previous->key == tree[n].key) {
                    ASSERT_LT(previous->payload, tree[n].payload);
                }
            }
            previous = &tree[n];
        }
        ASSERT_EQ(after, before);
        plain_sort(plain);
        ASSERT_EQ(tree.to_branches(), plain);
    }
}

TEST(MoveTree, AddOrderedBuildsWhatAStableSortMakes) {
    SplitMix64 random(47);
    for (int round = 0; round < 100; ++round) {
        MoveTree ordered;
        MoveTree sorted;
        const std::uint32_t count = random.below(100);
        for (std::uint32_t i = 0; i < count; ++i) {
            const Move move = random_any_move(random);
            const auto key = static_cast<std::int32_t>(random.below(10));
            must(ordered.add_ordered(MoveTree::kRoot, move, key, i));
            must(sorted.add_back(MoveTree::kRoot, move, key, i));
        }
        sorted.sort_children(MoveTree::kRoot);
        ASSERT_EQ(ordered, sorted);
    }
}

TEST(MoveTree, SortsTheExtremesOfTheKey) {
    MoveTree tree;
    const std::int32_t least = std::numeric_limits<std::int32_t>::min();
    const std::int32_t most = std::numeric_limits<std::int32_t>::max();
    for (const std::int32_t key : {0, least, most, -1, 1}) {
        must(tree.add_back(MoveTree::kRoot, drop_of(PieceType::gold, 5, 2), key));
    }
    tree.sort_all();
    std::vector<std::int32_t> keys;
    tree.walk(MoveTree::kRoot, [&](NodeIndex node) { keys.push_back(tree[node].key); });
    EXPECT_EQ(keys, (std::vector<std::int32_t>{most, 1, 0, -1, least}));
    EXPECT_EQ(must(MoveTree::parse(tree.to_text())), tree);
}

// ---- lines and merging
// ---------------------------------------------------------------------------

/// The solution tree of the seed's third tsume: 7 nodes, 3 lines.
MoveTree third_tsume() {
    MoveTree tree;
    const Move key = drop_of(PieceType::gold, 1, 3);
    const PieceType king = PieceType::king;
    const std::vector<std::vector<Move>> lines{
        {key, white_move(king, 2, 2, 3, 2), drop_of(PieceType::gold, 4, 2)},
        {key, white_move(king, 2, 2, 3, 1), drop_of(PieceType::gold, 4, 2)},
        {key, white_move(king, 2, 2, 1, 1), drop_of(PieceType::gold, 1, 2)}};
    for (const auto& line : lines)
        must(tree.add_line(line));
    return tree;
}

TEST(MoveTree, LinesShareTheirBeginning) {
    const MoveTree tree = third_tsume();
    EXPECT_EQ(tree.size(), 7U);
    EXPECT_EQ(tree.count_lines(), 3U);
    EXPECT_EQ(tree.height(), 3U);
    EXPECT_EQ(tree.to_text(), ".(G*1c(k2b3b(G*4b),k2b3a(G*4b),k2b1a(G*1b)))");
    const std::vector<Move> first = tree.first_line();
    ASSERT_EQ(first.size(), 3U);
    const NodeIndex end = tree.find_line(first);
    ASSERT_NE(end, kNoNode);
    EXPECT_EQ(tree.path_to(end), first);
    EXPECT_EQ(tree.find_line(std::vector<Move>{first[1]}), kNoNode);
    EXPECT_EQ(tree.find(MoveTree::kRoot, first[0]), tree[MoveTree::kRoot].child);
    EXPECT_EQ(tree.path_to(MoveTree::kRoot), std::vector<Move>{});
}

TEST(MoveTree, AddingALineTwiceAddsNothing) {
    MoveTree tree = third_tsume();
    const MoveTree before = tree;
    const NodeIndex end = must(tree.add_line(tree.first_line()));
    EXPECT_EQ(tree[end].depth, 3U);
    EXPECT_EQ(tree, before);
}

TEST(MoveTree, WalkSkipsWhatTheVisitorDeclines) {
    const MoveTree tree = third_tsume();
    std::vector<std::uint32_t> depths;
    tree.walk(MoveTree::kRoot, [&](NodeIndex node) -> bool {
        depths.push_back(tree[node].depth);
        return tree[node].depth < 2;
    });
    EXPECT_EQ(depths, (std::vector<std::uint32_t>{1, 2, 2, 2}));
}

TEST(MoveTree, MergeIsTheUnionOfTheLines) {
    SplitMix64 random(48);
    // Few different moves, so that random trees overlap.
    std::vector<Move> few;
    for (int i = 0; i < 4; ++i)
        few.push_back(random_any_move(random));
    const auto random_tree = [&] {
        MoveTree tree;
        for (std::uint32_t lines = random.below(12); lines > 0; --lines) {
            std::vector<Move> line;
            for (std::uint32_t ply = random.below(6); ply > 0; --ply)
                line.push_back(few[random.below(4)]);
            const NodeIndex end = must(tree.add_line(line));
            if (end != MoveTree::kRoot)
                tree.set_key(end, static_cast<std::int32_t>(random.below(100)));
        }
        return tree;
    };
    std::size_t overlaps = 0;
    for (int round = 0; round < 400; ++round) {
        const MoveTree a = random_tree();
        const MoveTree b = random_tree();
        std::set<std::vector<std::uint32_t>> both = plain_paths(a);
        both.merge(plain_paths(b));
        MoveTree joined = a;
        const auto added = joined.merge(b);
        ASSERT_TRUE(added);
        ASSERT_EQ(*added, both.size() - a.size());
        ASSERT_EQ(joined.size(), both.size()) << "no move twice among siblings";
        ASSERT_EQ(plain_paths(joined), both);
        overlaps += a.size() + b.size() - both.size();
        // What was there keeps its key, what came brings its own.
        joined.walk(MoveTree::kRoot, [&](NodeIndex node) {
            const auto path = joined.path_to(node);
            const NodeIndex old = a.find_line(path);
            const std::int32_t want = old != kNoNode ? a[old].key : b[b.find_line(path)].key;
            ASSERT_EQ(joined[node].key, want);
        });
        MoveTree again = joined;
        ASSERT_EQ(again.merge(b).value(), 0U);
        ASSERT_EQ(again.merge(again).value(), 0U);
        ASSERT_EQ(again, joined);
    }
    EXPECT_GT(overlaps, 400U);
}

// ---- limits
// --------------------------------------------------------------------------------------

TEST(MoveTree, NodeLimitIsAClearErrorAndLosesNothing) {
    MoveTree tree({.max_moves = 3});
    const Move move = drop_of(PieceType::pawn, 5, 5);
    for (int i = 0; i < 3; ++i)
        must(tree.add_front(MoveTree::kRoot, move, i));
    const MoveTree before = tree;
    for (const auto& refused : {tree.add_front(MoveTree::kRoot, move),
                                tree.add_back(MoveTree::kRoot, move),
                                tree.add_after(1, move),
                                tree.add_ordered(MoveTree::kRoot, move, 1),
                                tree.add_line(std::vector<Move>{move, move}, 1)}) {
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().code, ErrorCode::out_of_range);
        EXPECT_NE(refused.error().message.find("3 moves"), std::string::npos);
    }
    EXPECT_EQ(tree, before);
    EXPECT_FALSE(tree.merge(third_tsume()));
    EXPECT_FALSE(MoveTree::from_branches(third_tsume().to_branches(), {.max_moves = 6}));
    EXPECT_TRUE(MoveTree::from_branches(third_tsume().to_branches(), {.max_moves = 7}));
    MoveTree none({.max_moves = 0});
    EXPECT_FALSE(none.add_back(MoveTree::kRoot, move));
    EXPECT_TRUE(none.empty());
}

TEST(MoveTree, DepthLimitIsAClearError) {
    MoveTree tree({.max_depth = 2});
    const Move move = drop_of(PieceType::pawn, 5, 5);
    const NodeIndex one = must(tree.add_back(MoveTree::kRoot, move));
    const NodeIndex two = must(tree.add_back(one, move));
    const auto refused = tree.add_back(two, move);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::out_of_range);
    EXPECT_NE(refused.error().message.find("2 plies"), std::string::npos);
    EXPECT_EQ(tree.size(), 2U);
    EXPECT_FALSE(MoveTree::parse(".(P*5e(P*5e(P*5e)))", {.max_depth = 2}));
    EXPECT_TRUE(MoveTree::parse(".(P*5e(P*5e))", {.max_depth = 2}));
}

TEST(MoveTree, DeepAndWideTreesCostNoStack) {
    MoveTree deep({.max_depth = 1'000'000});
    NodeIndex node = MoveTree::kRoot;
    for (int ply = 0; ply < 300'000; ++ply)
        node = must(deep.add_back(node, drop_of(PieceType::gold, 5, 5)));
    EXPECT_EQ(deep.height(), 300'000U);
    EXPECT_EQ(deep.count_lines(), 1U);
    EXPECT_EQ(deep.path_to(node).size(), 300'000U);
    EXPECT_EQ(must(MoveTree::parse(deep.to_text(), {.max_depth = 1'000'000})), deep);
    deep.sort_all();
    EXPECT_EQ(deep.size(), 300'000U);

    MoveTree wide;
    for (int i = 0; i < 300'000; ++i)
        must(wide.add_front(MoveTree::kRoot, drop_of(PieceType::gold, 5, 5), i % 1000));
    wide.sort_all();
    std::int32_t last = 1000;
    std::size_t count = 0;
    wide.walk(MoveTree::kRoot, [&](NodeIndex n) {
        ASSERT_LE(wide[n].key, last);
        last = wide[n].key;
        ++count;
    });
    EXPECT_EQ(count, 300'000U);
}

TEST(MoveTree, ClearLeavesTheEmptyTree) {
    MoveTree tree = third_tsume();
    tree.set_key(MoveTree::kRoot, 3);
    tree.clear();
    EXPECT_EQ(tree, MoveTree());
    EXPECT_TRUE(tree.empty());
    EXPECT_EQ(tree.count_lines(), 0U);
    EXPECT_EQ(tree.height(), 0U);
    EXPECT_TRUE(tree.first_line().empty());
    EXPECT_EQ(tree.to_text(), ".");
    tree.sort_all();
    must(tree.add_back(MoveTree::kRoot, drop_of(PieceType::gold, 1, 1)));
    EXPECT_EQ(tree.size(), 1U);
}

TEST(MoveTree, RefusesAVectorNodeWithoutAMove) {
    const auto tree = MoveTree::from_branches(std::vector<MoveBranch>{MoveBranch{kNoMove}});
    ASSERT_FALSE(tree);
    EXPECT_EQ(tree.error().code, ErrorCode::bad_value);
}

}  // namespace
