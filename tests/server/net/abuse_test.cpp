// What broke comparable servers in public bug reports, each over real sockets. The numbers are
// those of the list in tests/server/net/README.md; rows that other files test are named there.
#include <chrono>
#include <fstream>
#include <map>
#include <set>
#include <sys/resource.h>
#include <thread>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/base/hash.hpp"
#include "tests/server/net/raw_client.hpp"
#include "tests/server/net/toy_server.hpp"

namespace yomi::net {
namespace {

using namespace testing;
using Json = nlohmann::json;

std::string count_call(const std::string& id, int ticks, int tick_ms, int key = 0) {
    return Json{{"id", id},
                {"method", "toy.count"},
                {"params", {{"ticks", ticks}, {"tick_ms", tick_ms}, {"key", key}}}}
        .dump();
}

// 2
TEST(Abuse, RefusesJsonThreeThousandDeep) {
    ToyServer toy;
    std::string deep;
    for (int i = 0; i < 3000; ++i)
        deep += R"({"a":[)";
    WsClient client(toy.port());
    client.send_text(deep);
    EXPECT_EQ(Json::parse(client.read_text())["status"], 400);
    client.send_text(R"({"id":"x","method":"toy.count","params":)" + deep);
    EXPECT_EQ(Json::parse(client.read_text())["status"], 400);
    EXPECT_EQ(ask(toy.port(), post("/v1/batch", "application/json", deep)).status, 400);
    EXPECT_EQ(
        ask(toy.port(), post("/v1/batch", "application/json", R"({"requests":[{"params":)" + deep))
            .status,
        400);
}

// 3
TEST(Abuse, EndsTenThousandStartCancelRacesInOneFinalEach) {
    ToyServer toy({}, [](service::ServiceOptions& options) {
        options.limits.max_live_per_client = 1000;
        options.limits.max_queue = 1000;
    });
    constexpr int kSockets = 5;
    constexpr int kCalls = 2000;
    std::atomic<int> finals{0};
    std::vector<std::jthread> clients;
    for (int s = 0; s < kSockets; ++s) {
        clients.emplace_back([&, s] {
            WsClient client(toy.port());
            SplitMix64 random(static_cast<std::uint64_t>(s) + 1);
            std::set<std::string> live;
            const auto read_final = [&] {
                for (;;) {
                    const std::string text = client.read_text(20'000);
                    if (text.empty()) return false;
                    const Json event = Json::parse(text);
                    if (event["event"] != "result" && event["event"] != "cancelled") continue;
                    EXPECT_EQ(live.erase(event["id"].get<std::string>()), 1U) << text;
                    ++finals;
                    return true;
                }
            };
            for (int i = 0; i < kCalls; ++i) {
                if (live.size() >= 16 && !read_final()) return;
                const std::string id = std::to_string(i);
                live.insert(id);
                client.send_text(count_call(
                    id, static_cast<int>(random.below(4)), 0, static_cast<int>(random.below(3))));
                if (random.below(2) == 0)
                    client.send_text(Json{{"id", id}, {"method", "cancel"}}.dump());
            }
            while (!live.empty() && read_final()) {
            }
            EXPECT_TRUE(live.empty());
        });
    }
    clients.clear();
    EXPECT_EQ(finals, kSockets * kCalls);
    EXPECT_TRUE(eventually([&] { return toy.service->stats().live == 0; }));
}

// 4
TEST(Abuse, SurvivesACacheThatIsEmptiedAndForgottenWhileItIsUsed) {
    ToyServer toy({}, [](service::ServiceOptions& options) {
        options.cache_bytes = 4'000;  // three answers or so: each new one throws another out
        options.search_workers = 2;
        options.limits.max_live_per_client = 1000;
    });
    std::atomic<bool> ended{false};
    std::atomic<int> answers{0};
    std::jthread operator_of_it([&] {
        while (!ended) {
            toy.service->set_limits(toy.service->limits());
            toy.service->forget_questions();
            std::this_thread::sleep_for(std::chrono::microseconds(300));
        }
    });
    std::vector<std::jthread> clients;
    for (std::uint64_t number = 0; number < 4; ++number) {
        clients.emplace_back([&, number] {
            RawClient client(toy.port());
            SplitMix64 random(number + 1);
            for (int i = 0; i < 400; ++i) {
                const std::string ticks = std::to_string(1 + random.below(3));
                const std::string which = std::to_string(1 + random.below(6));
                client.send(get("/v1/toy/count?ticks=" + ticks + "&size=700&cache=" + which));
                const RawAnswer answer = client.read_answer();
                ASSERT_EQ(answer.status, 200);
                const Json body = Json::parse(answer.body);
                ASSERT_GE(body["ticks"], std::stoi(ticks)) << "less than what was asked";
                ASSERT_EQ(body["id"], answer.field("x-request-id"));
                ++answers;
            }
        });
    }
    clients.clear();
    ended = true;
    EXPECT_EQ(answers, 1600);
    EXPECT_LE(toy.service->stats().cache_bytes, 4'000U);
    EXPECT_EQ(toy.service->stats().live, 0U);
    EXPECT_EQ(toy.service->stats().results, 1600U);
}

// 5
TEST(Abuse, FiresAQueueDeadlineWhileAllWorkersAreBusy) {
    ToyServer toy;
    RawClient first(toy.port());
    RawClient second(toy.port());
    for (RawClient* busy : {&first, &second})
        busy->send(get("/v1/toy/count?ticks=100000&tick_ms=5"));
    ASSERT_TRUE(eventually([&] { return toy.counters.started.load() == 2; }));
    const auto begin = std::chrono::steady_clock::now();
    const RawAnswer answer = ask(toy.port(), get("/v1/toy/count?ticks=1&deadline_ms=150"));
    const auto waited = std::chrono::steady_clock::now() - begin;
    EXPECT_EQ(answer.status, 503);
    EXPECT_GE(std::stoi(answer.field("retry-after")), 1);
    EXPECT_GE(waited, std::chrono::milliseconds(150));
    EXPECT_LT(waited, std::chrono::milliseconds(2000) * slowness());
    EXPECT_EQ(toy.counters.started.load(), 2);
}

// 6
TEST(Abuse, HoldsTheQueueBoundUnderABurst) {
    ToyServer toy({}, [](service::ServiceOptions& options) {
        options.limits.max_queue = 10;
        options.limits.max_live_per_client = 1000;
    });
    std::vector<RawClient> busy;
    for (int i = 0; i < 2; ++i) {
        busy.emplace_back(toy.port());
        busy.back().send(get("/v1/toy/count?ticks=1000000&tick_ms=5"));
    }
    ASSERT_TRUE(eventually([&] { return toy.counters.started.load() == 2; }));
    std::vector<RawClient> clients;
    for (int i = 0; i < 60; ++i)
        clients.emplace_back(toy.port());
    for (RawClient& client : clients)
        client.send(get("/v1/toy/count?ticks=2"));
    ASSERT_TRUE(eventually([&] { return toy.service->stats().rejected_busy == 50; }));
    EXPECT_EQ(toy.service->stats().queued, 10U);
    busy.clear();
    int refused = 0;
    for (RawClient& client : clients) {
        const RawAnswer answer = client.read_answer(false, 60'000);
        if (answer.status == 503) {
            ++refused;
            EXPECT_GE(std::stoi(answer.field("retry-after")), 1);
        } else {
            EXPECT_EQ(answer.status, 200);
        }
    }
    EXPECT_EQ(refused, 50);
    EXPECT_EQ(toy.counters.finished.load(), 10);
}

// 11
TEST(Abuse, AnswersTheOthersOnceWhenTheFirstOfSeveralJoinedCallersLeaves) {
    ToyServer toy;
    RawClient first(toy.port());
    const std::string request = get("/v1/toy/count?ticks=150&tick_ms=5&key=7");
    first.send(request);
    ASSERT_TRUE(eventually([&] { return toy.counters.started.load() == 1; }));
    std::vector<RawClient> others;
    for (int i = 0; i < 20; ++i) {
        others.emplace_back(toy.port());
        others.back().send(request);
    }
    ASSERT_TRUE(eventually([&] { return toy.service->stats().joined == 20; }));
    first.reset();
    std::set<std::string> bodies;
    for (RawClient& other : others) {
        RawAnswer answer = other.read_answer(false, 30'000);
        EXPECT_EQ(answer.status, 200);
        Json body = Json::parse(answer.body);
        EXPECT_EQ(body["ticks"], 150);
        EXPECT_EQ(body["cache"], "join");
        body.erase("id");
        bodies.insert(body.dump());
        EXPECT_TRUE(other.silent(0)) << "one answer, not two";
    }
    EXPECT_EQ(bodies.size(), 1U);
    EXPECT_EQ(toy.counters.started.load(), 1);
    EXPECT_EQ(toy.counters.stopped.load(), 0);
}

// 11, in bulk; the first caller leaves here, too
TEST(Abuse, RunsTwoHundredEqualRequestsAsOneSearch) {
    ToyServer toy(
        {}, [](service::ServiceOptions& options) { options.limits.max_live_per_client = 1000; });
    const std::string request = get("/v1/toy/count?ticks=400&tick_ms=5&key=11");
    std::vector<RawClient> clients;
    for (int i = 0; i < 200; ++i)
        clients.emplace_back(toy.port());
    for (RawClient& client : clients)
        client.send(request);
    ASSERT_TRUE(eventually([&] { return toy.service->stats().joined == 199; }));
    clients.front().reset();
    std::set<std::string> bodies;
    for (std::size_t i = 1; i < clients.size(); ++i) {
        const RawAnswer answer = clients[i].read_answer(false, 60'000);
        ASSERT_EQ(answer.status, 200);
        Json body = Json::parse(answer.body);
        body.erase("id");
        body.erase("cache");  // one of them began the search, the others joined it
        bodies.insert(body.dump());
    }
    EXPECT_EQ(bodies.size(), 1U);
    EXPECT_EQ(toy.counters.started.load(), 1);
    EXPECT_EQ(toy.counters.finished.load(), 1);
    EXPECT_EQ(toy.counters.stopped.load(), 0);
    EXPECT_TRUE(eventually([&] { return toy.service->stats().live == 0; }));
}

// 14
TEST(Abuse, ShowsNoClientAnothersInput) {
    ToyServer toy([](Options& options) { options.policy.trusted_proxies = {"127.0.0.1"}; });
    const std::string alice = "X-Forwarded-For: 203.0.113.1\r\n";
    const std::string bob = "X-Forwarded-For: 203.0.113.2\r\n";
    const std::string secret = "5f3759df";
    const RawAnswer accepted =
        ask(toy.port(),
            post("/v1/toy/echo", "text/plain", secret, "Prefer: respond-async\r\n" + alice));
    ASSERT_EQ(accepted.status, 202);
    const std::string location = accepted.field("location");
    ASSERT_TRUE(eventually([&] {
        return ask(toy.port(), get(location, alice)).body.find(secret) != std::string::npos;
    }));
    for (const std::string& path : {location,
                                    location + "/events",
                                    std::string("/v1/jobs"),
                                    std::string("/"),
                                    std::string("/metrics"),
                                    std::string("/openapi.json"),
                                    std::string("/v1/jobs/j-00000000000000000000000000")}) {
        const RawAnswer answer =
            ask(toy.port(), get(path, bob + "Accept: text/event-stream, */*\r\n"));
        EXPECT_EQ(answer.body.find(secret), std::string::npos) << path;
    }
    EXPECT_EQ(ask(toy.port(), get(location, bob)).status, 404);
    const std::string remove =
        "DELETE " + location + " HTTP/1.1\r\nHost: localhost\r\n" + bob + "\r\n";
    EXPECT_EQ(ask(toy.port(), remove).status, 404);
    EXPECT_EQ(ask(toy.port(), get(location, alice)).status, 200);
}

/// Resident memory of this process, in bytes.
std::size_t resident() {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;) {
        std::size_t kib = 0;
        if (word == "VmRSS:" && status >> kib) return kib * 1024;
    }
    return 0;
}

// 16 in small: the other 2,500 would need more descriptors than a test may count on
TEST(Abuse, ServesWithFiveHundredIdleSocketsAndStaysSmall) {
    rlimit files{};
    getrlimit(RLIMIT_NOFILE, &files);
    if (files.rlim_cur < 1200) GTEST_SKIP() << "only " << files.rlim_cur << " descriptors here";
    ToyServer toy;
    std::vector<std::unique_ptr<WsClient>> sockets;
    for (int i = 0; i < 50; ++i)
        sockets.push_back(std::make_unique<WsClient>(toy.port()));
    const std::size_t before = resident();
    for (int i = 0; i < 450; ++i)
        sockets.push_back(std::make_unique<WsClient>(toy.port()));
    EXPECT_TRUE(eventually([&] { return toy.server->stats().websockets == 500; }));
    const std::size_t each = (resident() - before) / 450;
    EXPECT_LT(each, 60'000U) << "both ends together";
    EXPECT_EQ(ask(toy.port(), get("/healthz")).status, 200);
    for (const auto& socket : sockets)
        socket->send_text(R"({"method":"ping"})");
    for (const auto& socket : sockets)
        EXPECT_FALSE(socket->read_text().empty());
}

/// A megabyte of small values: much to read for its size.
std::string crowded(const std::string& head, const std::string& tail) {
    std::string text = head + "[1";
    while (text.size() < 1'000'000)
        text += ",1";
    return text + "]" + tail;
}

// Large JSON is read beside the network thread, in its client's turn and in the order it came.
TEST(Abuse, LetsNobodyWaitForTheReadingOfLargeJson) {
    ToyServer toy;
    const std::string frame =
        crowded(R"({"id":"big","method":"toy.count","params":{"ticks":)", "}}");
    const std::string body = crowded(R"({"requests":[{"method":"toy.count","params":)", "}]}");
    std::atomic<bool> ended{false};
    std::vector<std::jthread> greedy;
    greedy.emplace_back([&] {
        WsClient client(toy.port());
        for (int round = 0; !ended; ++round) {
            client.send_text(frame);
            client.send_text(R"({"id":"after","method":"ping"})");
            EXPECT_EQ(Json::parse(client.read_text(60'000))["status"], 413) << "params too large";
            EXPECT_EQ(Json::parse(client.read_text(60'000))["id"], "after") << "and in this order";
        }
    });
    greedy.emplace_back([&] {
        while (!ended) {
            const RawAnswer answer =
                ask(toy.port(), post("/v1/batch", "application/json", body), 60'000);
            EXPECT_EQ(answer.status, 400);
            EXPECT_EQ(Json::parse(answer.body)["pointer"], "/requests/0/params");
        }
    });
    RawClient client(toy.port());
    for (int i = 0; i < 200; ++i) {
        client.send(get("/healthz"));
        EXPECT_EQ(client.read_answer(false, 30'000).status, 200);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ended = true;
    greedy.clear();
    // An answer may be on its way before its job counts as done.
    for (int i = 0; i < 500 && toy.service->stats().short_lane.done < 2; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_GE(toy.service->stats().short_lane.done, 2U) << "read on the short lane";
}

// 12, the reading side: a client that reads a byte now and then holds up nobody else
TEST(Abuse, LetsNobodyWaitForASlowReader) {
    ToyServer toy;
    std::vector<std::unique_ptr<WsClient>> slow;
    for (int i = 0; i < 4; ++i) {
        slow.push_back(std::make_unique<WsClient>(toy.port(), "", 2048));
        slow.back()->send_text(
            Json{{"id", "s"},
                 {"method", "toy.count"},
                 {"params", {{"ticks", 100'000}, {"tick_ms", 1}, {"size", 20'000}}}}
                .dump());
        if (i == 1) {
            ASSERT_TRUE(eventually([&] { return toy.counters.started.load() == 2; }));
        }
    }
    std::vector<double> ms;
    for (int i = 0; i < 200; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        ASSERT_EQ(ask(toy.port(), get("/healthz")).status, 200);
        ms.push_back(
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
                .count());
        if (i % 20 == 0) slow[0]->raw().read_bytes(1, 1);
    }
    std::sort(ms.begin(), ms.end());
    EXPECT_LT(ms[100], 50.0 * slowness()) << "median of /healthz beside four slow readers";
}

}  // namespace
}  // namespace yomi::net
