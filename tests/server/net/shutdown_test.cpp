// How a server ends while clients stay.
#include <thread>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/server/net/raw_client.hpp"
#include "tests/server/net/toy_server.hpp"

namespace yomi::net {
namespace {

using namespace testing;
using Json = nlohmann::json;
using Clock = std::chrono::steady_clock;

TEST(Shutdown, EndsAlthoughClientsStay) {
    ToyServer toy;
    RawClient fresh(toy.port());
    RawClient idle(toy.port());
    idle.send(get("/healthz"));
    EXPECT_EQ(idle.read_answer().status, 200);
    RawClient half(toy.port());
    half.send("GET /healthz HTTP/1.1\r\n");
    RawClient stream(toy.port());
    stream.send(get("/v1/toy/count?ticks=100000&tick_ms=10", "Accept: application/x-ndjson\r\n"));
    EXPECT_EQ(stream.read_head().status, 200);
    RawClient single(toy.port());
    single.send(get("/v1/toy/count?ticks=100000&tick_ms=10"));
    WsClient quiet(toy.port());
    WsClient busy(toy.port());
    busy.send_text(R"({"id":"b","method":"toy.count","params":{"ticks":100000,"tick_ms":10}})");
    ASSERT_TRUE(eventually(
        [&] { return toy.service->stats().running == 2 && toy.service->stats().queued == 1; }));

    const auto begin = Clock::now();
    toy.server->drain();
    EXPECT_EQ(RawClient(toy.port()).fd(), -1) << "nobody is let in any more";
    idle.send(get("/readyz"));
    const RawAnswer ready = idle.read_answer();
    EXPECT_EQ(ready.status, 503);
    EXPECT_EQ(ready.field("connection"), "close");
    toy.service->shutdown(Milliseconds(50));
    toy.server->stop(Milliseconds(1500));
    EXPECT_LT(Clock::now() - begin, std::chrono::seconds(4) * slowness());

    // The running ones end with the best so far, the waiting one with "draining": each client is
    // told.
    std::string last;
    while (const auto chunk = stream.read_chunk()) {
        if (chunk->empty()) break;
        last = *chunk;
    }
    const auto line = last.rfind('\n', last.size() - 2);
    const Json final = Json::parse(last.substr(line == std::string::npos ? 0 : line + 1));
    EXPECT_TRUE(final["event"] == "cancelled" || final["event"] == "error") << final;
    EXPECT_TRUE(stream.closed());
    const RawAnswer answer = single.read_answer();
    EXPECT_TRUE(answer.status == 200 || answer.status == 503) << answer.status;
    std::string event;
    for (std::string text = busy.read_text(); !text.empty(); text = busy.read_text())
        event = text;
    EXPECT_FALSE(event.empty());
    EXPECT_TRUE(Json::parse(event)["event"] == "cancelled" ||
                Json::parse(event)["event"] == "error")
        << event;
    EXPECT_EQ(quiet.read().close_code(), 1001);
    EXPECT_TRUE(fresh.closed());
    EXPECT_TRUE(half.closed());
    EXPECT_TRUE(idle.closed());
}

TEST(Shutdown, ClosesWebSocketsWith1001AfterTheirFinals) {
    ToyServer toy;
    WsClient client(toy.port());
    client.send_text(R"({"id":"a","method":"toy.count","params":{"ticks":100000,"tick_ms":5}})");
    ASSERT_TRUE(eventually([&] { return toy.service->stats().running == 1; }));
    std::jthread end([&toy] {
        toy.server->drain();
        toy.service->shutdown(Milliseconds(20));
        toy.server->stop(Milliseconds(3000));
    });
    Json final;
    for (;;) {
        const auto frame = client.read(20000);
        if (frame.opcode == 1) {
            final = Json::parse(frame.payload);
            continue;
        }
        if (frame.opcode == 9) continue;
        EXPECT_EQ(frame.close_code(), 1001);
        break;
    }
    EXPECT_EQ(final["event"], "cancelled");
    EXPECT_EQ(final["stopped_by"], "shutdown");
    client.send_frame(8, std::string("\x03\xe9", 2));
}

TEST(Shutdown, KillsWhatDoesNotRead) {
    ToyServer toy;
    std::vector<RawClient> clients;
    for (int i = 0; i < 4; ++i) {
        clients.emplace_back(toy.port(), 4096);
        clients.back().send(get("/v1/toy/count?ticks=100000&tick_ms=1&size=60000",
                                "Accept: text/event-stream\r\n"));
    }
    ASSERT_TRUE(eventually([&] { return toy.service->stats().running == 2; }));
    const auto begin = Clock::now();
    toy.server->stop(Milliseconds(100));  // without the service's shutdown: all calls are abandoned
    EXPECT_LT(Clock::now() - begin, std::chrono::seconds(2) * slowness());
    EXPECT_TRUE(eventually([&] { return toy.service->stats().live == 0; }));
}

TEST(Shutdown, MayComeBeforeTheFirstConnectionAndTwice) {
    ToyServer toy;
    toy.server->drain();
    toy.server->stop(Milliseconds(0));
    toy.server->stop(Milliseconds(0));
    toy.server->drain();
}

TEST(Shutdown, RacesWithArrivals) {
    for (int round = 0; round < 10; ++round) {
        ToyServer toy;
        std::vector<std::jthread> clients;
        for (int i = 0; i < 4; ++i) {
            clients.emplace_back([port = toy.port()] {
                for (int n = 0; n < 20; ++n)
                    ask(port, get("/v1/toy/count?ticks=2", "Connection: close\r\n"), 500);
            });
        }
        std::this_thread::sleep_for(Milliseconds(round));
        toy.server->drain();
        toy.service->shutdown(Milliseconds(10));
        toy.server->stop(Milliseconds(200));
    }
}

}  // namespace
}  // namespace yomi::net
