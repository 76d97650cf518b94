#include "core/shogi/notation/usi.hpp"

#include <string>

#include <gtest/gtest.h>

#include "core/base/hash.hpp"
#include "core/shogi/movegen.hpp"
#include "core/shogi/notation/sfen.hpp"
#include "tests/oracle/shogi_random.hpp"

namespace yomi::shogi {
namespace {

TEST(UsiMove, SurvivesTheRoundTripOfEveryLegalMove) {
    SplitMix64 random(41);
    for (int i = 0; i < 600; ++i) {
        const Position position =
            *Position::from_setup(oracle::random_setup(random, random.below(80), i % 9 == 0));
        MoveList list;
        legal_moves(position, list);
        for (const Move move : list) {
            const auto back = parse_usi_move(to_usi(move), position);
            ASSERT_TRUE(back) << to_usi(move) << ' ' << back.error().message;
            ASSERT_EQ(*back, move) << to_usi(move);
        }
    }
}

TEST(UsiMove, WritesTheUsualForms) {
    EXPECT_EQ(to_usi(Move::board(make_square(6, 6),
                                 make_square(6, 5),
                                 make_piece(Color::black, PieceType::pawn),
                                 false)),
              "7g7f");
    EXPECT_EQ(to_usi(Move::board(make_square(7, 7),
                                 make_square(1, 1),
                                 make_piece(Color::black, PieceType::bishop),
                                 true)),
              "8h2b+");
    EXPECT_EQ(to_usi(Move::drop(PieceType::gold, make_square(4, 1), Color::white)), "G*5b");
}

TEST(UsiMove, SaysWhatCannotBeRead) {
    const Position position = Position::startpos();
    for (const char* text : {"",
                             "7",
                             "7g",
                             "7g7",
                             "7g7f++",
                             "7g7fx",
                             "0g7f",
                             "7j7f",
                             "7g7z",
                             "K*5e",
                             "p*5e",
                             "P*5j",
                             "P*0e",
                             "P*5e+",
                             "ＰＰＰ",
                             "resign",
                             "win",
                             "7G7F",
                             " 7g7f"}) {
        const auto move = parse_usi_move(text, position);
        ASSERT_FALSE(move) << text;
        EXPECT_EQ(move.error().code, ErrorCode::bad_notation) << text;
        EXPECT_EQ(move.error().value, text);
        EXPECT_FALSE(move.error().message.empty());
    }
}

TEST(UsiMove, SaysWhyAMoveIsIllegal) {
    const auto reason = [](const std::string& sfen, const std::string& text) {
        const Position position = *Position::from_setup(*parse_sfen(sfen));
        const auto move = parse_usi_move(text, position);
        EXPECT_FALSE(move) << text;
        if (move) return std::string();
        EXPECT_EQ(move.error().code, ErrorCode::illegal_move);
        EXPECT_EQ(move.error().value, text);
        return move.error().message;
    };
    const std::string start = to_sfen(Position::startpos());
    EXPECT_EQ(reason(start, "7g7e"), "the pawn on 7g does not move to 7e");
    EXPECT_EQ(reason(start, "5e5d"), "there is no piece on 5e");
    EXPECT_EQ(reason(start, "3c3d"), "the piece on 3c is White's");
    EXPECT_EQ(reason(start, "8h2b+"), "the bishop on 8h is blocked on its way to 2b");
    EXPECT_EQ(reason(start, "9i9g"), "there is an own piece on 9g");
    EXPECT_EQ(reason(start, "P*5e"), "Black has no pawn in hand");
    EXPECT_EQ(reason(start, "7g7f+"), "a move from 7g to 7f cannot promote");
    EXPECT_EQ(reason(start, "4i5h+"), "a gold cannot promote");
    EXPECT_EQ(reason("4k4/9/4+P4/9/9/9/9/9/4K4 b - 1", "5c5b+"),
              "the piece on 5c is promoted already");
    EXPECT_EQ(reason("4k3r/9/8N/9/9/9/9/9/4K4 b - 1", "1c2a"),
              "a knight must promote on 2a: it could never move again");
}

TEST(UsiPosition, AcceptsEveryUsualForm) {
    const std::string sfen = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    for (const std::string& text : {std::string("startpos"),
                                    std::string("position startpos"),
                                    std::string("startpos moves"),
                                    "sfen " + sfen,
                                    "position sfen " + sfen,
                                    sfen,
                                    sfen + " moves",
                                    "  position   sfen  " + sfen + "  "}) {
        const auto game = parse_usi_position(text);
        ASSERT_TRUE(game) << text << ": " << game.error().message;
        EXPECT_EQ(to_sfen(game->position), sfen);
        EXPECT_TRUE(game->moves.empty());
    }
    for (const char* text :
         {"startpos moves 7g7f 3c3d",
          "position startpos moves 7g7f 3c3d\n",
          "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1 moves 7g7f 3c3d",
          "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - moves 7g7f\t3c3d"}) {
        const auto game = parse_usi_position(text);
        ASSERT_TRUE(game) << text << ": " << game.error().message;
        EXPECT_EQ(game->moves.size(), 2U);
        EXPECT_EQ(game->root, Position::startpos().setup());
        EXPECT_EQ(game->position.history_size(), 2);
        EXPECT_EQ(to_sfen(game->position),
                  "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3");
    }
}

TEST(UsiPosition, NamesTheColumnOfTheFault) {
    const auto fault = [](const std::string& text) {
        const auto game = parse_usi_position(text);
        EXPECT_FALSE(game) << text;
        return game ? Error{} : game.error();
    };
    EXPECT_EQ(fault("startpos moves 7g7f 9a9d 1g1f").column, 21);
    EXPECT_EQ(fault("startpos moves 7g7f 1a1c").code, ErrorCode::illegal_move);
    EXPECT_EQ(fault("startpos moves 7g7f 1a1c").value, "1a1c");
    EXPECT_EQ(fault("startpos moves 7g7f 1a1c").message.find("move 2: "), 0U);
    EXPECT_EQ(fault("startpos moves 七六歩").column, 16);
    EXPECT_EQ(fault("startpos moves 7g7f 七六歩 x").value, "七六歩");
    EXPECT_EQ(fault("startpos 7g7f").column, 10);
    EXPECT_EQ(fault("").column, 1);
    EXPECT_EQ(fault("position").code, ErrorCode::bad_notation);
    EXPECT_EQ(fault("moves 7g7f").code, ErrorCode::bad_notation);
    EXPECT_EQ(fault("position sfen 4x4/9/9/9/9/9/9/9/4K4 b - 1").column, 16);
    EXPECT_EQ(fault("position sfen 4k4/9/9/9/9/9/9/9/4K4 b - 1 7g7f").column, 43);
    EXPECT_EQ(fault("sfen 4k4/4G4/9/9/9/9/9/9/4K4 b - 1").code, ErrorCode::illegal_position);
    EXPECT_EQ(fault("hello").code, ErrorCode::bad_notation);
}

TEST(UsiPosition, BoundsTheNumberOfMoves) {
    std::string text = "startpos moves";
    for (int i = 0; i < 3; ++i)
        text += " 2h3h 8b7b 3h2h 7b8b";
    EXPECT_TRUE(parse_usi_position(text, 12));
    const auto game = parse_usi_position(text, 11);
    ASSERT_FALSE(game);
    EXPECT_EQ(game.error().code, ErrorCode::bad_notation);
    EXPECT_EQ(game.error().column, static_cast<int>(text.size()) - 3);
}

TEST(UsiPosition, ReplaysRandomGames) {
    SplitMix64 random(42);
    for (int i = 0; i < 100; ++i) {
        Position position = Position::startpos();
        std::string text = "startpos moves";
        for (const Move move : oracle::play_randomly(position, random, 200))
            text += ' ' + to_usi(move);
        const auto game = parse_usi_position(text);
        ASSERT_TRUE(game) << game.error().message;
        ASSERT_EQ(game->position.key(), position.key());
        ASSERT_EQ(to_sfen(game->position), to_sfen(position));
    }
}

}  // namespace
}  // namespace yomi::shogi
