// WebSocket: many calls on one socket, each ended by exactly one final.
#include <map>
#include <set>
#include <thread>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/base/hash.hpp"
#include "server/net/auth.hpp"
#include "tests/server/net/raw_client.hpp"
#include "tests/server/net/toy_server.hpp"

namespace yomi::net {
namespace {

using namespace testing;
using Json = nlohmann::json;

std::string call(const std::string& id, int ticks, int tick_ms = 0, int size = 0) {
    return Json{{"id", id},
                {"method", "toy.count"},
                {"params", {{"ticks", ticks}, {"tick_ms", tick_ms}, {"size", size}}}}
        .dump();
}

std::string cancel(const std::string& id) {
    return Json{{"id", id}, {"method", "cancel"}}.dump();
}

bool is_final(const Json& event) {
    return event["event"] == "result" || event["event"] == "cancelled" || event["event"] == "error";
}

Json next(WsClient& client, int timeout_ms = 5000) {
    const std::string text = client.read_text(timeout_ms);
    return text.empty() ? Json{{"event", "nothing came"}} : Json::parse(text);
}

/// Reads until the final of `id`.
Json final_of(WsClient& client, const std::string& id) {
    for (;;) {
        Json event = next(client, 20000);
        if (event["event"] == "nothing came" || (event["id"] == id && is_final(event)))
            return event;
    }
}

TEST(WebSocket, DeliversTheEventsOfACallInOrder) {
    ToyServer toy;
    WsClient client(toy.port());
    ASSERT_EQ(client.handshake().status, 101);
    EXPECT_EQ(client.handshake().field("sec-websocket-accept"),
              "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");  // RFC 6455, 1.3
    client.send_text(call("a1", 2));
    int seq = -1;
    std::vector<std::string> names;
    for (;;) {
        const Json event = next(client);
        EXPECT_EQ(event["id"], "a1");
        EXPECT_GT(event["seq"].get<int>(), seq);
        seq = event["seq"];
        names.push_back(event["event"]);
        if (is_final(event)) break;
    }
    EXPECT_EQ(names,
              (std::vector<std::string>{"queued", "started", "progress", "progress", "result"}));
    client.send_text(call("a1", 1));
    EXPECT_EQ(final_of(client, "a1")["event"], "result") << "an id is free again after its final";
}

TEST(WebSocket, AnswersBadFramesWithErrorsAndStaysOpen) {
    ToyServer toy;
    WsClient client(toy.port());
    struct Row {
        const char* frame;
        int status;
        Json id;
    };
    const Row rows[] = {
        {"{", 400, nullptr},
        {"", 400, nullptr},
        {"[1]", 400, nullptr},
        {R"({"id":"u","method":"toy.nothing"})", 404, "u"},
        {R"({"id":"u","method":"toy.count","extra":1})", 400, "u"},
        {R"({"id":"u","method":"toy.count","params":{"tocks":1}})", 400, "u"},
        {R"({"id":"u","method":"toy.edit"})", 401, "u"},
        {R"({"method":"toy.count"})", 400, nullptr},
    };
    for (const Row& row : rows) {
        client.send_text(row.frame);
        Json event = next(client);
        while (event["event"] == "queued")
            event = next(client);
        EXPECT_EQ(event["event"], "error") << row.frame;
        EXPECT_EQ(event["status"], row.status) << row.frame << event;
        EXPECT_EQ(event["id"], row.id) << row.frame;
    }
    client.send_frame(2, "binary");
    EXPECT_EQ(next(client)["event"], "error");
    const std::string large(70'000, 'x');
    client.send_text(R"({"id":"l","method":"toy.count","params":{"x":")" + large + "\"}}");
    EXPECT_EQ(next(client)["status"], 413);
    client.send_text(R"({"method":"ping"})");
    EXPECT_EQ(next(client), Json::parse(R"({"event":"pong"})"));
    client.send_text(R"({"id":"p","method":"ping"})");
    EXPECT_EQ(next(client)["id"], "p");
}

TEST(WebSocket, RefusesALiveIdTwiceAndTooManyAtOnce) {
    ToyServer toy;
    WsClient client(toy.port());
    client.send_text(call("a0", 100000, 10));
    client.send_text(call("a0", 1));
    Json event = next(client);
    while (event["event"] != "error")
        event = next(client);
    EXPECT_EQ(event["status"], 409);
    EXPECT_EQ(event["id"], "a0");
    for (int i = 1; i < 17; ++i)
        client.send_text(call("a" + std::to_string(i), 100000, 10));
    event = next(client);
    while (event["event"] != "error")
        event = next(client);
    EXPECT_EQ(event["status"], 429);
    EXPECT_EQ(event["id"], "a16");
    EXPECT_TRUE(eventually([&] { return toy.service->stats().live == 16; }));
    client.raw().close();
    EXPECT_TRUE(eventually([&] { return toy.service->stats().live == 0; }))
        << "all calls of a lost socket end";
}

TEST(WebSocket, CancelsWithTheBestSoFar) {
    ToyServer toy;
    WsClient client(toy.port());
    client.send_text(call("a", 100000, 5));
    Json event = next(client);
    while (event["event"] != "progress")
        event = next(client);
    client.send_text(cancel("a"));
    client.send_text(cancel("never was"));
    event = final_of(client, "a");
    EXPECT_EQ(event["event"], "cancelled");
    EXPECT_EQ(event["stopped_by"], "cancelled");
    EXPECT_GE(event["ticks"].get<int>(), 1);
    client.send_text(R"({"method":"ping"})");
    EXPECT_EQ(next(client)["event"], "pong") << "a cancel of an unknown id says nothing";
}

TEST(WebSocket, EndsAThousandStartCancelRacesInAThousandFinals) {
    ToyServer toy;
    WsClient client(toy.port());
    SplitMix64 random(11);
    constexpr int kCalls = 1000;
    std::map<std::string, int> finals;
    std::size_t live = 0;
    const auto read_one = [&] {
        const Json event = next(client, 20000);
        ASSERT_NE(event["event"], "nothing came");
        if (!is_final(event)) return;
        ASSERT_NE(event["event"], "error") << event;
        ++finals[event["id"]];
        --live;
    };
    for (int i = 0; i < kCalls; ++i) {
        while (live >= 16 && !HasFatalFailure())
            read_one();
        const std::string id = "r" + std::to_string(i);
        client.send_text(
            call(id, static_cast<int>(random.below(6)), static_cast<int>(random.below(2))));
        ++live;
        // Before it starts, while it runs, or after its final: all three happen.
        if (random.below(4) == 0)
            std::this_thread::sleep_for(std::chrono::microseconds(random.below(2000)));
        client.send_text(cancel(id));
    }
    while (live > 0 && !HasFatalFailure())
        read_one();
    EXPECT_EQ(finals.size(), static_cast<std::size_t>(kCalls));
    for (const auto& [id, count] : finals)
        EXPECT_EQ(count, 1) << id;
    client.send_text(R"({"method":"ping"})");
    EXPECT_EQ(next(client)["event"], "pong") << "and nothing comes after the last final";
    EXPECT_TRUE(eventually([&] { return toy.service->stats().live == 0; }));
}

TEST(WebSocket, ClosesASlowReaderWith1013OrAtAll) {
    ToyServer toy([](Options& options) { options.slow_reader = Milliseconds(200); });
    WsClient client(toy.port(), "", 4096);
    ASSERT_EQ(client.handshake().status, 101);
    client.send_text(call("a", 100000, 1, 60000));
    EXPECT_TRUE(eventually([&] { return toy.counters.stopped.load() == 1; }, 10000));
    EXPECT_EQ(toy.server->stats().slow_readers, 1U);
    EXPECT_TRUE(eventually([&] { return toy.server->stats().websockets == 0; }, 10000));
}

TEST(WebSocket, ClosesWith1013WhenTooManyFinalsWait) {
    ToyServer toy([](Options& options) { options.max_unsent_bytes = 100'000; });
    WsClient client(toy.port(), "", 4096);
    // Pongs count as well: a client that asks and never reads cannot grow our memory.
    const std::string ping = R"({"id":")" + std::string(120, 'p') + R"(","method":"ping"})";
    for (int i = 0; i < 40'000; ++i) {
        if (!client.send_text(ping)) break;
        if (toy.server->stats().slow_readers > 0) break;
    }
    EXPECT_TRUE(eventually([&] { return toy.server->stats().slow_readers == 1; }));
    WsClient::Frame frame;
    do {
        frame = client.read();
    } while (frame.opcode == 1 || frame.opcode == 9);
    // The close frame gets through if the client reads again within its second.
    if (frame.opcode == 8) {
        EXPECT_EQ(frame.close_code(), 1013);
    }
    EXPECT_TRUE(eventually([&] { return toy.server->stats().websockets == 0; }));
}

TEST(WebSocket, KeepsToTheProtocol) {
    ToyServer toy;
    const auto close_code = [](WsClient& client) {
        for (;;) {
            const auto frame = client.read(3000);
            if (frame.opcode == 8) return frame.close_code();
            if (frame.opcode < 0) return -1;
        }
    };
    {
        WsClient client(toy.port());
        client.send_text(std::string(1'200'000, ' '));
        EXPECT_EQ(close_code(client), 1009);
    }
    {
        WsClient client(toy.port());
        client.send_text("\xff\xfe");
        EXPECT_EQ(close_code(client), 1007);
    }
    {
        WsClient client(toy.port());
        client.send_frame(1, "{}", true, false);  // a client must mask
        EXPECT_EQ(close_code(client), 1002);
    }
    {
        WsClient client(toy.port());
        client.send_frame(1, R"({"method":)", false);  // fragments, with a ping between
        client.send_frame(9, "hi");
        client.send_frame(0, R"("ping"})", true);
        std::set<int> opcodes;
        for (int i = 0; i < 10 && !(opcodes.contains(1) && opcodes.contains(10)); ++i) {
            const auto frame = client.read();
            opcodes.insert(frame.opcode);
            if (frame.opcode == 1) {
                EXPECT_EQ(Json::parse(frame.payload)["event"], "pong");
            }
        }
        EXPECT_TRUE(opcodes.contains(1) && opcodes.contains(10));
    }
    {
        ToyServer quick([](Options& options) { options.heartbeat = Milliseconds(100); });
        WsClient client(quick.port());
        EXPECT_EQ(client.read(3000).opcode, 9) << "a heartbeat";
        EXPECT_TRUE(client.raw().closed(5000)) << "a peer that answers no ping is gone";
    }
    {
        WsClient client(toy.port());
        client.send_frame(8, std::string("\x03\xe8", 2));
        EXPECT_EQ(close_code(client), 1000);
    }
}

TEST(WebSocket, SurvivesManyPings) {
    ToyServer toy;
    WsClient client(toy.port());
    std::jthread reader([&client] {
        for (int pongs = 0; pongs < 5000;) {
            const auto frame = client.read();
            if (frame.opcode < 0) break;
            pongs += frame.opcode == 10 ? 1 : 0;
        }
    });
    for (int i = 0; i < 5000; ++i)
        client.send_frame(9, "x");
    reader.join();
    client.send_text(R"({"method":"ping"})");
    EXPECT_EQ(next(client)["event"], "pong");
}

TEST(WebSocket, ChecksTheHandshake) {
    ToyServer toy([](Options& options) { options.policy.cors_origins = {"https://page.example"}; });
    EXPECT_EQ(WsClient(toy.port(), "Origin: http://localhost\r\n").handshake().status, 101);
    EXPECT_EQ(WsClient(toy.port(), "Origin: https://page.example\r\n").handshake().status, 101);
    EXPECT_EQ(WsClient(toy.port(), "Origin: https://evil.example\r\n").handshake().status, 403);
    EXPECT_EQ(WsClient(toy.port(), "Authorization: Bearer wrong\r\n").handshake().status, 401);
    const RawAnswer old = ask(
        toy.port(),
        get("/v1/ws", "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 8\r\n"));
    EXPECT_EQ(old.status, 400);
    EXPECT_EQ(old.field("sec-websocket-version"), "13");
}

TEST(WebSocket, TakesAKeyInAFrame) {
    ToyServer toy([](Options& options) {
        options.policy.anonymous = false;
        options.policy.keys = {
            {.name = "alice", .role = service::Role::editor, .sha256 = sha256_hex("sesame")}};
    });
    const std::string edit = R"({"id":"e","method":"toy.edit"})";
    const auto auth = [](const char* key) {
        return Json{{"id", "k"}, {"method", "auth"}, {"params", {{"key", key}}}}.dump();
    };
    WsClient client(toy.port());
    ASSERT_EQ(client.handshake().status, 101);
    client.send_text(edit);
    EXPECT_EQ(next(client)["status"], 401);
    client.send_text(auth("wrong"));
    EXPECT_EQ(next(client)["status"], 401);
    client.send_text(auth("sesame"));
    EXPECT_EQ(next(client)["client"], "key:alice");
    client.send_text(edit);
    EXPECT_EQ(final_of(client, "e")["event"], "result");
    WsClient guesser(toy.port());
    for (int i = 0; i < 3; ++i)
        guesser.send_text(auth("guess"));
    WsClient::Frame frame = guesser.read();
    while (frame.opcode == 1)
        frame = guesser.read();
    EXPECT_EQ(frame.close_code(), 1008);
    WsClient header(toy.port(), "Authorization: Bearer sesame\r\n");
    header.send_text(edit);
    EXPECT_EQ(final_of(header, "e")["event"], "result");
}

}  // namespace
}  // namespace yomi::net
