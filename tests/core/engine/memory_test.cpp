#include "core/engine/memory.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <sys/mman.h>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace yomi::engine {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;

bool all_zero(const SearchMemory& memory) {
    const auto bytes = memory.bytes();
    return std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b == std::byte{0}; });
}

void dirty(const SearchMemory& memory) {
    std::memset(memory.bytes().data(), 0x5A, memory.size());
}

TEST(SearchMemory, IsZeroAlignedAndAsLargeAsAsked) {
    for (const std::size_t size :
         {std::size_t{1}, std::size_t{4095}, kMiB, 2 * kMiB, 2 * kMiB + 1, 5 * kMiB, 8 * kMiB}) {
        const SearchMemory memory(size);
        EXPECT_EQ(memory.size(), size);
        EXPECT_EQ(memory.bytes().size(), size);
        const auto address = reinterpret_cast<std::uintptr_t>(memory.bytes().data());
        EXPECT_EQ(address % (size >= 2 * kMiB ? 2 * kMiB : 64), 0U) << size;
        EXPECT_TRUE(all_zero(memory));
        dirty(memory);  // every byte is ours to write
        EXPECT_EQ(memory.bytes().back(), std::byte{0x5A});
    }
}

TEST(SearchMemory, IsEmptyByDefault) {
    SearchMemory memory;
    EXPECT_EQ(memory.size(), 0U);
    EXPECT_TRUE(memory.bytes().empty());
    memory.clear();
    EXPECT_FALSE(memory.claim(1));
    EXPECT_TRUE(memory.claim(1));
    EXPECT_EQ(SearchMemory(0).size(), 0U);
}

TEST(SearchMemory, ClearsEveryByte) {
    SearchMemory memory(3 * kMiB + 17);
    dirty(memory);
    memory.clear();
    EXPECT_TRUE(all_zero(memory));
}

TEST(SearchMemory, ClearsLockedPagesToo) {
    SearchMemory memory(64 * 1024);
    if (::mlock(memory.bytes().data(), memory.size()) != 0)
        GTEST_SKIP() << "mlock is not permitted";
    dirty(memory);
    memory.clear();
    EXPECT_TRUE(all_zero(memory));
    ::munlock(memory.bytes().data(), memory.size());
}

TEST(SearchMemory, StaysWarmForTheSameLayoutOnly) {
    SearchMemory memory(kMiB);
    EXPECT_FALSE(memory.claim(7));  // fresh
    dirty(memory);
    EXPECT_TRUE(memory.claim(7));
    EXPECT_EQ(memory.bytes()[100], std::byte{0x5A});
    EXPECT_FALSE(memory.claim(8));  // another layout never sees foreign bytes
    EXPECT_TRUE(all_zero(memory));
    dirty(memory);
    memory.clear();
    EXPECT_FALSE(memory.claim(8));  // cleared is cold
    dirty(memory);
    EXPECT_FALSE(memory.claim(0));
    EXPECT_TRUE(all_zero(memory));
    EXPECT_FALSE(memory.claim(0));
}

TEST(SearchMemory, MovesWithItsContentsAndLayout) {
    SearchMemory first(kMiB);
    first.claim(7);
    dirty(first);
    const std::byte* data = first.bytes().data();

    SearchMemory second(std::move(first));
    EXPECT_EQ(second.bytes().data(), data);
    EXPECT_EQ(first.size(),
              0U);  // NOLINT(bugprone-use-after-move): the moved-from state is the promise
    EXPECT_FALSE(first.claim(7));

    SearchMemory third(2 * kMiB);
    third.claim(9);
    third = std::move(second);
    EXPECT_EQ(third.bytes().data(), data);
    EXPECT_EQ(third.size(), kMiB);
    EXPECT_EQ(second.size(), 0U);  // NOLINT(bugprone-use-after-move)
    EXPECT_TRUE(third.claim(7));

    SearchMemory& same = third;
    third = std::move(same);
    EXPECT_EQ(third.bytes().data(), data);
    EXPECT_TRUE(third.claim(7));
}

TEST(SearchMemory, ThrowsWhenThereIsNoMemory) {
    EXPECT_THROW(SearchMemory(std::numeric_limits<std::size_t>::max()), std::bad_alloc);
    EXPECT_THROW(SearchMemory(std::numeric_limits<std::size_t>::max() / 2), std::bad_alloc);
}

TEST(SearchMemory, GivesItsPagesBack) {
    // 200 blocks of 1 GiB of address space in turn: a leak would run out or be seen by the
    // sanitizer.
    for (int i = 0; i < 200; ++i) {
        const SearchMemory memory(1024 * kMiB);
        memory.bytes()[memory.size() - 1] = std::byte{1};
    }
}

TEST(SearchMemory, PartsShareABlockWithoutOwningIt) {
    for (const std::size_t bytes :
         {std::size_t{1} << 20, std::size_t{7} << 20, std::size_t{16384}}) {
        SearchMemory whole(bytes);
        EXPECT_FALSE(whole.claim(7));
        constexpr std::size_t kParts = 3;
        std::vector<SearchMemory> parts;
        for (std::size_t i = 0; i < kParts; ++i) {
            parts.push_back(SearchMemory::part_of(whole, i, kParts));
            ASSERT_GT(parts[i].size(), 0U);
            ASSERT_GE(parts[i].bytes().data(), whole.bytes().data());
            ASSERT_LE(parts[i].bytes().data() + parts[i].size(),
                      whole.bytes().data() + whole.size());
            if (i > 0) {
                ASSERT_GE(parts[i].bytes().data(), parts[i - 1].bytes().data() + parts[0].size());
            }
            EXPECT_FALSE(parts[i].claim(1 + i));
            for (std::byte& b : parts[i].bytes())
                b = std::byte{0xFF};
        }
        parts[1].clear();
        for (const std::byte b : parts[1].bytes())
            ASSERT_EQ(b, std::byte{0});
        EXPECT_EQ(parts[0].bytes().back(), std::byte{0xFF});
        EXPECT_EQ(parts[2].bytes().front(), std::byte{0xFF});
        parts.clear();
        EXPECT_EQ(whole.bytes().front(), std::byte{0xFF}) << "still mapped";
        EXPECT_FALSE(whole.claim(8)) << "and cleared for the next";
        EXPECT_EQ(whole.bytes().front(), std::byte{0});
    }
    SearchMemory none;
    EXPECT_EQ(SearchMemory::part_of(none, 0, 2).size(), 0U);
}

}  // namespace
}  // namespace yomi::engine
