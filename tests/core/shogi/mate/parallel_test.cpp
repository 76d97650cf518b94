// Several threads over one table: the same verdicts and lengths, limits for all together, an end
// at once when somebody cancels.
#include <algorithm>
#include <ctime>
#include <functional>
#include <string_view>
#include <thread>

#include <gtest/gtest.h>

#include "core/shogi/mate/tsume.hpp"
#include "core/shogi/notation/usi.hpp"

namespace yomi::shogi {
namespace {

/// Zuko No. 1: 69 plies, far beyond what these tests spend.
constexpr std::string_view kHard =
    "1pG1B4/Gs+P6/pP7/n1ls5/3k5/nL4+r1b/1+p1p+R4/1S7/2N6 b SP2gn2l11p 1";

TsumeRequest request_for(std::string_view text, int threads) {
    auto game = parse_usi_position(text);
    EXPECT_TRUE(game.has_value()) << text;
    const Color attacker = default_attacker(game->position);
    TsumeRequest request{.position = std::move(game->position), .attacker = attacker};
    request.budget.threads = threads;
    return request;
}

struct Problem {
    std::string_view sfen;
    Verdict verdict;
    int length;
};

constexpr Problem kProblems[] = {
    {"9/9/3B3G1/6+p1n/7+p1/7k1/5BL1p/7G1/7+R+r b N2P2g4s2n3l13p 1", Verdict::mate, 21},
    {"5n2k/9/5+B1S1/9/9/9/9/9/9 b N 1", Verdict::mate, 5},
    {"4k4/3P5/3+B5/3B5/9/9/9/9/9 b L2r4g4s4n3l17p 1", Verdict::nomate, 0},
    {"4k4/9/3+B5/1N1B5/9/9/9/9/9 b L2r4g4s3n3l18p 1", Verdict::nomate, 0},
};

TEST(TsumeThreads, AgreeWithOneThread) {
    for (const int threads : {2, 4}) {
        // A small table, so that it is collected while all of them use it.
        engine::SearchMemory memory(std::size_t{2} << 20);
        for (const Problem& problem : kProblems) {
            engine::NullSink<TsumeProgress> sink;
            Tsume tsume;
            const TsumeAnswer answer =
                tsume.analyse(request_for(problem.sfen, threads), memory, {}, sink);
            ASSERT_EQ(answer.verdict, problem.verdict) << problem.sfen;
            EXPECT_TRUE(answer.proved);
            if (problem.verdict != Verdict::mate) continue;
            EXPECT_TRUE(answer.shortest);
            EXPECT_EQ(answer.length_raw, problem.length) << problem.sfen;
        }
    }
}

TEST(TsumeThreads, ShareTheLimitOfNodes) {
    engine::SearchMemory memory(std::size_t{4} << 20);
    engine::NullSink<TsumeProgress> sink;
    TsumeRequest request = request_for(kHard, 3);
    request.budget.nodes = 30'000;
    Tsume tsume;
    const TsumeAnswer answer = tsume.analyse(request, memory, {}, sink);
    EXPECT_EQ(answer.verdict, Verdict::unknown);
    EXPECT_EQ(answer.stopped_by, engine::StopReason::nodes);
    EXPECT_GE(answer.nodes, 30'000U);
    // Each looks every 256 nodes; a thread that is never scheduled may come late.
    EXPECT_LT(answer.nodes, 60'000U);
}

/// CPU time of the process: what a busy machine takes from it does not count.
double cpu_seconds() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

TEST(TsumeThreads, EndAtOnceWhenCancelled) {
    for (const int threads : {1, 3}) {
        engine::SearchMemory memory(std::size_t{64} << 20);
        std::stop_source source;
        double stopped_at = 0;
        int reports = 0;
        engine::CallSink<TsumeProgress, std::function<void(const TsumeProgress&)>> sink(
            [&](const TsumeProgress&) {
                if (++reports != 12) return;
                stopped_at = cpu_seconds();
                source.request_stop();
            });
        TsumeRequest request = request_for(kHard, threads);
        request.min_interval = std::chrono::milliseconds(10);
        Tsume tsume;
        const TsumeAnswer answer = tsume.analyse(request, memory, source.get_token(), sink);
        EXPECT_LT(cpu_seconds() - stopped_at, 0.1 * threads);
        EXPECT_EQ(answer.verdict, Verdict::unknown);
        EXPECT_EQ(answer.stopped_by, engine::StopReason::cancelled);
    }
}

}  // namespace
}  // namespace yomi::shogi
