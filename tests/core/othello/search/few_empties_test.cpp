#include "core/othello/search/few_empties.hpp"

#include <gtest/gtest.h>

#include "tests/oracle/othello_minimax.hpp"

namespace yomi::othello::search {
namespace {

// Fail-soft: above alpha a lower bound, otherwise an upper bound.
void expect_right(const Board& board, int alpha, int exact) {
    std::uint64_t nodes = 0;
    const int score = solve_few(board, alpha, nodes);
    ASSERT_EQ(score > alpha, exact > alpha)
        << "alpha " << alpha << " exact " << exact << " answer " << score;
    if (score > alpha) {
        ASSERT_LE(score, exact);
    } else {
        ASSERT_GE(score, exact);
    }
    ASSERT_GT(nodes, 0U);
}

TEST(FewEmpties, EqualsMinimaxForEveryWindowAfterRandomPlay) {
    SplitMix64 random(21);
    for (int i = 0; i < 3'000; ++i) {
        const Position position = oracle::random_position(random, i % (kFewEmpties + 1));
        if (position.empties() > kFewEmpties) continue;
        const int exact = oracle::minimax(position.board, -65, 65);
        for (const int alpha : {-65, exact - 3, exact - 1, exact, exact + 1, 63, 64})
            expect_right(position.board, alpha, exact);
    }
}

// Filled at random: passes at every size, both sides without moves, all of one colour.
TEST(FewEmpties, EqualsMinimaxOnBoardsThatPlayHardlyReaches) {
    SplitMix64 random(22);
    std::array<int, kFewEmpties + 1> passes{};
    std::array<int, kFewEmpties + 1> finished{};
    for (int i = 0; i < 6'000; ++i) {
        const int empties = i % (kFewEmpties + 1);
        const Board board = oracle::random_fill(random, empties, random.below(101));
        const int exact = oracle::minimax(board, -65, 65);
        if (legal_moves(board) == 0) {
            const bool over = legal_moves(board.swapped()) == 0;
            ++(over ? finished : passes)[static_cast<std::size_t>(empties)];
        }
        for (const int alpha : {-65, exact - 2, exact - 1, exact, 0, 64})
            expect_right(board, alpha, exact);
    }
    for (std::size_t empties = 1; empties <= kFewEmpties; ++empties) {
        EXPECT_GT(passes[empties], 5) << empties;
        EXPECT_GT(finished[empties], 5) << empties;
    }
}

TEST(FewEmpties, GivesTheEmptiesToTheWinner) {
    std::uint64_t nodes = 0;
    const Board all_mine{.player = ~std::uint64_t{0x07}, .opponent = 0};
    EXPECT_EQ(solve_few(all_mine, 0, nodes), 64);
    EXPECT_EQ(solve_few(all_mine.swapped(), -65, nodes), -64);
    EXPECT_EQ(over_score(all_mine.player, 3), 64);
    EXPECT_EQ(over_score(0x0000'0000'7FFF'FFFF, 2), 0);   // 31 against 31
    EXPECT_EQ(over_score(0x0000'0000'FFFF'FFFF, 1), 2);   // 32 against 31, one left
    EXPECT_EQ(over_score(0x0000'0000'7FFF'FFFF, 1), -2);  // 31 against 32
}

}  // namespace
}  // namespace yomi::othello::search
