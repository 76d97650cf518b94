// The ways in which a request ends early: cancel, deadline, a client that is gone.
#include <algorithm>
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

ServiceOptions roomy(int search_workers = 1) {
    ServiceOptions options;
    options.search_workers = search_workers;
    options.limits.max_queue = 2000;
    options.limits.max_live_per_client = 5000;
    return options;
}

TEST(Cancel, EndsARunningSearchWithItsBestSoFar) {
    Observed seen;
    Service service({}, methods(seen));
    const auto reply = std::make_shared<Recorder>();
    const Ticket ticket = service.submit(call_of(endless({{"key", "k"}})), reply);
    ASSERT_TRUE(reply->wait(EventKind::started));
    std::this_thread::sleep_for(5ms);
    service.cancel(ticket);
    const auto final = reply->wait_final();
    ASSERT_TRUE(final);
    EXPECT_EQ(final->kind, EventKind::cancelled);
    EXPECT_EQ(final->extra, "\"cache\":\"miss\",\"stopped_by\":\"cancelled\"");
    EXPECT_EQ(final->body->find("{\"count\":"), 0U) << "the engine's own last answer";
    EXPECT_TRUE(final->text);
    EXPECT_EQ(seen.stopped, 1);
    service.cancel(ticket);
    service.cancel(424242);
    service.abandon(ticket);
    EXPECT_EQ(reply->finals(), 1);
    EXPECT_EQ(service.stats().cancelled, 1U);
}

TEST(Cancel, EndsAQueuedSearchAtOnce) {
    Observed seen;
    Service service({}, methods(seen));
    const auto blocker = std::make_shared<Recorder>();
    service.submit(call_of(endless()), blocker);
    ASSERT_TRUE(blocker->wait(EventKind::started));
    const auto reply = std::make_shared<Recorder>();
    const Ticket ticket = service.submit(call_of({}), reply);
    EXPECT_EQ(service.stats().queued, 1U);
    service.cancel(ticket);
    ASSERT_EQ(reply->finals(), 1) << "on the caller's thread, with the worker still busy";
    EXPECT_EQ(reply->events().back()->kind, EventKind::cancelled);
    EXPECT_EQ(*reply->events().back()->body, "{}");
    EXPECT_EQ(reply->events().back()->extra, "\"stopped_by\":\"cancelled\"");
    EXPECT_EQ(service.stats().queued, 0U);
    EXPECT_EQ(blocker->finals(), 0);
}

TEST(Cancel, EndsACallThatIsNotYetDecoded) {
    Observed seen;
    Service service({}, methods(seen));
    const auto large = [](std::string decode_ms) {
        Call call = call_of({{"decode_ms", std::move(decode_ms)}, {"name", "large"}});
        call.payload.body.assign(6000, 'x');
        return call;
    };
    const auto decoding = std::make_shared<Recorder>();
    const auto waiting = std::make_shared<Recorder>();
    const Ticket first = service.submit(large("150"), decoding);
    ASSERT_TRUE(eventually([&] { return seen.decoded == 1; }));
    const Ticket second = service.submit(large("0"), waiting);
    service.cancel(second);
    EXPECT_EQ(waiting->finals(), 1);
    service.cancel(first);
    EXPECT_EQ(decoding->finals(), 1);
    EXPECT_EQ(*decoding->events().back()->body, "{}");
    std::this_thread::sleep_for(220ms);
    EXPECT_EQ(seen.decoded, 1) << "what waited was not read any more";
    EXPECT_EQ(seen.runs, 0) << "what was read did not run";
    EXPECT_EQ(service.stats().live, 0U);
}

TEST(Cancel, StopsFourOfEightAndLeavesTheOthersAlone) {
    Observed seen;
    Service service(roomy(8), methods(seen));
    std::vector<std::shared_ptr<Recorder>> replies;
    std::vector<Ticket> tickets;
    for (int i = 0; i < 8; ++i) {
        replies.push_back(std::make_shared<Recorder>());
        tickets.push_back(service.submit(call_of(endless()), replies.back()));
    }
    for (const auto& reply : replies)
        ASSERT_TRUE(reply->wait(EventKind::started));
    for (std::size_t i = 0; i < 8; i += 2)
        service.cancel(tickets[i]);
    for (std::size_t i = 0; i < 8; i += 2) {
        EXPECT_EQ(replies[i]->wait_final()->kind, EventKind::cancelled);
    }
    EXPECT_EQ(seen.stopped, 4);
    EXPECT_TRUE(eventually([&] { return service.stats().running == 4; }));
    for (std::size_t i = 1; i < 8; i += 2)
        EXPECT_EQ(replies[i]->finals(), 0);
    for (std::size_t i = 1; i < 8; i += 2)
        service.cancel(tickets[i]);
    for (std::size_t i = 1; i < 8; i += 2)
        replies[i]->wait_final();
}

