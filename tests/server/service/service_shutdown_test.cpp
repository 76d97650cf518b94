// The end of the service: draining, grace, the best so far, nobody forgotten.
#include <atomic>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/hash.hpp"
#include "tests/server/service/counter.hpp"

namespace yomi::service {
namespace {

using namespace toy;

TEST(Shutdown, EndsQueuedCallsAtOnceAndRunningOnesWithTheirBest) {
    Observed seen;
    Service service({}, methods(seen));
    EXPECT_FALSE(service.draining());
    const auto running = std::make_shared<Recorder>();
    const auto joined = std::make_shared<Recorder>();
    const auto queued = std::make_shared<Recorder>();
    service.submit(call_of(endless({{"key", "k"}})), running);
    ASSERT_TRUE(running->wait(EventKind::started));
    service.submit(call_of(endless({{"key", "k"}})), joined);
    service.submit(call_of({}), queued);
    service.shutdown(0ms);
    EXPECT_TRUE(service.draining());
    ASSERT_EQ(running->finals() + joined->finals() + queued->finals(), 3)
        << "all before it returns";
    for (const auto& reply : {running, joined}) {
        const auto final = reply->events().back();
        EXPECT_EQ(final->kind, EventKind::cancelled);
        EXPECT_NE(final->extra.find("\"stopped_by\":\"shutdown\""), std::string::npos);
        EXPECT_EQ(final->body->find("{\"count\":"), 0U) << "the engine's own last answer for all";
    }
    EXPECT_EQ(queued->events().back()->status, 503);
    EXPECT_NE(queued->events().back()->body->find("draining"), std::string::npos);
    EXPECT_GE(queued->events().back()->retry_after_s, 1);

    const auto late = std::make_shared<Recorder>();
    service.submit(call_of({}), late);
    ASSERT_EQ(late->finals(), 1);
    EXPECT_EQ(late->events()[0]->status, 503);
    EXPECT_EQ(service.start_job(call_of({})).error().code, ErrorCode::draining);
    service.shutdown(1h);  // a second one has nothing to wait for
}

TEST(Shutdown, LetsRunningWorkEndWithinTheGrace) {
    Observed seen;
    Service service({}, methods(seen));
    const auto running = std::make_shared<Recorder>();
    const auto queued = std::make_shared<Recorder>();
    service.submit(call_of({{"ticks", "300"}, {"tick_us", "1000"}}), running);
    ASSERT_TRUE(running->wait(EventKind::started));
    service.submit(call_of({}), queued);
    const auto begin = std::chrono::steady_clock::now();
    std::thread closer([&] { service.shutdown(10min); });
    ASSERT_TRUE(queued->wait_final());
    EXPECT_EQ(running->finals(), 0) << "what waits does not wait longer";
    closer.join();
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 60s) << "the grace is not sat out";
    EXPECT_EQ(running->events().back()->kind, EventKind::result);
    EXPECT_EQ(seen.stopped, 0);
}

TEST(Shutdown, StopsWhatOutlivesTheGrace) {
    Observed seen;
    Service service({}, methods(seen));
    const auto running = std::make_shared<Recorder>();
    service.submit(call_of(endless()), running);
    ASSERT_TRUE(running->wait(EventKind::started));
    const auto begin = std::chrono::steady_clock::now();
    service.shutdown(60ms);
    EXPECT_GE(std::chrono::steady_clock::now() - begin, 60ms);
    EXPECT_EQ(running->events().back()->extra, "\"stopped_by\":\"shutdown\"");
}

TEST(Shutdown, EndsWhatWaitsOnTheShortLane) {
    Observed seen;
    Service service({}, methods(seen));
    std::vector<std::shared_ptr<Recorder>> replies;
    for (int i = 0; i < 6; ++i) {
        replies.push_back(std::make_shared<Recorder>());
        Call call = call_of({{"decode_ms", "20"}, {"lane", "short"}});
        if (i % 2 == 0) call.payload.body.assign(5000, 'x');
        service.submit(std::move(call), replies.back());
    }
    service.shutdown(0ms);
    for (const auto& reply : replies)
        EXPECT_EQ(reply->finals(), 1);
}

TEST(Shutdown, GivesJobsAndTheirReadersAFinal) {
    Observed seen;
    Service service({}, methods(seen));
    const auto id = service.start_job(call_of(endless()));
    const auto waiting = service.start_job(call_of({}));
    const auto reader = std::make_shared<Recorder>();
    const auto other = std::make_shared<Recorder>();
    ASSERT_TRUE(service.follow_job(*id, "c", Role::user, {}, reader));
    ASSERT_TRUE(service.follow_job(*waiting, "c", Role::user, {}, other));
    ASSERT_TRUE(reader->wait(EventKind::started));
    service.shutdown(0ms);
    EXPECT_EQ(reader->finals(), 1);
    EXPECT_EQ(other->finals(), 1);
    EXPECT_EQ(service.job(*id, "c", Role::user)->state, "cancelled");
    EXPECT_EQ(service.job(*waiting, "c", Role::user)->state, "failed");
}

TEST(Shutdown, HappensInTheDestructorToo) {
    Observed seen;
    const auto running = std::make_shared<Recorder>();
    const auto queued = std::make_shared<Recorder>();
    const auto abandoned = std::make_shared<Recorder>();
    {
        ServiceOptions options;
        options.search_workers = 2;
        Service service(options, methods(seen));
        service.submit(call_of(endless()), running);
        const Ticket gone = service.submit(call_of(endless()), abandoned);
        running->wait(EventKind::started);
        abandoned->wait(EventKind::started);
        service.submit(call_of({}), queued);
        service.abandon(gone);
    }
    EXPECT_EQ(running->finals(), 1);
    EXPECT_EQ(queued->finals(), 1);
    EXPECT_EQ(abandoned->finals(), 0);
    EXPECT_EQ(seen.inside, 0) << "no engine outlives the service";
    EXPECT_EQ(running.use_count() + queued.use_count() + abandoned.use_count(), 3);
}

TEST(Shutdown, RacesWithCallsThatArrive) {
    for (std::uint64_t round = 0; round < 20; ++round) {
        Observed seen;
        std::vector<std::shared_ptr<Recorder>> all;
        std::mutex mutex;
        ServiceOptions options;
        options.search_workers = 2;
        options.limits.max_live_per_client = 5000;
        Service service(options, methods(seen));
        std::atomic<int> sent{0};
        std::vector<std::thread> threads;
        for (std::uint64_t t = 0; t < 3; ++t) {
            threads.emplace_back([&, t] {
                SplitMix64 random(round * 10 + t);
                for (int i = 0; i < 30; ++i) {
                    const auto reply = std::make_shared<Recorder>();
                    Fields fields = random.below(3) == 0 ? endless() : Fields{{"ticks", "3"}};
                    if (random.below(2) == 0)
                        fields.emplace_back("key", std::to_string(random.below(3)));
                    if (random.below(3) == 0) fields = {{"lane", "short"}};
                    Call call = call_of(std::move(fields));
                    if (random.below(3) == 0) call.payload.body.assign(5000, 'x');
                    const Ticket ticket = service.submit(std::move(call), reply);
                    if (random.below(4) == 0) service.cancel(ticket);
                    ++sent;
                    const std::lock_guard lock(mutex);
                    all.push_back(reply);
                }
            });
        }
        while (sent < 20)
            std::this_thread::yield();
        service.shutdown(std::chrono::milliseconds(round % 4));
        for (auto& thread : threads)
            thread.join();
        ASSERT_EQ(all.size(), 90U);
        for (const auto& reply : all)
            EXPECT_EQ(reply->finals(), 1);
    }
}

}  // namespace
}  // namespace yomi::service
