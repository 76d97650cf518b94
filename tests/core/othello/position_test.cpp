#include "core/othello/position.hpp"

#include <gmock/gmock.h>

#include <gtest/gtest.h>

#include "core/base/hash.hpp"
#include "core/othello/board_text.hpp"
#include "core/othello/transcript.hpp"

namespace yomi::othello {
namespace {

using ::testing::HasSubstr;

// Black has no move, White has: a row OX at the left edge with nothing for black behind.
Position forced_pass() {
    return parse_board(
               "OX------"
               "--------"
               "--------"
               "--------"
               "--------"
               "--------"
               "--------"
               "-------- X")
        .value();
}

TEST(OthelloPosition, StartsWithFourMovesForBlack) {
    const Position position;
    EXPECT_EQ(position.side, Color::black);
    EXPECT_EQ(position.ply(), 0);
    EXPECT_EQ(position.empties(), 60);
    std::string moves;
    for (const Move& move : position.moves())
        moves += to_string(move.square) + " ";
    EXPECT_EQ(moves, "d3 c4 f5 e6 ");
}

TEST(OthelloPosition, PlaysAndTakesBackWholeGames) {
    SplitMix64 random(77);
    for (int game = 0; game < 200; ++game) {
        Position position;
        std::vector<std::pair<Position, Move>> line;
        while (!position.is_over()) {
            Move move;
            if (!position.must_pass()) {
                const auto moves = position.moves();
                move = moves[random.below(static_cast<std::uint32_t>(moves.size()))];
            }
            ASSERT_EQ(position.make_move(move.square).value(), move);
            line.emplace_back(position, move);
            position.do_move(move);
            ASSERT_EQ(position.ply(), static_cast<int>(line.size()));
            ASSERT_EQ(position.black() | position.white(), position.board.occupied());
        }
        while (!line.empty()) {
            position.undo_move(line.back().second);
            ASSERT_EQ(position, line.back().first);
            line.pop_back();
        }
        EXPECT_EQ(position, Position{});
    }
}

TEST(OthelloPosition, PassesOnlyWhenItMust) {
    Position position = forced_pass();
    EXPECT_TRUE(position.must_pass());
    EXPECT_FALSE(position.is_over());
    const auto refused = position.make_move(parse_square("c1").value());
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, ErrorCode::illegal_move);
    EXPECT_THAT(refused.error().message, HasSubstr("black has no move and must pass"));

    position.do_move(position.make_move(kPass).value());
    EXPECT_EQ(position.side, Color::white);
    EXPECT_EQ(position.passes, 1);
    EXPECT_FALSE(position.must_pass());
    const auto pass = position.make_move(kPass);
    ASSERT_FALSE(pass.has_value());
    EXPECT_THAT(pass.error().message, HasSubstr("white may not pass: it has 1 move"));

    position.do_move(position.make_move(parse_square("c1").value()).value());
    EXPECT_TRUE(position.is_over());
    EXPECT_EQ(disc_difference(position.board), -64);  // Black, to move, is wiped out
    const auto after = position.make_move(kPass);
    ASSERT_FALSE(after.has_value());
    EXPECT_THAT(after.error().message, HasSubstr("the game is over"));
    EXPECT_THAT(position.make_move(63).error().message, HasSubstr("the game is over"));
}

TEST(OthelloPosition, SaysWhyAMoveIsIllegal) {
    const Position position;
    EXPECT_THAT(position.make_move(parse_square("e4").value()).error().message,
                HasSubstr("e4 is taken by a black disc"));
    EXPECT_THAT(position.make_move(parse_square("d4").value()).error().message,
                HasSubstr("d4 is taken by a white disc"));
    EXPECT_THAT(position.make_move(parse_square("a1").value()).error().message,
                HasSubstr("black turns nothing over on a1"));
    EXPECT_THAT(position.make_move(kPass).error().message,
                HasSubstr("black may not pass: it has 4 moves"));
    EXPECT_EQ(position.make_move(65).error().code, ErrorCode::out_of_range);
    EXPECT_EQ(position.make_move(-1).error().code, ErrorCode::out_of_range);
}

TEST(OthelloPosition, EndsInNinePliesByTheShortestWipeOut) {
    // The known shortest game that wipes a side out.
    const Game game = parse_transcript("e6f4e3f6g5d6e7f5c5").value();
    EXPECT_EQ(game.moves.size(), 9U);
    EXPECT_TRUE(game.end.is_over());
    EXPECT_EQ(game.end.white(), 0U);
    EXPECT_EQ(game.end.side, Color::white);
    EXPECT_EQ(disc_difference(game.end.board), -64);
}

}  // namespace
}  // namespace yomi::othello
