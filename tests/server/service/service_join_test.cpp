// Identical searches in flight are one search.
#include <algorithm>
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

struct Caller {
    std::shared_ptr<Recorder> reply = std::make_shared<Recorder>();
    Ticket ticket = 0;
};

Caller ask(Service& service, Fields fields, std::string client = "c") {
    Caller caller;
    caller.ticket = service.submit(call_of(std::move(fields), std::move(client)), caller.reply);
    return caller;
}

TEST(Join, RunsTwoHundredIdenticalCallsOnce) {
    Observed seen;
    ServiceOptions options;
    options.search_workers = 2;
    options.limits.max_live_per_client = 500;
    options.limits.max_queue = 1;
    Service service(options, methods(seen));
    const Fields fields{{"ticks", "100"}, {"key", "same"}, {"report", "50"}};
    std::vector<Caller> blockers;
    for (int i = 0; i < 2; ++i) {
        blockers.push_back(ask(service, endless(), "x"));
        ASSERT_TRUE(blockers.back().reply->wait(EventKind::started));
    }
    std::vector<Caller> callers;
    for (int i = 0; i < 200; ++i)
        callers.push_back(ask(service, fields));
    for (const Caller& blocker : blockers)
        service.cancel(blocker.ticket);
    for (const Caller& blocker : blockers)
        ASSERT_TRUE(blocker.reply->wait_final());
    int misses = 0;
    for (const Caller& caller : callers) {
        const auto final = caller.reply->wait_final();
        ASSERT_TRUE(final);
        EXPECT_EQ(final->kind, EventKind::result);
        EXPECT_EQ(final->body, callers[0].reply->events().back()->body) << "one text, shared";
        misses += final->extra == "\"cache\":\"miss\",\"stopped_by\":\"nodes\"";
        EXPECT_TRUE(final->extra == "\"cache\":\"miss\",\"stopped_by\":\"nodes\"" ||
                    final->extra == "\"cache\":\"join\",\"stopped_by\":\"nodes\"");
    }
    EXPECT_EQ(seen.runs, 3) << "the blockers and one";
    EXPECT_EQ(misses, 1);
    EXPECT_EQ(service.stats().joined, 199U);
    EXPECT_EQ(service.stats().results, 200U);
    const auto later = ask(service, fields);
    EXPECT_EQ(later.reply->wait_final()->extra, "\"cache\":\"miss\",\"stopped_by\":\"nodes\"");
    EXPECT_EQ(seen.runs, 4);
}

TEST(Join, KeepsDifferentKeysSessionsAndKeylessCallsApart) {
    Observed seen;
    ServiceOptions options;
    options.search_workers = 6;
    Service service(options, methods(seen));
    std::vector<Caller> callers;
    callers.push_back(ask(service, endless({{"key", "a"}})));
    callers.push_back(ask(service, endless({{"key", "b"}})));
    callers.push_back(ask(service, endless()));
    callers.push_back(ask(service, endless()));
    callers.push_back(ask(service, endless({{"key", "a"}, {"session", "s"}})));
    callers.push_back(ask(service, endless({{"key", "a"}, {"session", "s"}})));
    for (const Caller& caller : callers)
        ASSERT_TRUE(caller.reply->wait(EventKind::started));
    EXPECT_TRUE(eventually([&] { return seen.runs == 6; }));
    EXPECT_EQ(service.stats().joined, 0U);
}

TEST(Join, ShowsTheLatestSnapshotToALateComer) {
    Observed seen;
    Service service({}, methods(seen));
    // One report only, so that nothing but the snapshot can reach the second caller.
    const Fields fields =
        endless({{"key", "k"}, {"report", "7"}, {"complete", "0"}, {"interval_ms", "60000"}});
    const auto first = ask(service, fields);
    ASSERT_TRUE(first.reply->wait(EventKind::progress));
    const auto second = ask(service, fields);
    const auto events = second.reply->events();  // all delivered before submit returned
    ASSERT_EQ(events.size(), 3U);
    EXPECT_EQ(*events[0]->body, "{\"ahead\":0}");
    EXPECT_EQ(events[1]->kind, EventKind::started);
    EXPECT_EQ(events[2]->kind, EventKind::progress);
    EXPECT_EQ(events[2]->body->find("{\"count\":"), 0U);
    EXPECT_NE(events[2]->id, first.reply->events()[0]->id);
}

TEST(Join, EndsOneCallerAtOnceAndTheSearchWithTheLast) {
    Observed seen;
    Service service({}, methods(seen));
    const Fields fields = endless({{"key", "k"}, {"report", "1"}});
    const auto first = ask(service, fields);
    const auto second = ask(service, fields);
    const auto third = ask(service, fields);
    ASSERT_TRUE(third.reply->wait(EventKind::progress));
    service.cancel(first.ticket);
    ASSERT_EQ(first.reply->finals(), 1) << "at once, without waiting for the engine";
    const auto final = first.reply->events().back();
    EXPECT_EQ(final->kind, EventKind::cancelled);
    EXPECT_EQ(final->body->find("{\"best\":"), 0U) << "the latest snapshot's best";
    EXPECT_TRUE(final->text);
    EXPECT_EQ(final->extra, "\"cache\":\"miss\",\"stopped_by\":\"cancelled\"");
    service.abandon(second.ticket);
    std::this_thread::sleep_for(10ms);
    EXPECT_EQ(seen.stopped, 0) << "the third still waits";
    EXPECT_EQ(third.reply->finals(), 0);

    service.cancel(third.ticket);
    EXPECT_EQ(third.reply->wait_final()->extra, "\"cache\":\"join\",\"stopped_by\":\"cancelled\"");
    EXPECT_EQ(third.reply->events().back()->body->find("{\"count\":"), 0U);
    EXPECT_EQ(seen.stopped, 1);
    EXPECT_EQ(second.reply->finals(), 0);
}

