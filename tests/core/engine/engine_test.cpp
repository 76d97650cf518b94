#include "core/engine/engine.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace yomi::engine {
namespace {

/// A toy: counts nodes until its budget, its end, or the stop token ends it.
struct Counter {
    using Request = Budget;
    using Progress = std::uint64_t;
    struct Answer {
        std::uint64_t nodes = 0;
        StopReason reason = StopReason::none;
    };

    Answer analyse(const Request& request,
                   SearchMemory& memory,
                   std::stop_token stop,
                   Sink<Progress>& sink) {
        Answer answer;
        memory.claim(1);
        while (true) {
            if (answer.nodes % 1024 == 0) {
                if (stop.stop_requested()) {
                    answer.reason = StopReason::cancelled;
                    return answer;
                }
                sink.report(answer.nodes);
            }
            if (request.nodes && answer.nodes >= *request.nodes) {
                answer.reason = StopReason::nodes;
                return answer;
            }
            ++answer.nodes;
        }
    }
};
static_assert(Engine<Counter>);

struct NotAnEngine {
    using Request = int;
    using Progress = int;
    using Answer = int;
    int analyse(int, int);
};
static_assert(!Engine<NotAnEngine>);

TEST(Engine, AnswersWithWhatItHasWhenCancelled) {
    Counter counter;
    SearchMemory memory;
    std::atomic<bool> begun = false;
    Counter::Answer answer;
    {
        std::jthread thread([&](std::stop_token stop) {
            CallSink<std::uint64_t, std::function<void(std::uint64_t)>> sink(
                [&](std::uint64_t nodes) { begun = nodes > 0; });
            answer = counter.analyse(Budget{}, memory, stop, sink);
        });
        while (!begun)
            std::this_thread::yield();
    }  // the scope's end requests the stop
    EXPECT_EQ(answer.reason, StopReason::cancelled);
    EXPECT_GT(answer.nodes, 0U);
    EXPECT_EQ(answer.nodes % 1024, 0U);
}

TEST(Engine, ReportsThroughItsSink) {
    Counter counter;
    SearchMemory memory;
    std::vector<std::uint64_t> seen;
    auto store = [&](std::uint64_t nodes) { seen.push_back(nodes); };
    CallSink<std::uint64_t, decltype(store)> sink(store);
    const auto answer = counter.analyse(Budget{.nodes = 2500}, memory, {}, sink);
    EXPECT_EQ(answer.nodes, 2500U);
    EXPECT_EQ(answer.reason, StopReason::nodes);
    EXPECT_EQ(seen, (std::vector<std::uint64_t>{0, 1024, 2048}));

    NullSink<std::uint64_t> deaf;
    EXPECT_EQ(counter.analyse(Budget{.nodes = 1}, memory, {}, deaf).nodes, 1U);
}

TEST(StopReason, HasAWordOfItsOwnForEach) {
    std::set<std::string> words;
    for (int i = 0; i <= static_cast<int>(StopReason::client_gone); ++i) {
        const auto reason = static_cast<StopReason>(i);
        const std::string word(to_string(reason));
        EXPECT_EQ(word == "none", reason == StopReason::none);
        EXPECT_TRUE(words.insert(word).second) << word;
    }
    EXPECT_EQ(words.size(), 13U);
    EXPECT_EQ(to_string(StopReason::one_legal_move), "one_legal_move");
}

TEST(Budget, BindsNothingByDefault) {
    const Budget budget;
    EXPECT_FALSE(budget.nodes || budget.time || budget.depth);
    EXPECT_EQ(budget.threads, 1);
    EXPECT_EQ(budget, Budget{});
    EXPECT_FALSE(budget == Budget{.nodes = 1});
}

}  // namespace
}  // namespace yomi::engine
