// The two-half hash and the guide trees: what they may change (nodes) and what not (certificates).
#include <algorithm>
#include <array>
#include <vector>

#include <gtest/gtest.h>

#include "core/shogi/search/abc/conspiracy.hpp"
#include "core/shogi/search/abc/value_search.hpp"
#include "tests/core/shogi/abc/toy_tree.hpp"

namespace yomi::shogi::abc {
namespace {

using toy::ToyGame;
using toy::ToyTree;

constexpr int kGames = 2'000;
constexpr Options kExact{.cost = CostMode::exact, .cap = 100};
constexpr Options kUniform{.cost = CostMode::uniform, .cap = 100};

Budgets depth(int d) {
    return {.max = d * kOne, .min = d * kOne};
}

/// Layers of nodes, each with children anywhere in the next layer: most are met on many ways.
ToyGame random_graph(SplitMix64& random) {
    constexpr std::size_t kLayers = 7;
    constexpr std::uint32_t kWidth = 5;
    ToyGame game;
    game.add("0", 0, true);
    for (std::size_t layer = 1; layer < kLayers; ++layer) {
        for (std::uint32_t i = 0; i < kWidth; ++i)
            game.add(std::to_string(game.nodes.size()),
                     static_cast<Value>(random.below(20)),
                     layer % 2 == 0);
    }
    for (std::size_t n = 0; n + kWidth < game.nodes.size(); ++n) {
        const std::size_t next = n == 0 ? 1 : ((n - 1) / kWidth + 1) * kWidth + 1;
        const std::uint32_t count = 1 + random.below(4);
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::size_t child = next + random.below(kWidth);
            auto& children = game.nodes[n].children;
            if (std::find(children.begin(), children.end(), child) == children.end())
                children.push_back(child);
        }
    }
    for (auto& node : game.nodes)
        node.proved = node.children.empty();
    return game;
}

Conspirators promise(Quarters left) {
    return static_cast<Conspirators>((std::max(left, 0) + kOne - 1) / kOne + 1);
}

/// L and U of every answered node at its own threshold, where what the table answered counts for
/// as many conspirators as were counted for that answer. Fails when they are not what the search
/// counted on its way, or less than the budget promises.
void expect_promises(const Record& record, Value g) {
    std::vector<Conspiracy> numbers(record.size());
    const MoveTree& tree = record.tree();
    for (std::size_t i = record.size(); i-- > 0;) {
        const auto node = static_cast<NodeIndex>(i);
        const NodeFacts& f = record.facts(node);
        Conspiracy& n = numbers[i];
        if (tree[node].child == kNoNode) {
            Conspirators count = f.proved ? kProved : 1;
            if (f.from_table) count = f.count;
            (f.estimate >= g ? n.lower : n.upper) = count;
        } else {
            n = f.max_to_move ? Conspiracy{0, kProved} : Conspiracy{kProved, 0};
            for (NodeIndex c = tree[node].child; c != kNoNode; c = tree[c].sibling) {
                const Conspiracy& below = numbers[c];
                n.lower =
                    f.max_to_move ? together(n.lower, below.lower) : std::min(n.lower, below.lower);
                n.upper =
                    f.max_to_move ? std::min(n.upper, below.upper) : together(n.upper, below.upper);
            }
        }
        if (!f.answered || f.g != g) continue;
        ASSERT_EQ(f.holds ? n.lower : n.upper, f.count);
        ASSERT_GE(f.holds ? n.lower : n.upper, promise(f.holds ? f.left.max : f.left.min));
    }
}

TEST(AbcTable, ServesSmallerQuestionsOfItsOwnHalfOnly) {
    engine::SearchMemory memory(1 << 16);
    Table table;
    table.attach(memory, 1);
    EXPECT_FALSE(table.probe(77).lower.known);
    table.store(77, true, {.g = 30, .left = 8, .move_bits = 5, .count = 4});
    table.store(77, false, {.g = 50, .left = 3, .move_bits = 6, .count = kProved});
    table.store_estimate(77, -123);
    const TableHit hit = table.probe(77);
    EXPECT_TRUE(hit.lower.known);
    EXPECT_EQ(hit.lower.g, 30);
    EXPECT_EQ(hit.lower.left, 8);
    EXPECT_EQ(hit.lower.move_bits, 5);
    EXPECT_EQ(hit.lower.count, 4U);
    EXPECT_EQ(hit.upper.count, kProved);
    EXPECT_EQ(hit.upper.g, 50);
    EXPECT_EQ(hit.upper.left, 3);
    EXPECT_EQ(hit.upper.move_bits, 6);
    EXPECT_TRUE(hit.has_estimate);
    EXPECT_EQ(hit.estimate, -123);
    // An answer for less that says less does not displace one for more.
    table.store(77, true, {.g = 30, .left = 4, .move_bits = 9});
    EXPECT_EQ(table.probe(77).lower.left, 8);
    // One that says more does, though it stands on less.
    table.store(77, true, {.g = 31, .left = 4, .move_bits = 9});
    EXPECT_EQ(table.probe(77).lower.g, 31);
    EXPECT_FALSE(table.probe(78).lower.known);
}

TEST(AbcTable, IsWarmForTheSameTagOnly) {
    engine::SearchMemory memory(1 << 16);
    Table table;
    table.attach(memory, 1);
    table.store(77, true, {.g = 30, .left = 8});
    table.attach(memory, 1);
    EXPECT_TRUE(table.probe(77).lower.known);
    EXPECT_EQ(table.hashfull(), 0);  // nothing written by the second search
    table.attach(memory, 2);
    EXPECT_FALSE(table.probe(77).lower.known);
}

TEST(AbcTable, HoldsNothingInTooLittleMemory) {
    engine::SearchMemory memory(100);
    Table table;
    table.attach(memory, 1);
    table.store(77, true, {.g = 30, .left = 8});
    EXPECT_FALSE(table.probe(77).lower.known);
    EXPECT_EQ(table.hashfull(), 0);
}

TEST(AbcHash, CertificatesHoldWithAndWithoutIt) {
    SplitMix64 random(11);
    int asked = 0;
    int same = 0;
    std::size_t nodes_with = 0;
    std::size_t nodes_without = 0;
    for (int i = 0; i < kGames; ++i) {
        const ToyGame game = random_graph(random);
        engine::SearchMemory memory(1 << 14);
        Table table;
        table.attach(memory, 1);
        ToyTree tree(game);
        NullWindow<ToyTree> with(tree, kExact, &table);
        for (int question = 0; question < 4; ++question) {
            const auto g = static_cast<Value>(random.below(20));
            const Budgets left{.max = static_cast<int>(random.below(17)),
                               .min = static_cast<int>(random.below(17))};
            Record record;
            const bool holds = with.ask(g, left, {}, record).holds;
            expect_promises(record, g);
            ASSERT_FALSE(HasFailure()) << i;
            ToyTree fresh(game);
            NullWindow<ToyTree> without(fresh, kExact, nullptr);
            Record plain;
            same += without.ask(g, left, {}, plain).holds == holds ? 1 : 0;
            expect_promises(plain, g);
            ASSERT_FALSE(HasFailure()) << i;
            nodes_without += fresh.entered.size();
            ++asked;
        }
        nodes_with += tree.entered.size();
    }
    // A deeper answer of another way is used for a shallower question, so a few answers differ.
    EXPECT_GT(same, asked * 95 / 100);
    EXPECT_LT(same, asked);
    EXPECT_LT(nodes_with, nodes_without);
}

TEST(AbcHash, WithoutLimitTheValueIsTheSame) {
    SplitMix64 random(12);
    for (int i = 0; i < kGames; ++i) {
        const ToyGame game = random_graph(random);
        engine::SearchMemory memory(1 << 14);
        Table table;
        table.attach(memory, 1);
        ToyTree tree(game);
        ValueSearch<ToyTree> search(tree, kExact, &table);
        for (const int d : {1, 2, kUnbounded / kOne}) {
            Bracket bracket;
            ASSERT_TRUE(search.deepen(depth(d), 10, bracket, [](const Bracket&) {}));
            if (d > 2) {
                ASSERT_EQ(bracket.lower, game.minimax()) << i;
            }
        }
    }
}

TEST(AbcHash, UniformCostIsFixedDepthWithItToo) {
    SplitMix64 random(13);
    for (int i = 0; i < kGames; ++i) {
        const ToyGame game = random_graph(random);
        engine::SearchMemory memory(1 << 14);
        Table table;
        table.attach(memory, 1);
        ToyTree tree(game);
        NullWindow<ToyTree> window(tree, kUniform, &table);
        for (int question = 0; question < 6; ++question) {
            const auto g = static_cast<Value>(random.below(20));
            const int d = static_cast<int>(random.below(4));
            Record record;
            ASSERT_EQ(window.ask(g, depth(d), {}, record).holds, game.minimax(0, 2 * d) >= g) << i;
        }
    }
}

TEST(AbcHash, ValuesOfFixedDepthAreExactWithBoundsAndGuides) {
    SplitMix64 random(15);
    for (int i = 0; i < kGames; ++i) {
        const ToyGame game = random_graph(random);
        engine::SearchMemory memory(1 << 14);
        Table table;
        table.attach(memory, 1);
        ToyTree tree(game);
        ValueSearch<ToyTree> search(tree, kUniform, &table);
        Value guess = game.nodes[0].value;
        for (int plies = 1; plies < 7; ++plies) {
            Bracket bracket;
            const Budgets left{.max = (plies + 1) / 2 * kOne, .min = plies / 2 * kOne};
            ASSERT_TRUE(search.deepen(left, guess, bracket, [](const Bracket&) {}));
            ASSERT_EQ(bracket.lower, game.minimax(0, plies)) << i << ", " << plies;
            guess = bracket.lower;
        }
    }
}

TEST(AbcHash, ChangesNothingWhereItMayNotAnswer) {
    SplitMix64 random(16);
    Options options = kExact;
    options.hash_answers = false;
    for (int i = 0; i < kGames; ++i) {
        const ToyGame game = random_graph(random);
        engine::SearchMemory memory(1 << 14);
        Table table;
        table.attach(memory, 1);
        ToyTree tree(game);
        ToyTree again(game);
        ValueSearch<ToyTree> with(tree, options, &table);
        ValueSearch<ToyTree> without(again, options, nullptr);
        for (int d = 1; d < 4; ++d) {
            Bracket a;
            Bracket b;
            ASSERT_TRUE(with.deepen(depth(d), 10, a, [](const Bracket&) {}));
            ASSERT_TRUE(without.deepen(depth(d), 10, b, [](const Bracket&) {}));
            ASSERT_EQ(a.lower, b.lower) << i;
            ASSERT_EQ(a.upper, b.upper) << i;
            for (const Value g : {a.lower - 3, a.lower, a.upper, a.upper + 3}) {
                const std::array<Value, 1> at{g};
                ASSERT_EQ(conspiracy_curve(*a.trees.max, at), conspiracy_curve(*b.trees.max, at));
                ASSERT_EQ(conspiracy_curve(*a.trees.min, at), conspiracy_curve(*b.trees.min, at));
            }
        }
        ASSERT_EQ(tree.entered, again.entered) << i;
    }
}

TEST(AbcGuide, TreesThatFollowGuidesKeepTheirCertificates) {
    SplitMix64 random(14);
    std::size_t guided_nodes = 0;
    std::size_t fresh_nodes = 0;
    for (int i = 0; i < kGames; ++i) {
        const ToyGame game = toy::random_game({.noise = 8}, random);
        ToyTree tree(game);
        ValueSearch<ToyTree> search(tree, kExact, nullptr);
        Value guess = game.nodes[0].value;
        for (int d = 0; d < 4; ++d) {
            Bracket bracket;
            ASSERT_TRUE(search.deepen(depth(d), guess, bracket, [&](const Bracket& b) {
                const bool held = b.trees.max && b.trees.max->root().g == b.lower;
                ASSERT_TRUE(held || b.lower == -kBeyond);
            }));
            const Record& max = *bracket.trees.max;
            const Record& min = *bracket.trees.min;
            ASSERT_GE(recorded_value(max), bracket.lower) << i;
            ASSERT_LT(recorded_value(min), bracket.upper) << i;
            const std::array<Value, 2> thresholds{bracket.lower, bracket.upper};
            ASSERT_GE(conspiracy_curve(max, thresholds)[0].lower, static_cast<unsigned>(d + 1));
            ASSERT_GE(conspiracy_curve(min, thresholds)[1].upper, static_cast<unsigned>(d + 1));

            ToyTree again(game);
            ValueSearch<ToyTree> alone(again, kExact, nullptr);
            Bracket unguided;
            ASSERT_TRUE(alone.deepen(depth(d), guess, unguided, [](const Bracket&) {}));
            fresh_nodes += again.entered.size();
            guess = bracket.lower;
        }
        guided_nodes += tree.entered.size();
    }
    EXPECT_LT(guided_nodes, fresh_nodes);
}

}  // namespace
}  // namespace yomi::shogi::abc