TEST(Join, LetsEachCallerHaveItsOwnDeadline) {
    Observed seen;
    Service service({}, methods(seen));
    const auto patient = ask(service, endless({{"key", "k"}}));
    ASSERT_TRUE(patient.reply->wait(EventKind::started));
    const auto hasty = ask(service, endless({{"key", "k"}, {"deadline_ms", "150"}}));
    const auto final = hasty.reply->wait_final();
    ASSERT_TRUE(final);
    EXPECT_EQ(final->kind, EventKind::cancelled);
    EXPECT_EQ(final->extra, "\"cache\":\"join\",\"stopped_by\":\"deadline\"");
    EXPECT_EQ(*final->body, "{}") << "nothing was reported yet";
    EXPECT_EQ(patient.reply->finals(), 0);
    EXPECT_EQ(seen.runs, 1);
}

TEST(Join, GoesOnInTheQueueWhenTheFirstCallerLeaves) {
    Observed seen;
    Service service({}, methods(seen));
    const auto blocker = ask(service, endless(), "x");
    ASSERT_TRUE(blocker.reply->wait(EventKind::started));
    const auto other = ask(service, {{"name", "other"}}, "x");
    const auto first = ask(service, {{"key", "k"}}, "a");
    const auto second = ask(service, {{"key", "k"}}, "b");
    EXPECT_EQ(*second.reply->events()[0]->body, "{\"ahead\":1}");
    service.cancel(first.ticket);
    EXPECT_EQ(first.reply->finals(), 1);
    service.cancel(blocker.ticket);
    EXPECT_EQ(second.reply->wait_final()->kind, EventKind::result);
    EXPECT_EQ(seen.runs, 3);
}

TEST(Join, DoesNotJoinASearchThatIsBeingStopped) {
    Observed seen;
    ServiceOptions options;
    options.search_workers = 2;
    Service service(options, methods(seen));
    // Slow to notice the stop token: 60 ms a tick.
    const auto first = ask(service, {{"key", "k"}, {"ticks", "100"}, {"tick_us", "60000"}});
    ASSERT_TRUE(first.reply->wait(EventKind::started));
    service.cancel(first.ticket);
    const auto second = ask(service, {{"key", "k"}, {"ticks", "2"}});
    service.cancel(first.ticket);  // must not touch the younger search of the same key
    const auto third = ask(service, {{"key", "k"}, {"ticks", "2"}});
    EXPECT_EQ(second.reply->wait_final()->kind, EventKind::result);
    EXPECT_EQ(third.reply->wait_final()->kind, EventKind::result);
    EXPECT_EQ(first.reply->wait_final()->kind, EventKind::cancelled);
}

TEST(Join, RaisesABatchSearchThatAnInteractiveCallerWaitsFor) {
    Observed seen;
    Service service({}, methods(seen));
    const auto blocker = ask(service, endless({{"name", "blocker"}}), "x");
    ASSERT_TRUE(blocker.reply->wait(EventKind::started));
    const auto other_batch = ask(service, {{"name", "other"}, {"priority", "batch"}}, "a");
    const auto batch = ask(service, {{"name", "wanted"}, {"key", "k"}, {"priority", "batch"}}, "b");
    EXPECT_EQ(*batch.reply->events()[0]->body, "{\"ahead\":1}");
    const auto interactive = ask(service, {{"name", "wanted"}, {"key", "k"}}, "c");
    EXPECT_EQ(*interactive.reply->events()[0]->body, "{\"ahead\":0}");
    service.cancel(blocker.ticket);
    ASSERT_TRUE(other_batch.reply->wait_final());
    EXPECT_EQ(seen.order, (std::vector<std::string>{"blocker", "wanted", "other"}));
}

TEST(Join, RacesOfJoiningAndLeavingEndInOneFinalEach) {
    Observed seen;
    ServiceOptions options;
    options.search_workers = 2;
    options.limits.max_live_per_client = 5000;
    Service service(options, methods(seen));
    std::vector<std::thread> threads;
    std::mutex mutex;
    std::vector<Caller> all;
    for (std::uint64_t t = 0; t < 4; ++t) {
        threads.emplace_back([&, t] {
            SplitMix64 random(t + 7);
            std::vector<Caller> mine;
            for (int i = 0; i < 150; ++i) {
                mine.push_back(ask(service,
                                   {{"key", std::to_string(random.below(2))},
                                    {"ticks", "20"},
                                    {"tick_us", "50"},
                                    {"report", "2"}}));
                if (random.below(2) == 0)
                    service.cancel(
                        mine[random.below(static_cast<std::uint32_t>(mine.size()))].ticket);
                if (random.below(4) == 0) std::this_thread::sleep_for(300us);
            }
            const std::lock_guard lock(mutex);
            all.insert(all.end(), mine.begin(), mine.end());
        });
    }
    for (auto& thread : threads)
        thread.join();
    for (const Caller& caller : all) {
        ASSERT_TRUE(caller.reply->wait_final());
        EXPECT_EQ(caller.reply->finals(), 1);
    }
    EXPECT_EQ(service.stats().results + service.stats().cancelled, 600U);
    EXPECT_GT(service.stats().joined, 0U);
    EXPECT_LT(seen.runs, 600);
}

}  // namespace
}  // namespace yomi::service
