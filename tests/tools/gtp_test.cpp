#include <sstream>

#include <gtest/gtest.h>

#include "core/base/hash.hpp"
#include "core/othello/rules.hpp"
#include "tools/gtp/front_end.hpp"

namespace yomi::gtp {
namespace {

FrontEnd quick() {
    return FrontEnd({.level = 2, .hash_mib = 1});
}

TEST(Gtp, KnowsItselfAndItsCommands) {
    FrontEnd gtp = quick();
    EXPECT_EQ(gtp.answer("protocol_version"), "= 2\n\n");
    EXPECT_EQ(gtp.answer("7 name"), "=7 Yomi\n\n");
    EXPECT_EQ(gtp.answer("known_command genmove"), "= true\n\n");
    EXPECT_EQ(gtp.answer("known_command dance"), "= false\n\n");
    EXPECT_EQ(gtp.answer("12 dance"), "?12 unknown command\n\n");
    EXPECT_EQ(gtp.answer("  # a comment"), "");
    EXPECT_EQ(gtp.answer("boardsize 8"), "=\n\n");
    EXPECT_EQ(gtp.answer("boardsize 19").front(), '?');
    EXPECT_FALSE(gtp.done());
    EXPECT_EQ(gtp.answer("quit"), "=\n\n");
    EXPECT_TRUE(gtp.done());
}

TEST(Gtp, PlaysLegalMovesOnly) {
    FrontEnd gtp = quick();
    EXPECT_EQ(gtp.answer("play black f5"), "=\n\n");
    EXPECT_EQ(gtp.answer("play B d6").front(), '?');  // not Black's turn
    EXPECT_EQ(gtp.answer("play W D6"), "=\n\n");
    EXPECT_EQ(gtp.answer("play black a1").front(), '?');
    EXPECT_EQ(gtp.answer("play black pass").front(), '?');
    EXPECT_EQ(gtp.answer("play green c3").front(), '?');
    EXPECT_EQ(gtp.answer("undo"), "=\n\n");
    EXPECT_EQ(gtp.answer("play white f4"), "=\n\n");
    EXPECT_NE(gtp.answer("showboard").find("to move"), std::string::npos);
}

TEST(Gtp, PlaysAWholeGameAgainstItself) {
    FrontEnd gtp = quick();
    othello::Position position;
    int moves = 0;
    while (!position.is_over()) {
        const bool black = position.side == othello::Color::black;
        const std::string reply = gtp.answer(black ? "genmove b" : "genmove w");
        ASSERT_EQ(reply.substr(0, 2), "= ") << reply;
        const std::string word = reply.substr(2, reply.size() - 4);
        const othello::Square square =
            word == "PASS" ? othello::kPass : *othello::parse_square(word);
        const auto move = position.make_move(square);
        ASSERT_TRUE(move) << word;
        position.do_move(*move);
        ASSERT_LT(++moves, 80);
    }
    EXPECT_EQ(gtp.answer("genmove b"), "= PASS\n\n");
    const std::string score = gtp.answer("final_score");
    EXPECT_TRUE(score.starts_with("= B+") || score.starts_with("= W+") || score == "= 0\n\n");
}

// Report: a pass was not applied, and one was answered where there are moves.
TEST(Gtp, AppliesForcedPassesWrittenOrNot) {
    SplitMix64 random(61);
    std::vector<othello::Move> game;
    int passes = 0;
    while (passes < 2) {  // a game with two passes
        game.clear();
        passes = 0;
        othello::Position position;
        while (!position.is_over()) {
            const auto moves = othello::Rules::moves(position);
            game.push_back(moves.begin()[random.below(static_cast<std::uint32_t>(moves.size()))]);
            if (game.back().is_pass()) ++passes;
            position.do_move(game.back());
        }
    }
    for (const bool written : {true, false}) {
        FrontEnd gtp = quick();
        othello::Position position;
        for (const othello::Move& move : game) {
            const std::string side = position.side == othello::Color::black ? "b " : "w ";
            if (!move.is_pass() || written) {
                EXPECT_EQ(gtp.answer("play " + side + othello::to_string(move.square)), "=\n\n");
            }
            position.do_move(move);
        }
        EXPECT_EQ(gtp.answer("genmove b"), "= PASS\n\n");
    }
}

TEST(Gtp, KeepsToItsClock) {
    FrontEnd gtp({.hash_mib = 1});
    EXPECT_EQ(gtp.answer("time_settings 2 0 0"), "=\n\n");
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_EQ(gtp.answer("genmove b").front(), '=');
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(1'900));
    EXPECT_EQ(gtp.answer("time_left w 1 0"), "=\n\n");
    EXPECT_EQ(gtp.answer("time_settings 1").front(), '?');
    EXPECT_EQ(gtp.answer("genmove w").front(), '=');
}

TEST(Gtp, ReadsAStreamUntilQuit) {
    FrontEnd gtp = quick();
    std::istringstream in("1 name\r\n\n2 quit\n3 name\n");
    std::ostringstream out;
    gtp.run(in, out);
    EXPECT_EQ(out.str(), "=1 Yomi\n\n=2\n\n");
}

}  // namespace
}  // namespace yomi::gtp
