// Answers that are files, over real sockets: whole, cut, refused, and without a reader.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/server/net/raw_client.hpp"
#include "tests/server/net/toy_server.hpp"

namespace yomi::net {
namespace {

using namespace testing;

TEST(HttpFiles, TravelInChunksAndLeaveTheConnectionOpen) {
    ToyServer toy;
    RawClient client(toy.port());
    for (int i = 0; i < 2; ++i) {
        ASSERT_TRUE(client.send(get("/v1/toy/file?pieces=3&size=1000&prepare=5")));
        const RawAnswer head = client.read_head();
        EXPECT_EQ(head.status, 200);
        EXPECT_EQ(head.field("content-type"), "text/x-toy");
        EXPECT_EQ(head.field("content-disposition"), "attachment; filename=\"toy.txt\"");
        EXPECT_EQ(head.field("transfer-encoding"), "chunked");
        EXPECT_EQ(head.field("content-length"), "");
        EXPECT_EQ(head.field("cache-control"), "no-store");
        EXPECT_FALSE(head.field("x-request-id").empty());
        for (const char letter : {'a', 'b', 'c'})
            EXPECT_EQ(client.read_chunk(), std::string(1000, letter));
        EXPECT_EQ(client.read_chunk(), "") << "the last chunk";
    }
    ASSERT_TRUE(client.send(get("/healthz")));
    EXPECT_EQ(client.read_answer().status, 200);
    EXPECT_TRUE(eventually([&] { return toy.counters.files == 0; }));
    EXPECT_EQ(toy.server->stats().streams, 0U);
}

TEST(HttpFiles, AreTakenByAcceptWhereTheRouteGivesBoth) {
    ToyServer toy;
    const std::string path = "/v1/toy/maybe-file?pieces=1&size=4";
    EXPECT_EQ(ask(toy.port(), get(path)).field("content-type"), "application/json");
    EXPECT_EQ(ask(toy.port(), get(path, "Accept: */*\r\n")).field("content-type"),
              "application/json");
    RawClient client(toy.port());
    client.send(get(path, "Accept: application/octet-stream\r\n"));
    EXPECT_EQ(client.read_head().field("content-type"), "text/x-toy");
    EXPECT_EQ(client.read_chunk(), "aaaa");
    // Only what has files gives them.
    EXPECT_EQ(ask(toy.port(), get("/v1/toy/echo", "Accept: application/octet-stream\r\n")).status,
              406);
}

TEST(HttpFiles, HeadGetsTheFieldsAndNoByteOfTheFile) {
    ToyServer toy;
    RawClient client(toy.port());
    client.send("HEAD /v1/toy/file?pieces=3&size=10 HTTP/1.1\r\nHost: localhost\r\n\r\n");
    const RawAnswer head = client.read_head();
    EXPECT_EQ(head.status, 200);
    EXPECT_EQ(head.field("content-disposition"), "attachment; filename=\"toy.txt\"");
    client.send(get("/healthz"));
    EXPECT_EQ(client.read_answer().body, "ok\n") << "nothing came between";
    EXPECT_TRUE(eventually([&] { return toy.counters.files == 0; }));
}

TEST(HttpFiles, OldHttpGetsTheBytesAndTheEnd) {
    ToyServer toy;
    RawClient client(toy.port());
    client.send("GET /v1/toy/file?pieces=2&size=3 HTTP/1.0\r\nHost: localhost\r\n\r\n");
    const RawAnswer head = client.read_head();
    EXPECT_EQ(head.field("transfer-encoding"), "");
    EXPECT_EQ(head.field("connection"), "close");
    EXPECT_EQ(client.read_bytes(6), "aaabbb");
    EXPECT_TRUE(client.closed());
}

TEST(HttpFiles, ARefusalBeforeTheFirstByteIsAProblem) {
    ToyServer toy;
    const RawAnswer refused = ask(toy.port(), get("/v1/toy/file?pieces=2&size=3&fail_at=-1"));
    EXPECT_EQ(refused.status, 422);
    EXPECT_EQ(refused.field("content-type"), "application/problem+json");
    EXPECT_NE(refused.body.find("no such toy"), std::string::npos);
    // By the decoding of the call too.
    EXPECT_EQ(ask(toy.port(), get("/v1/toy/file?pieces=2000000")).field("content-type"),
              "application/problem+json");
    EXPECT_EQ(ask(toy.port(), post("/v1/toy/file", "application/json", "{}")).status, 405);
}

TEST(HttpFiles, AFileThatBreaksHasNoLastChunk) {
    ToyServer toy;
    RawClient client(toy.port());
    client.send(get("/v1/toy/file?pieces=5&size=8&fail_at=3"));
    EXPECT_EQ(client.read_head().status, 200);
    EXPECT_EQ(client.read_chunk(), "aaaaaaaa");
    EXPECT_EQ(client.read_chunk(), "bbbbbbbb");
    EXPECT_EQ(client.read_chunk(), std::nullopt);
    EXPECT_TRUE(client.closed());
    EXPECT_TRUE(eventually([&] { return toy.counters.files == 0; }));
}

TEST(HttpFiles, NoOneMakesAFileForAClientThatHasLeft) {
    ToyServer toy;
    RawClient client(toy.port());
    client.send(get("/v1/toy/file?pieces=1000000&size=1000"));
    EXPECT_EQ(client.read_head().status, 200);
    ASSERT_TRUE(client.read_chunk().has_value());
    client.reset();
    EXPECT_TRUE(eventually([&] { return toy.counters.files == 0; }));
    EXPECT_LT(toy.counters.file_steps, 1'000'000);
    EXPECT_TRUE(eventually([&] { return toy.server->stats().open == 0; }));

    RawClient waiting(toy.port());
    waiting.send(get("/v1/toy/file?pieces=1&size=1&prepare=1000000000"));
    EXPECT_TRUE(eventually([&] { return toy.counters.files == 1; }));
    waiting.close();
    EXPECT_TRUE(eventually([&] { return toy.counters.files == 0; })) << "nor prepares one";
}

TEST(HttpFiles, WhoDoesNotReadHoldsOnePieceAndIsCutOff) {
    ToyServer toy([](Options& options) { options.slow_reader = Milliseconds(300); });
    RawClient client(toy.port(), 4096);
    client.send(get("/v1/toy/file?pieces=100000&size=50000"));
    EXPECT_EQ(client.read_head().status, 200);
    EXPECT_TRUE(eventually([&] { return toy.counters.files == 0; }));
    EXPECT_LT(toy.counters.file_steps, 1000) << "made as it is taken, not ahead";
    EXPECT_EQ(toy.server->stats().slow_readers, 1U);
}

TEST(HttpFiles, OthersAreServedWhileOneTravels) {
    // One worker for all small work: each piece takes its turn.
    ToyServer toy({}, [](service::ServiceOptions& options) { options.short_workers = 1; });
    RawClient client(toy.port());
    client.send(get("/v1/toy/file?pieces=200000&size=1000"));
    EXPECT_EQ(client.read_head().status, 200);
    ASSERT_TRUE(client.read_chunk().has_value());
    for (int i = 0; i < 20; ++i)
        EXPECT_EQ(ask(toy.port(), get("/v1/toy/echo?a=b")).status, 200);
    EXPECT_EQ(toy.counters.files, 1) << "it still travels";
}

TEST(HttpFiles, TheEndOfTheServerCutsThem) {
    auto toy = std::make_unique<ToyServer>();
    RawClient client(toy->port());
    client.send(get("/v1/toy/file?pieces=1000000&size=1000"));
    EXPECT_EQ(client.read_head().status, 200);
    ASSERT_TRUE(client.read_chunk().has_value());
    toy->service->shutdown(std::chrono::milliseconds(10));
    toy->server->stop(Milliseconds(10));
    std::optional<std::string> chunk;
    do {
        chunk = client.read_chunk();
    } while (chunk && !chunk->empty());
    EXPECT_FALSE(chunk.has_value()) << "no last chunk";
    toy.reset();
}

}  // namespace
}  // namespace yomi::net
