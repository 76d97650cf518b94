#include "core/othello/board_text.hpp"

#include <gmock/gmock.h>

#include <gtest/gtest.h>

#include "tests/oracle/othello_rays.hpp"

namespace yomi::othello {
namespace {

using ::testing::HasSubstr;

const std::string kStart = "---------------------------OX------XO---------------------------";

TEST(BoardText, ReadsTheStartInEverySpelling) {
    const std::string spellings[] = {
        kStart + " X",
        kStart + "X",
        kStart + " X;",
        kStart + " X; D3:+0; C4:+0; % a problem file's rest is not read",
        kStart + " black",
        kStart + " Black to move\n",
        "...........................OX......XO........................... B",
        "___________________________wb______bw___________________________ b",
        "-------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *",
        "0000000000000000000000000002100000012000000000000000000000000000 1",
        "---------------------------10------01--------------------------- 0",
        "- - - - - - - -\r\n- - - - - - - -\r\n- - - - - - - -\r\n- - - o x - - -\r\n"
        "- - - x o - - -\r\n- - - - - - - -\r\n- - - - - - - -\r\n- - - - - - - -\r\nx to move",
        "・・・・・・・・・・・・・・・・・・・・・・・・・・・○●・・・・・・●○"
        "・・・・・・・・・・・・・・・・・・・・・・・・・・・●",
        "\xEF\xBB\xBF" + kStart + "　Ｘ",
        "  a b c d e f g h\n1 - - - - - - - -\n2 - - - - - - - -\n3 - - - - - - - -\n"
        "4 - - - O X - - -\n5 - - - X O - - -\n6 - - - - - - - -\n7 - - - - - - - -\n"
        "8 - - - - - - - -\nX to move\n",
    };
    for (const std::string& text : spellings) {
        const auto position = parse_board(text);
        ASSERT_TRUE(position.has_value()) << text << "\n" << position.error().message;
        EXPECT_EQ(*position, Position{}) << text;
    }
}

TEST(BoardText, TakesTheSideFromTheTextOrTheCaller) {
    EXPECT_EQ(parse_board(kStart + " O").value().side, Color::white);
    EXPECT_EQ(parse_board(kStart, Color::white).value().side, Color::white);
    EXPECT_EQ(parse_board(kStart + " O", Color::white).value().side, Color::white);
    const Position white = parse_board(kStart, Color::white).value();
    EXPECT_EQ(white.black(), Position{}.black());

    const auto contradiction = parse_board(kStart + " O", Color::black);
    ASSERT_FALSE(contradiction.has_value());
    EXPECT_EQ(contradiction.error().column, 66);
    const auto missing = parse_board(kStart);
    ASSERT_FALSE(missing.has_value());
    EXPECT_THAT(missing.error().message, HasSubstr("side to move is missing"));
    EXPECT_THAT(missing.error().hint, HasSubstr("X (black)"));
}

struct BadBoard {
    std::string text;
    int line;
    int column;
    std::string message;
};

TEST(BoardText, NamesThePlaceOfAFault) {
    const std::string digits = "0000000000000000000000000002100000012000000000000000000000000000";
    const BadBoard boards[] = {
        {"", 1, 1, "has 0"},
        {kStart.substr(1) + " ", 1, 63, "has 63"},
        {"?" + kStart.substr(1) + " X", 1, 1, "a square is"},
        {kStart.substr(0, 10) + "Q" + kStart.substr(11) + " X", 1, 11, "a square is"},
        {kStart.substr(0, 10) + "\n" + kStart.substr(10, 5) + "黒" + kStart.substr(16) + " X",
         2,
         6,
         "a square is"},
        {kStart + " Z", 1, 66, "the side to move is"},
        {kStart + " -", 1, 66, "the side to move is"},
        {kStart + " 1", 1, 66, "the side to move is"},  // 1 is no colour beside letters
        {kStart + " XX", 1, 67, "something follows"},
        {kStart + "- X", 1, 65, "the side to move is"},
        {kStart + " X to moves", 1, 75, "something follows"},
        {"0" + kStart.substr(1) + " X", 1, 1, "in letters or in digits"},
        {"X" + digits.substr(1) + " 1", 1, 2, "in letters or in digits"},
        {"-2" + digits.substr(2) + " 1", 1, 2, "0 (black) and 1 (white)"},
        {digits + " 0", 1, 66, "the side to move is"},  // 0 is empty there
        {kStart.substr(0, 9) + "\xC0\xAF" + kStart.substr(11) + " X", 1, 10, "UTF-8"},
        {"  a b c d e f g h\n1 - - - - - - - -\n3 - - - - - - - -\n", 3, 1, "rank number"},
    };
    for (const BadBoard& board : boards) {
        SCOPED_TRACE(board.text);
        const auto position = parse_board(board.text);
        ASSERT_FALSE(position.has_value());
        EXPECT_EQ(position.error().code, ErrorCode::bad_notation);
        EXPECT_EQ(position.error().line, board.line) << position.error().message;
        EXPECT_EQ(position.error().column, board.column) << position.error().message;
        EXPECT_THAT(position.error().message, HasSubstr(board.message));
    }
    const auto bare = parse_board(std::string(64, '-') + " X");
    ASSERT_FALSE(bare.has_value());
    EXPECT_EQ(bare.error().code, ErrorCode::illegal_position);
}

TEST(BoardText, RoundTripsRandomPositions) {
    SplitMix64 random(10);
    for (int i = 0; i < 2'000; ++i) {
        Position position;
        position.board = oracle::random_board(random);
        position.side = random.below(2) == 0 ? Color::black : Color::white;
        ASSERT_EQ(parse_board(board_string(position)).value(), position);
        ASSERT_EQ(parse_board(diagram(position)).value(), position);
    }
}

TEST(BoardText, SurvivesRandomBytes) {
    SplitMix64 random(11);
    const std::string alphabet = "XO-.*01 2\nbwBW;ah8\xE3\x83\xBB\xFF";
    for (int i = 0; i < 20'000; ++i) {
        std::string text;
        for (std::uint32_t n = random.below(90); n > 0; --n) {
            text += alphabet[random.below(static_cast<std::uint32_t>(alphabet.size()))];
        }
        const auto position = parse_board(text);
        if (position) {
            ASSERT_EQ(position->board.player & position->board.opponent, 0U);
        } else {
            ASSERT_FALSE(position.error().message.empty());
        }
    }
}

}  // namespace
}  // namespace yomi::othello
