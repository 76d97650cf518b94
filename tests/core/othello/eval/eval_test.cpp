#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "core/othello/eval/evaluator.hpp"
#include "core/othello/eval/range_coder.hpp"
#include "core/othello/eval/weights.hpp"
#include "core/othello/symmetry.hpp"
#include "tests/oracle/othello_minimax.hpp"

namespace yomi::othello::eval {
namespace {

/// Small numbers everywhere, many of them 0, as trained weights are.
Weights random_weights(std::uint64_t seed) {
    SplitMix64 random(seed);
    Weights weights;
    for (auto& knot : weights.knots) {
        knot.resize(static_cast<std::size_t>(packing().slots));
        for (std::int16_t& weight : knot) {
            const int value = static_cast<int>(random.below(128)) - 64;
            weight = static_cast<std::int16_t>(random.below(3) == 0 ? value : 0);
        }
    }
    weights.knots[3][17] = 32'000;
    weights.knots[4][17] = -32'000;
    const auto fill = [&random](auto& numbers, int most) {
        for (std::int16_t& number : numbers) {
            const auto range = static_cast<std::uint32_t>(2 * most + 1);
            number = static_cast<std::int16_t>(static_cast<int>(random.below(range)) - most);
        }
    };
    weights.hidden.resize(static_cast<std::size_t>(packing().hidden_slots()));
    for (auto& units : weights.hidden)
        fill(units, 30);
    weights.hidden[4321].fill(kMostHidden);
    weights.hidden[4322].fill(-kMostHidden);
    fill(weights.hidden_bias, kMostHiddenBias);
    for (auto& outputs : weights.outputs)
        fill(outputs, 2 * kOutputUnit);
    return weights;
}

TEST(RangeCoder, ReadsBackWhatItWrote) {
    SplitMix64 random(41);
    std::vector<bool> bits;
    RangeEncoder encoder;
    std::array<BitModel, 4> models;
    for (int i = 0; i < 200'000; ++i) {
        // Nearly certain, likely, even, and one that is always the same: carries included.
        const std::size_t model = random.below(4);
        constexpr std::array<std::uint32_t, 4> kOnes = {1, 80, 128, 256};
        bits.push_back(random.below(256) < kOnes[model]);
        encoder.put(models[model], bits.back());
    }
    const auto bytes = encoder.finish();
    EXPECT_LT(bytes.size(), bits.size() / 8 * 6 / 10);
    SplitMix64 again(41);
    std::array<BitModel, 4> learned;
    RangeDecoder decoder(bytes);
    for (std::size_t i = 0; i < bits.size(); ++i) {
        const std::size_t model = again.below(4);
        (void)again.below(256);
        ASSERT_EQ(decoder.get(learned[model]), bits[i]) << i;
    }
    EXPECT_EQ(decoder.missing(), 0U);
}

TEST(Weights, FileRoundTripIsExact) {
    const Weights weights = random_weights(42);
    const auto file = write_weights(weights);
    const auto read = read_weights(file);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_TRUE(*read == weights);
    EXPECT_EQ(write_weights(*read), file);
}

TEST(Weights, DamagedFilesAreRefusedWithAReason) {
    auto file = write_weights(random_weights(43));
    const auto message = [](std::span<const std::uint8_t> bytes) {
        const auto read = read_weights(bytes);
        return read ? std::string("read") : read.error().message;
    };
    EXPECT_NE(message(std::span(file).first(10)).find("YOE3"), std::string::npos);
    EXPECT_NE(message(std::span(file).first(file.size() - 1)).find("check sum"), std::string::npos);
    file[1000] ^= 4;
    EXPECT_NE(message(file).find("check sum"), std::string::npos);
    file[0] = 'X';
    EXPECT_NE(message(file).find("YOE3"), std::string::npos);
}

TEST(Features, CoverEverySquareAndShareTablesUnderSymmetry) {
    std::uint64_t covered = 0;
    for (const Feature& feature : features()) {
        for (int i = 0; i < feature.size; ++i)
            covered |= bit(feature.squares[static_cast<std::size_t>(i)]);
    }
    EXPECT_EQ(covered, ~std::uint64_t{0});
    EXPECT_EQ(packing().slot_of.size(), static_cast<std::size_t>(kEntries));
    EXPECT_EQ(packing().slot(kEntries - 1, 20), packing().slots - 1 - kCountEntries);
    EXPECT_EQ(packing().slot(kEntries - 1, 21), packing().slots - 1);
    EXPECT_EQ(packing().slot(kBiasEntry - 1, 21), packing().slot_of[kBiasEntry - 1]);
}

/// A change on any square of an open shape, discs or moves, leads to another entry.
TEST(Features, OpenShapesTellAllContentsApart) {
    constexpr std::array<int, 6> kDigits = {-3, -2, -1, 0, 1, 3};
    const auto& slots = packing().slot_of;
    for (std::size_t shape = 0; shape < kOpenShapes; ++shape) {
        const int size = kShapeSquares[shape].size;
        std::vector<std::int32_t> seen;
        for (int code = 0; code < 7776; ++code) {  // 6^5
            int entry = kCentres[shape];
            for (int i = 0, rest = code; i < size; ++i, rest /= 6)
                entry += kDigits[static_cast<std::size_t>(rest % 6)] * digit_weight(shape, i);
            seen.push_back(slots[static_cast<std::size_t>(entry)]);
        }
        std::sort(seen.begin(), seen.end());
        EXPECT_EQ(std::adjacent_find(seen.begin(), seen.end()), seen.end()) << shape;
        EXPECT_GE(seen.front(), packing().begin[shape]);
        EXPECT_LT(seen.back(), packing().begin[shape + 1]);
        EXPECT_EQ(packing().begin[shape + 1] - packing().begin[shape], 7776);
    }
}

TEST(Features, IncrementalIndicesEqualTheirRecomputation) {
    SplitMix64 random(44);
    const FeatureSteps& steps = feature_steps();
    for (int game = 0; game < 60; ++game) {
        Position position;
        Indices indices = indices_of(position.board);
        while (!position.is_over()) {
            const auto moves = Rules::moves(position);
            const Move move = moves.begin()[random.below(static_cast<std::uint32_t>(moves.size()))];
            if (move.is_pass()) {
                after_pass(indices, indices);
            } else {
                Indices plain;
                portable::after_move(steps, indices, move.square, move.flips, plain);
                after_move(steps, indices, move.square, move.flips, indices);
                ASSERT_TRUE(plain == indices);
            }
            position.do_move(move);
            ASSERT_TRUE(indices == indices_of(position.board)) << position.empties();
        }
    }
}

/// The digit of a square of an open shape, or of one that sees discs alone.
int digit_of(const Board& board, bool open, std::uint64_t square) {
    if ((board.player & square) != 0) return open ? 3 : 1;
    if ((board.opponent & square) != 0) return open ? -3 : -1;
    if (!open) return 0;
    const bool move = (othello::portable::legal_moves(board) & square) != 0;
    const bool reply = (othello::portable::legal_moves(board.swapped()) & square) != 0;
    return (move ? 1 : 0) - (reply ? 2 : 0);
}

/// The evaluation from its definition: digits of each feature, the stored weights of the two
/// knots, no tables.
double slow_value(const Weights& weights, const Board& board) {
    const int empties = board.empties();
    std::size_t high = 0;
    while (high + 1 < kKnots.size() && kKnots[high] < empties)
        ++high;
    const std::size_t low = high == 0 || kKnots[high] <= empties ? high : high - 1;
    const double share =
        low == high ? 0 : static_cast<double>(empties - kKnots[low]) / (kKnots[high] - kKnots[low]);
    const auto between = [share](double at_low, double at_high) {
        return at_low * (1 - share) + at_high * share;
    };
    std::array<double, kHidden> units{};
    for (std::size_t unit = 0; unit < kHidden; ++unit)
        units[unit] = weights.hidden_bias[unit];
    double sum = 0;
    const auto add = [&](int entry) {
        const int slot = packing().slot(static_cast<std::size_t>(entry), empties);
        ASSERT_GE(slot, 0);
        const auto at = static_cast<std::size_t>(slot);
        sum += between(weights.knots[low][at], weights.knots[high][at]) / kStoredUnit;
        if (slot < packing().first_hidden() || entry >= kBiasEntry) return;
        const auto& added =
            weights.hidden[static_cast<std::size_t>(slot - packing().first_hidden())];
        for (std::size_t unit = 0; unit < kHidden; ++unit)
            units[unit] += added[unit];
    };
    for (const Feature& feature : features()) {
        const auto shape = static_cast<std::size_t>(feature.shape);
        int entry = kCentres[shape];
        for (int i = 0; i < feature.size; ++i) {
            const std::uint64_t square = bit(feature.squares[static_cast<std::size_t>(i)]);
            entry += digit_of(board, shape < kOpenShapes, square) * digit_weight(shape, i);
        }
        add(entry);
    }
    add(kBiasEntry);
    add(kMovesEntry + std::popcount(othello::portable::legal_moves(board)));
    add(kRepliesEntry + std::popcount(othello::portable::legal_moves(board.swapped())));
    for (std::size_t unit = 0; unit < kHidden; ++unit) {
        const double output = between(weights.outputs[low][unit], weights.outputs[high][unit]);
        sum += std::max(0.0, units[unit]) / kHiddenUnit * output / kOutputUnit;
    }
    return sum;
}

TEST(Evaluator, EqualsItsDefinitionItsPlainTwinAndItselfUnderAllSymmetries) {
    const Weights weights = random_weights(45);
    const Evaluator evaluator(weights);
    SplitMix64 random(46);
    constexpr int kBoards = 600;
    double mean_off = 0;
    for (int i = 0; i < kBoards; ++i) {
        const Board board =
            oracle::random_position(random, static_cast<int>(random.below(61))).board;
        const Indices indices = indices_of(board);
        const int value = evaluator.fine(board, indices, board.empties());
        const std::uint64_t moves = legal_moves(board);
        const std::uint64_t replies = legal_moves(board.swapped());
        ASSERT_EQ(evaluator.shapes(indices, board.empties(), moves, replies),
                  evaluator.shapes_portable(indices, board.empties(), moves, replies));
        // Every entry is rounded once, to 1/128 disc, and every output, to 1/256 of a unit.
        const double off = 82 * 0.5 / 128 + kHidden * 128 * 0.5 / kOutputUnit;
        ASSERT_NEAR(value / 128.0, slow_value(weights, board), off);
        mean_off += std::abs(value / 128.0 - slow_value(weights, board)) / kBoards;
        for (Symmetry symmetry = 1; symmetry < kSymmetries; ++symmetry) {
            const Board image = apply(symmetry, board);
            ASSERT_EQ(evaluator.fine(image, indices_of(image), board.empties()), value);
        }
        ASSERT_LE(evaluator.discs(board, indices, board.empties()), Evaluator::kMost);
        ASSERT_GE(evaluator.discs(board, indices, board.empties()), -Evaluator::kMost);
    }
    EXPECT_LT(mean_off, 0.1);
}

TEST(Evaluator, FingerprintFollowsTheWeights) {
    Weights weights = random_weights(47);
    const std::uint64_t before = Evaluator(weights).fingerprint();
    EXPECT_EQ(Evaluator(weights).fingerprint(), before);
    ++weights.knots[5][1234];
    const std::uint64_t after = Evaluator(weights).fingerprint();
    EXPECT_NE(after, before);
    ++weights.hidden[1234][5];
    EXPECT_NE(Evaluator(weights).fingerprint(), after);
}

}  // namespace
}  // namespace yomi::othello::eval
