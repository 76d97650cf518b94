#include "server/pool/memory_budget.hpp"

#include <atomic>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/hash.hpp"

namespace yomi::pool {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;

/// Each byte equals the next and the first is zero: one memcmp instead of a loop per byte.
bool all_zero(const engine::SearchMemory& memory) {
    const auto bytes = memory.bytes();
    return bytes.empty() || (bytes[0] == std::byte{0} &&
                             std::memcmp(&bytes[0], &bytes[0] + 1, bytes.size() - 1) == 0);
}

void scribble(engine::SearchMemory& memory, std::uint64_t layout) {
    memory.claim(layout);
    std::memset(memory.bytes().data(), 0xA5, memory.size());
}

TEST(MemoryBudget, PublishesTheShareOfOneWorker) {
    MemoryBudget budget(7 * kMiB, 2);
    EXPECT_EQ(budget.max_lease(), 7 * kMiB / 2);
    auto lease = budget.lease(100 * kMiB);
    EXPECT_EQ(lease.memory().size(), 7 * kMiB / 2) << "a larger wish is cut";
    EXPECT_EQ(budget.leased(), 7 * kMiB / 2);
    lease.release();
    EXPECT_EQ(budget.leased(), 0U);
}

TEST(MemoryBudget, GivesZeroedMemoryToFreshRequests) {
    MemoryBudget budget(4 * kMiB, 1);
    for (int i = 0; i < 5; ++i) {
        auto lease = budget.lease(3 * kMiB, "client", "");
        ASSERT_EQ(lease.memory().size(), 3 * kMiB);
        ASSERT_TRUE(all_zero(lease.memory()));
        EXPECT_FALSE(lease.warm());
        scribble(lease.memory(), 9);
    }
    EXPECT_EQ(budget.warm(), 0U);
}

TEST(MemoryBudget, KeepsASessionWarm) {
    MemoryBudget budget(8 * kMiB, 2);
    {
        auto lease = budget.lease(kMiB, "anna", "game 1");
        EXPECT_FALSE(lease.warm());
        scribble(lease.memory(), 77);
    }
    EXPECT_EQ(budget.warm(), kMiB);
    {
        auto lease = budget.lease(kMiB, "anna", "game 1");
        EXPECT_TRUE(lease.warm());
        EXPECT_TRUE(lease.memory().claim(77)) << "the layout has stayed with the block";
        EXPECT_EQ(lease.memory().bytes()[kMiB - 1], std::byte{0xA5});
        EXPECT_EQ(budget.warm(), 0U);
    }
    auto other = budget.lease(2 * kMiB, "anna", "game 1");
    EXPECT_FALSE(other.warm()) << "another size is another table";
    EXPECT_TRUE(all_zero(other.memory()));
    EXPECT_EQ(budget.warm(), 0U);
}

TEST(MemoryBudget, KeepsSessionsOfDifferentClientsApart) {
    MemoryBudget budget(8 * kMiB, 2);
    {
        auto lease = budget.lease(kMiB, "ab", "c");
        scribble(lease.memory(), 5);
    }
    EXPECT_FALSE(budget.lease(kMiB, "a", "bc").warm());
    EXPECT_FALSE(budget.lease(kMiB, "b", "c").warm());
    EXPECT_TRUE(budget.lease(kMiB, "ab", "c").warm());
}

TEST(MemoryBudget, NeverSharesASessionThatIsInUse) {
    MemoryBudget budget(8 * kMiB, 2);
    {
        auto lease = budget.lease(kMiB, "a", "s");
        scribble(lease.memory(), 5);
    }
    auto first = budget.lease(kMiB, "a", "s");
    auto second = budget.lease(kMiB, "a", "s");
    EXPECT_TRUE(first.warm());
    EXPECT_FALSE(second.warm());
    EXPECT_NE(first.memory().bytes().data(), second.memory().bytes().data());
    EXPECT_TRUE(all_zero(second.memory()));
    scribble(second.memory(), 6);
    first.release();
    second.release();
    EXPECT_EQ(budget.warm(), kMiB) << "one block a session";
    EXPECT_TRUE(budget.lease(kMiB, "a", "s").memory().claim(6)) << "the later one";
}

TEST(MemoryBudget, ForgetsTheLeastRecentlyUsedSessionFirst) {
    MemoryBudget budget(4 * kMiB, 2);
    for (const char* session : {"1", "2", "3", "4"})
        budget.lease(kMiB, "a", session).release();
    EXPECT_EQ(budget.warm(), 4 * kMiB);
    budget.lease(kMiB, "a", "1").release();  // now 2 is the oldest
    const auto fresh = budget.lease(2 * kMiB);
    EXPECT_EQ(budget.warm(), 2 * kMiB);
    auto again = budget.lease(kMiB, "a", "1");
    EXPECT_TRUE(again.warm());
    again.release();
    EXPECT_TRUE(budget.lease(kMiB, "a", "4").warm());
    EXPECT_EQ(budget.peak(), 4 * kMiB);
}

TEST(MemoryBudget, DiscardsTheTablesOfAFailedSearch) {
    MemoryBudget budget(4 * kMiB, 1);
    auto lease = budget.lease(kMiB, "a", "s");
    scribble(lease.memory(), 5);
    lease.discard();
    EXPECT_EQ(budget.leased() + budget.warm(), 0U);
    EXPECT_FALSE(budget.lease(kMiB, "a", "s").warm());
}

TEST(MemoryBudget, HoldsItsBoundEvenWithMoreHoldersThanPromised) {
    MemoryBudget budget(4 * kMiB, 2);
    const auto a = budget.lease(2 * kMiB);
    const auto b = budget.lease(2 * kMiB);
    auto c = budget.lease(2 * kMiB);
    EXPECT_EQ(c.memory().size(), 0U);
    EXPECT_EQ(budget.peak(), 4 * kMiB);
}

TEST(MemoryBudget, NeverExceedsItsBoundAndNeverFailsUnderThreads) {
    constexpr int kHolders = 4;
    constexpr std::size_t kTotal = kMiB / 2 + 12345;
    MemoryBudget budget(kTotal, kHolders);
    std::atomic<int> short_leases{0}, warm{0}, dirty{0};
    std::vector<std::thread> threads;
    for (std::uint64_t t = 0; t < kHolders; ++t) {
        threads.emplace_back([&, t] {
            SplitMix64 random(t + 1);
            for (int i = 0; i < 120; ++i) {
                const std::size_t bytes = budget.max_lease() / (1 + random.below(3));
                const std::string session =
                    random.below(2) == 0 ? "" : std::to_string(random.below(9));
                auto lease = budget.lease(bytes, "c", session);
                if (lease.memory().size() != bytes) ++short_leases;
                if (lease.warm()) ++warm;
                if (!lease.warm() && !all_zero(lease.memory())) ++dirty;
                if (budget.leased() + budget.warm() > 2 * kTotal) ++short_leases;
                scribble(lease.memory(), 3);
            }
        });
    }
    for (auto& thread : threads)
        thread.join();
    EXPECT_EQ(short_leases, 0);
    EXPECT_EQ(dirty, 0);
    EXPECT_GT(warm, 0);
    EXPECT_LE(budget.peak(), kTotal);
    EXPECT_GT(budget.peak(), kTotal / 2);
    EXPECT_EQ(budget.leased(), 0U);
}

}  // namespace
}  // namespace yomi::pool
