#include <algorithm>
#include <cstdlib>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "core/othello/symmetry.hpp"
#include "tools/othello_match/match.hpp"

namespace yomi::othello_match {
namespace {

PlayerSetting fake(const std::string& mode) {
    return {.name = mode,
            .command = {"python3", YOMI_SOURCE_DIR "/tests/tools/fake_gtp.py", mode},
            .folder = {},
            .patience = std::chrono::milliseconds(20'000)};
}

MatchSetting setting_of(const std::string& first, const std::string& second, int openings) {
    MatchSetting setting;
    setting.players = {fake(first), fake(second)};
    setting.openings = make_openings({.count = openings, .plies = 4, .margin = 64, .depth = 1})
                           .value_or(std::vector<Opening>{});
    return setting;
}

/// The position after the moves of a game; none when one of them is illegal.
std::optional<othello::Position> replay(const std::vector<othello::Square>& moves) {
    othello::Position position;
    for (const othello::Square square : moves) {
        const auto move = position.make_move(square);
        if (!move) return std::nullopt;
        position.do_move(*move);
    }
    return position;
}

TEST(OthelloMatch, OpeningsAreEvenDifferentAndTheSameForASeed) {
    const OpeningOptions options{.count = 12, .plies = 8, .margin = 3, .depth = 4, .seed = 5};
    const auto openings = make_openings(options);
    ASSERT_TRUE(openings);
    std::set<std::pair<std::uint64_t, std::uint64_t>> seen;
    for (const Opening& opening : *openings) {
        EXPECT_EQ(opening.moves.size(), 8U);
        EXPECT_LE(std::abs(opening.value), 3);
        const auto position = replay(opening.moves);
        ASSERT_TRUE(position);
        const othello::Board board = othello::canonical(position->board).board;
        EXPECT_TRUE(seen.insert({board.player, board.opponent}).second);
    }
    const auto again = make_openings(options);
    ASSERT_TRUE(again);
    for (std::size_t i = 0; i < openings->size(); ++i)
        EXPECT_EQ((*openings)[i].moves, (*again)[i].moves);
    // There are 4 different positions after 3 plies, none of them hundredfold.
    EXPECT_FALSE(make_openings({.count = 1'000, .plies = 2, .margin = 64, .depth = 1}));
}

TEST(OthelloMatch, CountsGamesFromTheFirstProgramsView) {
    for (const std::string other : {"honest", "chatty", "proud"}) {
        const MatchSetting setting = setting_of("honest", other, 2);
        ASSERT_EQ(setting.openings.size(), 2U);
        std::int64_t discs = 0;
        const auto standing = play_match(setting, {}, [&](const GameResult& game, const Standing&) {
            EXPECT_FALSE(game.ruled) << game.note;
            const auto end = replay(game.moves);
            ASSERT_TRUE(end);
            ASSERT_TRUE(end->is_over());
            int black = othello::final_score(end->board);
            if (end->side == othello::Color::white) black = -black;
            EXPECT_EQ(game.discs, game.black == 0 ? black : -black);
            discs += game.discs;
        });
        ASSERT_TRUE(standing);
        EXPECT_EQ(standing->played(), 4U);
        EXPECT_EQ(standing->discs, discs);
        EXPECT_EQ(standing->pairs.pairs(), 2U);
        EXPECT_GT(standing->spent[0].moves, 80U);
        // Both play by the same rule: with colours swapped the pair is level.
        EXPECT_EQ(discs, 0);
        EXPECT_NE(report_of(setting, *standing).find("4 games"), std::string::npos);
    }
}

TEST(OthelloMatch, IllegalMovesAndCrashesLose) {
    for (const std::string bad : {"illegal", "crash"}) {
        const MatchSetting setting = setting_of(bad, "honest", 1);
        const auto standing = play_match(setting, {}, [](const GameResult& game, const Standing&) {
            EXPECT_TRUE(game.ruled);
            EXPECT_EQ(game.discs, -64);
        });
        ASSERT_TRUE(standing);
        EXPECT_EQ(standing->games[0], 2U);
        EXPECT_EQ(standing->ruled, 2U);
        EXPECT_NE(standing->first_note.find(bad), std::string::npos) << standing->first_note;
    }
    MatchSetting setting = setting_of("honest", "honest", 1);
    setting.players[1].command = {"/no/such/program"};
    EXPECT_FALSE(play_match(setting, {}, [](const GameResult&, const Standing&) {}));
}

}  // namespace
}  // namespace yomi::othello_match