TEST(Deadline, PassesInTheQueueWhileAllWorkersAreBusy) {
    Observed seen;
    Service service(roomy(2), methods(seen));
    std::vector<std::shared_ptr<Recorder>> blockers;
    for (int i = 0; i < 2; ++i) {
        blockers.push_back(std::make_shared<Recorder>());
        service.submit(call_of(endless()), blockers.back());
        ASSERT_TRUE(blockers.back()->wait(EventKind::started));
    }
    const auto reply = std::make_shared<Recorder>();
    const auto begin = std::chrono::steady_clock::now();
    service.submit(call_of({{"deadline_ms", "40"}}), reply);
    const auto final = reply->wait_final();
    ASSERT_TRUE(final);
    const auto waited = std::chrono::steady_clock::now() - begin;
    EXPECT_GE(waited, 40ms);
    EXPECT_EQ(final->kind, EventKind::error);
    EXPECT_EQ(final->status, proto::problem_kind(ErrorCode::deadline_exceeded).status);
    EXPECT_GE(final->retry_after_s, 1);
    EXPECT_EQ(service.stats().queued, 0U);
    EXPECT_EQ(service.stats().running, 2U);
    EXPECT_EQ(seen.runs, 2);
}

TEST(Deadline, StopsARunningSearch) {
    Observed seen;
    Service service({}, methods(seen));
    const auto reply = std::make_shared<Recorder>();
    service.submit(call_of(endless({{"deadline_ms", "250"}})), reply);
    const auto final = reply->wait_final();
    ASSERT_TRUE(final);
    EXPECT_EQ(final->kind, EventKind::cancelled);
    EXPECT_EQ(final->extra, "\"stopped_by\":\"deadline\"");
    EXPECT_EQ(final->body->find("{\"count\":"), 0U);
    const auto in_time = std::make_shared<Recorder>();
    service.submit(call_of({{"deadline_ms", "5000"}}), in_time);
    EXPECT_EQ(in_time->wait_final()->kind, EventKind::result);
}

TEST(Deadline, CountsFromArrivalAndNotFromDecoding) {
    Observed seen;
    Service service({}, methods(seen));
    const auto reply = std::make_shared<Recorder>();
    Call call = call_of({{"deadline_ms", "10"}, {"decode_ms", "30"}});
    call.payload.body.assign(6000, 'x');
    service.submit(std::move(call), reply);
    EXPECT_EQ(reply->wait_final()->kind, EventKind::error);
    EXPECT_EQ(seen.runs, 0);
}

