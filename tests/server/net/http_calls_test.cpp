// Single answers, event streams, jobs and pages over real sockets.
#include <thread>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "server/net/auth.hpp"
#include "tests/server/net/raw_client.hpp"
#include "tests/server/net/toy_server.hpp"

namespace yomi::net {
namespace {

using namespace testing;
using Json = nlohmann::json;

const char* const kSse = "Accept: text/event-stream\r\n";
const char* const kNdjson = "Accept: application/x-ndjson\r\n";

std::vector<std::string> lines(const std::string& text) {
    std::vector<std::string> all;
    std::size_t from = 0;
    for (std::size_t at = 0; (at = text.find('\n', from)) != std::string::npos; from = at + 1) {
        all.push_back(text.substr(from, at - from));
    }
    return all;
}

TEST(HttpCalls, AnswersInTheFormThatIsAccepted) {
    ToyServer toy;
    const RawAnswer json = ask(toy.port(), get("/v1/toy/count?ticks=3"));
    EXPECT_EQ(json.status, 200);
    EXPECT_EQ(json.field("content-type"), "application/json");
    EXPECT_EQ(json.field("cache-control"), "private, no-cache");
    const Json body = Json::parse(json.body);
    EXPECT_EQ(body["ticks"], 3);
    EXPECT_EQ(body["id"], json.field("x-request-id"));
    EXPECT_EQ(body["stopped_by"], "nodes");
    const RawAnswer text = ask(toy.port(), get("/v1/toy/count?ticks=3", "Accept: text/plain\r\n"));
    EXPECT_EQ(text.body, "3\n");
    EXPECT_EQ(text.field("content-type"), "text/plain; charset=utf-8");
    EXPECT_EQ(
        ask(toy.port(), post("/v1/toy/edit", "application/json", "{}", "Accept: text/plain\r\n"))
            .status,
        406);
    const RawAnswer head =
        ask(toy.port(), "HEAD /v1/toy/count?ticks=3 HTTP/1.1\r\nHost: localhost\r\n\r\n");
    EXPECT_EQ(head.status, 200);
    EXPECT_GT(std::stoi(head.field("content-length")), 10);
}

// The second time, the words of the query alone find the answer: nothing that a client or an
// operator sees may tell.
TEST(HttpCalls, AnswersAStoredQuestionLikeADecodedOne) {
    ToyServer toy;
    const std::string path = "/v1/toy/count?ticks=3&cache=7&size=100";
    const auto body_of = [](const RawAnswer& answer) {
        Json body = Json::parse(answer.body);
        EXPECT_EQ(body["id"], answer.field("x-request-id"));
        body.erase("id");
        return body;
    };
    const RawAnswer first = ask(toy.port(), get(path));
    EXPECT_EQ(body_of(first).value("cache", ""), "");
    // A POST of the same words is decoded each time.
    const RawAnswer decoded =
        ask(toy.port(),
            post("/v1/toy/count", "application/json", R"({"ticks":3,"cache":7,"size":100})"));
    EXPECT_EQ(body_of(decoded)["cache"], "hit");
    for (int i = 0; i < 3; ++i) {
        const RawAnswer again = ask(toy.port(), get(path));
        EXPECT_EQ(again.status, 200);
        EXPECT_EQ(body_of(again), body_of(decoded));
        EXPECT_EQ(again.field("etag"), first.field("etag"));
        EXPECT_EQ(again.field("cache-control"), "private, no-cache");
        EXPECT_EQ(again.field("vary"), first.field("vary"));
        EXPECT_NE(again.field("x-request-id"), first.field("x-request-id"));
    }
    EXPECT_EQ(ask(toy.port(), get(path, "Accept: text/plain\r\n")).body, "3\n");
    EXPECT_EQ(ask(toy.port(), get(path, "Accept: image/png\r\n")).status, 406);
    RawClient client(toy.port());
    client.send(get(path, "If-None-Match: " + first.field("etag") + "\r\n"));
    EXPECT_EQ(client.read_answer(true).status, 304);
    client.send("HEAD " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    const RawAnswer head = client.read_answer(true);
    EXPECT_EQ(head.status, 200);
    EXPECT_EQ(head.field("content-length"), std::to_string(ask(toy.port(), get(path)).body.size()));
    client.send(get(path, kSse));
    EXPECT_EQ(client.read_head().field("content-type"), "text/event-stream");
    std::string events;
    while (const auto chunk = client.read_chunk()) {
        if (chunk->empty()) break;
        events += *chunk;
    }
    EXPECT_NE(events.find("event: queued"), std::string::npos) << "a stream is told as a stream";
    EXPECT_NE(events.find("\"cache\":\"hit\""), std::string::npos);
    EXPECT_EQ(ask(toy.port(), get(path, "Prefer: respond-async\r\n")).status, 202);
    EXPECT_EQ(ask(toy.port(), get(path, "Host: b\r\n")).status, 400) << "the head is judged first";
    EXPECT_EQ(ask(toy.port(), get(path, "Content-Length: 2\r\n") + "{}").status, 400);
    EXPECT_EQ(toy.counters.started, 1);
    const service::ServiceStats stats = toy.service->stats();
    EXPECT_EQ(stats.requests, 11U);
    EXPECT_EQ(stats.cache_hits, 10U);
    EXPECT_EQ(ask(toy.port(), get("/v1/toy/count?ticks=4&cache=7&size=100")).status, 200);
    EXPECT_EQ(toy.counters.started, 2) << "more than what is stored";
}

TEST(HttpCalls, HandsThePayloadOverAsItCame) {
    ToyServer toy;
    const auto echo = [&](const std::string& request) {
        return Json::parse(ask(toy.port(), request).body);
    };
    Json answer = echo(get("/v1/toy/echo?position=8h2b+&x=%2B%20"));
    EXPECT_EQ(answer["query"], Json::parse(R"([["position","8h2b+"],["x","+ "]])"));
    answer =
        echo(post("/v1/toy/echo?q=1", "application/x-www-form-urlencoded", "position=startpos"));
    EXPECT_EQ(answer["kind"], "form");
    EXPECT_EQ(answer["query"], Json::parse(R"([["q","1"],["position","startpos"]])"));
    answer = echo(post("/v1/toy/echo", "application/x-www-form-urlencoded", "{\"position\":1}"));
    EXPECT_EQ(answer["kind"], "json");
    answer = echo(post("/v1/toy/echo", "text/plain; charset=Shift_JIS", "\x8e\xe8"));
    EXPECT_EQ(answer["kind"], "text");
    EXPECT_EQ(answer["charset"], "shift_jis");
    const std::string record(1'000'000, 'r');
    answer = echo(post("/v1/toy/echo", "text/plain", record));
    EXPECT_EQ(answer["body"].get<std::string>().size(), record.size());
}

TEST(HttpCalls, SaysWhatIsWrongAsAProblem) {
    ToyServer toy;
    const RawAnswer answer = ask(toy.port(), get("/v1/toy/count?tocks=3"));
    EXPECT_EQ(answer.status, 400);
    EXPECT_EQ(Json::parse(answer.body)["pointer"], "/tocks");
    // The same for a stream: a call that fails before it starts has a status of its own.
    for (const char* accept : {kSse, kNdjson}) {
        const RawAnswer stream = ask(toy.port(), get("/v1/toy/count?ticks=x", accept));
        EXPECT_EQ(stream.status, 400);
        EXPECT_EQ(stream.field("content-type"), "application/problem+json");
    }
    const RawAnswer wrong =
        ask(toy.port(), "PUT /v1/toy/count HTTP/1.1\r\nHost: localhost\r\n\r\n");
    EXPECT_EQ(wrong.status, 405);
    EXPECT_EQ(wrong.field("allow"), "GET, HEAD, POST, OPTIONS");
}

TEST(HttpCalls, StreamsServerSentEvents) {
    ToyServer toy;
    const RawAnswer answer = ask(toy.port(), get("/v1/toy/count?ticks=4", kSse));
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.field("content-type"), "text/event-stream");
    EXPECT_EQ(answer.field("x-accel-buffering"), "no");
    std::vector<std::string> names;
    int seq = -1;
    for (const std::string& line : lines(answer.body)) {
        if (line.starts_with("id: ")) {
            EXPECT_GT(std::stoi(line.substr(4)), seq);
            seq = std::stoi(line.substr(4));
        }
        if (line.starts_with("event: ")) names.push_back(line.substr(7));
        if (line.starts_with("data: ")) {
            const Json event = Json::parse(line.substr(6));
            EXPECT_EQ(event["event"], names.back());
            EXPECT_EQ(event["seq"], seq);
            EXPECT_EQ(event["id"], answer.field("x-request-id"));
        }
    }
    const std::vector<std::string> expected = {
        "queued", "started", "progress", "progress", "progress", "progress", "result"};
    EXPECT_EQ(names, expected);
}

TEST(HttpCalls, StreamsNdjsonAndKeepsTheConnection) {
    ToyServer toy;
    RawClient client(toy.port());
    for (int round = 0; round < 3; ++round) {
        client.send(get("/v1/toy/count?ticks=2", kNdjson));
        const RawAnswer answer = client.read_answer();
        EXPECT_EQ(answer.field("content-type"), "application/x-ndjson");
        const auto events = lines(answer.body);
        ASSERT_EQ(events.size(), 5U);
        EXPECT_EQ(Json::parse(events.back())["event"], "result");
    }
    // HTTP/1.0 knows no chunks: the end of the connection is the end of the stream.
    RawClient old(toy.port());
    old.send(
        "GET /v1/toy/count?ticks=2 HTTP/1.0\r\nHost: localhost\r\nAccept: "
        "application/x-ndjson\r\n\r\n");
    const RawAnswer answer = old.read_answer();
    EXPECT_EQ(answer.field("transfer-encoding"), "");
    EXPECT_EQ(lines(answer.body).size(), 5U);
}

TEST(HttpCalls, SendsTheFirstBytesAtOnceAndHeartbeatsAfterwards) {
    ToyServer toy([](Options& options) { options.heartbeat = Milliseconds(60); },
                  [](service::ServiceOptions& options) { options.search_workers = 1; });
    RawClient busy(toy.port());
    busy.send(get("/v1/toy/count?ticks=1&tick_ms=100000", kSse));
    EXPECT_EQ(busy.read_head().status, 200);
    for (const auto& [accept, beat] :
         {std::pair{kSse, ": heartbeat\n\n"}, std::pair{kNdjson, "\n"}}) {
        RawClient client(toy.port());
        client.send(get("/v1/toy/count?ticks=1", accept));
        EXPECT_EQ(client.read_head().status, 200);
        EXPECT_NE(client.read_chunk()->find("queued"), std::string::npos);
        EXPECT_EQ(client.read_chunk(), beat) << "from the moment of queueing";
        EXPECT_EQ(client.read_chunk(), beat);
    }
}

TEST(HttpCalls, StopsTheWorkOfAClientThatLeaves) {
    ToyServer toy;
    for (const char* accept : {"", kSse, kNdjson}) {
        for (const bool reset : {false, true}) {
            const int started = toy.counters.started.load();
            const int stopped = toy.counters.stopped.load();
            RawClient client(toy.port());
            client.send(get("/v1/toy/count?ticks=100000&tick_ms=10", accept));
            ASSERT_TRUE(eventually([&] { return toy.counters.started.load() > started; }));
            reset ? client.reset() : client.close();
            EXPECT_TRUE(eventually([&] { return toy.counters.stopped.load() > stopped; }))
                << accept << reset;
        }
    }
    EXPECT_TRUE(eventually([&] { return toy.service->stats().live == 0; }));
    // Leaving the queue: the one worker is busy, the waiting call never starts.
    EXPECT_EQ(toy.counters.finished.load(), 0);
}

TEST(HttpCalls, FreesTheQueueOfAClientThatLeavesIt) {
    ToyServer toy({}, [](service::ServiceOptions& options) { options.search_workers = 1; });
    RawClient busy(toy.port());
    busy.send(get("/v1/toy/count?ticks=1&tick_ms=100000"));
    ASSERT_TRUE(eventually([&] { return toy.service->stats().running == 1; }));
    {
        RawClient waiting(toy.port());
        waiting.send(get("/v1/toy/count?ticks=1"));
        ASSERT_TRUE(eventually([&] { return toy.service->stats().queued == 1; }));
    }
    EXPECT_TRUE(eventually([&] { return toy.service->stats().queued == 0; }));
    EXPECT_EQ(toy.counters.started.load(), 1);
}

TEST(HttpCalls, ClosesAReaderThatDoesNotRead) {
    ToyServer toy([](Options& options) { options.slow_reader = Milliseconds(200); });
    RawClient client(toy.port(), 4096);
    client.send(get("/v1/toy/count?ticks=100000&tick_ms=1&size=60000", kNdjson));
    EXPECT_TRUE(eventually([&] { return toy.counters.stopped.load() == 1; }, 10000))
        << "the work of a reader that was given up stops";
    EXPECT_EQ(toy.server->stats().slow_readers, 1U);
    EXPECT_GT(toy.server->stats().events_dropped, 0U) << "progress was replaced meanwhile";
}

TEST(HttpCalls, DeliversTheFinalToAReaderThatPauses) {
    ToyServer toy;
    RawClient client(toy.port(), 4096);
    client.send(get("/v1/toy/count?ticks=400&size=60000", kNdjson));
    ASSERT_TRUE(eventually([&] { return toy.counters.finished.load() == 1; }));
    const RawAnswer answer = client.read_answer(false, 20000);
    const auto events = lines(answer.body);
    ASSERT_FALSE(events.empty());
    EXPECT_EQ(Json::parse(events.back())["event"], "result");
    EXPECT_LT(events.size(), 400U) << "progress was replaced meanwhile";
    std::uint64_t last = 0;
    for (const auto& line : events) {
        const auto seq = Json::parse(line)["seq"].get<std::uint64_t>();
        EXPECT_GE(seq, last);
        last = seq;
    }
}

TEST(HttpCalls, RunsJobsAndResumesTheirEvents) {
    ToyServer toy;
    const RawAnswer accepted = ask(toy.port(),
                                   post("/v1/toy/count",
                                        "application/json",
                                        R"({"ticks":40,"tick_ms":5})",
                                        "Prefer: respond-async\r\n"));
    ASSERT_EQ(accepted.status, 202);
    const std::string place = accepted.field("location");
    const Json job = Json::parse(accepted.body);
    EXPECT_EQ(place, "/v1/jobs/" + job["id"].get<std::string>());
    EXPECT_EQ(job["events"], place + "/events");

    // Follow, leave in the middle, resume: no event comes twice and the final comes.
    std::uint64_t last = 0;
    {
        RawClient client(toy.port());
        client.send(get(place + "/events", kNdjson));
        ASSERT_EQ(client.read_head().status, 200);
        for (int i = 0; i < 3; ++i) {
            const auto chunk = client.read_chunk();
            ASSERT_TRUE(chunk);
            last = Json::parse(lines(*chunk).back())["seq"].get<std::uint64_t>();
        }
    }
    RawClient client(toy.port());
    client.send(get(place + "/events",
                    std::string(kNdjson) + "Last-Event-ID: " + std::to_string(last) + "\r\n"));
    const RawAnswer rest = client.read_answer(false, 20000);
    const auto events = lines(rest.body);
    ASSERT_FALSE(events.empty());
    EXPECT_GT(Json::parse(events.front())["seq"].get<std::uint64_t>(), last);
    const Json final = Json::parse(events.back());
    EXPECT_EQ(final["event"], "result");
    EXPECT_EQ(final["ticks"], 40) << "a follower that leaves does not stop a job";

    const Json view = Json::parse(ask(toy.port(), get(place)).body);
    EXPECT_EQ(view["state"], "done");
    EXPECT_EQ(view["latest"]["ticks"], 40);
    const std::string seen = "Last-Event-ID: " + std::to_string(final["seq"].get<int>()) + "\r\n";
    EXPECT_EQ(ask(toy.port(), get(place + "/events", seen)).status, 204)
        << "nothing left: do not reconnect";
    EXPECT_EQ(ask(toy.port(), get(place + "/events", "Last-Event-ID: x\r\n")).status, 400);
    EXPECT_EQ(ask(toy.port(), get(place + "/events", "Accept: image/png\r\n")).status, 406);
    EXPECT_EQ(ask(toy.port(), "DELETE " + place + " HTTP/1.1\r\nHost: localhost\r\n\r\n").status,
              204);
    EXPECT_EQ(ask(toy.port(), get(place)).status, 404);
    EXPECT_EQ(ask(toy.port(), get("/v1/jobs/j-nothing/events")).status, 404);
}

TEST(HttpCalls, StopsADeletedJob) {
    ToyServer toy;
    const RawAnswer accepted =
        ask(toy.port(), get("/v1/toy/count?ticks=100000&tick_ms=10", "Prefer: respond-async\r\n"));
    ASSERT_EQ(accepted.status, 202);
    ASSERT_TRUE(eventually([&] { return toy.counters.started.load() == 1; }));
    const std::string place = accepted.field("location");
    EXPECT_EQ(ask(toy.port(), "DELETE " + place + " HTTP/1.1\r\nHost: localhost\r\n\r\n").status,
              204);
    EXPECT_TRUE(eventually([&] { return toy.counters.stopped.load() == 1; }));
    EXPECT_EQ(ask(toy.port(), get("/v1/toy/count?ticks=x", "Prefer: respond-async\r\n")).status,
              400);
}

Policy keys(bool anonymous) {
    Policy policy;
    policy.anonymous = anonymous;
    policy.keys = {{.name = "alice", .role = service::Role::editor, .sha256 = sha256_hex("sesame")},
                   {.name = "bob", .role = service::Role::user, .sha256 = sha256_hex("open")}};
    return policy;
}

TEST(HttpAuth, AsksForKeysAndRoles) {
    ToyServer toy([](Options& options) { options.policy = keys(false); });
    const auto status = [&](const std::string& request) { return ask(toy.port(), request).status; };
    const RawAnswer refused = ask(toy.port(), get("/v1/toy/echo"));
    EXPECT_EQ(refused.status, 401);
    EXPECT_NE(refused.field("www-authenticate").find("Bearer"), std::string::npos);
    EXPECT_EQ(status(get("/v1/toy/echo", "Authorization: Bearer wrong\r\n")), 401);
    EXPECT_EQ(status(get("/v1/toy/echo", "Authorization: Basic b3Blbg==\r\n")), 401);
    EXPECT_EQ(status(get("/v1/toy/echo", "Authorization: Bearer open\r\n")), 200);
    EXPECT_EQ(
        status(post("/v1/toy/edit", "application/json", "{}", "Authorization: Bearer open\r\n")),
        403);
    EXPECT_EQ(
        status(post("/v1/toy/edit", "application/json", "{}", "Authorization: Bearer sesame\r\n")),
        200);
    EXPECT_EQ(status(get("/healthz")), 200) << "probes need no key";
    // A job belongs to its key.
    const RawAnswer job =
        ask(toy.port(),
            get("/v1/toy/count", "Prefer: respond-async\r\nAuthorization: Bearer open\r\n"));
    ASSERT_EQ(job.status, 202);
    EXPECT_EQ(status(get(job.field("location"), "Authorization: Bearer open\r\n")), 200);
    EXPECT_EQ(status(get(job.field("location"), "Authorization: Bearer sesame\r\n")), 404);
    EXPECT_EQ(status(get(job.field("location"))), 401);
    // A reload counts for the next request.
    ASSERT_TRUE(toy.server->set_policy(keys(true)));
    EXPECT_EQ(status(get("/v1/toy/echo")), 200);
    EXPECT_EQ(status(post("/v1/toy/edit", "application/json", "{}")), 401);
    Policy broken = keys(true);
    broken.trusted_proxies = {"10.0.0.0/99"};
    EXPECT_FALSE(toy.server->set_policy(broken));
}

TEST(HttpPages, ShowHelpProbesAndMetrics) {
    ToyServer toy;
    const RawAnswer help = ask(toy.port(), get("/"));
    EXPECT_EQ(help.field("content-type"), "text/plain; charset=utf-8");
    std::size_t curls = 0;
    for (const auto& line : lines(help.body))
        curls += line.find("curl ") != std::string::npos ? 1 : 0;
    EXPECT_EQ(curls, 3U);
    const RawAnswer html = ask(toy.port(), get("/", "Accept: text/html,*/*;q=0.8\r\n"));
    EXPECT_EQ(html.field("content-type"), "text/html; charset=utf-8");
    EXPECT_NE(html.body.find("<!doctype html>"), std::string::npos);
    EXPECT_EQ(ask(toy.port(), get("/readyz")).status, 200);
    EXPECT_EQ(ask(toy.port(), get("/metrics")).body, "toy_metric 1\n");
    EXPECT_EQ(ask(toy.port(), get("/metrics", "X-Forwarded-For: 203.0.113.7\r\n")).status, 404)
        << "a proxy on this machine is not a client on this machine";
    EXPECT_EQ(Json::parse(ask(toy.port(), get("/openapi.json")).body)["openapi"], "3.1.0");
}

TEST(HttpPages, KeepMetricsOnTheAdminListener) {
    ToyServer toy([](Options& options) { options.admin_listen = "127.0.0.1"; });
    EXPECT_EQ(ask(toy.port(), get("/metrics")).status, 404);
    EXPECT_EQ(ask(toy.server->admin_port(), get("/metrics")).status, 200);
    EXPECT_EQ(ask(toy.server->admin_port(), get("/v1/toy/echo")).status, 404);
}

TEST(HttpPages, AnswerPreflightsOfListedOrigins) {
    ToyServer toy([](Options& options) { options.policy.cors_origins = {"https://page.example"}; });
    const auto preflight = [&](const std::string& origin) {
        return ask(toy.port(),
                   "OPTIONS /v1/toy/echo HTTP/1.1\r\nHost: localhost\r\nOrigin: " + origin +
                       "\r\nAccess-Control-Request-Method: POST\r\n\r\n");
    };
    EXPECT_EQ(preflight("https://page.example").field("access-control-allow-origin"),
              "https://page.example");
    EXPECT_NE(preflight("https://page.example").field("access-control-allow-methods").find("POST"),
              std::string::npos);
    EXPECT_EQ(preflight("https://evil.example").field("access-control-allow-origin"), "");
    const RawAnswer answer =
        ask(toy.port(), get("/v1/toy/echo", "Origin: https://page.example\r\n"));
    EXPECT_EQ(answer.field("access-control-allow-origin"), "https://page.example");
    EXPECT_EQ(answer.field("vary"), "Accept, Authorization, Origin");
}

TEST(HttpPages, SayThatAPortIsTaken) {
    ToyServer toy;
    Options options;
    options.port = toy.port();
    Server second(*toy.service, options, Pages{});
    const auto started = second.start();
    ASSERT_FALSE(started);
    EXPECT_NE(started.error().message.find("port " + std::to_string(toy.port()) + " is taken"),
              std::string::npos);
}

TEST(HttpLimits, RefuseMoreThanAClientMayHaveLive) {
    ToyServer toy({},
                  [](service::ServiceOptions& options) { options.limits.max_live_per_client = 1; });
    RawClient first(toy.port());
    first.send(get("/v1/toy/count?ticks=1&tick_ms=100000"));
    ASSERT_TRUE(eventually([&] { return toy.service->stats().live == 1; }));
    const RawAnswer answer = ask(toy.port(), get("/v1/toy/count?ticks=1"));
    EXPECT_EQ(answer.status, 429);
    EXPECT_GE(std::stoi(answer.field("retry-after")), 1);
    EXPECT_EQ(answer.field("ratelimit-limit"), "1");
    EXPECT_EQ(answer.field("ratelimit-remaining"), "0");
}

}  // namespace
}  // namespace yomi::net
