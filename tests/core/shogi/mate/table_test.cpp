// The table of positions against a plain map: growth in place, collection, several threads.
#include "core/shogi/mate/table.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <ctime>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/hash.hpp"

namespace yomi::shogi::mate {
namespace {

Hand hand_of(std::uint64_t bits) {
    Hand hand;
    hand.set(PieceType::pawn, static_cast<int>(bits % 4));
    hand.set(PieceType::gold, static_cast<int>(bits / 4 % 3));
    return hand;
}

/// What these tests store about a position follows from its key and hand.
Length length_of(std::uint64_t key, Hand hand) {
    return static_cast<Length>(1 + mix64(key ^ hand.bits()) % 99);
}

TEST(MateTable, FindsEverythingAgainAfterGrowing) {
    engine::SearchMemory memory(std::size_t{12} << 20);
    Table table(memory);
    SplitMix64 random(7);
    std::map<std::pair<std::uint64_t, std::uint32_t>, Length> plain;
    const std::size_t first = table.capacity();
    // Far over the first size, below the last one; runs of one board and of equal upper halves.
    while (plain.size() < 60'000) {
        std::uint64_t key = random();
        // Long runs at the table's start and over its end.
        if (random.below(512) == 0) key &= 0xFFFFFFFFFFULL;
        if (random.below(512) == 0) key |= 0xFFFFFF0000000000ULL;
        for (std::uint64_t i = random.below(4) + 1; i > 0; --i) {
            const Hand hand = hand_of(random());
            const Length length = length_of(key, hand);
            table.store_proven(key, hand, length, 1);
            plain[{key, hand.bits()}] = length;
        }
    }
    EXPECT_GE(table.capacity(), 16 * first);
    EXPECT_EQ(table.used(), plain.size());
    EXPECT_EQ(table.collections(), 0);
    for (const auto& [position, length] : plain) {
        Hand hand;
        for (std::uint64_t i = 0; i < 12; ++i) {
            if (hand_of(i).bits() == position.second) hand = hand_of(i);
        }
        const Found found = table.look_up(position.first, hand, kNoLimit);
        ASSERT_EQ(found.kind, Found::Kind::proven);
        ASSERT_LE(found.length, length);
        ASSERT_EQ(table.look_up(position.first ^ 0x5555, hand, 0).kind, Found::Kind::nothing);
    }
}

TEST(MateTable, ThrowsAwayWhatCostLeast) {
    engine::SearchMemory memory(std::size_t{2} << 20);
    Table table(memory);
    SplitMix64 random(8);
    std::vector<std::uint64_t> dear;
    for (int i = 0; i < 120'000; ++i) {
        const std::uint64_t key = random();
        const bool is_dear = i % 50 == 0;
        table.store_disproven(key, Hand{}, length_of(key, Hand{}), is_dear ? 100'000 : 1);
        if (is_dear) dear.push_back(key);
    }
    EXPECT_GT(table.collections(), 2);
    EXPECT_LT(table.used(), table.capacity());
    for (const std::uint64_t key : dear) {
        const Found found = table.look_up(key, Hand{}, 1);
        ASSERT_EQ(found.kind, Found::Kind::disproven);
        ASSERT_EQ(found.length, length_of(key, Hand{}));
    }
}

TEST(MateTable, ForgetsFormerSearchesHoweverManyThereWere) {
    engine::SearchMemory memory(std::size_t{1} << 20);
    const std::uint64_t key = 0x123456789ABCDEFULL;
    for (int search = 0; search < 70'000; ++search) {
        Table table(memory);
        ASSERT_EQ(table.used(), 0U);
        ASSERT_EQ(table.look_up(key, Hand{}, kNoLimit).kind, Found::Kind::nothing) << search;
        ASSERT_EQ(table.repetition(key, 3), kNoRepetition) << search;
        table.store_proven(key, Hand{}, 3, 1);
        table.store_repetition(key + 1, Hand{}, key, 5, 9, 1);
        ASSERT_EQ(table.look_up(key, Hand{}, kNoLimit).length, 3);
        ASSERT_EQ(table.repetition(key, 3), 5);
    }
}

TEST(MateTable, EndsMakingRoomWhenInterrupted) {
    engine::SearchMemory memory(std::size_t{12} << 20);
    Table table(memory);
    bool stop = false;
    int asked = 0;
    table.set_interrupt([&] {
        ++asked;
        return stop;
    });
    SplitMix64 random(9);
    const auto fill = [&](int count) {
        for (int i = 0; i < count; ++i) {
            const std::uint64_t key = random();
            table.store_proven(key, Hand{}, length_of(key, Hand{}), 1);
        }
    };
    fill(400'000);
    EXPECT_GT(table.collections(), 1);
    // A pass asks once for every 65,536 slots at least.
    EXPECT_GT(asked, table.collections() * static_cast<int>(table.capacity() / 65'536));
    stop = true;
    const int collections = table.collections();
    fill(1'000);
    EXPECT_EQ(table.collections(), collections);
    stop = false;
    fill(200'000);
    EXPECT_GT(table.collections(), collections);
    const std::uint64_t key = random();
    table.store_proven(key, Hand{}, 7, 1'000);
    EXPECT_EQ(table.look_up(key, Hand{}, kNoLimit).length, 7);
}

/// CPU time of this thread: a busy machine takes none of it.
double thread_seconds() {
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// YOMI_TSUME_HASH_MIB gives the size for a long run.
TEST(MateTable, NeverWorksLongWithoutAsking) {
    const char* const text = std::getenv("YOMI_TSUME_HASH_MIB");
    const std::size_t mib = text == nullptr ? 24 : static_cast<std::size_t>(std::atoi(text));
    engine::SearchMemory memory(mib << 20);
    // The second search meets a block full of a former one's entries.
    for (int search = 0; search < 2; ++search) {
        double longest = 0;
        double since = thread_seconds();
        const auto note = [&] {
            const double now = thread_seconds();
            longest = std::max(longest, now - since);
            since = now;
        };
        Table table(memory);
        table.set_interrupt([&] {
            note();
            return false;
        });
        SplitMix64 random(10);
        for (std::uint64_t i = 0; table.collections() < 2; ++i) {
            const std::uint64_t key = random();
            table.store_proven(key, Hand{}, 3, 1);
            if (i % 1024 == 0) note();
        }
        note();
        EXPECT_LT(longest, 0.1);
        RecordProperty("longest_us_" + std::to_string(search), static_cast<int>(longest * 1e6));
        RecordProperty("slots", std::to_string(table.capacity()));
    }
}

TEST(MateTable, ServesSeveralThreads) {
    engine::SearchMemory memory(std::size_t{4} << 20);
    Table table(memory);
    table.share(true);
    std::atomic<int> wrong{0};
    std::atomic<int> hits{0};
    const auto work = [&](std::uint64_t seed) {
        SplitMix64 random(seed);
        for (int i = 0; i < 60'000; ++i) {
            // The threads meet on some of the keys, and fill the table with the others.
            const bool common = random.below(2) == 0;
            const std::uint64_t key = common ? mix64(1 + random.below(5'000)) : mix64(random());
            const Hand hand = hand_of(random.below(12));
            const Found found = table.look_up(key, Hand{}, kNoLimit);
            if (found.kind == Found::Kind::proven) {
                hits.fetch_add(1, std::memory_order_relaxed);
                if (found.length != length_of(key, Hand{})) wrong.fetch_add(1);
            }
            if (i % 3 == 0) {
                table.store_proven(key, Hand{}, length_of(key, Hand{}), 5);
            } else if (i % 3 == 1) {
                table.store_open(key,
                                 hand,
                                 {.pn = 2,
                                  .dn = 3,
                                  .sum_mask = key,
                                  .parent_board_key = key,
                                  .parent_hand = hand,
                                  .depth = 1,
                                  .effort = 1});
                const Found open = table.look_up(key, hand, 0);
                if (open.kind == Found::Kind::open && open.sum_mask != key) wrong.fetch_add(1);
            } else {
                table.store_repetition(key, hand, key, 4, 9, 1);
                const Depth start = table.repetition(key, 9);
                if (start != 4 && start != kNoRepetition) wrong.fetch_add(1);
            }
        }
    };
    {
        std::vector<std::jthread> threads;
        for (std::uint64_t seed = 1; seed <= 4; ++seed)
            threads.emplace_back([&work, seed] { work(seed); });
    }
    table.share(false);
    EXPECT_EQ(wrong.load(), 0);
    EXPECT_GT(hits.load(), 10'000);
    EXPECT_GT(table.collections(), 0);
}

}  // namespace
}  // namespace yomi::shogi::mate
