#include "core/base/hash.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/bits.hpp"

namespace yomi {
namespace {

static_assert(std::uniform_random_bit_generator<SplitMix64>);

TEST(SplitMix64, GivesThePublishedSequence) {
    // Source: the reference implementation's outputs for seed 0 and seed 1234567.
    SplitMix64 zero(0);
    EXPECT_EQ(zero(), 0xE220A8397B1DCDAFULL);
    EXPECT_EQ(zero(), 0x6E789E6AA1B965F4ULL);
    EXPECT_EQ(zero(), 0x06C45D188009454FULL);
    SplitMix64 other(1'234'567);
    EXPECT_EQ(other(), 6'457'827'717'110'365'317ULL);
    EXPECT_EQ(other(), 3'203'168'211'198'807'973ULL);
    static_assert(mix64(0) == 0xE220A8397B1DCDAFULL);
}

TEST(SplitMix64, IsUniformBelowABound) {
    SplitMix64 random(42);
    constexpr std::uint32_t kBound = 7;
    constexpr int kDraws = 70'000;
    std::array<int, kBound> counts{};
    for (int i = 0; i < kDraws; ++i) {
        const std::uint32_t value = random.below(kBound);
        ASSERT_LT(value, kBound);
        ++counts[value];
    }
    double chi_square = 0;
    for (const int count : counts) {
        const double off = count - kDraws / 7.0;
        chi_square += off * off / (kDraws / 7.0);
    }
    EXPECT_LT(chi_square, 22.46);  // 6 degrees of freedom, one in a thousand
    EXPECT_EQ(random.below(1), 0U);
}

TEST(Mix64, SpreadsOneBitOverTheWord) {
    SplitMix64 random(3);
    int flipped = 0;
    constexpr int kWords = 200;
    for (int i = 0; i < kWords; ++i) {
        const std::uint64_t word = random();
        for (int b = 0; b < 64; ++b) {
            flipped += std::popcount(mix64(word) ^ mix64(word ^ (std::uint64_t{1} << b)));
        }
    }
    EXPECT_NEAR(flipped / (kWords * 64.0), 32.0, 0.5);
    std::set<std::uint64_t> seen;
    for (std::uint64_t i = 0; i < 10'000; ++i)
        seen.insert(mix64(i));
    EXPECT_EQ(seen.size(), 10'000U);
}

TEST(SplitMix64, ShufflesTheSameWayForTheSameSeed) {
    const auto shuffled = [](std::uint64_t seed) {
        std::vector<int> cards(52);
        for (int i = 0; i < 52; ++i)
            cards[static_cast<std::size_t>(i)] = i;
        std::shuffle(cards.begin(), cards.end(), SplitMix64(seed));
        return cards;
    };
    EXPECT_EQ(shuffled(1), shuffled(1));
    EXPECT_NE(shuffled(1), shuffled(2));
}

TEST(Bits, PopFromTheLowestUp) {
    SplitMix64 random(5);
    for (int i = 0; i < 1'000; ++i) {
        const std::uint64_t word = random() & random();
        std::uint64_t rest = word;
        std::uint64_t rebuilt = 0;
        int last = -1;
        while (rest != 0) {
            EXPECT_EQ(lowest_bit(rest), std::countr_zero(rest));
            const bool many = more_than_one(rest);
            const int index = pop_lowest_bit(rest);
            ASSERT_GT(index, last);
            ASSERT_EQ(many, rest != 0);
            last = index;
            rebuilt |= std::uint64_t{1} << index;
        }
        ASSERT_EQ(rebuilt, word);
        if (word != 0) {
            ASSERT_EQ(highest_bit(word), last);
        }
    }
    EXPECT_FALSE(more_than_one(0));
    EXPECT_EQ(highest_bit(1), 0);
    EXPECT_EQ(lowest_bit(std::uint64_t{1} << 63), 63);
}

}  // namespace
}  // namespace yomi
