#include "core/othello/book/store_cache.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <thread>
#include <vector>

#include "tests/core/othello/book/book_fixture.hpp"

namespace yomi::othello::book {
namespace {

/// Any two words are a key here: the cache does not look at boards.
PositionKey key_of(std::uint64_t number) {
    return {{.player = mix64(number), .opponent = mix64(~number)}};
}

/// Another record for each key and state, so that a mixed-up answer shows.
PositionInfo info_of(const PositionKey& key, std::uint64_t state) {
    const std::uint64_t seed = mix64(hash_of(key) + state);
    return {.value = static_cast<std::int8_t>(seed % 60),
            .leaf_value = static_cast<std::int8_t>((seed >> 8U) % 60),
            .wins = static_cast<std::uint32_t>(seed >> 16U),
            .draws = static_cast<std::uint32_t>(seed >> 24U),
            .losses = static_cast<std::uint32_t>(seed >> 32U),
            .lines = static_cast<std::uint32_t>(mix64(seed))};
}

TEST(StoreCache, AnswersOnlyForTheStateThatWasAsked) {
    StoreCache cache(1U << 16U);
    const PositionKey key = key_of(1);
    EXPECT_FALSE(cache.find(key, 7).has_value());
    cache.put(key, 7, info_of(key, 7));
    ASSERT_TRUE(cache.find(key, 7).has_value());
    EXPECT_EQ(*cache.find(key, 7), info_of(key, 7));
    EXPECT_FALSE(cache.find(key, 8).has_value());
    EXPECT_FALSE(cache.find(key, 6).has_value());
    cache.put(key, 8, std::nullopt);
    ASSERT_TRUE(cache.find(key, 8).has_value());
    EXPECT_FALSE(cache.find(key, 8)->has_value()) << "it knows that there is no record";
}

TEST(StoreCache, NeverContradictsAPlainMap) {
    for (const std::size_t bytes : {std::size_t{1}, std::size_t{4096}, std::size_t{1} << 20U}) {
        StoreCache cache(bytes);
        std::map<std::pair<std::uint64_t, std::uint64_t>, std::optional<PositionInfo>> plain;
        SplitMix64 random(bytes);
        std::size_t hits = 0;
        for (int i = 0; i < 60'000; ++i) {
            const std::uint64_t number = random.below(2'000);
            const auto state = static_cast<std::uint64_t>(i / 10'000);
            const PositionKey key = key_of(number);
            if (const auto found = cache.find(key, state)) {
                const auto known = plain.find({number, state});
                ASSERT_NE(known, plain.end()) << "nobody has put it";
                ASSERT_EQ(*found, known->second);
                ++hits;
                continue;
            }
            std::optional<PositionInfo> info;
            if (number % 3 != 0) info = info_of(key, state);
            cache.put(key, state, info);
            plain[{number, state}] = info;
            ASSERT_TRUE(cache.find(key, state).has_value());
        }
        // Six states of 10,000 questions about 2,000 keys; the last cache has room for all of them.
        if (bytes >= std::size_t{1} << 20U) {
            EXPECT_GT(hits, 47'000U);
        }
    }
}

TEST(StoreCache, ThreadsNeverReadAHalfWrittenSlot) {
    StoreCache cache(4096);  // 64 slots for 200 keys: everybody writes over everybody
    std::atomic<std::size_t> hits{0};
    std::atomic<std::size_t> wrong{0};
    {
        std::vector<std::jthread> threads;
        for (std::uint64_t seed = 0; seed < 4; ++seed) {
            threads.emplace_back([&, seed] {
                SplitMix64 random(seed);
                for (int i = 0; i < 40'000; ++i) {
                    const PositionKey key = key_of(random.below(200));
                    const std::uint64_t state = static_cast<std::uint64_t>(i) / 1'000;
                    if (const auto found = cache.find(key, state)) {
                        hits.fetch_add(1, std::memory_order_relaxed);
                        if (*found != info_of(key, state))
                            wrong.fetch_add(1, std::memory_order_relaxed);
                    } else {
                        cache.put(key, state, info_of(key, state));
                    }
                }
            });
        }
    }
    EXPECT_EQ(wrong.load(), 0U);
    EXPECT_GT(hits.load(), 1'000U);
}

}  // namespace
}  // namespace yomi::othello::book
