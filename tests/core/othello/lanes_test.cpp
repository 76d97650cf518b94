#include "core/othello/lanes.hpp"

#include <gtest/gtest.h>

#include "tests/oracle/othello_minimax.hpp"

namespace yomi::othello {
namespace {

void expect_same(const Board& board) {
    const LaneBoard lanes = to_lanes(board);
    ASSERT_EQ(to_board(lanes), board);
    ASSERT_EQ(to_board(swapped(lanes)), board.swapped());
    ASSERT_EQ(player_of(lanes), board.player);
    ASSERT_EQ(opponent_of(lanes), board.opponent);
    ASSERT_EQ(lane_moves(lanes) & board.empty(), portable::legal_moves(board));
    for (std::uint64_t rest = board.empty(); rest != 0;) {
        const Square square = pop_lowest_bit(rest);
        const std::uint64_t flipped = portable::flips(board, square);
        const LaneFlips in_lanes = lane_flips(lanes, square);
        ASSERT_EQ(in_lanes.mask(), flipped) << to_string(square);
        ASSERT_EQ(in_lanes.none(), flipped == 0) << to_string(square);
        ASSERT_EQ(to_board(after_move(lanes, square, in_lanes)), after_move(board, square, flipped))
            << to_string(square);
    }
}

TEST(LaneBoard, EqualsTheBoardOnRandomDiscs) {
    SplitMix64 random(31);
    for (int i = 0; i < 20'000; ++i)
        expect_same(oracle::random_fill(random, i % 61, random.below(101)));
}

TEST(LaneBoard, EqualsTheBoardInRandomGames) {
    SplitMix64 random(32);
    for (int i = 0; i < 3'000; ++i)
        expect_same(oracle::random_position(random, i % 60).board);
}

}  // namespace
}  // namespace yomi::othello
