#include "core/shogi/move_tree.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/hash.hpp"

namespace {

using namespace yomi;
using namespace yomi::shogi;

Square at(int file, int rank) {
    return make_square(file - 1, rank - 1);
}

Move drop_of(PieceType kind, int file, int rank) {
    return Move::drop(kind, at(file, rank), Color::black);
}
Move white_move(PieceType kind, int from_file, int from_rank, int file, int rank) {
    return Move::board(
        at(from_file, from_rank), at(file, rank), make_piece(Color::white, kind), false);
}

/// Any move that can be written down, legal or not.
Move random_any_move(SplitMix64& random) {
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

NodeIndex must(const Result<NodeIndex>& node) {
    EXPECT_TRUE(node) << (node ? "" : node.error().message);
    return node.value_or(MoveTree::kRoot);
}

MoveTree must(Result<MoveTree> tree) {
    EXPECT_TRUE(tree) << (tree ? ""
                               : tree.error().message + " at " +
                                     std::to_string(tree.error().column));
    return tree ? *std::move(tree) : MoveTree();
}

// ---- the slow twin: vectors of children
// ----------------------------------------------------------

std::size_t plain_moves(const std::vector<MoveBranch>& list) {
    std::size_t count = list.size();
    for (const MoveBranch& branch : list)
        count += plain_moves(branch.children);
    return count;
}
std::size_t plain_lines(const std::vector<MoveBranch>& list) {
    std::size_t count = 0;
    for (const MoveBranch& b : list)
        count += b.children.empty() ? 1 : plain_lines(b.children);
    return count;
}
std::uint32_t plain_height(const std::vector<MoveBranch>& list) {
    std::uint32_t height = 0;
    for (const MoveBranch& b : list)
        height = std::max(height, 1 + plain_height(b.children));
    return height;
}
void plain_order(const std::vector<MoveBranch>& list,
                 std::vector<Move> path,
                 std::vector<std::vector<Move>>& out) {
    for (const MoveBranch& branch : list) {
        path.push_back(branch.move);
        out.push_back(path);
        plain_order(branch.children, path, out);
        path.pop_back();
    }
}
void plain_sort(std::vector<MoveBranch>& list) {
    std::stable_sort(list.begin(), list.end(), [](const MoveBranch& a, const MoveBranch& b) {
        return a.key > b.key;
    });
    for (MoveBranch& branch : list)
        plain_sort(branch.children);
}
/// Every path from the root, as a set.
std::set<std::vector<std::uint32_t>> plain_paths(const MoveTree& tree) {
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

Grown grow(SplitMix64& random, int changes, std::uint32_t key_span) {
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

void expect_same(const Grown& grown) {
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

// ---- the text form
// -------------------------------------------------------------------------------

TEST(MoveTreeText, WritesEveryKindOfMoveReadably) {
    MoveTree tree;
    const auto add =
        [&](Move move, std::int32_t key = 0, std::uint32_t payload = MoveNode::kNoPayload) {
            return must(tree.add_back(MoveTree::kRoot, move, key, payload));
        };
    const Piece pawn = make_piece(Color::black, PieceType::pawn);
    const NodeIndex first = add(Move::board(at(7, 7), at(7, 6), pawn, false), 35);
    must(tree.add_back(first, white_move(PieceType::pawn, 3, 3, 3, 4)));
    must(tree.add_back(first, white_move(PieceType::pawn, 8, 3, 8, 4), -4, 2));
    add(Move::board(at(8, 8), at(2, 2), make_piece(Color::black, PieceType::bishop), true));
    add(Move::board(at(2, 1), at(1, 1), make_piece(Color::black, PieceType::dragon), false), 0, 0);
    add(Move::drop(PieceType::gold, at(5, 2), Color::white));
    EXPECT_EQ(tree.to_text(), ".(P7g7f:35(p3c3d,p8c8d:-4#2),B8h2b+,+R2a1a#0,g*5b)");
    EXPECT_EQ(must(MoveTree::parse(tree.to_text())), tree);
}

TEST(MoveTreeText, NamesThePlaceOfEachFault) {
    struct Case {
        const char* text;
        int column;
        const char* word;
    };
    const std::vector<Case> cases{
        {"", 1, "begins with '.'"},
        {"(P7g7f)", 1, "begins with '.'"},
        {".P7g7f", 2, "after the root"},
        {".()", 3, "piece"},
        {".(P7g7f", 8, "missing at the end"},
        {".(P7g7f))", 9, "closes nothing"},
        {".(P7g7f),P2g2f", 9, "ended here"},
        {".(P7g7f)(P2g2f)", 9, "ended here"},
        {".(P7g7f(p3c3d)(p8c8d))", 15, "after ')'"},
        {".(P7g7f(p3c3d)P2g2f)", 15, "after ')'"},
        {".(P7g7f P2g2f)", 8, "expected"},
        {".(P7g7f,)", 9, "piece"},
        {".(7g7f)", 3, "piece"},
        {".(X7g7f)", 3, "piece"},
        {".(?7g7f)", 3, "piece"},
        {".(P0g7f)", 4, "file"},
        {".(P7g7)", 6, "rank"},
        {".(P7g7j)", 6, "rank"},
        {".(P7g7g)", 3, "another square"},
        {".(G5b5a+)", 3, "promote"},
        {".(+P5b5a+)", 3, "promote"},
        {".(+G5b5a)", 3, "promoted form"},
        {".(+P*5a)", 3, "dropped"},
        {".(K*5a)", 3, "dropped"},
        {".(P*5a+)", 7, "expected"},
        {".(P7g7f:)", 9, "key"},
        {".(P7g7f:x)", 9, "key"},
        {".(P7g7f:2147483648)", 9, "32 bits"},
        {".(P7g7f#-1)", 9, "payload"},
        {".(P7g7f#4294967296)", 9, "32 bits"},
        {".:", 3, "key"},
        {".)", 2, "closes nothing"},
    };
    for (const Case& c : cases) {
        const auto tree = MoveTree::parse(c.text);
        ASSERT_FALSE(tree) << c.text;
        EXPECT_EQ(tree.error().code, ErrorCode::bad_notation) << c.text;
        EXPECT_EQ(tree.error().column, c.column) << c.text << ": " << tree.error().message;
        EXPECT_NE(tree.error().message.find(c.word), std::string::npos)
            << c.text << ": " << tree.error().message;
    }
}

TEST(MoveTreeText, LimitsNameTheMoveThatWasTooMuch) {
    const auto tree = MoveTree::parse(".(P7g7f(p3c3d))", {.max_moves = 1});
    ASSERT_FALSE(tree);
    EXPECT_EQ(tree.error().code, ErrorCode::out_of_range);
    EXPECT_EQ(tree.error().column, 9);
}

TEST(MoveTreeText, DamagedTextIsRefusedOrReadsBackTheSame) {
    SplitMix64 random(49);
    const std::string alphabet = ".(),:#+*PLNSBRGKplnsbrgk123456789abcdefghi-0 \n";
    int read = 0;
    int refused = 0;
    for (int round = 0; round < 4000; ++round) {
        std::string text = grow(random, 12, 50).tree.to_text();
        for (std::uint32_t hits = 1 + random.below(3); hits > 0; --hits) {
            const std::uint32_t place = random.below(static_cast<std::uint32_t>(text.size()));
            const char c = alphabet[random.below(static_cast<std::uint32_t>(alphabet.size()))];
            switch (random.below(3)) {
                case 0:
                    text[place] = c;
                    break;
                case 1:
                    text.erase(place, 1);
                    break;
                default:
                    text.insert(place, 1, c);
            }
            if (text.empty()) text = ".";
        }
        const auto tree = MoveTree::parse(text);
        if (!tree) {
            ++refused;
            ASSERT_GE(tree.error().column, 1) << text;
            ASSERT_LE(tree.error().column, static_cast<int>(text.size()) + 1) << text;
            continue;
        }
        ++read;
        const std::string canonical = tree->to_text();
        ASSERT_EQ(must(MoveTree::parse(canonical)), *tree) << text;
    }
    EXPECT_GT(read, 100);
    EXPECT_GT(refused, 1000);
}

}  // namespace
