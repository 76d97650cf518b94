#include "core/shogi/search/tt.hpp"

#include <thread>
#include <unordered_map>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/hash.hpp"
#include "core/shogi/movegen.hpp"
#include "tests/oracle/shogi_random.hpp"

namespace yomi::shogi::search {
namespace {

TEST(TranspositionTable, MissesWhenEmptyAndHoldsNothingWithoutMemory) {
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{64}, std::size_t{127}}) {
        engine::SearchMemory memory(bytes);
        TranspositionTable table;
        table.attach(memory);
        EXPECT_EQ(table.capacity(), 0U);
        table.store(42, 0, 7, TableBound::exact, 3, 1, kNoMove);
        EXPECT_FALSE(table.probe(42, 0).found);
        EXPECT_EQ(table.hashfull(), 0);
    }
    engine::SearchMemory memory(1 << 16);
    TranspositionTable table;
    table.attach(memory);
    EXPECT_EQ(table.capacity(), ((1U << 16) / 64 - 1) * 4);
    SplitMix64 random(1);
    EXPECT_FALSE(table.probe(0, 0).found);
    for (int i = 0; i < 10'000; ++i)
        EXPECT_FALSE(table.probe(random(), 0).found);
}

TEST(TranspositionTable, GivesBackWhatWasStored) {
    engine::SearchMemory memory(1 << 20);
    TranspositionTable table;
    table.attach(memory);
    const Move move = Move::board(60, 59, make_piece(Color::black, PieceType::pawn), false);
    table.store(99, 4, -123, TableBound::lower, 17, 55, move);
    const TableHit hit = table.probe(99, 4);
    ASSERT_TRUE(hit.found);
    EXPECT_EQ(hit.value, -123);
    EXPECT_EQ(hit.bound, TableBound::lower);
    EXPECT_EQ(hit.depth, 17);
    EXPECT_EQ(hit.static_eval, 55);
    EXPECT_EQ(hit.move_bits, move.bits16());
    // A later store without a move keeps the move; unknown values stay unknown.
    table.store(99, 4, kNoValue, TableBound::none, 20, kNoValue, kNoMove);
    const TableHit again = table.probe(99, 4);
    EXPECT_EQ(again.move_bits, move.bits16());
    EXPECT_EQ(again.value, kNoValue);
    EXPECT_EQ(again.static_eval, kNoValue);
}

TEST(TranspositionTable, KeepsMatesAsDistanceFromTheNode) {
    engine::SearchMemory memory(1 << 20);
    TranspositionTable table;
    table.attach(memory);
    // Mate five plies after a node at ply 10, met again at ply 2.
    table.store(1, 10, mate_in(15), TableBound::exact, 5, 0, kNoMove);
    table.store(2, 10, mated_in(14), TableBound::exact, 5, 0, kNoMove);
    EXPECT_EQ(table.probe(1, 2).value, mate_in(7));
    EXPECT_EQ(table.probe(2, 2).value, mated_in(6));
    EXPECT_EQ(to_score(mate_in(7)), Score::mate(7));
    EXPECT_EQ(to_score(mated_in(6)), Score::mate(-6));
    EXPECT_EQ(to_score(kRuleWin), Score::cp(9'999));
}

TEST(TranspositionTable, StaysWarmForTheSameLayoutOnly) {
    engine::SearchMemory memory(1 << 16);
    TranspositionTable table;
    table.attach(memory);
    table.store(7, 0, 5, TableBound::exact, 3, 1, kNoMove);
    EXPECT_GT(table.hashfull(), -1);
    table.attach(memory);
    EXPECT_TRUE(table.probe(7, 0).found);
    memory.claim(12345);
    table.attach(memory);
    EXPECT_FALSE(table.probe(7, 0).found);
}

TEST(TranspositionTable, AgreesWithAMapOnWhatItStillHolds) {
    engine::SearchMemory memory(1 << 14);
    TranspositionTable table;
    table.attach(memory);
    SplitMix64 random(3);
    std::unordered_map<std::uint64_t, int> twin;
    std::vector<std::uint64_t> keys;
    for (int i = 0; i < 20'000; ++i) {
        const std::uint64_t key = random();
        const int value = static_cast<int>(random.below(20'000)) - 10'000;
        table.store(
            key, 0, value, TableBound::exact, static_cast<int>(random.below(30)), 0, kNoMove);
        twin[key] = value;
        keys.push_back(key);
    }
    std::size_t held = 0;
    for (const std::uint64_t key : keys) {
        const TableHit hit = table.probe(key, 0);
        if (!hit.found) continue;
        ++held;
        ASSERT_EQ(hit.value, twin[key]);
    }
    EXPECT_LE(held, table.capacity());
    EXPECT_GT(held, table.capacity() * 9 / 10);
    EXPECT_GT(table.hashfull(), 900);
}

TEST(TranspositionTable, NeverReturnsATornEntry) {
    // Two writers store values that are a function of the key; a reader may miss but never sees
    // another value.
    engine::SearchMemory memory(1 << 12);
    TranspositionTable table;
    table.attach(memory);
    const auto value_of = [](std::uint64_t key) { return static_cast<int>(mix64(key) % 10'000); };
    const auto write = [&](std::uint64_t seed) {
        SplitMix64 random(seed);
        for (int i = 0; i < 200'000; ++i) {
            const std::uint64_t key = mix64(random.below(600));
            table.store(key, 0, value_of(key), TableBound::exact, 1, 0, kNoMove);
        }
    };
    std::jthread a(write, 1);
    std::jthread b(write, 2);
    SplitMix64 random(3);
    for (int i = 0; i < 200'000; ++i) {
        const std::uint64_t key = mix64(random.below(600));
        const TableHit hit = table.probe(key, 0);
        if (hit.found) {
            ASSERT_EQ(hit.value, value_of(key));
        }
    }
}

TEST(CompleteMove, RebuildsExactlyTheLegalMoves) {
    SplitMix64 random(4);
    for (int round = 0; round < 150; ++round) {
        const auto position = Position::from_setup(oracle::random_setup(random, 30));
        MoveList moves;
        legal_moves(*position, moves);
        for (const Move move : moves)
            ASSERT_EQ(complete_move(*position, move.bits16()), move);
        for (int i = 0; i < 2'000; ++i) {
            const Move move = complete_move(*position, static_cast<std::uint16_t>(random()));
            ASSERT_TRUE(!move || moves.contains(move));
        }
    }
}

}  // namespace
}  // namespace yomi::shogi::search
