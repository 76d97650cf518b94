// The agreed rules inside the search: declarations of both sides, the try, the longest game.
#include <cstdlib>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "core/shogi/movegen.hpp"
#include "core/shogi/notation/usi.hpp"
#include "core/shogi/search/alpha_beta.hpp"

namespace yomi::shogi {
namespace {

using engine::StopReason;

constexpr RuleSet kNoDeclaration{.declaration = Declaration::none};
constexpr RuleSet kTry{.declaration = Declaration::try_rule};

// 19 points stand in the zone and 9 are in hand; the king is one step away from it.
constexpr const char* kOneStep = "1RBGGSS+N+N/LLP6/9/K8/9/9/9/9/8k b 9P 1";
// Black may declare next time; White has a bare king.
constexpr const char* kThreatened = "KRBGGSS+N+N/LLP6/9/9/9/9/9/9/8k w 9P 1";

Position position_of(const std::string& text) {
    const auto game = parse_usi_position(text);
    EXPECT_TRUE(game) << text << ": " << (game ? "" : game.error().message);
    return game ? game->position : Position::startpos();
}

AnalysisAnswer search(AlphaBeta& engine,
                      engine::SearchMemory& memory,
                      const std::string& text,
                      int depth,
                      const RuleSet& rules) {
    AnalysisRequest request{.position = position_of(text)};
    request.budget.depth = depth;
    request.rules = rules;
    engine::NullSink<AnalysisProgress> sink;
    return engine.analyse(request, memory, {}, sink);
}

AnalysisAnswer search(const std::string& text, int depth, const RuleSet& rules = {}) {
    AlphaBeta engine;
    engine::SearchMemory memory(1 << 20);
    return search(engine, memory, text, depth, rules);
}

/// The line is legal and its side to move at the end may declare.
void expect_declares_at_the_end(const std::string& text, const Line& line, const RuleSet& rules) {
    Position position = position_of(text);
    for (const Move move : line.pv) {
        ASSERT_TRUE(position.is_legal(move)) << to_usi(move);
        position.do_move(move);
    }
    EXPECT_EQ(status_of(position, rules), GameStatus::declared);
    EXPECT_EQ(std::abs(line.score.value), static_cast<int>(line.pv.size()) + 1);
}

TEST(SearchRules, ARootThatMayDeclareIsAnsweredAtOnce) {
    const std::string text = "KRBGGSS+N+N/LLP6/9/9/9/9/9/9/8k b 9P 1";
    const AnalysisAnswer answer = search(text, 5);
    EXPECT_EQ(answer.status, GameStatus::declared);
    EXPECT_TRUE(answer.declares());
    EXPECT_FALSE(answer.bestmove);
    EXPECT_EQ(answer.stopped_by, StopReason::game_over);
    ASSERT_EQ(answer.result.lines.size(), 1U);
    EXPECT_EQ(answer.result.lines[0].score, Score::mate(1));
    const AnalysisAnswer without = search(text, 3, kNoDeclaration);
    EXPECT_FALSE(without.declares());
    EXPECT_TRUE(without.bestmove);
}

TEST(SearchRules, WalksIntoTheZoneToDeclare) {
    const AnalysisAnswer answer = search(kOneStep, 5);
    ASSERT_FALSE(answer.result.lines.empty());
    const Line& line = answer.result.lines[0];
    EXPECT_EQ(line.score, Score::mate(3));
    expect_declares_at_the_end(kOneStep, line, {});
    EXPECT_EQ(answer.stopped_by, StopReason::mate);
    const AnalysisAnswer without = search(kOneStep, 4, kNoDeclaration);
    EXPECT_EQ(without.result.lines[0].score.kind, Score::Kind::cp);
    // 31 points are not there.
    const AnalysisAnswer by24 = search(kOneStep, 4, {.declaration = Declaration::points24});
    EXPECT_EQ(by24.result.lines[0].score.kind, Score::Kind::cp);
}

TEST(SearchRules, SeesTheOpponentsDeclarationComing) {
    const AnalysisAnswer answer = search(kThreatened, 4);
    EXPECT_EQ(answer.status, GameStatus::normal);
    EXPECT_TRUE(answer.bestmove);
    EXPECT_EQ(answer.result.lines[0].score, Score::mate(-2));
    expect_declares_at_the_end(kThreatened, answer.result.lines[0], {});
    // A check puts it off.
    const AnalysisAnswer check = search("KRBGGSS+N+N/1LP6/1L7/9/9/9/9/9/8k w r9P 1", 4);
    ASSERT_TRUE(check.bestmove);
    EXPECT_TRUE(check.bestmove.is_drop());
    EXPECT_NE(check.result.lines[0].score, Score::mate(-2));
}

TEST(SearchRules, AnswersBeforeDepthOneKnowTheRulesToo) {
    AnalysisRequest request{.position = position_of(kThreatened)};
    std::stop_source stop;
    stop.request_stop();
    AlphaBeta engine;
    engine::SearchMemory memory(1 << 18);
    engine::NullSink<AnalysisProgress> sink;
    const AnalysisAnswer answer = engine.analyse(request, memory, stop.get_token(), sink);
    EXPECT_EQ(answer.result.depth, 0);
    EXPECT_EQ(answer.result.lines[0].score, Score::mate(-2));
}

TEST(SearchRules, MakesATry) {
    const AnalysisAnswer now = search("9/4K4/9/9/9/9/9/9/k8 b - 1", 3, kTry);
    EXPECT_TRUE(now.declares());
    EXPECT_EQ(to_usi(now.bestmove), "5b5a");
    const std::string far = "9/9/4K4/9/9/9/9/9/k8 b - 1";
    const AnalysisAnswer answer = search(far, 5, kTry);
    EXPECT_EQ(answer.result.lines[0].score, Score::mate(3));
    expect_declares_at_the_end(far, answer.result.lines[0], kTry);
    EXPECT_EQ(search(far, 4).result.lines[0].score.kind, Score::Kind::cp);
}

TEST(SearchRules, TheLongestGameIsADrawUnlessItMates) {
    const RuleSet ten{.max_plies = 10};
    // A rook ahead with one and with three plies left, and with the game over.
    for (const char* text : {"4k4/9/9/9/9/9/9/9/4K4 b R 10", "4k4/9/9/9/9/9/9/9/4K4 b R 8"}) {
        const AnalysisAnswer answer = search(text, 6, ten);
        EXPECT_EQ(answer.status, GameStatus::normal);
        EXPECT_TRUE(answer.bestmove);
        EXPECT_EQ(answer.result.lines[0].score, Score::cp(0)) << text;
        EXPECT_LE(static_cast<int>(answer.result.lines[0].pv.size()),
                  10 - position_of(text).ply() + 1);
        EXPECT_NE(search(text, 6).result.lines[0].score, Score::cp(0)) << text;
    }
    const AnalysisAnswer over = search("4k4/9/9/9/9/9/9/9/4K4 b R 11", 6, ten);
    EXPECT_EQ(over.status, GameStatus::max_plies);
    EXPECT_FALSE(over.bestmove);
    EXPECT_EQ(over.stopped_by, StopReason::game_over);
    EXPECT_EQ(over.result.lines.at(0).score, Score::cp(0));
    // The last ply allowed may mate.
    const AnalysisAnswer mate = search("4k4/9/4P4/9/9/9/9/9/4K4 b G 10", 3, ten);
    EXPECT_EQ(mate.result.lines[0].score, Score::mate(1));
    // And a mate in three comes too late with two plies left.
    const std::string three = "7p1/7k1/9/7B1/6S2/9/9/9/4K4 b 2G ";
    EXPECT_EQ(search(three + "8", 4, ten).result.lines[0].score, Score::mate(3));
    EXPECT_NE(search(three + "9", 4, ten).result.lines[0].score.kind, Score::Kind::mate);
}

TEST(SearchRules, OneTableServesManyRules) {
    AlphaBeta engine;
    engine::SearchMemory memory(1 << 20);
    for (int round = 0; round < 2; ++round) {
        EXPECT_EQ(search(engine, memory, kOneStep, 4, {}).result.lines[0].score, Score::mate(3));
        EXPECT_EQ(search(engine, memory, kOneStep, 4, kNoDeclaration).result.lines[0].score.kind,
                  Score::Kind::cp);
        const RuleSet short_game{.max_plies = 2};
        EXPECT_EQ(search(engine, memory, kOneStep, 4, short_game).result.lines[0].score,
                  Score::cp(0));
    }
}

}  // namespace
}  // namespace yomi::shogi
