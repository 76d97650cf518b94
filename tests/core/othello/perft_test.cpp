#include "core/base/perft.hpp"

#include <gtest/gtest.h>

#include "core/othello/board_text.hpp"
#include "core/othello/rules.hpp"
#include "tests/oracle/othello_rays.hpp"

namespace yomi::othello {
namespace {

static_assert(PerftRules<Rules>);
static_assert(PerftRules<PlacementRules>);

// Counts from the standard start. Source: the tables that the authors of Othello programs publish
// (Edax, Egaroucid); depths 1 to 11 were also counted by a program of our own that shares no code
// with this one. A finished game counts one leaf at each greater depth. Depth 10 runs in the
// benchmark.
constexpr std::uint64_t kPassIsAPly[] = {1, 4, 12, 56, 244, 1396, 8200, 55'092, 390'216, 3'005'288};
constexpr std::uint64_t kPassIsFree[] = {1, 4, 12, 56, 244, 1396, 8200, 55'092, 390'216, 3'005'320};

TEST(OthelloPerft, MatchesThePublishedCounts) {
    for (int depth = 0; depth <= 9; ++depth) {
        Position position;
        EXPECT_EQ(perft<Rules>(position, depth), kPassIsAPly[depth]) << depth;
        EXPECT_EQ(position, Position{});
    }
}

TEST(OthelloPerft, MatchesThePublishedCountsOfPlacements) {
    for (int depth = 0; depth <= 9; ++depth) {
        Position position;
        EXPECT_EQ(perft<PlacementRules>(position, depth), kPassIsFree[depth]) << depth;
        EXPECT_EQ(position, Position{});
    }
}

TEST(OthelloPerft, DividesIntoTheSameTotal) {
    Position position;
    const auto table = perft_divide<Rules>(position, 6);
    ASSERT_EQ(table.size(), 4U);
    std::uint64_t total = 0;
    for (const auto& [move, leaves] : table) {
        EXPECT_EQ(leaves, 2050U) << to_string(move.square);  // the four first moves are one
        total += leaves;
    }
    EXPECT_EQ(total, kPassIsAPly[6]);
}

// The same definition over the ray walk, from positions with passes and ends close by.
std::uint64_t slow_perft(const Board& board, int depth) {
    if (depth == 0) return 1;
    const std::uint64_t legal = oracle::legal_moves(board);
    if (legal == 0) return slow_perft(board.swapped(), depth - 1);
    std::uint64_t leaves = 0;
    for (Square square = 0; square < 64; ++square) {
        if ((legal & bit(square)) == 0) continue;
        leaves += slow_perft(after_move(board, square, oracle::flips(board, square)), depth - 1);
    }
    return leaves;
}

std::uint64_t slow_placements(const Board& board, int depth) {
    if (depth == 0) return 1;
    Board mover = board;
    if (oracle::legal_moves(mover) == 0) mover = board.swapped();
    const std::uint64_t legal = oracle::legal_moves(mover);
    if (legal == 0) return 1;
    std::uint64_t leaves = 0;
    for (Square square = 0; square < 64; ++square) {
        if ((legal & bit(square)) == 0) continue;
        leaves +=
            slow_placements(after_move(mover, square, oracle::flips(mover, square)), depth - 1);
    }
    return leaves;
}

TEST(OthelloPerft, MatchesTheRayWalkNearTheEndOfGames) {
    SplitMix64 random(5);
    int passes = 0;
    for (int game = 0; game < 60; ++game) {
        Position position;
        while (position.empties() > 5 && !position.is_over()) {
            const auto moves = Rules::moves(position);
            position.do_move(moves.begin()[random.below(static_cast<std::uint32_t>(moves.size()))]);
        }
        const Position before = position;
        for (int depth = 1; depth <= 5; ++depth) {
            ASSERT_EQ(perft<Rules>(position, depth), slow_perft(before.board, depth));
            ASSERT_EQ(perft<PlacementRules>(position, depth), slow_placements(before.board, depth));
            ASSERT_EQ(position, before);
        }
        passes += perft<Rules>(position, 5) != perft<PlacementRules>(position, 5) ? 1 : 0;
    }
    EXPECT_GT(passes, 3);  // or the two counts were never told apart
}

}  // namespace
}  // namespace yomi::othello
