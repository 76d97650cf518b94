#include "core/othello/search/team.hpp"

#include <chrono>
#include <cstddef>
#include <stop_token>
#include <vector>

#include <gtest/gtest.h>

#include "core/othello/search/analyser.hpp"
#include "tests/oracle/othello_minimax.hpp"

namespace yomi::othello {
namespace {

AnalysisAnswer analyse(const AnalysisRequest& request, std::stop_token stop = {}) {
    engine::SearchMemory memory(std::size_t{4} << 20);
    engine::NullSink<AnalysisProgress> quiet;
    return Analyser().analyse(request, memory, std::move(stop), quiet);
}

Position middle_game(std::uint64_t seed, int empties) {
    SplitMix64 random(seed);
    for (;;) {
        const Position position = oracle::random_position(random, empties);
        if (position.empties() == empties && !position.is_over()) return position;
    }
}

TEST(Team, SolvesWhatOneThreadSolves) {
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        const Position position = middle_game(seed, 15 + static_cast<int>(seed % 3));
        AnalysisRequest request{.position = position, .exact = true, .multipv = 2};
        const AnalysisAnswer alone = analyse(request);
        request.budget.threads = 2 + static_cast<int>(seed % 2);
        const AnalysisAnswer together = analyse(request);
        ASSERT_EQ(together.stopped_by, engine::StopReason::completed);
        ASSERT_EQ(together.result.lines.size(), alone.result.lines.size());
        for (std::size_t i = 0; i < alone.result.lines.size(); ++i) {
            EXPECT_EQ(together.result.lines[i].discs, alone.result.lines[i].discs) << seed;
            EXPECT_TRUE(together.result.lines[i].exact);
        }
        EXPECT_GT(together.result.nodes, 0U);
    }
}

TEST(Team, TheChosenMoveIsWorthWhatIsSaid) {
    const Position position = middle_game(77, 14);
    AnalysisRequest request{.position = position, .exact = true};
    request.budget.threads = 2;
    const AnalysisAnswer answer = analyse(request);
    Position after = position;
    const auto move = after.make_move(answer.bestmove.value_or(kPass));
    ASSERT_TRUE(move);
    after.do_move(*move);
    const AnalysisAnswer check = analyse({.position = after, .exact = true});
    const int sign = after.side == position.side ? 1 : -1;
    EXPECT_EQ(sign * check.result.lines.front().discs, answer.result.lines.front().discs);
}

TEST(Team, KeepsTheLimitsOfAllItsThreadsTogether) {
    AnalysisRequest request{.position = middle_game(5, 40)};
    request.budget.threads = 3;
    request.budget.nodes = 30'000;
    const AnalysisAnswer by_nodes = analyse(request);
    EXPECT_EQ(by_nodes.stopped_by, engine::StopReason::nodes);
    // Each thread looks at the sum once in 512 of its own.
    EXPECT_LT(by_nodes.result.nodes, 30'000U + 3 * 1024U);

    request.budget.nodes.reset();
    request.budget.time = std::chrono::milliseconds(40);
    EXPECT_EQ(analyse(request).stopped_by, engine::StopReason::time);

    request.budget.time.reset();
    std::stop_source stop;
    std::jthread raises([&stop] {
        std::this_thread::sleep_for(std::chrono::milliseconds(40));
        stop.request_stop();
    });
    EXPECT_EQ(analyse(request, stop.get_token()).stopped_by, engine::StopReason::cancelled);
}

}  // namespace
}  // namespace yomi::othello
