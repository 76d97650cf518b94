// The null-window procedure on trees worked out by hand, against its plain twin, and the properties
// that the theory promises, on random trees.
#include <array>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/shogi/search/abc/conspiracy.hpp"
#include "core/shogi/search/abc/value_search.hpp"
#include "tests/core/shogi/abc/toy_tree.hpp"

namespace yomi::shogi::abc {
namespace {

using toy::Dice;
using toy::PlainAbc;
using toy::random_game;
using toy::ToyGame;
using toy::ToyTree;

constexpr int kTrees = 5'000;
constexpr Options kExact{.cost = CostMode::exact, .cap = 100};
constexpr Options kUniform{.cost = CostMode::uniform, .cap = 100};

struct Asked {
    bool holds = false;
    std::string trail;
    std::size_t nodes = 0;
    Record record;
};

Asked ask(const ToyGame& game, Value g, Budgets left, const Options& options = kExact) {
    ToyTree tree(game);
    NullWindow<ToyTree> window(tree, options, nullptr);
    Asked asked;
    asked.holds = window.ask(g, left, {}, asked.record).holds;
    asked.trail = tree.trail();
    asked.nodes = tree.entered.size();
    EXPECT_EQ(asked.nodes, window.visited());
    return asked;
}

Budgets depth(int d) {
    return {.max = d * kOne, .min = d * kOne};
}

Conspiracy at(const Record& record, Value g) {
    const std::array<Value, 1> thresholds{g};
    return conspiracy_curve(record, thresholds).front();
}

/// The whole game as a recorded tree: nothing searched, everything expanded.
void expand(const ToyGame& game, Record& record, NodeIndex at, std::size_t node) {
    record.facts(at).estimate = game.nodes[node].value;
    record.facts(at).max_to_move = game.nodes[node].max_to_move;
    record.facts(at).proved = game.nodes[node].proved;
    for (const std::size_t child : game.nodes[node].children)
        expand(game, record, record.add(at, ToyTree::move_to(child)), child);
}

// ---- by hand ------------------------------------------------------------------------------------

TEST(AbcTreeOne, HasTheConspiracyNumbersOfTheTable) {
    Record record;
    const ToyGame game = toy::tree_one();
    EXPECT_EQ(game.minimax(), 6);
    expand(game, record, Record::kRoot, 0);
    EXPECT_EQ(recorded_value(record), 6);
    for (Value g = -1; g <= 11; ++g) {
        const Conspirators lower = g <= 2 ? 3 : g <= 6 ? 2 : 0;
        const Conspirators upper = g <= 6 ? 0 : g <= 9 ? 1 : 2;
        EXPECT_EQ(at(record, g), (Conspiracy{.lower = lower, .upper = upper})) << g;
    }
}

TEST(AbcTreeOne, VisitsWhatTheSpecificationSays) {
    const ToyGame game = toy::tree_one();
    const Asked zero = ask(game, 6, depth(0));
    EXPECT_TRUE(zero.holds);
    EXPECT_EQ(zero.trail, "R");

    const Asked one = ask(game, 6, depth(1));
    EXPECT_TRUE(one.holds);
    EXPECT_EQ(one.trail, "R A");
    EXPECT_EQ(at(one.record, 6).lower, 2U);

    const Asked two = ask(game, 6, depth(2));
    EXPECT_TRUE(two.holds);
    EXPECT_EQ(two.trail, "R A Aa Ab");
    EXPECT_EQ(at(two.record, 6).lower, 2U);

    const Asked seven = ask(game, 7, depth(1));
    EXPECT_FALSE(seven.holds);
    EXPECT_EQ(seven.trail, "R A Aa B Ba C Ca");
    EXPECT_EQ(at(seven.record, 7).upper, 1U);
}

TEST(AbcTreeTwo, SeesThroughAForcedLineThatFixedDepthBelieves) {
    const ToyGame game = toy::tree_two();
    EXPECT_EQ(game.minimax(), 0);
    EXPECT_GE(game.minimax(0, 2), 5);
    EXPECT_GE(game.minimax(0, 3), 5);
    const Asked asked = ask(game, 5, depth(1));
    EXPECT_FALSE(asked.holds);
    EXPECT_EQ(asked.trail, "R A A1 A1x A1xb A1y A1ya B Ba");
    EXPECT_EQ(asked.nodes, 9U);
}

TEST(AbcTreeThree, IsContentWithManyOptions) {
    const ToyGame game = toy::tree_three();
    EXPECT_EQ(game.minimax(), 4);
    for (const int d : {1, 2}) {
        const Asked asked = ask(game, 5, depth(d));
        EXPECT_TRUE(asked.holds) << d;
        EXPECT_EQ(asked.nodes, 2U) << d;
        EXPECT_EQ(at(asked.record, 5).lower, 3U) << d;
    }
    const Asked three = ask(game, 5, depth(3));
    EXPECT_FALSE(three.holds);
    EXPECT_EQ(three.nodes, 7U);
}

TEST(AbcConspiracy, AMateCannotBeConspiredAgainst) {
    ToyGame game = toy::tree_one();
    for (auto& node : game.nodes)
        node.proved = node.children.empty();
    const Asked asked = ask(game, 6, {.max = kUnbounded, .min = kUnbounded});
    EXPECT_TRUE(asked.holds);
    EXPECT_EQ(at(asked.record, 6).lower, kProved);
    EXPECT_EQ(at(asked.record, 6).upper, 0U);
    EXPECT_EQ(at(ask(game, 7, {.max = kUnbounded, .min = kUnbounded}).record, 7).upper, kProved);
}

TEST(AbcRecord, KeepsTheFactsOfEachNode) {
    const ToyGame game = toy::tree_one();
    const Asked asked = ask(game, 6, depth(2));
    const Record& record = asked.record;
    EXPECT_TRUE(record.root().answered);
    EXPECT_EQ(record.root().g, 6);
    EXPECT_EQ(record.root().alternatives, 1);
    const NodeIndex a = record.tree()[Record::kRoot].child;
    EXPECT_EQ(record.tree()[a].move, ToyTree::move_to(1));  // what worked comes first
    EXPECT_EQ(record.facts(a).paid, kOne);
    EXPECT_EQ(record.facts(a).left, (Budgets{.max = kOne, .min = 2 * kOne}));
    EXPECT_EQ(record.tree().child_count(Record::kRoot), 3U);
    EXPECT_EQ(record.tree().child_count(a), 2U);
}

TEST(AbcRecord, SaysWhenSomethingDidNotFit) {
    const ToyGame game = toy::tree_one();
    ToyTree tree(game);
    NullWindow<ToyTree> window(tree, kExact, nullptr);
    Record small(3);
    EXPECT_TRUE(window.ask(6, depth(2), {}, small).holds);
    EXPECT_TRUE(small.truncated());
    EXPECT_EQ(small.size(), 4U);
}

// ---- against the plain twin ---------------------------------------------------------------------

TEST(AbcNullWindow, AgreesWithThePlainProcedureInAnswerAndPath) {
    SplitMix64 random(101);
    int held = 0;
    for (int i = 0; i < kTrees; ++i) {
        const ToyGame game = random_game({.exact = i % 3 == 0, .proved = i % 2 == 0}, random);
        const Options options{.cost = kCostModes[static_cast<std::size_t>(i) % 3],
                              .margin = static_cast<int>(random.below(5)) - 2,
                              .cap = static_cast<int>(2 + random.below(6))};
        const auto g = static_cast<Value>(random.below(20));
        const Budgets left{.max = static_cast<int>(random.below(20)),
                           .min = static_cast<int>(random.below(20))};
        const Asked asked = ask(game, g, left, options);
        PlainAbc plain(game, options);
        ASSERT_EQ(asked.holds, plain.ask(g, left.max, left.min)) << i;
        ToyTree names(game, false);
        names.entered = plain.entered;
        ASSERT_EQ(asked.trail, names.trail()) << i;
        held += asked.holds ? 1 : 0;
    }
    EXPECT_GT(held, kTrees / 4);
    EXPECT_LT(held, 3 * kTrees / 4);
}

// ---- what the theory promises -------------------------------------------------------------------

TEST(AbcProperty, WithoutLimitItIsMinimax) {
    SplitMix64 random(1);
    for (int i = 0; i < kTrees; ++i) {
        const ToyGame game = random_game({}, random);
        const Value truth = game.minimax();
        const Value g = truth + static_cast<Value>(random.below(7)) - 3;
        for (const CostMode cost : kCostModes) {
            const Options options{.cost = cost, .cap = 100};
            ASSERT_EQ(ask(game, g, {.max = kUnbounded, .min = kUnbounded}, options).holds,
                      truth >= g)
                << i;
        }
    }
}

TEST(AbcProperty, TheAnswerIsTheMinimaxOfTheRecordedTree) {
    SplitMix64 random(2);
    for (int i = 0; i < kTrees; ++i) {
        const ToyGame game = random_game({.proved = false}, random);
        const auto g = static_cast<Value>(random.below(20));
        const Asked asked = ask(game, g, depth(static_cast<int>(random.below(4))));
        ASSERT_EQ(asked.holds, recorded_value(asked.record) >= g) << i;
        const Conspiracy numbers = at(asked.record, g);
        ASSERT_EQ(numbers.lower > 0, asked.holds) << i;
        ASSERT_EQ(numbers.upper > 0, !asked.holds) << i;
    }
}

/// Asks and checks that at least as many leaves must conspire as the budget of the answer's side
/// says. Returns the answer.
bool expect_certificate(const ToyGame& game, Value g, Budgets left) {
    const Asked asked = ask(game, g, left);
    const Conspiracy numbers = at(asked.record, g);
    const Quarters spent = asked.holds ? left.max : left.min;
    const auto promised = static_cast<Conspirators>((spent + kOne - 1) / kOne + 1);
    EXPECT_GE(asked.holds ? numbers.lower : numbers.upper, promised);
    return asked.holds;
}

TEST(AbcProperty, TheCertificateHoldsWithExactStatics) {
    SplitMix64 random(3);
    for (int i = 0; i < kTrees; ++i) {
        const ToyGame game = random_game({.exact = true}, random);
        expect_certificate(
            game, static_cast<Value>(random.below(20)), depth(static_cast<int>(random.below(5))));
        ASSERT_FALSE(HasFailure()) << i;
    }
}

TEST(AbcProperty, TheCertificateHoldsWithNoisyStatics) {
    SplitMix64 random(4);
    for (int i = 0; i < kTrees; ++i) {
        const ToyGame game = random_game({.noise = 8}, random);
        expect_certificate(
            game, static_cast<Value>(random.below(20)), depth(static_cast<int>(random.below(5))));
        ASSERT_FALSE(HasFailure()) << i;
    }
}

TEST(AbcProperty, TheCertificateHoldsWithUnequalBudgets) {
    SplitMix64 random(5);
    int held = 0;
    for (int i = 0; i < kTrees; ++i) {
        const ToyGame game = random_game({}, random);
        const Budgets left{.max = static_cast<int>(random.below(17)),
                           .min = static_cast<int>(random.below(17))};
        held += expect_certificate(game, static_cast<Value>(random.below(20)), left) ? 1 : 0;
        ASSERT_FALSE(HasFailure()) << i;
    }
    EXPECT_GT(held, kTrees / 4);
}

TEST(AbcProperty, UniformCostIsFixedDepth) {
    SplitMix64 random(6);
    for (int i = 0; i < kTrees; ++i) {
        const ToyGame game = random_game({.proved = i % 2 == 0}, random);
        const int d = static_cast<int>(random.below(4));
        const auto g = static_cast<Value>(random.below(20));
        ASSERT_EQ(ask(game, g, depth(d), kUniform).holds, game.minimax(0, 2 * d) >= g) << i;
        // Half a depth more: MAX alone has one more move to spend.
        const Budgets half{.max = (d + 1) * kOne, .min = d * kOne};
        ASSERT_EQ(ask(game, g, half, kUniform).holds, game.minimax(0, 2 * d + 1) >= g) << i;
    }
}

TEST(AbcProperty, BisectionWithoutLimitFindsTheMinimaxValue) {
    SplitMix64 random(7);
    for (int i = 0; i < kTrees; ++i) {
        const ToyGame game = random_game({.noise = 4}, random);
        ToyTree tree(game);
        const Options options{.cost = CostMode::exact, .cap = 100};
        ValueSearch<ToyTree> search(tree, options, nullptr);
        Bracket bracket;
        ASSERT_TRUE(search.deepen({.max = kUnbounded, .min = kUnbounded},
                                  static_cast<Value>(random.below(30)) - 5,
                                  bracket,
                                  [](const Bracket&) {}));
        ASSERT_EQ(bracket.lower, game.minimax()) << i;
        ASSERT_EQ(bracket.upper, game.minimax() + 1) << i;
        ASSERT_EQ(bracket.trees.max->root().g, bracket.lower);
        ASSERT_EQ(bracket.trees.min->root().g, bracket.upper);
    }
}

TEST(AbcProperty, ALowerBoundOfTheHalfStepStandsForTheWholeOne) {
    SplitMix64 random(9);
    int carried = 0;
    for (int i = 0; i < kTrees; ++i) {
        const ToyGame game = random_game({.noise = 8}, random);
        ToyTree tree(game);
        ValueSearch<ToyTree> search(tree, kExact, nullptr);
        const int d = 1 + static_cast<int>(random.below(3));
        Bracket half;
        ASSERT_TRUE(search.deepen({.max = (d + 1) * kOne, .min = d * kOne},
                                  game.nodes[0].value,
                                  half,
                                  [](const Bracket&) {}));
        Bracket whole{.lower = half.lower, .trees = {.max = half.trees.max}};
        ASSERT_TRUE(search.deepen(depth(d + 1), half.lower + 1, whole, [](const Bracket&) {}));
        carried += whole.trees.max == half.trees.max ? 1 : 0;
        ASSERT_GE(at(*whole.trees.max, whole.lower).lower, static_cast<Conspirators>(d + 2)) << i;
        ASSERT_GE(at(*whole.trees.min, whole.upper).upper, static_cast<Conspirators>(d + 2)) << i;
        ASSERT_GE(recorded_value(*whole.trees.max), whole.lower) << i;
        ASSERT_LT(recorded_value(*whole.trees.min), whole.upper) << i;
    }
    EXPECT_GT(carried, kTrees / 2);
}

/// Depths completed within so many nodes, guides carried on.
int completed_depth(const ToyGame& game, std::size_t nodes) {
    ToyTree tree(game);
    tree.node_limit = nodes;
    ValueSearch<ToyTree> search(tree, kExact, nullptr);
    Value guess = game.nodes[0].value;
    for (int d = 0; d < 8; ++d) {
        Bracket bracket;
        if (!search.deepen(depth(d), guess, bracket, [](const Bracket&) {})) return d - 1;
        guess = bracket.lower;
    }
    return 8;
}

TEST(AbcProperty, MoreNodesNeverLowerTheDepth) {
    SplitMix64 random(8);
    int deepened = 0;
    for (int i = 0; i < kTrees; ++i) {
        const ToyGame game = random_game({}, random);
        int last = -1;
        for (const std::size_t nodes : {5U, 40U, 320U}) {
            const int d = completed_depth(game, nodes);
            ASSERT_GE(d, last) << i;
            deepened += d > last && last >= 0 ? 1 : 0;
            last = d;
        }
    }
    EXPECT_GT(deepened, kTrees / 2);
}

}  // namespace
}  // namespace yomi::shogi::abc
