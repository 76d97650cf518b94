#include "tools/match/arbiter.hpp"

#include <gmock/gmock.h>

#include <gtest/gtest.h>

#include "tools/match/game.hpp"

namespace yomi::match {
namespace {

using shogi::Color;
using testing::HasSubstr;

/// Plays moves until one ends the game; the end must come with the last of them.
GameEnd play(Arbiter& arbiter, const std::vector<std::string>& moves) {
    for (std::size_t i = 0; i < moves.size(); ++i) {
        const auto end = arbiter.play(moves[i]);
        if (!end) continue;
        EXPECT_EQ(i + 1, moves.size()) << "ended too early by " << to_string(end->reason);
        return *end;
    }
    ADD_FAILURE() << "no end";
    return {};
}

std::vector<std::string> repeated(const std::vector<std::string>& cycle, int times) {
    std::vector<std::string> moves;
    for (int i = 0; i < times; ++i)
        moves.insert(moves.end(), cycle.begin(), cycle.end());
    return moves;
}

TEST(Arbiter, CallsAFourfoldRepetitionADraw) {
    auto arbiter = Arbiter::from_opening("startpos", 320);
    ASSERT_TRUE(arbiter);
    const GameEnd end = play(*arbiter, repeated({"2h3h", "8b7b", "3h2h", "7b8b"}, 3));
    EXPECT_EQ(end.reason, EndReason::repetition);
    EXPECT_FALSE(end.winner);
    EXPECT_EQ(arbiter->plies(), 12);
    EXPECT_THAT(arbiter->usi(), testing::StartsWith("startpos moves 2h3h 8b7b "));
}

TEST(Arbiter, CountsTheOpeningInARepetition) {
    auto arbiter = Arbiter::from_opening("startpos moves 2h3h 8b7b 3h2h 7b8b 2h3h", 320);
    ASSERT_TRUE(arbiter);
    const GameEnd end = play(*arbiter, {"8b7b", "3h2h", "7b8b", "2h3h", "8b7b", "3h2h", "7b8b"});
    EXPECT_EQ(end.reason, EndReason::repetition);
}

TEST(Arbiter, LetsThePerpetualCheckerLose) {
    const char* sfen = "sfen lnsg1gsnl/1r5b1/ppppppppp/4k4/9/5R3/PPPPPPPPP/1B7/LNSGKGSNL b - 1";
    auto arbiter = Arbiter::from_opening(sfen, 320);
    ASSERT_TRUE(arbiter) << arbiter.error().message;
    const GameEnd end = play(*arbiter, repeated({"4f5f", "5d4d", "5f4f", "4d5d"}, 3));
    EXPECT_EQ(end.reason, EndReason::perpetual_check);
    EXPECT_EQ(end.winner, Color::white);
}

TEST(Arbiter, SeesMateAlsoAtTheLastPly) {
    for (const int max_plies : {0, 1, 320}) {
        auto arbiter = Arbiter::from_opening("sfen 8k/9/8P/9/9/9/9/9/K8 b G 1", max_plies);
        ASSERT_TRUE(arbiter);
        const GameEnd end = play(*arbiter, {"G*1b"});
        EXPECT_EQ(end.reason, EndReason::mate);
        EXPECT_EQ(end.winner, Color::black);
    }
}

TEST(Arbiter, EndsALongGameInADraw) {
    auto arbiter = Arbiter::from_opening("startpos moves 7g7f", 3);
    ASSERT_TRUE(arbiter);
    const GameEnd end = play(*arbiter, {"3c3d", "2g2f"});
    EXPECT_EQ(end.reason, EndReason::max_plies);
    EXPECT_FALSE(end.winner);
}

TEST(Arbiter, LetsIllegalMovesLoseWithTheirReason) {
    for (const char* move : {"7g7e", "5i5a+", "P*5e", "xyz", "", "7g7f+", "3c3d"}) {
        auto arbiter = Arbiter::from_opening("startpos", 320);
        ASSERT_TRUE(arbiter);
        const auto end = arbiter->play(move);
        ASSERT_TRUE(end) << move;
        EXPECT_EQ(end->reason, EndReason::illegal_move) << move;
        EXPECT_EQ(end->winner, Color::white) << move;
        EXPECT_THAT(end->note, HasSubstr(std::string(move) + ": "));
        EXPECT_EQ(arbiter->usi(), "startpos");
    }
}

TEST(Arbiter, RefusesOpeningsThatAreNone) {
    EXPECT_FALSE(Arbiter::from_opening("startpos moves 7g7e", 320));
    EXPECT_FALSE(Arbiter::from_opening("nonsense", 320));
    EXPECT_FALSE(Arbiter::from_opening("sfen 8k/9/9/9/9/9/9/9/9 b G 1", 320));     // one king
    EXPECT_FALSE(Arbiter::from_opening("sfen 8k/8G/8P/9/9/9/9/9/K8 w - 1", 320));  // mated
}

// ---- declaration ------------------------------------------------------------------------------

TEST(Arbiter, ChecksADeclaration) {
    auto right = Arbiter::from_opening("sfen KRBGGSS+N+N/LLP6/9/9/9/9/9/9/8k b 9P 1", 320);
    ASSERT_TRUE(right);
    EXPECT_EQ(right->declare().reason, EndReason::declaration);
    EXPECT_EQ(right->declare().winner, Color::black);
    auto wrong = Arbiter::from_opening("startpos", 320);
    ASSERT_TRUE(wrong);
    EXPECT_EQ(wrong->declare().reason, EndReason::false_declaration);
    EXPECT_EQ(wrong->declare().winner, Color::white);
}

// ---- scores and clocks ------------------------------------------------------------------------

TEST(ScoreWatch, NeedsBothSidesForTheWholeRun) {
    using shogi::Score;
    ScoreWatch watch({.score = 1000, .plies = 4});
    EXPECT_FALSE(watch.add(Color::black, Score::cp(1500)));
    EXPECT_FALSE(watch.add(Color::white, Score::cp(-1200)));
    EXPECT_FALSE(watch.add(Color::black, Score::cp(999)));  // not sure any more
    EXPECT_FALSE(watch.add(Color::white, Score::cp(-1200)));
    EXPECT_FALSE(watch.add(Color::black, Score::mate(7)));
    EXPECT_FALSE(watch.add(Color::white, Score::mate(-6)));
    EXPECT_EQ(watch.add(Color::black, Score::cp(1000)), Color::black);

    ScoreWatch disagreeing({.score = 1000, .plies = 4});
    for (int i = 0; i < 20; ++i) {
        EXPECT_FALSE(disagreeing.add(i % 2 == 0 ? Color::black : Color::white, Score::cp(1500)));
    }
    ScoreWatch silent({.score = 1000, .plies = 2});
    EXPECT_FALSE(silent.add(Color::black, Score::cp(-1500)));
    EXPECT_FALSE(silent.add(Color::white, std::nullopt));
    EXPECT_FALSE(silent.add(Color::black, Score::cp(-1500)));
    EXPECT_EQ(silent.add(Color::white, Score::cp(1500)), Color::white);
    ScoreWatch off({.score = 0, .plies = 2});
    EXPECT_FALSE(off.add(Color::black, Score::mate(1)));
    EXPECT_FALSE(off.add(Color::white, Score::mate(-1)));
    EXPECT_FALSE(off.add(Color::black, Score::mate(1)));
}

TEST(Clock, RunsDownAndTakesIncrements) {
    using std::chrono::milliseconds;
    PlayLimits byoyomi;
    byoyomi.byoyomi = milliseconds(1000);
    EXPECT_EQ(clock_after(byoyomi, milliseconds(5000), milliseconds(700)), milliseconds(4300));
    EXPECT_EQ(clock_after(byoyomi, milliseconds(500), milliseconds(1200)), milliseconds(0));
    PlayLimits fischer;
    fischer.increment = milliseconds(300);
    EXPECT_EQ(clock_after(fischer, milliseconds(1000), milliseconds(200)), milliseconds(1100));
    EXPECT_EQ(clock_after(fischer, milliseconds(0), milliseconds(310)), milliseconds(0));
}

TEST(EndReason, HasANameThatReadsBack) {
    for (int i = 0; i <= static_cast<int>(EndReason::score); ++i) {
        const auto reason = static_cast<EndReason>(i);
        EXPECT_FALSE(to_string(reason).empty());
        EXPECT_EQ(end_reason_of(to_string(reason)), reason);
    }
    EXPECT_FALSE(end_reason_of("boredom"));
}

}  // namespace
}  // namespace yomi::match
