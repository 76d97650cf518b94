#include "core/othello/book/store.hpp"

#include <atomic>
#include <csignal>
#include <filesystem>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "tests/core/othello/book/book_fixture.hpp"
#include "tests/core/othello/book/store_fixture.hpp"

namespace yomi::othello::book {
namespace {

TEST(Store, HoldsTheSameBookAsMemoryAndKeepsItOverReopening) {
    const Folder folder;
    SplitMix64 random(3);
    Opening memory;
    {
        auto store = open_store(folder.file());
        for (int i = 0; i < 60; ++i) {
            const ScoredLine line{.moves = random_line(random, 8), .black = i % 9 - 4};
            add_line(memory, line);
            ASSERT_TRUE(add(*store, line).has_value());
        }
        const auto snapshot = store->snapshot();
        ASSERT_EQ(snapshot->size(), memory.num());
    }
    auto store = open_store(folder.file());
    const auto snapshot = store->snapshot();
    ASSERT_EQ(snapshot->size(), memory.num());
    FlowOrder last{0, false};
    snapshot->each([&](const PositionData& record) {
        EXPECT_EQ(memory.find(record.key), record.info);
        const FlowOrder order = FlowOrder::of(record.key.board);
        EXPECT_LE(last, order) << "a position comes after all that its moves lead to";
        last = order;
        return true;
    });
    // Walking in chunks shows the same.
    std::size_t seen = 0;
    std::optional<PositionKey> after;
    for (auto chunk = snapshot->chunk(after, 7); !chunk.empty();
         chunk = snapshot->chunk(after, 7)) {
        seen += chunk.size();
        after = chunk.back().key;
    }
    EXPECT_EQ(seen, memory.num());
}

TEST(Store, AFailedChangeLeavesNothingBehind) {
    const Folder folder;
    auto store = open_store(folder.file());
    ASSERT_TRUE(add(*store, line_of("f5d6", 2)).has_value());
    const auto failed = store->write([&](Edit& edit) -> Result<void> {
        EXPECT_TRUE(register_line(edit, line_of("f5f6c4", 9)).has_value());
        return fail(ErrorCode::bad_value, "no");
    });
    ASSERT_FALSE(failed.has_value());
    EXPECT_EQ(failed.error().message, "no");
    EXPECT_EQ(store->snapshot()->size(), 3U);
}

TEST(Store, CountsItsRoomInBlocksAndKeepsItsQuota) {
    const Folder folder;
    auto opened =
        Store::open({.path = folder.file(), .map_bytes = 256U << 20U, .max_records = 2 * kBlock});
    ASSERT_TRUE(opened.has_value());
    Store& store = **opened;
    EXPECT_EQ(store.stats()->room, 65'536U);
    const auto fill = [&](std::uint64_t from, std::uint64_t to) {
        return store.write([&](Edit& edit) -> Result<void> {
            for (std::uint64_t i = from; i < to; ++i) {
                if (auto done = edit.set({{i + 1, 0}}, {.value = 1}); !done)
                    return fail(done.error());
            }
            return {};
        });
    };
    ASSERT_TRUE(fill(0, 65'536).has_value());
    EXPECT_EQ(store.stats()->room, 65'536U);
    ASSERT_TRUE(fill(65'536, 65'537).has_value());
    EXPECT_EQ(store.stats()->room, 131'072U);
    const auto full = fill(65'537, 131'073);
    ASSERT_FALSE(full.has_value());
    EXPECT_EQ(full.error().code, ErrorCode::quota_exceeded);
    EXPECT_NE(full.error().message.find("131072"), std::string::npos);
    EXPECT_EQ(store.stats()->records, 65'537U);
}

TEST(Store, AFullMapAndAFullDiskAreClearErrorsAndTheOldBookStays) {
    const Folder folder;
    {
        auto store = open_store(folder.file(), 1U << 20U);
        ASSERT_TRUE(add(*store, line_of("f5d6", 2)).has_value());
        const auto full = store->write([&](Edit& edit) -> Result<void> {
            for (std::uint64_t i = 0; i < 40'000; ++i)
                static_cast<void>(edit.set({{i + 1, 0}}, {}));
            return {};
        });
        ASSERT_FALSE(full.has_value());
        EXPECT_EQ(full.error().code, ErrorCode::quota_exceeded) << full.error().message;
        EXPECT_EQ(store->stats()->records, 3U);
        ASSERT_TRUE(add(*store, line_of("f5f6", -2)).has_value()) << "still writable";
    }
    // The system refuses a longer file, as a full disk does; in a child, whose limit it is.
    const pid_t child = ::fork();
    ASSERT_NE(child, -1);
    if (child == 0) {
        ::signal(SIGXFSZ, SIG_IGN);
        auto store = Store::open({.path = folder.file(), .map_bytes = 64U << 20U});
        if (!store) ::_exit(10);
        const rlimit limit{.rlim_cur = 256 * 1024, .rlim_max = 256 * 1024};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        const auto full = (*store)->write([&](Edit& edit) -> Result<void> {
            for (std::uint64_t i = 0; i < 40'000; ++i)
                static_cast<void>(edit.set({{i + 1, 0}}, {}));
            return {};
        });
        if (full) ::_exit(11);
        if (full.error().code != ErrorCode::quota_exceeded) ::_exit(12);
        ::_exit((*store)->stats()->records == 4 ? 0 : 13);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(WEXITSTATUS(status), 0);
    auto store = open_store(folder.file());
    EXPECT_EQ(store->stats()->records, 4U);
    EXPECT_EQ(unsound_text(*store->snapshot()), "");
}

TEST(Store, RefusesFilesThatAreNoBooksAndWritesToReadOnlyOnes) {
    const Folder folder;
    EXPECT_EQ(Store::open({.path = folder.file(), .read_only = true}).error().code,
              ErrorCode::not_found);
    EXPECT_EQ(Store::open({.path = folder.file() + "/no/where"}).error().code,
              ErrorCode::not_found);
    {
        auto store = open_store(folder.file());
        ASSERT_TRUE(add(*store, line_of("f5d6", 2)).has_value());
    }
    {
        auto store =
            Store::open({.path = folder.file(), .map_bytes = 64U << 20U, .read_only = true});
        ASSERT_TRUE(store.has_value()) << store.error().message;
        EXPECT_EQ((*store)->snapshot()->size(), 3U);
        EXPECT_EQ(add(**store, line_of("f5f4", 0)).error().code, ErrorCode::forbidden);
    }
    std::filesystem::resize_file(folder.file(), 100);
    EXPECT_EQ(Store::open({.path = folder.file()}).error().code, ErrorCode::unsupported);
}

TEST(Store, ReadersSeeFrozenStatesWhileAWriterGoesOn) {
    const Folder folder;
    auto store = open_store(folder.file());
    // Every state has this: records 0..n-1, all of one value.
    const auto grow = [&](std::uint64_t n) {
        return store->write([&](Edit& edit) -> Result<void> {
            for (std::uint64_t i = 0; i < n; ++i)
                static_cast<void>(
                    edit.set({{i + 1, 0}}, {.value = static_cast<std::int8_t>(n % 60)}));
            return {};
        });
    };
    ASSERT_TRUE(grow(1).has_value());
    std::atomic<bool> over{false};
    std::atomic<int> wrong{0};
    std::atomic<int> reads{0};
    std::vector<std::jthread> readers;
    for (int r = 0; r < 3; ++r) {
        readers.emplace_back([&] {
            while (!over.load()) {
                const auto snapshot = store->snapshot();
                if (!snapshot) {
                    ++wrong;
                    continue;
                }
                const std::size_t n = snapshot->size();
                snapshot->each([&](const PositionData& record) {
                    if (record.info.value != static_cast<std::int8_t>(n % 60)) ++wrong;
                    return true;
                });
                if (snapshot->contains({{n + 1, 0}}) || !snapshot->contains({{n, 0}})) ++wrong;
                ++reads;
            }
        });
    }
    for (std::uint64_t n = 2; n < 40; ++n)
        ASSERT_TRUE(grow(n).has_value());
    while (reads.load() < 3)
        std::this_thread::yield();
    over = true;
    readers.clear();
    EXPECT_EQ(wrong.load(), 0);
}

TEST(Store, ManyWritersShareCommitsAndEachHearsItsOwnOutcome) {
    const Folder folder;
    auto store = open_store(folder.file());
    std::atomic<int> refused{0};
    {
        std::vector<std::jthread> writers;
        for (std::uint64_t w = 0; w < 8; ++w) {
            writers.emplace_back([&, w] {
                for (std::uint64_t i = 0; i < 12; ++i) {
                    const auto done = store->write([&](Edit& edit) -> Result<void> {
                        static_cast<void>(edit.set({{100 * w + i + 1, 0}}, {}));
                        if (i % 4 == 3) return fail(ErrorCode::bad_value, std::to_string(w));
                        return {};
                    });
                    if (!done) {
                        EXPECT_EQ(done.error().message, std::to_string(w));
                        ++refused;
                    }
                }
            });
        }
    }
    EXPECT_EQ(refused.load(), 24);
    EXPECT_EQ(store->stats()->records, 72U);
}

TEST(Store, KeepsNotes) {
    const Folder folder;
    {
        auto store = open_store(folder.file());
        EXPECT_FALSE(store->note("job")->has_value());
        ASSERT_TRUE(store->set_note("job", "deviate").has_value());
    }
    auto store = open_store(folder.file());
    EXPECT_EQ(**store->note("job"), "deviate");
    ASSERT_TRUE(store->set_note("job", "").has_value());
    EXPECT_FALSE(store->note("job")->has_value());
}

}  // namespace
}  // namespace yomi::othello::book