TEST(Abandon, StopsARunningSearchSilently) {
    Observed seen;
    ServiceOptions options;
    options.search_nice = 0;
    Service service(options, methods(seen));
    std::int64_t fastest_us = 1'000'000'000;
    for (int round = 1; round <= 5; ++round) {  // the best of five: the machine may be busy
        const auto reply = std::make_shared<Recorder>();
        const Ticket ticket = service.submit(call_of(endless({{"report", "1"}})), reply);
        ASSERT_TRUE(reply->wait(EventKind::progress));
        const auto asked = Observed::now_us();
        service.abandon(ticket);
        ASSERT_TRUE(eventually([&] { return seen.stopped == round && seen.inside == 0; }));
        fastest_us = std::min<std::int64_t>(fastest_us, seen.last_end_us - asked);
        EXPECT_TRUE(eventually([&] { return service.stats().running == 0; }));
        EXPECT_EQ(reply->finals(), 0);
        EXPECT_TRUE(eventually([&] { return reply.use_count() == 1; }));
    }
    EXPECT_LT(fastest_us, 100'000);
    EXPECT_EQ(service.stats().live, 0U);
    EXPECT_EQ(service.stats().cancelled, 0U);
}

TEST(Abandon, TakesAQueuedSearchOutOfTheQueue) {
    Observed seen;
    Service service({}, methods(seen));
    const auto blocker = std::make_shared<Recorder>();
    const Ticket running = service.submit(call_of(endless()), blocker);
    ASSERT_TRUE(blocker->wait(EventKind::started));
    const auto reply = std::make_shared<Recorder>();
    const Ticket ticket = service.submit(call_of({}), reply);
    service.abandon(ticket);
    EXPECT_EQ(service.stats().queued, 0U);
    EXPECT_EQ(reply.use_count(), 1);
    service.cancel(running);
    ASSERT_TRUE(blocker->wait_final());
    EXPECT_EQ(reply->events().size(), 1U) << "queued, and nothing after";
    EXPECT_EQ(seen.runs, 1);
}

TEST(Abandon, ForgetsAfterACancelThatIsNotYetAnswered) {
    Observed seen;
    Service service({}, methods(seen));
    const auto reply = std::make_shared<Recorder>();
    // An engine that does not look at the stop token before it is let go.
    const Ticket ticket = service.submit(call_of(endless({{"hold", "1"}})), reply);
    ASSERT_TRUE(reply->wait(EventKind::started));
    service.cancel(ticket);
    service.abandon(ticket);
    seen.released = true;
    EXPECT_TRUE(eventually([&] { return seen.stopped == 1 && service.stats().running == 0; }));
    EXPECT_EQ(reply->finals(), 0);
}

/// `rounds` calls from each of four threads, each cut short after a random delay.
void race(Service& service,
          std::uint64_t rounds,
          bool large,
          std::vector<std::shared_ptr<Recorder>>& all) {
    std::vector<std::thread> threads;
    std::mutex mutex;
    for (std::uint64_t t = 0; t < 4; ++t) {
        threads.emplace_back([&, t] {
            SplitMix64 random(t + 100);
            for (std::uint64_t i = 0; i < rounds; ++i) {
                const auto reply = std::make_shared<Recorder>();
                Fields fields{{"ticks", std::to_string(1 + random.below(30))},
                              {"tick_us", std::to_string(random.below(60))},
                              {"report", "3"}};
                if (random.below(4) == 0)
                    fields.emplace_back("deadline_ms", std::to_string(1 + random.below(4)));
                if (random.below(3) == 0)
                    fields.emplace_back("key", std::to_string(random.below(3)));
                if (random.below(3) == 0) fields.emplace_back("lane", "short");
                Call call = call_of(std::move(fields), std::to_string(t));
                if (large && random.below(2) == 0) call.payload.body.assign(5000, 'x');
                const Ticket ticket = service.submit(std::move(call), reply);
                if (const auto pause = random.below(600); pause > 200) {
                    std::this_thread::sleep_for(std::chrono::microseconds(pause - 200));
                }
                service.cancel(ticket);
                if (random.below(8) == 0) service.cancel(ticket);
                const std::lock_guard lock(mutex);
                all.push_back(reply);
            }
        });
    }
    for (auto& thread : threads)
        thread.join();
}

TEST(Cancel, RacesOfAThousandStartsEndInAThousandFinals) {
    Observed seen;
    std::vector<std::shared_ptr<Recorder>> all;
    std::atomic<int> records{0};
    ServiceOptions options = roomy(2);
    options.on_final = [&](const RequestRecord&) { ++records; };
    {
        Service service(options, methods(seen));
        race(service, 250, true, all);
        for (const auto& reply : all)
            ASSERT_TRUE(reply->wait_final());
        const auto stats = service.stats();
        EXPECT_EQ(stats.requests, 1000U);
        EXPECT_EQ(stats.results + stats.errors + stats.cancelled, 1000U);
        EXPECT_EQ(stats.live, 0U);
        EXPECT_TRUE(
            eventually([&] { return service.stats().running + service.stats().queued == 0; }));
    }
    ASSERT_EQ(all.size(), 1000U);
    for (const auto& reply : all)
        EXPECT_EQ(reply->finals(), 1);
    EXPECT_EQ(records, 1000);
}

TEST(Abandon, RacesLeaveNothingBehind) {
    Observed seen;
    std::vector<std::shared_ptr<Recorder>> all;
    Service service(roomy(2), methods(seen));
    std::vector<std::thread> threads;
    std::mutex mutex;
    for (std::uint64_t t = 0; t < 4; ++t) {
        threads.emplace_back([&, t] {
            SplitMix64 random(t);
            for (int i = 0; i < 150; ++i) {
                const auto reply = std::make_shared<Recorder>();
                const Ticket ticket = service.submit(
                    call_of(endless({{"report", "1"}, {"key", std::to_string(random.below(5))}})),
                    reply);
                std::this_thread::sleep_for(std::chrono::microseconds(random.below(400)));
                if (random.below(3) == 0) service.cancel(ticket);
                service.abandon(ticket);
                const std::lock_guard lock(mutex);
                all.push_back(reply);
            }
        });
    }
    for (auto& thread : threads)
        thread.join();
    EXPECT_TRUE(eventually([&] { return service.stats().running + service.stats().queued == 0; }));
    EXPECT_EQ(service.stats().live, 0U);
    EXPECT_EQ(seen.inside, 0);
    for (const auto& reply : all) {
        EXPECT_LE(reply->finals(), 1);
        EXPECT_TRUE(eventually([&] { return reply.use_count() == 1; }));
    }
}

}  // namespace
}  // namespace yomi::service
