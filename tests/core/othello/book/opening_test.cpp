#include "core/othello/book/opening.hpp"

#include <set>
#include <unordered_map>

#include "tests/core/othello/book/book_fixture.hpp"

namespace yomi::othello::book {
namespace {

TEST(PositionKey, PrintsTheLegacyWordsOfTheTutorial) {
    const LegacyKey start{.bl = 0x08000000, .bh = 0x10, .wl = 0x10000000, .wh = 0x08};
    EXPECT_EQ(PositionKey::of(kStartBoard).legacy(), start);
    // Colours exchanged and the other side to move: the same board for a key.
    EXPECT_EQ(PositionKey::of(Board{kStartBoard.opponent, kStartBoard.player}.swapped()).legacy(),
              start);
    const LegacyKey first{.bl = 0, .bh = 0x10, .wl = 0x18080000, .wh = 0x08};
    for (const char* move : {"d3", "c4", "f5", "e6"})
        EXPECT_EQ(PositionKey::of(board_after(move)).legacy(), first) << move;
    EXPECT_EQ(PositionKey::of(board_after("f5d6")).legacy(),
              (LegacyKey{.bl = 0, .bh = 0x818, .wl = 0x1c000000, .wh = 0}));
    EXPECT_EQ(PositionKey::of(board_after("f5f6")).legacy(),
              (LegacyKey{.bl = 0x08100000, .bh = 0x10, .wl = 0x10200000, .wh = 0x08}));
    EXPECT_EQ(PositionKey::of(board_after("f5f4")).legacy(),
              (LegacyKey{.bl = 0, .bh = 0x1c, .wl = 0x1c000000, .wh = 0}));
}

TEST(PositionKey, CountsTheCanonicalPositionsByPly) {
    std::set<PositionKey> layer{PositionKey::of(kStartBoard)};
    for (const std::size_t expected : {1U, 1U, 3U, 14U, 60U, 322U, 1773U}) {
        EXPECT_EQ(layer.size(), expected);
        std::set<PositionKey> next;
        for (const PositionKey& key : layer) {
            for_each_child(key.board, [&](Square, const Board& child) {
                next.insert(PositionKey::of(child));
            });
        }
        layer = std::move(next);
    }
}

TEST(Opening, GrowsByBlocksAndKeepsTheTutorialsRoomAfterLoading) {
    for (const auto& [records, room] : {std::pair<std::size_t, std::size_t>{0, 65536},
                                        {1, 131072},
                                        {65535, 131072},
                                        {65536, 131072},
                                        {65537, 196608},
                                        {131072, 196608}}) {
        EXPECT_EQ(room_after_load(records), room) << records;
        Opening book;
        ASSERT_TRUE(book.reserve_for_load(records).has_value());
        EXPECT_EQ(book.max(), room) << records;
    }
    Opening book;
    EXPECT_EQ(book.num(), 0U);
    EXPECT_EQ(book.max(), 65536U);
    const auto key = [](std::uint64_t i) { return PositionKey{{i + 1, ~(i + 1)}}; };
    for (std::uint64_t i = 0; i < 200'000; ++i) {
        ASSERT_TRUE(*book.set(key(i), {.value = static_cast<std::int8_t>(i % 64)}));
        if (i == 65'535) {
            EXPECT_EQ(book.max(), 65'536U);
        }
        if (i == 65'536) {
            EXPECT_EQ(book.max(), 131'072U);
        }
    }
    EXPECT_EQ(book.max(), 262'144U);
    EXPECT_FALSE(*book.set(key(7), {.value = 9})) << "the same key again updates";
    EXPECT_EQ(book.num(), 200'000U);
    EXPECT_EQ(book.lookup(key(7))->value, 9);
    book.clear();
    EXPECT_EQ(book.num(), 0U);
    EXPECT_EQ(book.max(), 65'536U);
}

TEST(Opening, RefusesRecordsBeyondItsQuotaAndLosesNothing) {
    Opening book(kBlock + 5);
    const auto key = [](std::uint64_t i) { return PositionKey{{i + 1, 0}}; };
    for (std::uint64_t i = 0; i < kBlock; ++i)
        ASSERT_TRUE(book.set(key(i), {.value = 1}).has_value());
    const auto full = book.set(key(kBlock), {.value = 1});
    ASSERT_FALSE(full.has_value());
    EXPECT_EQ(full.error().code, ErrorCode::quota_exceeded);
    EXPECT_NE(full.error().message.find("65536"), std::string::npos);
    EXPECT_EQ(book.num(), kBlock);
    EXPECT_TRUE(book.set(key(3), {.value = 2}).has_value()) << "updating needs no room";
    // A larger change that fails half-way leaves the book as it was.
    Edit edit(book);
    edit.remove(key(4));
    ASSERT_TRUE(edit.set(key(5), {.value = 7}).has_value());
    for (std::uint64_t i = 0; i < 10; ++i)
        ASSERT_TRUE(edit.set(key(kBlock + i), {}).has_value());
    EXPECT_FALSE(edit.apply_to(book).has_value());
    EXPECT_EQ(book.num(), kBlock);
    EXPECT_EQ(book.lookup(key(5))->value, 1);
    ASSERT_NE(book.lookup(key(4)), nullptr);
}

TEST(Opening, AgreesWithAMapUnderRandomChanges) {
    Opening book;
    std::unordered_map<PositionKey, PositionInfo, KeyHash> plain;
    SplitMix64 random(11);
    for (int step = 0; step < 200'000; ++step) {
        const PositionKey key{{random.below(3000), 0}};
        if (random.below(3) == 0) {
            EXPECT_EQ(book.remove(key), plain.erase(key) == 1);
        } else {
            const PositionInfo info{.value = static_cast<std::int8_t>(random.below(64))};
            EXPECT_EQ(*book.set(key, info), plain.insert_or_assign(key, info).second);
        }
    }
    EXPECT_EQ(book.num(), plain.size());
    for (std::uint64_t i = 0; i < 3000; ++i) {
        const PositionKey key{{i, 0}};
        const auto found = plain.find(key);
        const PositionInfo* const info = book.lookup(key);
        ASSERT_EQ(info != nullptr, found != plain.end());
        if (info != nullptr) {
            EXPECT_EQ(*info, found->second);
        }
    }
}

TEST(Predecessors, AreExactlyTheBoardsThatLeadHere) {
    SplitMix64 random(5);
    for (int game = 0; game < 60; ++game) {
        Position position;
        for (const Move& move : random_line(random, 60)) {
            const Board before = position.board;
            position.do_move(move);
            std::set<Board> found;
            for (const Board& board : predecessors(position.board)) {
                EXPECT_TRUE(found.insert(board).second) << "listed twice";
                bool leads = false;
                for_each_child(board, [&](Square, const Board& child) {
                    leads = leads || child == position.board;
                });
                ASSERT_TRUE(leads);
            }
            ASSERT_TRUE(found.contains(before));
        }
    }
}

TEST(Predecessors, AreCompleteForEveryPositionOfTheFirstPlies) {
    // Slow plain twin: all parents by playing all moves of all positions.
    std::set<PositionKey> layer{PositionKey::of(kStartBoard)};
    for (int ply = 0; ply < 6; ++ply) {
        std::set<std::pair<PositionKey, PositionKey>> forward;
        std::set<PositionKey> next;
        for (const PositionKey& key : layer) {
            for_each_child(key.board, [&](Square, const Board& child) {
                forward.emplace(PositionKey::of(child), key);
                next.insert(PositionKey::of(child));
            });
        }
        std::set<std::pair<PositionKey, PositionKey>> backward;
        for (const PositionKey& key : next) {
            for (const Board& parent : predecessors(key.board)) {
                if (layer.contains(PositionKey::of(parent)))
                    backward.emplace(key, PositionKey::of(parent));
            }
        }
        EXPECT_EQ(forward, backward) << "ply " << ply;
        layer = std::move(next);
    }
}

}  // namespace
}  // namespace yomi::othello::book
