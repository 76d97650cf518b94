// Bytes in, statuses out: what HTTP framing must and must not pass. Every row runs over a socket of
// its own.
#include <thread>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/server/net/raw_client.hpp"
#include "tests/server/net/toy_server.hpp"

namespace yomi::net {
namespace {

using namespace testing;

const std::string kHost = "Host: localhost\r\n";
const std::string kEcho = "POST /v1/toy/echo HTTP/1.1\r\n" + kHost;
const std::string kChunked =
    kEcho + "Transfer-Encoding: chunked\r\nContent-Type: text/plain\r\n\r\n";

std::string repeat(const std::string& text, int times) {
    std::string all;
    for (int i = 0; i < times; ++i)
        all += text;
    return all;
}

std::string fields(int count) {
    std::string all;
    for (int i = 0; i < count; ++i)
        all += "X-" + std::to_string(i) + ": v\r\n";
    return all;
}

/// Chunks of one byte, each with its framing.
std::string tiny_chunks(int count, const std::string& extension) {
    return repeat("1" + extension + "\r\nx\r\n", count) + "0\r\n\r\n";
}

struct Row {
    const char* name;
    std::string bytes;
    std::vector<int> statuses;  ///< of the answers, in order
    bool closes;                ///< the server ends the connection after them
};

std::vector<Row> rows() {
    const std::string ok = get("/healthz");
    return {
        // -- well-formed
        {"plain get", ok, {200}, false},
        {"head", "HEAD /healthz HTTP/1.1\r\n" + kHost + "\r\n", {200}, false},
        {"pipelined", ok + ok + ok, {200, 200, 200}, false},
        {"empty line in front", "\r\n\r\n" + ok, {200}, false},
        {"connection close", get("/healthz", "Connection: close\r\n"), {200}, true},
        {"http/1.0 closes", "GET /healthz HTTP/1.0\r\n\r\n", {200}, true},
        {"http/1.0 keep-alive",
         "GET /healthz HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
         {200},
         false},
        {"absolute form",
         "GET http://localhost/healthz HTTP/1.1\r\n" + kHost + "\r\n",
         {200},
         false},
        {"content-length body", post("/v1/toy/echo", "text/plain", "abc") + ok, {200, 200}, false},
        {"chunked body", kChunked + "3\r\nabc\r\n0\r\n\r\n" + ok, {200, 200}, false},
        {"chunk extension", kChunked + "3;a=b\r\nabc\r\n0\r\n\r\n" + ok, {200, 200}, false},
        {"trailer", kChunked + "3\r\nabc\r\n0\r\nX-T: 1\r\n\r\n" + ok, {200, 200}, false},
        {"chunked in capitals",
         kEcho + "Transfer-Encoding: Chunked\r\nContent-Type: text/plain\r\n\r\n0\r\n\r\n",
         {200},
         false},
        {"tiny chunks", kChunked + tiny_chunks(500, "") + ok, {200, 200}, false},
        {"expect continue",
         kEcho + "Expect: 100-continue\r\nContent-Type: text/plain\r\nContent-Length: 3\r\n\r\nabc",
         {200},
         false},
        {"options", "OPTIONS /v1/toy/echo HTTP/1.1\r\n" + kHost + "\r\n", {204}, false},
        {"options star", "OPTIONS * HTTP/1.1\r\n" + kHost + "\r\n", {204}, false},
        {"64 fields", get("/healthz", fields(63)), {200}, false},
        {"long query", get("/v1/toy/echo?position=" + std::string(7000, 'a')), {200}, false},
        // -- framing attacks: answered and closed, the rest is never read as a request
        {"xchunked", kEcho + "Transfer-Encoding: xchunked\r\n\r\n" + ok, {501}, true},
        {"identity", kEcho + "Transfer-Encoding: identity\r\n\r\n" + ok, {501}, true},
        {"gzip", kEcho + "Transfer-Encoding: gzip\r\n\r\n" + ok, {501}, true},
        {"chunked, identity",
         kEcho + "Transfer-Encoding: chunked, identity\r\n\r\n" + ok,
         {501},
         true},
        {"gzip, chunked",
         kEcho + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n" + ok,
         {501},
         true},
        {"chunked twice",
         kEcho + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + ok,
         {400},
         true},
        {"chunked on 1.0",
         "POST /v1/toy/echo HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + ok,
         {400},
         true},
        {"length and chunked",
         kEcho + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + ok,
         {400},
         true},
        {"chunked and length",
         kEcho + "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n" + ok,
         {400},
         true},
        {"two lengths",
         kEcho + "Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd" + ok,
         {400},
         true},
        {"same length twice",
         kEcho + "Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc" + ok,
         {400},
         true},
        {"signed length", kEcho + "Content-Length: +3\r\n\r\nabc" + ok, {400}, true},
        {"negative length", kEcho + "Content-Length: -3\r\n\r\nabc" + ok, {400}, true},
        {"hex length", kEcho + "Content-Length: 0x3\r\n\r\nabc" + ok, {400}, true},
        {"length list", kEcho + "Content-Length: 3, 3\r\n\r\nabc" + ok, {400}, true},
        {"overflowing length",
         kEcho + "Content-Length: 99999999999999999999\r\n\r\nabc" + ok,
         {400},
         true},
        {"space before colon",
         "GET /healthz HTTP/1.1\r\nHost : localhost\r\n\r\n" + ok,
         {400},
         true},
        {"no host", "GET /healthz HTTP/1.1\r\n\r\n" + ok, {400}, true},
        {"two hosts", get("/healthz", "Host: localhost\r\n") + ok, {400}, true},
        {"empty host", "GET /healthz HTTP/1.1\r\nHost:\r\n\r\n" + ok, {400}, true},
        {"host with a path",
         "GET /healthz HTTP/1.1\r\nHost: localhost/x\r\n\r\n" + ok,
         {400},
         true},
        {"bad chunk size", kChunked + "zz\r\nabc\r\n0\r\n\r\n" + ok, {400}, true},
        {"negative chunk", kChunked + "-1\r\nabc\r\n0\r\n\r\n" + ok, {400}, true},
        {"chunk size overflow",
         kChunked + "fffffffffffffffff\r\nabc\r\n0\r\n\r\n" + ok,
         {400},
         true},
        {"chunk without end", kChunked + "3\r\nabcX\r\n0\r\n\r\n" + ok, {400}, true},
        {"huge chunk", kChunked + "7fffffff\r\n", {413}, true},
        {"extension bomb",
         kChunked + "1;" + std::string(60'000, 'e') + "\r\nx\r\n0\r\n\r\n",
         {400},
         true},
        {"many extensions", kChunked + tiny_chunks(2000, ";" + std::string(40, 'e')), {400}, true},
        {"trailer bomb", kChunked + "0\r\n" + fields(5000) + "\r\n", {400}, true},
        {"bare lf", "GET /healthz HTTP/1.1\nHost: localhost\n\n", {400}, true},
        {"bare cr", "GET /healthz HTTP/1.1\r\nHost: localhost\rX: y\r\n\r\n", {400}, true},
        {"nul in a field",
         std::string("GET /healthz HTTP/1.1\r\nHost: local\0host\r\n\r\n", 44),
         {400},
         true},
        {"nul in the target",
         std::string("GET /heal\0thz HTTP/1.1\r\nHost: localhost\r\n\r\n", 44),
         {400},
         true},
        {"no version", "GET /healthz\r\n\r\n", {400}, true},
        {"http/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", {400}, true},
        {"http/0.9 version", "GET / HTTP/0.9\r\n\r\n", {400}, true},
        {"tls hello",
         std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 15),
         {400},
         true},
        {"not http", "hello world\r\n\r\n", {400}, true},
        {"unknown expect",
         kEcho + "Expect: the-unexpected\r\nContent-Length: 3\r\n\r\nabc" + ok,
         {400},
         true},
        {"two authorizations",
         get("/healthz", "Authorization: Bearer a\r\nAuthorization: Bearer b\r\n") + ok,
         {400},
         true},
        {"bad path encoding", get("/heal%zz") + ok, {400}, true},
        {"fragment", get("/healthz#x") + ok, {400}, true},
        {"relative target", get("healthz") + ok, {400}, true},
        // -- sizes
        {"65 fields", get("/healthz", fields(64)) + ok, {431}, true},
        {"1000 small fields", get("/healthz", fields(1000)) + ok, {431}, true},
        {"large field", get("/healthz", "X: " + std::string(9000, 'x') + "\r\n") + ok, {431}, true},
        {"long line", get("/" + std::string(9000, 'x')) + ok, {431}, true},
        {"endless line", std::string(100'000, 'G'), {431}, true},
        {"endless fields",
         "GET / HTTP/1.1\r\n" + repeat("X-Endless: " + std::string(80, 'v') + "\r\n", 1000),
         {431},
         true},
        {"body too large",
         post("/v1/toy/count", "application/json", std::string(65'537, ' ')) + ok,
         {413},
         true},
        {"record too large", kEcho + "Content-Length: 1048577\r\n\r\n", {413}, true},
        {"chunked too large",
         "POST /v1/toy/count HTTP/1.1\r\n" + kHost + "Transfer-Encoding: chunked\r\n\r\n" +
             repeat("1000\r\n" + std::string(4096, 'x') + "\r\n", 17),
         {413},
         true},
        // -- refusals that keep the connection in step
        {"no such path", get("/nothing") + ok, {404, 200}, false},
        {"no such path, with body", post("/nothing", "text/plain", "abc") + ok, {404, 200}, false},
        {"wrong verb", "DELETE /healthz HTTP/1.1\r\n" + kHost + "\r\n" + ok, {405, 200}, false},
        {"unknown verb", "BREW /healthz HTTP/1.1\r\n" + kHost + "\r\n" + ok, {405, 200}, false},
        {"lower-case verb", "get /healthz HTTP/1.1\r\n" + kHost + "\r\n" + ok, {405, 200}, false},
        {"trace", "TRACE /healthz HTTP/1.1\r\n" + kHost + "\r\n" + ok, {405, 200}, false},
        {"body on get",
         "GET /healthz HTTP/1.1\r\n" + kHost + "Content-Length: 2\r\n\r\nab" + ok,
         {400, 200},
         false},
        {"foreign host",
         "GET /healthz HTTP/1.1\r\nHost: evil.example\r\n\r\n" + ok,
         {421, 200},
         false},
        {"wrong media type", post("/v1/toy/echo", "image/png", "abc") + ok, {415, 200}, false},
        {"coded body",
         post("/v1/toy/echo", "text/plain", "abc", "Content-Encoding: gzip\r\n") + ok,
         {415, 200},
         false},
        {"coded batch",
         post("/v1/batch", "application/json", "abc", "Content-Encoding: br\r\n") + ok,
         {415, 200},
         false},
        {"bad query encoding", get("/v1/toy/echo?position=%4") + ok, {400, 200}, false},
        {"not acceptable", get("/v1/toy/echo", "Accept: image/png\r\n") + ok, {406, 200}, false},
        {"foreign origin",
         post("/v1/toy/echo", "text/plain", "x", "Origin: http://evil.example\r\n") + ok,
         {403, 200},
         false},
        {"own origin",
         post("/v1/toy/echo", "text/plain", "x", "Origin: http://localhost\r\n") + ok,
         {200, 200},
         false},
        {"refused without its body",
         "POST /nothing HTTP/1.1\r\n" + kHost + "Expect: 100-continue\r\nContent-Length: 3\r\n\r\n",
         {404},
         true},
        {"websocket without upgrade", get("/v1/ws") + ok, {400, 200}, false},
    };
}

TEST(HttpFraming, AnswersEachRowOfTheTable) {
    ToyServer toy;
    const auto table = rows();
    EXPECT_GE(table.size(), 45U);
    for (const Row& row : table) {
        SCOPED_TRACE(row.name);
        RawClient client(toy.port());
        client.send(row.bytes);
        const bool head = row.bytes.starts_with("HEAD");
        for (const int status : row.statuses) {
            RawAnswer answer = client.read_answer(head);
            if (answer.status == 100) answer = client.read_answer(head);
            EXPECT_EQ(answer.status, status) << answer.body;
            if (answer.status != status) break;
            EXPECT_FALSE(answer.field("x-request-id").empty());
            if (status >= 400) {
                EXPECT_EQ(answer.field("content-type"), "application/problem+json");
                const auto problem = nlohmann::json::parse(answer.body);
                EXPECT_EQ(problem["status"], status);
                EXPECT_EQ(problem["instance"], answer.field("x-request-id"));
                EXPECT_FALSE(problem["detail"].get<std::string>().empty());
            }
        }
        if (row.closes) {
            EXPECT_TRUE(client.closed(3000));
            EXPECT_TRUE(client.buffer().empty())
                << "nothing behind the fault is answered: " << client.buffer();
        } else {
            EXPECT_TRUE(client.buffer().empty()) << client.buffer();
            client.send(get("/healthz"));
            EXPECT_EQ(client.read_answer().status, 200) << "the connection is out of step";
        }
    }
    EXPECT_TRUE(eventually([&] { return toy.server->stats().open == 0; }));
}

TEST(HttpFraming, AnswersARequestThatComesByteByByte) {
    ToyServer toy;
    RawClient client(toy.port());
    for (const char c : post("/v1/toy/echo", "text/plain", "slow but honest"))
        client.send({&c, 1});
    const RawAnswer answer = client.read_answer();
    EXPECT_EQ(answer.status, 200);
    EXPECT_NE(answer.body.find("slow but honest"), std::string::npos);
}

TEST(HttpFraming, SendsContinueBeforeTheBodyComes) {
    ToyServer toy;
    RawClient client(toy.port());
    client.send(kEcho +
                "Expect: 100-continue\r\nContent-Type: text/plain\r\nContent-Length: 3\r\n\r\n");
    EXPECT_EQ(client.read_answer().status, 100);
    client.send("abc");
    EXPECT_EQ(client.read_answer().status, 200);
}

TEST(HttpFraming, EndsSlowHeadsAndBodies) {
    ToyServer toy([](Options& options) {
        options.header_timeout = Milliseconds(150);
        options.body_timeout = Milliseconds(150);
        options.idle_timeout = Milliseconds(300);
    });
    RawClient silent(toy.port());
    RawClient head(toy.port());
    head.send("GET /healthz HTTP/1.1\r\nHost: loc");
    RawClient body(toy.port());
    body.send(kEcho + "Content-Length: 10\r\n\r\nabc");
    RawClient idle(toy.port());
    idle.send(get("/healthz"));
    EXPECT_EQ(idle.read_answer().status, 200);
    EXPECT_EQ(head.read_answer().status, 408);
    EXPECT_TRUE(head.closed());
    EXPECT_EQ(body.read_answer().status, 408);
    EXPECT_TRUE(body.closed());
    EXPECT_TRUE(silent.closed()) << "a client that says nothing gets nothing";
    EXPECT_TRUE(silent.buffer().empty());
    EXPECT_TRUE(idle.closed());
    // A dripping head does not move its deadline.
    RawClient drip(toy.port());
    bool open = true;
    for (int i = 0; i < 100 && open; ++i) {
        drip.send(i == 0 ? "GET / HTTP/1.1\r\nX: " : "x");
        std::this_thread::sleep_for(Milliseconds(20));
        open = drip.silent(0);
    }
    EXPECT_FALSE(open);
}

TEST(HttpFraming, LimitsConnectionsOfOneAddress) {
    ToyServer toy([](Options& options) { options.max_connections_per_address = 3; });
    std::vector<RawClient> clients;
    for (int i = 0; i < 3; ++i) {
        clients.emplace_back(toy.port());
        clients.back().send(get("/healthz"));
        EXPECT_EQ(clients.back().read_answer().status, 200);
    }
    RawClient over(toy.port());
    EXPECT_EQ(over.read_answer().status, 429);
    EXPECT_TRUE(over.closed());
    clients.pop_back();
    EXPECT_TRUE(eventually([&] { return toy.server->stats().open == 2; }));
    EXPECT_EQ(ask(toy.port(), get("/healthz")).status, 200);
    EXPECT_EQ(toy.server->stats().refused, 1U);
}

TEST(HttpFraming, SurvivesAStormOfResets) {
    ToyServer toy;
    for (int round = 0; round < 300; ++round) {
        RawClient client(toy.port());
        if (round % 3 == 1)
            client.send("GET /v1/toy/count?ticks=1000&tick_ms=5 HTTP/1.1\r\nHost: localhost\r\n");
        if (round % 3 == 2) client.send(get("/v1/toy/count?ticks=1000&tick_ms=5"));
        client.reset();
    }
    EXPECT_TRUE(eventually([&] { return toy.server->stats().open == 0; }));
    EXPECT_EQ(ask(toy.port(), get("/healthz")).status, 200);
    EXPECT_TRUE(eventually([&] { return toy.service->stats().live == 0; }));
}

}  // namespace
}  // namespace yomi::net
