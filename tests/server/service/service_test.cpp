// A request's ordinary life: events, errors, limits, lanes, records.
#include "server/service/service.hpp"

#include <algorithm>
#include <gmock/gmock.h>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/hash.hpp"
#include "tests/server/service/counter.hpp"

namespace yomi::service {
namespace {

using namespace toy;

TEST(Service, TellsQueuedStartedProgressAndTheResult) {
    Observed seen;
    Service service({}, methods(seen));
    const auto reply = std::make_shared<Recorder>();
    service.submit(call_of({{"ticks", "30"}, {"report", "10"}, {"key", "k"}}), reply);
    const auto final = reply->wait_final();
    ASSERT_TRUE(final);
    const auto events = reply->events();
    ASSERT_EQ(events.size(), 6U);
    EXPECT_EQ(proto::event_json(*events[0]),
              "{\"id\":\"" + events[0]->id + "\",\"seq\":0,\"event\":\"queued\",\"ahead\":0}");
    EXPECT_EQ(*events[1]->body, "{}");
    EXPECT_EQ(*events[2]->body, "{\"count\":10}");
    EXPECT_EQ(*events[4]->body, "{\"count\":30}");
    EXPECT_EQ(final->kind, EventKind::result);
    EXPECT_EQ(final->status, 200);
    EXPECT_EQ(*final->body, "{\"count\":30,\"memory\":0,\"warm\":false}");
    EXPECT_EQ(*final->text, "30\n");
    EXPECT_EQ(final->extra, "\"cache\":\"miss\",\"stopped_by\":\"nodes\"");
    EXPECT_EQ(final->id.size(), 28U);
    EXPECT_EQ(final->id.substr(0, 2), "r-");
    const auto stats = service.stats();
    EXPECT_EQ(stats.requests, 1U);
    EXPECT_EQ(stats.results, 1U);
    EXPECT_EQ(stats.nodes, 30U);
    EXPECT_EQ(stats.progress_events, 3U);
    EXPECT_EQ(stats.cache_hits, 0U);
    EXPECT_EQ(stats.live, 0U);
}

TEST(Service, GivesTheFinalAloneToWhoWantsNoEvents) {
    Observed seen;
    Service service({}, methods(seen));
    const auto reply = std::make_shared<Recorder>();
    Call call = call_of({{"ticks", "30"}, {"report", "10"}}, "c", false);
    call.id = "mine";
    service.submit(std::move(call), reply);
    const auto final = reply->wait_final();
    ASSERT_TRUE(final);
    EXPECT_EQ(reply->events().size(), 1U);
    EXPECT_EQ(final->seq, 0U);
    EXPECT_EQ(final->id, "mine");
    EXPECT_EQ(final->extra, "\"stopped_by\":\"nodes\"") << "no cache word without a key";
}

TEST(Service, RunsEachLaneWhereItBelongs) {
    Observed seen;
    Service service({}, methods(seen));
    const auto blocker = std::make_shared<Recorder>();
    const Ticket ticket = service.submit(call_of(endless()), blocker);
    ASSERT_TRUE(blocker->wait(EventKind::started));

    const auto inline_reply = std::make_shared<Recorder>();
    service.submit(call_of({{"lane", "inline"}}), inline_reply);
    EXPECT_EQ(inline_reply->finals(), 1) << "delivered before submit returned";
    EXPECT_EQ(inline_reply->events().size(), 3U);
    const auto short_reply = std::make_shared<Recorder>();
    service.submit(call_of({{"lane", "short"}, {"key", "k"}}), short_reply);
    const auto final = short_reply->wait_final();
    ASSERT_TRUE(final);
    EXPECT_EQ(final->extra, "\"stopped_by\":\"nodes\"") << "short work is not joined";
    EXPECT_EQ(blocker->finals(), 0);
    service.cancel(ticket);
    blocker->wait_final();
}

TEST(Service, DecodesLargePayloadsOnTheShortLane) {
    Observed seen;
    Service service({}, methods(seen));
    for (const char* lane : {"search", "short", "inline"}) {
        const auto reply = std::make_shared<Recorder>();
        Call call = call_of({{"ticks", "5"}, {"lane", lane}, {"decode_ms", "150"}});
        call.payload.body.assign(5000, 'x');
        service.submit(std::move(call), reply);
        EXPECT_EQ(reply->events().size(), 0U) << "the caller's thread does not read it";
        const auto final = reply->wait_final();
        ASSERT_TRUE(final);
        EXPECT_EQ(final->kind, EventKind::result);
        EXPECT_EQ(reply->events().size(), 3U);
    }
    const auto wrong = std::make_shared<Recorder>();
    Call call = call_of({{"ticks", "many"}});
    call.payload.body.assign(5000, 'x');
    service.submit(std::move(call), wrong);
    ASSERT_TRUE(wrong->wait_final());
    EXPECT_EQ(wrong->events().back()->status, 400);
}

TEST(Service, SaysWhatIsWrongWithACall) {
    Observed seen;
    Service service({}, methods(seen));
    struct Row {
        std::string method;
        Role role;
        Fields fields;
        ErrorCode code;
        std::string words;
    };
    const std::vector<Row> rows{
        {"toy.dance", Role::user, {}, ErrorCode::unknown_method, "\"value\":\"toy.dance\""},
        {"toy.edit", Role::anonymous, {}, ErrorCode::unauthorized, "key"},
        {"toy.edit", Role::user, {}, ErrorCode::forbidden, "role"},
        {"toy.count",
         Role::user,
         {{"ticks", "many"}},
         ErrorCode::bad_type,
         "\"pointer\":\"/ticks\""},
        {"toy.count", Role::user, {{"fail", "1"}}, ErrorCode::unsupported, "cannot count that"},
        {"toy.count", Role::user, {{"throw", "1"}}, ErrorCode::internal, "internal error"},
        {"toy.count", Role::user, {{"throw", "2"}}, ErrorCode::internal, "internal error"},
        {"toy.count", Role::user, {{"throw", "3"}}, ErrorCode::internal, "internal error"},
        {"toy.count",
         Role::user,
         {{"throw", "1"}, {"lane", "short"}},
         ErrorCode::internal,
         "internal error"},
        {"toy.count",
         Role::user,
         {{"throw", "1"}, {"lane", "inline"}},
         ErrorCode::internal,
         "internal error"},
    };
    for (const Row& row : rows) {
        const auto reply = std::make_shared<Recorder>();
        Call call = call_of(row.fields);
        call.method = row.method;
        call.role = row.role;
        service.submit(std::move(call), reply);
        const auto final = reply->wait_final();
        ASSERT_TRUE(final);
        EXPECT_EQ(final->kind, EventKind::error);
        EXPECT_EQ(final->status, proto::problem_kind(row.code).status);
        const std::string body = *final->body;
        EXPECT_NE(body.find(std::string(proto::problem_kind(row.code).type)), std::string::npos)
            << body;
        EXPECT_NE(body.find(row.words), std::string::npos) << body;
        EXPECT_NE(body.find("\"instance\":\"" + final->id + "\""), std::string::npos) << body;
        EXPECT_EQ(body.find("secret"), std::string::npos) << body;
    }
    EXPECT_EQ(service.stats().errors, rows.size());

    const auto editor = std::make_shared<Recorder>();
    Call call = call_of({});
    call.method = "toy.edit";
    call.role = Role::admin;
    service.submit(std::move(call), editor);
    EXPECT_EQ(editor->wait_final()->kind, EventKind::result) << "a role includes those before it";
}

TEST(Service, LogsWhatThrewOnceAndServesOn) {
    Observed seen;
    std::mutex mutex;
    std::vector<std::string> lines;
    ServiceOptions options;
    options.log = [&](std::string_view level, std::string_view message) {
        const std::lock_guard lock(mutex);
        lines.push_back(std::string(level) + ": " + std::string(message));
    };
    {
        Service service(options, methods(seen));
        for (const char* what : {"1", "3"}) {
            const auto reply = std::make_shared<Recorder>();
            service.submit(call_of({{"throw", what}}), reply);
            reply->wait_final();
        }
        const auto after = std::make_shared<Recorder>();
        service.submit(call_of({}), after);
        EXPECT_EQ(after->wait_final()->kind, EventKind::result);
    }
    // The line about the engine may come after its final event.
    EXPECT_THAT(lines,
                testing::UnorderedElementsAre("error: secret of the engine",
                                              "error: secret of the decoder"));
}

TEST(Service, GivesOneRecordForEveryRequest) {
    Observed seen;
    std::mutex mutex;
    std::map<std::string, RequestRecord> records;
    int count = 0;
    ServiceOptions options;
    options.on_final = [&](const RequestRecord& record) {
        const std::lock_guard lock(mutex);
        records[record.id] = record;
        ++count;
    };
    {
        Service service(options, methods(seen));
        const auto submit = [&](std::string id, Fields fields) {
            const auto reply = std::make_shared<Recorder>();
            Call call = call_of(std::move(fields), "addr:192.0.2.1");
            call.id = std::move(id);
            const Ticket ticket = service.submit(std::move(call), reply);
            return std::pair(ticket, reply);
        };
        submit("done", {{"ticks", "20"}, {"tick_us", "500"}, {"key", "k"}}).second->wait_final();
        submit("wrong", {{"ticks", "many"}}).second->wait_final();
        const auto nobody = std::make_shared<Recorder>();
        Call unknown = call_of({});
        unknown.id = "unknown";
        unknown.method = std::string(60'000, 'x');
        service.submit(std::move(unknown), nobody);
        nobody->wait_final();
        const auto [busy, busy_reply] = submit("stopped", endless());
        busy_reply->wait(EventKind::started);
        const auto [gone, gone_reply] = submit("gone", {});
        std::this_thread::sleep_for(5ms);
        service.abandon(gone);
        service.cancel(busy);
        busy_reply->wait_final();
        EXPECT_EQ(gone_reply->finals(), 0);
    }
    EXPECT_EQ(count, 5);
    EXPECT_EQ(records["done"].outcome, "result");
    EXPECT_EQ(records["done"].method, "toy.count");
    EXPECT_EQ(records["done"].client, "addr:192.0.2.1");
    EXPECT_EQ(records["done"].nodes, 20U);
    EXPECT_EQ(records["done"].cache, "miss");
    EXPECT_EQ(records["done"].stopped_by, engine::StopReason::nodes);
    EXPECT_GE(records["done"].engine_time, 10ms);
    EXPECT_EQ(records["wrong"].outcome, "error");
    EXPECT_EQ(records["wrong"].error, ErrorCode::bad_type);
    EXPECT_EQ(records["unknown"].method, "unknown") << "a client's words do not fill the log";
    EXPECT_EQ(records["unknown"].error, ErrorCode::unknown_method);
    EXPECT_EQ(records["stopped"].outcome, "cancelled");
    EXPECT_EQ(records["stopped"].stopped_by, engine::StopReason::cancelled);
    EXPECT_EQ(records["gone"].outcome, "abandoned");
    EXPECT_GE(records["gone"].queue_time, 5ms);
    EXPECT_EQ(records["gone"].engine_time.count(), 0);
}

TEST(Service, RefusesWhenTheQueueIsFullAndSaysWhenToComeBack) {
    Observed seen;
    ServiceOptions options;
    options.limits.max_queue = 4;
    options.limits.max_live_per_client = 1000;
    Service service(options, methods(seen));
    const auto blocker = std::make_shared<Recorder>();
    service.submit(call_of(endless()), blocker);
    ASSERT_TRUE(blocker->wait(EventKind::started));
    std::vector<std::shared_ptr<Recorder>> replies;
    for (int i = 0; i < 40; ++i) {
        replies.push_back(std::make_shared<Recorder>());
        service.submit(call_of({{"estimate_ms", "2500"}}), replies.back());
        EXPECT_LE(service.stats().queued, 4U);
    }
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(*replies[i]->events().at(0)->body, "{\"ahead\":" + std::to_string(i) + "}");
    }
    for (std::size_t i = 4; i < 40; ++i) {
        const auto events = replies[i]->events();
        ASSERT_EQ(events.size(), 1U);
        EXPECT_EQ(events[0]->status, 503);
        EXPECT_EQ(events[0]->retry_after_s, 3) << "2.5 s a search, one worker";
    }
    EXPECT_EQ(service.stats().rejected_busy, 36U);
    EXPECT_GE(service.retry_after_s(ErrorCode::busy), 1);
    Limits wider = service.limits();
    wider.max_queue = 5;
    service.set_limits(wider);
    const auto fifth = std::make_shared<Recorder>();
    service.submit(call_of({}), fifth);
    EXPECT_EQ(fifth->finals(), 0);
}

TEST(Service, HoldsEachClientToItsQuota) {
    Observed seen;
    ServiceOptions options;
    options.limits.max_live_per_client = 3;
    Service service(options, methods(seen));
    std::vector<Ticket> tickets;
    std::vector<std::shared_ptr<Recorder>> replies;
    for (int i = 0; i < 4; ++i) {
        replies.push_back(std::make_shared<Recorder>());
        tickets.push_back(service.submit(call_of(endless(), "greedy"), replies.back()));
    }
    ASSERT_TRUE(replies[3]->wait_final());
    EXPECT_EQ(replies[3]->events()[0]->status, 429);
    EXPECT_GE(replies[3]->events()[0]->retry_after_s, 1);
    EXPECT_EQ(service.stats().rejected_quota, 1U);
    const auto other = std::make_shared<Recorder>();
    service.submit(call_of({}, "modest"), other);
    EXPECT_EQ(other->finals(), 0);
    service.cancel(tickets[2]);
    const auto again = std::make_shared<Recorder>();
    service.submit(call_of({}, "greedy"), again);
    EXPECT_EQ(again->finals(), 0) << "a place is free again";
}

TEST(Service, LetsAClientCallAgainTheMomentItHasItsFinal) {
    Observed seen;
    ServiceOptions options;
    options.limits.max_live_per_client = 1;
    Service service(options, methods(seen));
    for (int i = 0; i < 300; ++i) {
        const auto reply = std::make_shared<Recorder>();
        service.submit(call_of({}, "c", false), reply);
        ASSERT_EQ(reply->wait_final()->kind, EventKind::result) << i;
    }
}

TEST(Service, ServesClientsInTurn) {
    Observed seen;
    ServiceOptions options;
    options.limits.max_live_per_client = 200;
    Service service(options, methods(seen));
    const auto blocker = std::make_shared<Recorder>();
    const Ticket ticket = service.submit(call_of(endless({{"name", "blocker"}}), "x"), blocker);
    ASSERT_TRUE(blocker->wait(EventKind::started));
    std::vector<std::shared_ptr<Recorder>> replies;
    const auto submit = [&](std::string client, std::string name) {
        replies.push_back(std::make_shared<Recorder>());
        service.submit(
            call_of({{"name", std::move(name)}, {"estimate_ms", "100"}}, std::move(client)),
            replies.back());
    };
    for (int i = 0; i < 100; ++i)
        submit("greedy", "g" + std::to_string(i));
    for (int i = 0; i < 10; ++i)
        submit("modest" + std::to_string(i), "m" + std::to_string(i));
    EXPECT_EQ(*replies[100]->events().at(0)->body, "{\"ahead\":1}");
    service.cancel(ticket);
    for (const auto& reply : replies)
        ASSERT_TRUE(reply->wait_final());
    ASSERT_EQ(seen.order.size(), 111U);
    EXPECT_EQ(seen.order[1], "g0");
    for (std::size_t i = 0; i < 10; ++i)
        EXPECT_EQ(seen.order[2 + i], "m" + std::to_string(i));
    EXPECT_EQ(seen.order[110], "g99");
}

TEST(Service, LetsInteractiveCallsPassBatchCallsUntilThoseAreOld) {
    Observed seen;
    ServiceOptions options;
    options.batch_rises_after = 400ms;
    Service service(options, methods(seen));
    const auto run_order = [&](std::chrono::milliseconds wait) {
        {
            const std::lock_guard lock(seen.mutex);
            seen.order.clear();
        }
        std::vector<std::shared_ptr<Recorder>> replies;
        std::vector<Ticket> tickets;
        const auto submit = [&](Fields fields, std::string client) {
            replies.push_back(std::make_shared<Recorder>());
            tickets.push_back(
                service.submit(call_of(std::move(fields), std::move(client)), replies.back()));
        };
        submit(endless({{"name", "blocker"}}), "x");
        replies[0]->wait(EventKind::started);
        submit({{"name", "batch"}, {"priority", "batch"}}, "b");
        std::this_thread::sleep_for(wait);
        submit({{"name", "i1"}}, "i");
        submit({{"name", "i2"}}, "i");
        submit({{"name", "i3"}}, "i");
        service.cancel(tickets[0]);
        for (const auto& reply : replies)
            reply->wait_final();
        const std::lock_guard lock(seen.mutex);
        return std::find(seen.order.begin(), seen.order.end(), "batch") - seen.order.begin();
    };
    EXPECT_EQ(run_order(0ms), 4) << "blocker, three interactive calls, batch";
    EXPECT_LE(run_order(420ms), 2) << "it takes its turn among them";
}

TEST(Service, CoalescesWithinADepthButNeverLosesACompletedOne) {
    Observed seen;
    Service service({}, methods(seen));
    const auto chatty = std::make_shared<Recorder>();
    service.submit(
        call_of({{"ticks", "500"}, {"report", "1"}, {"complete", "0"}, {"interval_ms", "60000"}}),
        chatty);
    const auto complete = std::make_shared<Recorder>();
    service.submit(
        call_of({{"ticks", "500"}, {"report", "1"}, {"complete", "1"}, {"interval_ms", "60000"}}),
        complete);
    ASSERT_TRUE(chatty->wait_final());
    ASSERT_TRUE(complete->wait_final());
    EXPECT_LE(chatty->count_of(EventKind::progress), 1U);
    EXPECT_EQ(complete->count_of(EventKind::progress), 500U);
}

TEST(Service, LeasesMemoryUnderOneBudgetAndKeepsSessionsWarm) {
    Observed seen;
    ServiceOptions options;
    options.search_workers = 3;
    options.memory_budget_bytes = std::size_t{10} << 20;
    options.limits.max_hash_mib = 256;
    Service service(options, methods(seen));
    EXPECT_EQ(service.limits().max_hash_mib, 3U) << "10 MiB over three workers";
    EXPECT_EQ(service.limits().default_hash_mib, 3U);
    const auto ask = [&](Fields fields, std::string client) {
        const auto reply = std::make_shared<Recorder>();
        service.submit(call_of(std::move(fields), std::move(client)), reply);
        const auto final = reply->wait_final();
        return final ? *final->body : std::string();
    };
    const Fields session{{"hash", "1048576"}, {"session", "s"}};
    EXPECT_EQ(ask(session, "a"), "{\"count\":1,\"memory\":1048576,\"warm\":false}");
    EXPECT_EQ(ask(session, "a"), "{\"count\":1,\"memory\":1048576,\"warm\":true}");
    EXPECT_EQ(ask(session, "b"), "{\"count\":1,\"memory\":1048576,\"warm\":false}")
        << "another client's";
    EXPECT_EQ(ask({{"hash", "1048576"}}, "a"), "{\"count\":1,\"memory\":1048576,\"warm\":false}");
    EXPECT_EQ(ask({{"hash", "999999999"}}, "a"), "{\"count\":1,\"memory\":3145728,\"warm\":false}");
    EXPECT_EQ(ask({{"hash", "1048576"}, {"session", "s"}, {"throw", "1"}}, "a").find("count"),
              std::string::npos);
    EXPECT_EQ(ask(session, "a"), "{\"count\":1,\"memory\":1048576,\"warm\":false}")
        << "what a broken search left behind is not reused";

    std::vector<std::shared_ptr<Recorder>> replies;
    for (int i = 0; i < 60; ++i) {
        replies.push_back(std::make_shared<Recorder>());
        Fields fields{{"hash", "3145728"}, {"ticks", "3"}, {"tick_us", "300"}};
        if (i % 2 == 0) fields.emplace_back("session", std::to_string(i % 7));
        service.submit(call_of(std::move(fields), "c" + std::to_string(i % 5)), replies.back());
        EXPECT_LE(service.stats().memory_bytes_leased, std::size_t{10} << 20);
    }
    for (const auto& reply : replies) {
        EXPECT_NE(reply->wait_final()->body->find("\"memory\":3145728"), std::string::npos);
    }
    EXPECT_LE(seen.most_inside, 3);
    EXPECT_EQ(service.stats().memory_bytes_leased, 0U);
    EXPECT_EQ(service.stats().memory_bytes_total, std::size_t{10} << 20);
}

TEST(Service, LetsGoOfReplyAndCallAfterTheFinal) {
    Observed seen;
    auto list = methods(seen);
    const auto owned = std::make_shared<int>(0);
    list[0].decode = [inner = list[0].decode, owned](const Payload& payload, const Limits& limits) {
        auto call = inner(payload, limits);
        if (call) {
            call->run = [run = call->run, owned](RunContext& context) { return run(context); };
        }
        return call;
    };
    Service service({}, std::move(list));
    const long before = owned.use_count();
    const auto reply = std::make_shared<Recorder>();
    service.submit(call_of({{"ticks", "3"}}), reply);
    reply->wait_final();
    const Ticket running = service.submit(call_of(endless()), std::make_shared<Recorder>());
    const Ticket queued = service.submit(call_of({}), std::make_shared<Recorder>());
    service.abandon(queued);
    service.cancel(running);
    EXPECT_TRUE(eventually([&] { return owned.use_count() == before; }));
    EXPECT_TRUE(eventually([&] { return reply.use_count() == 1; }));
    EXPECT_EQ(service.stats().live, 0U);
}

}  // namespace
}  // namespace yomi::service
