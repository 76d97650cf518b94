#include "core/othello/search/analyser.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "core/othello/search/table.hpp"
#include "core/othello/transcript.hpp"
#include "tests/oracle/othello_minimax.hpp"

namespace yomi::othello {
namespace {

static_assert(engine::Engine<Analyser>);

AnalysisAnswer analyse(const AnalysisRequest& request,
                       std::vector<AnalysisProgress>* seen = nullptr) {
    engine::SearchMemory memory(std::size_t{8} << 20);
    Analyser analyser;
    const auto keep = [seen](const AnalysisProgress& progress) {
        if (seen != nullptr) seen->push_back(progress);
    };
    engine::CallSink<AnalysisProgress, decltype(keep)> sink(keep);
    return analyser.analyse(request, memory, {}, sink);
}

/// The final score of a played line for its first side to move; far out of range if a move is
/// illegal or the game is not over.
int score_of(const Position& root, const std::vector<Square>& line) {
    Position position = root;
    for (const Square square : line) {
        const auto move = position.make_move(square);
        if (!move) return -1000;
        position.do_move(*move);
    }
    if (!position.is_over()) return -2000;
    return final_score(position.board) * (position.side == root.side ? 1 : -1);
}

bool legal_line(const Position& root, const std::vector<Square>& line) {
    Position position = root;
    for (const Square square : line) {
        const auto move = position.make_move(square);
        if (!move) return false;
        position.do_move(*move);
    }
    return !line.empty();
}

TEST(Analyser, SolvesExactlyAndSaysSoOnlyThen) {
    SplitMix64 random(51);
    for (int i = 0; i < 60; ++i) {
        const Position position = oracle::random_position(random, 2 + i % 9);
        if (position.is_over()) continue;
        const int exact = oracle::minimax(position.board, -65, 65);
        std::vector<AnalysisProgress> seen;
        const auto answer = analyse({.position = position, .exact = true}, &seen);
        ASSERT_EQ(answer.stopped_by, engine::StopReason::completed);
        const AnalysisLine& line = answer.result.lines.front();
        ASSERT_EQ(line.discs, exact);
        ASSERT_TRUE(line.exact);
        ASSERT_EQ(line.confidence, 100);
        ASSERT_EQ(score_of(position, line.pv), exact);
        ASSERT_FALSE(seen.empty());
        for (const AnalysisProgress& progress : seen) {
            for (const AnalysisLine& shown : progress.lines) {
                const bool proved = progress.to_end && progress.depth_complete &&
                                    progress.stage.selectivity == search::kNoSelectivity;
                ASSERT_EQ(shown.exact, proved);
            }
        }
    }
}

TEST(Analyser, AllMovesModeEqualsOneByOneSolving) {
    SplitMix64 random(52);
    for (int i = 0; i < 12; ++i) {
        const Position position = oracle::random_position(random, 11);
        const auto moves = position.moves();
        if (moves.empty()) continue;
        const auto all = analyse({.position = position, .exact = true, .multipv = 64});
        ASSERT_EQ(all.result.lines.size(), moves.size());
        for (const AnalysisLine& line : all.result.lines) {
            const Square square = line.pv.front();
            const Board child = after_move(position.board, square, flips(position.board, square));
            ASSERT_EQ(line.discs, -oracle::minimax(child, -65, 65));
            ASSERT_TRUE(line.exact);
            const auto alone =
                analyse({.position = position, .exact = true, .search_moves = {square}});
            ASSERT_EQ(alone.result.lines.front().discs, line.discs);
            ASSERT_EQ(score_of(position, line.pv), line.discs);
        }
        EXPECT_TRUE(std::is_sorted(all.result.lines.begin(),
                                   all.result.lines.end(),
                                   [](const auto& a, const auto& b) { return a.discs > b.discs; }));
    }
}

TEST(Analyser, WinLossDrawHasTheSignOfTheScore) {
    SplitMix64 random(53);
    for (int i = 0; i < 40; ++i) {
        const Position position = oracle::random_position(random, 10);
        if (position.is_over()) continue;
        const int exact = oracle::minimax(position.board, -65, 65);
        const auto answer = analyse({.position = position, .exact = true, .goal = Goal::wld});
        const AnalysisLine& line = answer.result.lines.front();
        ASSERT_EQ(line.discs > 0, exact > 0);
        ASSERT_EQ(line.discs < 0, exact < 0);
        if (line.bound == Bound::lower) {
            ASSERT_LE(line.discs, exact);
        }
        if (line.bound == Bound::upper) {
            ASSERT_GE(line.discs, exact);
        }
        ASSERT_EQ(line.exact, line.bound == Bound::exact);
        ASSERT_TRUE(legal_line(position, line.pv));
    }
}

// Reported of other programs: values of symmetric moves that differ a little.
TEST(Analyser, SymmetricMovesHaveTheSameValue) {
    const auto start = analyse({.budget = {.depth = 7}, .multipv = 64});
    ASSERT_EQ(start.result.lines.size(), 4U);
    for (const AnalysisLine& line : start.result.lines) {
        EXPECT_EQ(line.discs, start.result.lines.front().discs);
        EXPECT_TRUE(legal_line({}, line.pv));
        EXPECT_EQ(line.pv.size(), 7U);
    }
    std::vector<Square> firsts;
    for (const AnalysisLine& line : start.result.lines)
        firsts.push_back(line.pv.front());
    std::sort(firsts.begin(), firsts.end());
    EXPECT_EQ(firsts, (std::vector<Square>{19, 26, 37, 44}));
}

TEST(Analyser, MidgameLinesAreLegalAndNeverClaimAProof) {
    SplitMix64 random(54);
    for (int i = 0; i < 10; ++i) {
        const Position position = oracle::random_position(random, 24 + 2 * i);
        std::vector<AnalysisProgress> seen;
        const auto answer =
            analyse({.position = position, .budget = {.depth = 6}, .multipv = 3}, &seen);
        EXPECT_EQ(answer.stopped_by, engine::StopReason::depth);
        EXPECT_EQ(seen.size(), 6U);
        int depth = 0;
        for (const AnalysisProgress& progress : seen) {
            EXPECT_GT(progress.stage.depth, depth);
            depth = progress.stage.depth;
            for (const AnalysisLine& line : progress.lines) {
                EXPECT_TRUE(legal_line(position, line.pv));
                EXPECT_FALSE(line.exact);
                EXPECT_EQ(line.confidence, 73);
                EXPECT_LT(std::abs(line.discs), 65);
            }
        }
    }
}

TEST(Analyser, LevelsKeepTheirPromise) {
    using search::goal_of_level;
    EXPECT_EQ(goal_of_level(21, 40), (search::Stage{21, 0}));
    EXPECT_EQ(goal_of_level(40, 40), (search::Stage{40, search::kNoSelectivity}));
    EXPECT_EQ(goal_of_level(60, 60), (search::Stage{60, search::kNoSelectivity}));
    EXPECT_EQ(goal_of_level(5, 10), (search::Stage{10, search::kNoSelectivity}));
    for (int level = 1; level <= search::kMostLevel; ++level) {
        for (int empties = 1; empties < 60; ++empties) {
            const auto here = goal_of_level(level, empties);
            EXPECT_LE(here.depth, empties);
            const auto stages = search::stages_to(here, empties);
            EXPECT_EQ(stages.back(), here);
            for (std::size_t i = 1; i < stages.size(); ++i) {
                EXPECT_TRUE(stages[i].depth > stages[i - 1].depth ||
                            (stages[i].depth == stages[i - 1].depth &&
                             stages[i].selectivity > stages[i - 1].selectivity));
            }
        }
    }
}

TEST(Analyser, PassesWhenThereIsNoMoveAndKnowsAFinishedGame) {
    SplitMix64 random(55);
    int passes = 0;
    for (int i = 0; i < 400 && passes < 5; ++i) {
        const Position position = oracle::random_position(random, 1 + i % 12);
        if (!position.must_pass()) continue;
        ++passes;
        const auto answer = analyse({.position = position, .exact = true});
        ASSERT_EQ(answer.bestmove, kPass);
        ASSERT_EQ(answer.result.lines.size(), 1U);
        ASSERT_EQ(answer.result.lines.front().discs, oracle::minimax(position.board, -65, 65));
        ASSERT_EQ(score_of(position, answer.result.lines.front().pv),
                  answer.result.lines.front().discs);
    }
    EXPECT_EQ(passes, 5);
    const Position over{.board = {.player = ~std::uint64_t{1}, .opponent = 0}};
    const auto answer = analyse({.position = over, .exact = true});
    EXPECT_TRUE(answer.game_over);
    EXPECT_FALSE(answer.bestmove);
    EXPECT_TRUE(answer.result.lines.empty());
}

TEST(Analyser, AnswersWithWhatItHasWhenStopped) {
    SplitMix64 random(56);
    const Position position = oracle::random_position(random, 40);
    AnalysisRequest request{.position = position, .exact = true};
    engine::SearchMemory memory(std::size_t{4} << 20);
    Analyser analyser;
    std::stop_source source;
    source.request_stop();
    engine::NullSink<AnalysisProgress> sink;
    const auto at_once = analyser.analyse(request, memory, source.get_token(), sink);
    EXPECT_EQ(at_once.stopped_by, engine::StopReason::cancelled);
    ASSERT_TRUE(at_once.bestmove);
    EXPECT_TRUE(legal_line(position, at_once.result.lines.front().pv));

    request.budget.nodes = 50'000;
    const auto by_nodes = analyse(request);
    EXPECT_EQ(by_nodes.stopped_by, engine::StopReason::nodes);
    EXPECT_LT(by_nodes.result.nodes, 60'000U);
    EXPECT_FALSE(by_nodes.result.lines.front().exact);

    request.budget.nodes.reset();
    request.budget.time = std::chrono::milliseconds(30);
    EXPECT_EQ(analyse(request).stopped_by, engine::StopReason::time);
}

TEST(Analyser, FreshMemoryGivesTheSameAnswerEveryTime) {
    SplitMix64 random(57);
    const Position position = oracle::random_position(random, 30);
    const AnalysisRequest request{.position = position, .budget = {.depth = 8}};
    const auto first = analyse(request);
    const auto second = analyse(request);
    EXPECT_EQ(first.result.nodes, second.result.nodes);
    EXPECT_EQ(first.result.lines.front().pv, second.result.lines.front().pv);
    EXPECT_EQ(first.result.lines.front().discs, second.result.lines.front().discs);
}

TEST(Analyser, ASmallSearchKeepsToASmallPartOfTheMemory) {
    SplitMix64 random(57);
    const Position position = oracle::random_position(random, 15);
    for (const bool leaves_table : {false, true}) {
        engine::SearchMemory memory(std::size_t{16} << 20);
        engine::NullSink<AnalysisProgress> quiet;
        const auto answer = Analyser().analyse(
            {.position = position, .exact = true, .leaves_table = leaves_table}, memory, {}, quiet);
        EXPECT_TRUE(answer.result.lines.front().exact);
        // 15 empties: two mebibytes.
        const auto behind = memory.bytes().subspan(std::size_t{2} << 20);
        const bool touched = std::any_of(
            behind.begin(), behind.end(), [](std::byte byte) { return byte != std::byte{0}; });
        EXPECT_EQ(touched, leaves_table);
    }
}

}  // namespace
}  // namespace yomi::othello
