#include "server/pool/worker_pool.hpp"

#include <atomic>
#include <cerrno>
#include <future>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

namespace yomi::pool {
namespace {

using namespace std::chrono_literals;

Job job_of(std::uint64_t id, std::function<void(Worker&)> run) {
    Job job;
    job.id = id;
    job.client = "c";
    job.run = std::move(run);
    return job;
}

LaneOptions lane_of(int workers, std::size_t capacity = 256, int nice = 0) {
    return {.workers = workers, .queue = {.capacity = capacity}, .nice = nice, .name = "test"};
}

TEST(LanePool, RunsEveryJobOnceAndKeepsEnginesWithTheirWorker) {
    struct ToyEngine {
        std::thread::id owner = std::this_thread::get_id();
    };
    std::mutex mutex;
    std::set<std::uint64_t> ran;
    std::set<ToyEngine*> engines;
    std::atomic<bool> strange{false};
    LanePool pool(lane_of(3), {});
    for (std::uint64_t id = 1; id <= 200; ++id) {
        ASSERT_TRUE(pool.submit(job_of(id, [&, id](Worker& worker) {
            auto& engine = worker.engine<ToyEngine>();
            if (engine.owner != std::this_thread::get_id()) strange = true;
            const std::lock_guard lock(mutex);
            if (!ran.insert(id).second) strange = true;
            engines.insert(&engine);
        })));
    }
    pool.drain();
    EXPECT_EQ(ran.size(), 200U);
    EXPECT_LE(engines.size(), 3U);
    EXPECT_FALSE(strange);
    EXPECT_EQ(pool.stats().done, 200U);
    EXPECT_EQ(pool.stats().queued + pool.stats().running, 0U);
}

TEST(LanePool, HoldsItsBoundUnderBursts) {
    std::atomic<int> ran{0}, accepted{0}, refused{0};
    std::promise<void> gate;
    const auto opened = gate.get_future().share();
    LanePool pool(lane_of(2, 16), {});
    for (std::uint64_t id = 1; id <= 2; ++id) {
        pool.submit(job_of(id, [opened](Worker&) { opened.wait(); }));
    }
    while (pool.stats().running < 2)
        std::this_thread::yield();
    std::vector<std::thread> burst;
    for (std::uint64_t t = 0; t < 4; ++t) {
        burst.emplace_back([&, t] {
            for (std::uint64_t i = 0; i < 100; ++i) {
                const bool taken =
                    pool.submit(job_of(100 + t * 100 + i, [&](Worker&) { ++ran; })).has_value();
                ++(taken ? accepted : refused);
                EXPECT_LE(pool.stats().queued, 16U);
            }
        });
    }
    for (auto& thread : burst)
        thread.join();
    EXPECT_EQ(accepted, 16);
    EXPECT_EQ(refused, 384);
    gate.set_value();
    pool.drain();
    EXPECT_EQ(ran, 16);
}

TEST(LanePool, NeverRunsAJobThatWasRemoved) {
    std::promise<void> gate;
    const auto opened = gate.get_future().share();
    std::atomic<int> ran{0};
    LanePool pool(lane_of(1), {});
    pool.submit(job_of(1, [opened](Worker&) { opened.wait(); }));
    while (pool.stats().running == 0)
        std::this_thread::yield();
    for (std::uint64_t id = 2; id <= 9; ++id)
        pool.submit(job_of(id, [&](Worker&) { ++ran; }));
    EXPECT_EQ(pool.ahead(9), 7U);
    for (std::uint64_t id = 2; id <= 9; id += 2)
        EXPECT_TRUE(pool.remove(id));
    EXPECT_EQ(pool.ahead(9), 3U);
    EXPECT_FALSE(pool.remove(1)) << "it runs";
    gate.set_value();
    pool.drain();
    EXPECT_EQ(ran, 4);
}

TEST(LanePool, CatchesWhatAJobThrowsAndGoesOn) {
    std::vector<std::string> messages;  // one worker, so one thread writes
    std::atomic<bool> after{false};
    LanePool pool(lane_of(1), [&](std::string_view message) { messages.emplace_back(message); });
    pool.submit(job_of(1, [](Worker&) { throw std::runtime_error("table is upside down"); }));
    pool.submit(job_of(2, [](Worker&) { throw 42; }));
    pool.submit(job_of(3, [&](Worker&) { after = true; }));
    pool.drain();
    EXPECT_TRUE(after);
    EXPECT_EQ(pool.stats().failed, 2U);
    EXPECT_EQ(pool.stats().done, 3U);
    ASSERT_EQ(messages.size(), 2U);
    EXPECT_EQ(messages[0], "table is upside down");
}

TEST(LanePool, DropsWhatWaitsWhenItStops) {
    std::promise<void> gate;
    const auto opened = gate.get_future().share();
    std::atomic<bool> began{false}, ended{false}, wrong{false};
    const auto owned = std::make_shared<int>(1);
    const std::weak_ptr<int> watch = owned;
    LanePool pool(lane_of(1), {});
    pool.submit(job_of(1, [&, opened](Worker&) {
        began = true;
        opened.wait();
        ended = true;
    }));
    while (!began)
        std::this_thread::yield();
    pool.submit(job_of(2, [&wrong, owned](Worker&) { wrong = true; }));
    std::thread opener([&] {
        std::this_thread::sleep_for(20ms);
        gate.set_value();
    });
    pool.stop();
    EXPECT_TRUE(ended) << "what runs is let to its end";
    EXPECT_FALSE(wrong);
    EXPECT_FALSE(pool.submit(job_of(3, [](Worker&) {})));
    EXPECT_EQ(watch.use_count(), 1) << "the dropped job has let go of what it owned";
    opener.join();
}

TEST(LanePool, RunsSearchThreadsAtLowerPriority) {
    const int before = ::getpriority(PRIO_PROCESS, 0);
    std::atomic<int> inside{-100};
    LanePool pool(lane_of(1, 8, 7), {});
    pool.submit(job_of(
        1, [&](Worker&) { inside = ::getpriority(PRIO_PROCESS, static_cast<id_t>(::gettid())); }));
    pool.drain();
    EXPECT_EQ(inside, std::min(before + 7, 19));
    EXPECT_EQ(::getpriority(PRIO_PROCESS, 0), before) << "only the worker's own thread is meant";
}

TEST(LanePool, ExpectsTheWaitFromWhatItHasSeen) {
    std::promise<void> gate;
    const auto opened = gate.get_future().share();
    LanePool pool(lane_of(2), {});
    for (std::uint64_t id = 1; id <= 2; ++id) {
        pool.submit(job_of(id, [opened](Worker&) { opened.wait(); }));
    }
    while (pool.stats().running < 2)
        std::this_thread::yield();
    Job job = job_of(3, [](Worker&) {});
    job.estimate = 800ms;
    pool.submit(std::move(job));
    EXPECT_EQ(pool.expected_wait(4).count(), 1600) << "4 x 800 ms over two workers";
    std::this_thread::sleep_for(60ms);
    gate.set_value();
    pool.drain();
    EXPECT_GE(pool.expected_wait(2).count(), 20);
    EXPECT_LT(pool.expected_wait(2).count(), 800);
}

TEST(WorkerPool, DoesNotLetAShortJobWaitBehindASearch) {
    std::promise<void> gate;
    const auto opened = gate.get_future().share();
    std::atomic<bool> answered{false};
    WorkerPool pool({.short_lane = lane_of(1), .search_lane = lane_of(1), .on_failure = {}});
    pool.lane(Lane::search).submit(job_of(1, [opened](Worker&) { opened.wait(); }));
    pool.lane(Lane::short_).submit(job_of(2, [&](Worker&) { answered = true; }));
    pool.lane(Lane::short_).drain();
    EXPECT_TRUE(answered);
    EXPECT_EQ(pool.lane(Lane::search).stats().done, 0U);
    gate.set_value();
    pool.drain();
    pool.stop();
}

}  // namespace
}  // namespace yomi::pool
