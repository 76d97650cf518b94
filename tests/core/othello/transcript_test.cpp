#include "core/othello/transcript.hpp"

#include <gmock/gmock.h>

#include <gtest/gtest.h>

#include "core/base/hash.hpp"
#include "core/othello/board_text.hpp"

namespace yomi::othello {
namespace {

using ::testing::HasSubstr;

TEST(Transcript, ReadsEveryDialect) {
    const std::string dialects[] = {
        "f5d6c3d3c4f4f6",
        "F5D6C3D3C4F4F6",
        "F5d6C3d3C4f4F6",
        "F5 D6 C3 D3 C4 F4 F6",
        "f5-d6-c3-d3-c4-f4-f6",
        "f5,d6,c3,d3;c4|f4/f6",
        "1. f5 d6 2. c3 d3 3. c4 f4 4. f6",
        "1. F5 2. D6 3. C3 4. D3 5. C4 6. F4 7. F6",
        "1.f5 2.d6 3.c3 4.d3 5.c4 6.f4 7.f6",
        "1) f5 2) d6 3) c3 4) d3 5) c4 6) f4 7) f6",
        "1 f5 d6 2 c3 d3 3 c4 f4 4 f6",
        "1 f5 2 d6 3 c3 4 d3 5 c4 6 f4 7 f6",
        "1f5 2d6 3c3 4d3 5c4 6f4 7f6",
        "・F5D6C3D3C4F4F6（虎）",
        "(Tiger) f5d6 [a [remark] c3d3c4f4f6",
        "Ｆ５Ｄ６Ｃ３Ｄ３Ｃ４Ｆ４Ｆ６",
        "  f5d6c3\r\n\td3c4　f4f6\n",
        "\xEF\xBB\xBF"
        "f5d6c3d3c4f4f6",
    };
    const Game expected = parse_transcript(dialects[0]).value();
    EXPECT_EQ(expected.moves.size(), 7U);
    EXPECT_EQ(expected.end.ply(), 7);
    for (const std::string& text : dialects) {
        const auto game = parse_transcript(text);
        ASSERT_TRUE(game.has_value()) << text << "\n"
                                      << game.error().message << " at " << game.error().column;
        EXPECT_EQ(*game, expected) << text;
    }
}

TEST(Transcript, IsTheStartWhenEmpty) {
    for (const char* text : {"", " ", "\n", "1."}) {
        const auto game = parse_transcript(text);
        ASSERT_TRUE(game.has_value());
        EXPECT_TRUE(game->moves.empty());
        EXPECT_EQ(game->end, Position{});
    }
}

// A random game in which somebody had to pass.
Game game_with_pass(std::uint64_t seed) {
    SplitMix64 random(seed);
    while (true) {
        Game game;
        while (!game.end.is_over()) {
            Move move;
            if (!game.end.must_pass()) {
                const auto moves = game.end.moves();
                move = moves[random.below(static_cast<std::uint32_t>(moves.size()))];
            }
            game.end.do_move(move);
            game.moves.push_back(move);
        }
        if (game.end.passes > 0) return game;
    }
}

TEST(Transcript, InsertsForcedPassesAndReadsWrittenOnes) {
    const Game game = game_with_pass(1);
    ASSERT_GT(game.end.passes, 0);
    EXPECT_EQ(parse_transcript(write_transcript(game.moves)).value(), game);
    const std::string written = write_transcript(game.moves, Passes::written);
    EXPECT_EQ(parse_transcript(written).value(), game);
    for (const char* word : {"pa", "PA", "ps", "pass", "PASS", " -- ", "Pass "}) {
        std::string text = written;
        for (std::size_t at = text.find("--"); at != std::string::npos; at = text.find("--", at)) {
            text.replace(at, 2, word);
            at += std::string_view(word).size();
        }
        EXPECT_EQ(parse_transcript(text).value(), game) << word;
    }
    // Programs that close a finished game with passes.
    EXPECT_EQ(parse_transcript(written + "papa").value(), game);
}

TEST(Transcript, RoundTripsRandomGames) {
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        const Game game = game_with_pass(seed);
        ASSERT_EQ(parse_transcript(write_transcript(game.moves)).value(), game);
        ASSERT_EQ(parse_transcript(write_transcript(game.moves, Passes::written)).value(), game);
    }
}

TEST(Transcript, ContinuesFromAnyPosition) {
    const Position start = parse_transcript("f5d6").value().end;
    const Game game = parse_transcript("c3d3", start).value();
    EXPECT_EQ(game.start, start);
    EXPECT_EQ(game.end, parse_transcript("f5d6c3d3").value().end);
    EXPECT_FALSE(parse_transcript("f5d6", start).has_value());
}

struct BadTranscript {
    std::string text;
    ErrorCode code;
    int line;
    int column;
    std::string message;
};

TEST(Transcript, NamesThePlaceAndTheReasonOfAFault) {
    const BadTranscript transcripts[] = {
        {"f5d6c3d3c4f4f6--", ErrorCode::illegal_move, 1, 15, "move 8: white may not pass: it has"},
        {"f5d6c3d3c4f4f6pa", ErrorCode::illegal_move, 1, 15, "white may not pass"},
        {"F5D6C3D3C4F4F6PASS", ErrorCode::illegal_move, 1, 15, "white may not pass"},
        {"pa", ErrorCode::illegal_move, 1, 1, "black may not pass: it has 4 moves"},
        {"f5f5", ErrorCode::illegal_move, 1, 3, "f5 is taken by a black disc"},
        {"f5 a1", ErrorCode::illegal_move, 1, 4, "white turns nothing over on a1"},
        {"f5\nd6 d6", ErrorCode::illegal_move, 2, 4, "move 3: d6 is taken by a white disc"},
        {"d4", ErrorCode::illegal_move, 1, 1, "d4 is taken by a white disc"},
        {"f5d9", ErrorCode::bad_notation, 1, 3, "rank 1..8"},
        {"f5d0", ErrorCode::bad_notation, 1, 3, "rank 1..8"},
        {"f5d", ErrorCode::bad_notation, 1, 3, "rank 1..8"},
        {"f5dd6", ErrorCode::bad_notation, 1, 3, "rank 1..8"},
        {"f5i6", ErrorCode::bad_notation, 1, 3, "begins with a file"},
        {"f5?d6", ErrorCode::bad_notation, 1, 3, "no place"},
        {"f56", ErrorCode::bad_notation, 1, 3, "without its file letter"},
        {"f5d63c4", ErrorCode::bad_notation, 1, 5, "without its file letter"},
        {"f5 7 d6", ErrorCode::bad_notation, 1, 4, "without its file letter"},
        {"99999999999999999999999 f5", ErrorCode::bad_notation, 1, 1, "without its file letter"},
        {"f5 (d6", ErrorCode::bad_notation, 1, 4, "not closed"},
        {"f5p", ErrorCode::bad_notation, 1, 3, "begins with a file"},
        {"・F5手", ErrorCode::bad_notation, 1, 4, "no place"},
        {"f5\xFF", ErrorCode::bad_notation, 1, 3, "UTF-8"},
        {std::string("f5\0d6", 5), ErrorCode::bad_notation, 1, 3, "no place"},
        {"e6f4e3f6g5d6e7f5c5a1", ErrorCode::illegal_move, 1, 19, "the game is over"},
    };
    for (const BadTranscript& transcript : transcripts) {
        SCOPED_TRACE(transcript.text);
        const auto game = parse_transcript(transcript.text);
        ASSERT_FALSE(game.has_value());
        EXPECT_EQ(game.error().code, transcript.code);
        EXPECT_EQ(game.error().line, transcript.line);
        EXPECT_EQ(game.error().column, transcript.column) << game.error().message;
        EXPECT_THAT(game.error().message, HasSubstr(transcript.message));
    }
}

TEST(Transcript, SurvivesRandomBytes) {
    SplitMix64 random(12);
    const std::string alphabet = "f5d6c3a1h8pas--. 12(\n)\xE3\x83\xBB\xFF";
    int readable = 0;
    for (int i = 0; i < 20'000; ++i) {
        std::string text;
        for (std::uint32_t n = random.below(12); n > 0; --n) {
            text += alphabet[random.below(static_cast<std::uint32_t>(alphabet.size()))];
        }
        const auto game = parse_transcript(text);
        readable += game ? 1 : 0;
        if (game) {
            ASSERT_EQ(parse_transcript(write_transcript(game->moves, Passes::written)).value(),
                      *game);
        }
    }
    EXPECT_GT(readable, 100);
}

}  // namespace
}  // namespace yomi::othello
