#include "core/othello/stability.hpp"

#include <gtest/gtest.h>

#include "core/othello/last_flip.hpp"
#include "tests/oracle/othello_minimax.hpp"
#include "tests/oracle/othello_rays.hpp"

namespace yomi::othello {
namespace {

/// Plays everything out and gathers the player's discs of the root that are never turned over.
void play_all(const Board& board, bool root_side, std::uint64_t& kept) {
    kept &= root_side ? board.player : board.opponent;
    std::uint64_t moves = legal_moves(board);
    if (moves == 0) {
        if (legal_moves(board.swapped()) != 0) play_all(board.swapped(), !root_side, kept);
        return;
    }
    while (moves != 0 && kept != 0) {
        const Square square = pop_lowest_bit(moves);
        play_all(after_move(board, square, flips(board, square)), !root_side, kept);
    }
}

TEST(Stability, NeverNamesADiscThatSomePlayTurnsOver) {
    SplitMix64 random(11);
    int named = 0;
    for (int i = 0; i < 600; ++i) {
        const Board board =
            oracle::random_position(random, 1 + static_cast<int>(random.below(7))).board;
        const std::uint64_t stable = stable_discs(board);
        std::uint64_t kept = board.player;
        play_all(board, true, kept);
        ASSERT_EQ(stable & ~kept, 0U) << i;
        named += std::popcount(stable);
    }
    EXPECT_GT(named, 600 * 8);  // a bound that names nothing would pass the check above
}

TEST(Stability, VectorCodeEqualsItsPlainTwin) {
    SplitMix64 random(12);
    for (int i = 0; i < 20'000; ++i) {
        const Board board =
            i % 2 == 0 ? oracle::random_position(random, static_cast<int>(random.below(60))).board
                       : oracle::random_fill(
                             random, static_cast<int>(random.below(30)), 20 + random.below(60));
        ASSERT_EQ(stable_discs(board), portable::stable_discs(board)) << i;
    }
}

TEST(Stability, KnowsAFullBoardACornerAndAnEdge) {
    EXPECT_EQ(stable_discs({.player = ~std::uint64_t{0}, .opponent = 0}), ~std::uint64_t{0});
    EXPECT_EQ(stable_discs({.player = 1, .opponent = 0}), 1U);
    EXPECT_EQ(stable_discs({.player = 0x0F, .opponent = 0x10}), 0x0FU);  // a1-d1 behind the corner
    EXPECT_EQ(stable_discs({.player = 0x02, .opponent = 0}), 0U);        // b1 can be turned over
    EXPECT_EQ(stable_discs({.player = 0x8000'0000'0000'0000, .opponent = 0x0100'0000'0000'0000}),
              0x8000'0000'0000'0000U);
}

TEST(LastFlip, EqualsTheRaysOnEverySquareOfRandomBoards) {
    SplitMix64 random(13);
    for (int i = 0; i < 4'000; ++i) {
        const Square square = static_cast<Square>(random.below(64));
        Board board = oracle::random_fill(random, 0, 10 + random.below(80));
        board.player &= ~bit(square);
        board.opponent &= ~bit(square);
        ASSERT_EQ(last_flips_doubled(board.player, square),
                  2 * std::popcount(oracle::flips(board, square)))
            << i;
    }
}

}  // namespace
}  // namespace yomi::othello
