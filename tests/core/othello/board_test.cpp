#include "core/othello/board.hpp"

#include <bit>

#include <gtest/gtest.h>

#include "core/base/hash.hpp"
#include "core/othello/position.hpp"
#include "tests/oracle/othello_rays.hpp"

namespace yomi::othello {
namespace {

// Compares every implementation with the ray walk on one board, square by square.
void expect_like_oracle(const Board& board) {
    const std::uint64_t legal = oracle::legal_moves(board);
    ASSERT_EQ(portable::legal_moves(board), legal);
    ASSERT_EQ(legal_moves(board), legal);
    for (std::uint64_t rest = board.empty(); rest != 0;) {
        const Square square = pop_lowest_bit(rest);
        const std::uint64_t expected = oracle::flips(board, square);
        ASSERT_EQ(portable::flips(board, square), expected) << to_string(square);
        ASSERT_EQ(flips(board, square), expected) << to_string(square);
    }
}

TEST(Board, AgreesWithTheRayWalkOnRandomDiscs) {
    SplitMix64 random(20261130);
    for (int i = 0; i < 20'000; ++i) {
        Board board = oracle::random_board(random);
        // Also sparse and one-sided boards: long runs are rare in an even mix.
        if (i % 3 == 1) board.player &= random() & random();
        if (i % 5 == 2) board.opponent |= board.empty() & (random() | random());
        ASSERT_EQ(board.player & board.opponent, 0U);
        expect_like_oracle(board);
        if (HasFatalFailure()) return;
    }
}

TEST(Board, AgreesWithTheRayWalkInRandomGames) {
    SplitMix64 random(4);
    int passes = 0;
    int ended_early = 0;
    for (int game = 0; game < 300; ++game) {
        Position position;
        while (true) {
            expect_like_oracle(position.board);
            if (HasFatalFailure()) return;
            const std::vector<Move> moves = position.moves();
            if (moves.empty()) {
                if (position.is_over()) break;
                position.do_move(Move{});
                continue;
            }
            position.do_move(moves[random.below(static_cast<std::uint32_t>(moves.size()))]);
        }
        passes += position.passes;
        ended_early += position.empties() > 0 ? 1 : 0;
        EXPECT_EQ(oracle::legal_moves(position.board), 0U);
        EXPECT_EQ(oracle::legal_moves(position.board.swapped()), 0U);
    }
    // The games met the rare cases, or the test would prove little.
    EXPECT_GT(passes, 50);
    EXPECT_GT(ended_early, 0);
}

TEST(Board, SpansRunsOfSixInEveryDirection) {
    // A lone own disc on the far edge and six opposing discs between.
    for (Square square = 0; square < 64; ++square) {
        for (const int dx : {-1, 0, 1}) {
            for (const int dy : {-1, 0, 1}) {
                if (dx == 0 && dy == 0) continue;
                Board board;
                std::uint64_t run = 0;
                int x = file_of(square) + dx;
                int y = rank_of(square) + dy;
                for (; x >= 0 && x < 8 && y >= 0 && y < 8; x += dx, y += dy) {
                    run |= bit(square_at(x, y));
                }
                if (std::popcount(run) < 2) continue;
                const Square last = square_at(x - dx, y - dy);
                board.opponent = run & ~bit(last);
                EXPECT_EQ(flips(board, square), 0U);
                EXPECT_EQ(portable::flips(board, square), 0U);
                board.player = bit(last);
                EXPECT_EQ(flips(board, square), board.opponent);
                EXPECT_EQ(portable::flips(board, square), board.opponent);
                EXPECT_EQ(legal_moves(board) & bit(square), bit(square));
            }
        }
    }
}

TEST(Board, TakesMovesBack) {
    SplitMix64 random(9);
    for (int i = 0; i < 5'000; ++i) {
        const Board board = oracle::random_board(random);
        for (std::uint64_t rest = legal_moves(board); rest != 0;) {
            const Square square = pop_lowest_bit(rest);
            const std::uint64_t flipped = flips(board, square);
            const Board after = after_move(board, square, flipped);
            ASSERT_EQ(after.player & after.opponent, 0U);
            ASSERT_EQ(after.empties(), board.empties() - 1);
            ASSERT_EQ(before_move(after, square, flipped), board);
        }
    }
}

TEST(Score, CountsAWipeOutAs64) {
    const Board start = kStartBoard;
    EXPECT_EQ(disc_difference(start), 0);
    EXPECT_EQ(final_score(start), 0);
    const Board wiped{.player = 0x7, .opponent = 0};
    EXPECT_EQ(disc_difference(wiped), 64);
    EXPECT_EQ(disc_difference(wiped.swapped()), -64);
    EXPECT_EQ(final_score(wiped), 64);
    EXPECT_EQ(final_score(wiped.swapped()), -64);
}

TEST(Score, GivesEmptiesToTheWinner) {
    SplitMix64 random(17);
    for (int i = 0; i < 1'000; ++i) {
        const Board board = oracle::random_board(random);
        const int own = std::popcount(board.player);
        const int theirs = std::popcount(board.opponent);
        if (own == 0 || theirs == 0) continue;
        EXPECT_EQ(disc_difference(board), own - theirs);
        const int expected = own > theirs ? 64 - 2 * theirs : own < theirs ? -(64 - 2 * own) : 0;
        EXPECT_EQ(final_score(board), expected);
        EXPECT_EQ(final_score(board.swapped()), -expected);
    }
}

TEST(Square, ReadsAndWritesNames) {
    for (Square square = 0; square < 64; ++square) {
        EXPECT_EQ(parse_square(to_string(square)).value(), square);
    }
    EXPECT_EQ(parse_square("F5").value(), 37);
    EXPECT_EQ(to_string(kPass), "pass");
    for (const char* text : {"", "f", "f9", "f0", "i1", "f55", "5f", "  ", "\x86\x35", "F\x15"}) {
        EXPECT_FALSE(parse_square(text).has_value()) << text;
    }
}

}  // namespace
}  // namespace yomi::othello
