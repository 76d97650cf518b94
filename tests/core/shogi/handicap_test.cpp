#include "core/shogi/notation/handicap.hpp"

#include <map>
#include <string>

#include <gtest/gtest.h>

#include "core/shogi/movegen.hpp"
#include "core/shogi/notation/sfen.hpp"
#include "core/shogi/notation/usi.hpp"

namespace yomi::shogi {
namespace {

TEST(Handicap, EveryStartLacksWhatItsNameSays) {
    // How many pieces each start lacks, and the legal moves that White then has.
    const std::map<std::string, int> lacking{
        {"hirate", 0},
        {"lance", 1},
        {"right-lance", 1},
        {"bishop", 1},
        {"rook", 1},
        {"rook-lance", 2},
        {"2-piece", 2},
        {"3-piece", 3},
        {"4-piece", 4},
        {"5-piece", 5},
        {"left-5-piece", 5},
        {"6-piece", 6},
        {"left-7-piece", 7},
        {"right-7-piece", 7},
        {"8-piece", 8},
        {"10-piece", 10},
    };
    EXPECT_EQ(handicaps().size(), lacking.size());
    const auto even = Position::startpos().setup();
    for (const Handicap& handicap : handicaps()) {
        const auto setup = parse_sfen(handicap.sfen);
        ASSERT_TRUE(setup) << handicap.name;
        ASSERT_TRUE(Position::from_setup(*setup)) << handicap.name;
        int missing = 0;
        for (std::size_t s = 0; s < kSquares; ++s) {
            if (setup->board[s] == even.board[s]) continue;
            EXPECT_EQ(setup->board[s], kNoPiece) << handicap.name;
            EXPECT_EQ(color_of(even.board[s]), Color::white) << handicap.name;
            ++missing;
        }
        ASSERT_TRUE(lacking.contains(std::string(handicap.name))) << handicap.name;
        EXPECT_EQ(missing, lacking.at(std::string(handicap.name))) << handicap.name;
        EXPECT_EQ(setup->side_to_move, missing == 0 ? Color::black : Color::white);
    }
}

TEST(Handicap, IsFoundByEveryName) {
    for (const Handicap& handicap : handicaps()) {
        EXPECT_EQ(find_handicap(handicap.name), &handicap);
        EXPECT_EQ(find_handicap(handicap.japanese), &handicap);
        EXPECT_EQ(find_handicap("handicap:" + std::string(handicap.name)), &handicap);
        EXPECT_EQ(find_handicap("handicap:" + std::string(handicap.japanese)), &handicap);
    }
    EXPECT_EQ(find_handicap("2枚落ち"), find_handicap("2-piece"));
    EXPECT_EQ(find_handicap("飛落ち"), find_handicap("rook"));
    EXPECT_EQ(find_handicap("12-piece"), nullptr);
    EXPECT_EQ(find_handicap("handicap:"), nullptr);
    EXPECT_EQ(find_handicap(""), nullptr);
}

TEST(Handicap, StartsAUsiPosition) {
    const auto game = parse_usi_position("handicap:2-piece moves 3c3d 7g7f");
    ASSERT_TRUE(game) << game.error().message;
    EXPECT_EQ(to_sfen(game->root), "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1");
    EXPECT_EQ(game->moves.size(), 2U);
    for (const char* text : {"2-piece moves 3c3d 7g7f", "position 二枚落ち moves 3c3d 7g7f"}) {
        const auto same = parse_usi_position(text);
        ASSERT_TRUE(same) << text << ": " << same.error().message;
        EXPECT_EQ(same->position.key(), game->position.key()) << text;
    }
    EXPECT_EQ(to_sfen(parse_usi_position("hirate")->position), to_sfen(Position::startpos()));
}

TEST(Handicap, ErrorsNameThePlaceAndTheNames) {
    const auto unknown = parse_usi_position("position handicap:12-piece moves 3c3d");
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().code, ErrorCode::bad_notation);
    EXPECT_EQ(unknown.error().column, 10);
    EXPECT_EQ(unknown.error().value, "handicap:12-piece");
    EXPECT_NE(unknown.error().message.find("10-piece"), std::string::npos);
    const auto extra = parse_usi_position("二枚落ち please");
    ASSERT_FALSE(extra);
    EXPECT_EQ(extra.error().column, 6);
    const auto turn = parse_usi_position("2-piece moves 7g7f");  // White moves first
    ASSERT_FALSE(turn);
    EXPECT_EQ(turn.error().code, ErrorCode::illegal_move);
}

}  // namespace
}  // namespace yomi::shogi
