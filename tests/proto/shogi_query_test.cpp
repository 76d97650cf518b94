#include "proto/shogi_query.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/hash.hpp"
#include "core/shogi/movegen.hpp"
#include "core/shogi/notation/sfen.hpp"

namespace yomi::proto {
namespace {

constexpr std::string_view kPromoted =
    "l+B1g3nl/1ks1g4/1p+Pppp1pp/p5p2/9/P1P1P1P2/1P1P1P1PP/1BKG3R1/LN1G1+r2L";

TEST(RestorePlus, LeavesWhatIsRightAsItIs) {
    for (const std::string text :
         {"startpos",
          "startpos moves 7g7f 3c3d 8h2b+ 3a2b",
          "position startpos moves 8h2b+",
          "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
          "",
          "moves",
          "sfen"}) {
        EXPECT_EQ(restore_plus(text), text);
    }
    EXPECT_EQ(restore_plus(std::string(kPromoted) + " w 2P 30"),
              std::string(kPromoted) + " w 2P 30");
}

TEST(RestorePlus, KnowsSpacesFromPlusesByTheNotation) {
    struct Row {
        std::string sent;
        std::string meant;
    };
    std::string spaced(kPromoted);
    for (char& c : spaced)
        c = c == '+' ? ' ' : c;
    for (const Row& row : std::vector<Row>{
             {"startpos+moves+7g7f", "startpos moves 7g7f"},
             {"startpos+moves+7g7f+3c3d+8h2b+", "startpos moves 7g7f 3c3d 8h2b+"},
             {"startpos moves 7g7f 3c3d 8h2b ", "startpos moves 7g7f 3c3d 8h2b+"},
             {"startpos moves 7g7f 3c3d 8h2b  3a2b", "startpos moves 7g7f 3c3d 8h2b+ 3a2b"},
             {"startpos+moves+7g7f+3c3d+8h2b++3a2b", "startpos moves 7g7f 3c3d 8h2b+ 3a2b"},
             {"startpos moves 7g7f 3c3d 8h2b +3a2b", "startpos moves 7g7f 3c3d 8h2b+ 3a2b"},
             {"position+startpos+moves+7g7f", "position startpos moves 7g7f"},
             {spaced + " w 2P 30", std::string(kPromoted) + " w 2P 30"},
             {spaced + "+w+2P+30", std::string(kPromoted) + " w 2P 30"},
             {"sfen " + spaced + " b - 1 moves 8h7g",
              "sfen " + std::string(kPromoted) + " b - 1 moves 8h7g"},
             // Where the promotion is not legal, a space is just one space too many.
             {"startpos moves 7g7f ", "startpos moves 7g7f "},
             {"startpos moves  7g7f  3c3d", "startpos moves  7g7f  3c3d"},
             // A literal plus stays one, so that the parser can say why it is wrong.
             {"startpos moves 7g7f+", "startpos moves 7g7f+"},
             {"startpos moves 8h2b ", "startpos moves 8h2b "},
             // Side b after nine squares is a side, before it is a bishop.
             {"9/9/9/9/9/9/9/9/9 b - 1", "9/9/9/9/9/9/9/9/9 b - 1"},
             {"9/9/9/9/9/9/9/9/8 b b - 1", "9/9/9/9/9/9/9/9/8+b b - 1"},
         }) {
        EXPECT_EQ(restore_plus(row.sent), row.meant) << row.sent;
    }
}

// Random games with promotions, from the start and from their own middle, scrambled in every way a
// client can: each comes back letter by letter.
TEST(RestorePlus, UndoesEveryScramblingOfRandomGames) {
    SplitMix64 random(3);
    int promotions = 0;
    for (int game = 0; game < 60; ++game) {
        shogi::Position position = shogi::Position::startpos();
        std::string text = "startpos moves";
        for (int ply = 0; ply < 80; ++ply) {
            shogi::MoveList moves;
            legal_moves(position, moves);
            if (moves.empty()) break;
            shogi::Move move = moves[random.below(static_cast<std::uint32_t>(moves.size()))];
            for (const shogi::Move other : moves) {
                if (other.is_promotion() && random.below(2) == 0) move = other;
            }
            promotions += move.is_promotion() ? 1 : 0;
            position.do_move(move);
            text += ' ' + to_usi(move);
            if (ply == 40 && game % 2 == 1) text = to_sfen(position) + " moves";
        }
        ASSERT_TRUE(shogi::parse_usi_position(text)) << text;
        for (int way = 0; way < 4; ++way) {
            std::string sent = text;
            for (char& c : sent) {
                if (c != ' ' && c != '+') continue;
                const bool plus = way == 0   ? false
                                  : way == 1 ? true
                                  : way == 2 ? c == '+'
                                             : random.below(2) == 0;
                c = plus ? '+' : ' ';
            }
            ASSERT_EQ(restore_plus(sent), text);
            const auto read = parse_query_position(sent, 1024);
            ASSERT_TRUE(read) << sent << ": " << read.error().message;
            EXPECT_EQ(read->position.key(), position.key());
        }
    }
    EXPECT_GT(promotions, 200);
}

TEST(QueryPosition, ReportsTheErrorOfTheReadingThatWentFurther) {
    const auto moved = parse_query_position("startpos+moves+7g7f+7g7f", 1024);
    ASSERT_FALSE(moved);
    EXPECT_EQ(moved.error().code, ErrorCode::illegal_move);
    EXPECT_EQ(moved.error().column, 21);
    EXPECT_FALSE(parse_query_position("", 1024));
    EXPECT_FALSE(parse_query_position("+++", 1024));
    EXPECT_EQ(parse_query_position("startpos+moves+7g7f", 0).error().code, ErrorCode::bad_notation);
}

TEST(QueryMove, TakesAPlusASpaceOrNothing) {
    const auto game = shogi::parse_usi_position("startpos moves 7g7f 3c3d");
    ASSERT_TRUE(game);
    for (const std::string_view text : {"8h2b+", "8h2b ", " 8h2b+", "+8h2b "}) {
        const auto move = parse_query_move(text, game->position);
        ASSERT_TRUE(move) << text << ": " << move.error().message;
        EXPECT_EQ(to_usi(*move), "8h2b+");
    }
    EXPECT_EQ(to_usi(*parse_query_move("8h2b", game->position)), "8h2b");
    EXPECT_EQ(to_usi(*parse_query_move("2g2f ", game->position)), "2g2f");
    EXPECT_FALSE(parse_query_move("2g2f+", game->position));
    EXPECT_FALSE(parse_query_move("", game->position));
    EXPECT_FALSE(parse_query_move(" ", game->position));
}

// Anything at all may come: same length, no crash, and what had no gap stays.
TEST(RestorePlus, KeepsLengthAndOtherCharactersOfRandomText) {
    SplitMix64 random(5);
    const std::string_view letters = "startposmoves fen+/19kPbw-7g7f\n\t ++";
    for (int round = 0; round < 20'000; ++round) {
        std::string text;
        const auto size = random.below(40);
        for (std::uint32_t i = 0; i < size; ++i) {
            text += letters[random.below(static_cast<std::uint32_t>(letters.size()))];
        }
        const std::string restored = restore_plus(text);
        ASSERT_EQ(restored.size(), text.size());
        for (std::size_t i = 0; i < text.size(); ++i) {
            const bool gap = text[i] == ' ' || text[i] == '+';
            ASSERT_TRUE(gap ? restored[i] == ' ' || restored[i] == '+' : restored[i] == text[i]);
        }
    }
}

}  // namespace
}  // namespace yomi::proto
