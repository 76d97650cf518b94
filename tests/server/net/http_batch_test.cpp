// Batches, the list of jobs, validators of answers and repeated requests, over real sockets.
#include <set>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "server/net/auth.hpp"
#include "server/net/batch.hpp"
#include "server/net/idempotency.hpp"
#include "tests/server/net/raw_client.hpp"
#include "tests/server/net/toy_server.hpp"

namespace yomi::net {
namespace {

using namespace testing;
using Json = nlohmann::json;

const std::string kJson = "application/json";

std::string batch_of(int count, int ticks, int tick_ms = 0) {
    Json requests = Json::array();
    for (int i = 0; i < count; ++i) {
        requests.push_back({{"id", "p" + std::to_string(i)},
                            {"method", "toy.count"},
                            {"params", {{"ticks", ticks}, {"tick_ms", tick_ms}}}});
    }
    return Json{{"requests", requests}}.dump();
}

TEST(ReadBatch, NamesThePlaceOfEachFault) {
    struct Row {
        const char* body;
        ErrorCode code;
        const char* pointer;
    };
    const Row rows[] = {
        {"", ErrorCode::bad_json, ""},
        {"[]", ErrorCode::bad_type, ""},
        {"{}", ErrorCode::missing_field, "/requests"},
        {R"({"requests":{}})", ErrorCode::bad_type, "/requests"},
        {R"({"requests":[]})", ErrorCode::out_of_range, ""},
        {R"({"requests":[{"method":"a"}],"x":1})", ErrorCode::unknown_field, "/x"},
        {R"({"requests":[{"method":"a"},3]})", ErrorCode::bad_type, "/requests/1"},
        {R"({"requests":[{"method":"a"},{}]})", ErrorCode::missing_field, "/requests/1/method"},
        {R"({"requests":[{"method":"a","params":[]}]})", ErrorCode::bad_type, "/requests/0/params"},
        {R"({"requests":[{"method":"a","id":"x"},{"method":"a","id":"x"}]})",
         ErrorCode::duplicate_id,
         "/requests/1/id"},
        {R"({"requests":[{"method":"a","id":7}]})", ErrorCode::bad_type, "/requests/0/id"},
        {R"({"requests":[{"method":"cancel","id":"x"}]})",
         ErrorCode::bad_value,
         "/requests/0/method"},
        {R"({"requests":[{"method":"ping"}]})", ErrorCode::bad_value, "/requests/0/method"},
        {R"({"requests":[{"method":"a"},{"method":"a"},{"method":"a"},{"method":"a"}]})",
         ErrorCode::out_of_range,
         "/requests/3"},
    };
    for (const Row& row : rows) {
        const auto items = read_batch(row.body, false, 32, 3);
        ASSERT_FALSE(items) << row.body;
        EXPECT_EQ(items.error().code, row.code) << row.body << items.error().message;
        EXPECT_EQ(items.error().pointer, row.pointer) << row.body;
    }
    const auto lines = read_batch(
        "{\"method\":\"a\"}\n\n{\"method\":\"b\",\"params\":{\"x\":1}}\r\n{\n", true, 32, 9);
    ASSERT_FALSE(lines);
    EXPECT_EQ(lines.error().line, 4);
    const auto good = read_batch(
        "{\"method\":\"a\"}\n\n{\"method\":\"b\",\"params\":{\"x\":1}}\r\n", true, 32, 9);
    ASSERT_TRUE(good);
    ASSERT_EQ(good->size(), 2U);
    EXPECT_EQ((*good)[0].id, "0");
    EXPECT_EQ((*good)[1].id, "1");
    EXPECT_EQ((*good)[1].params, R"({"x":1})");
}

TEST(HttpBatch, AnswersEachRequestOnALineOfItsOwn) {
    ToyServer toy({},
                  [](service::ServiceOptions& options) { options.limits.max_live_per_client = 8; });
    Json body = Json::parse(batch_of(64, 2));
    body["requests"][7]["params"]["tocks"] = 1;
    body["requests"][8]["method"] = "toy.nothing";
    RawClient client(toy.port());
    client.send(post("/v1/batch", kJson, body.dump()));
    const RawAnswer answer = client.read_answer();
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.field("content-type"), "application/x-ndjson");
    std::set<std::string> ids;
    std::istringstream lines(answer.body);
    for (std::string line; std::getline(lines, line);) {
        if (line.empty()) continue;
        const Json event = Json::parse(line);
        ids.insert(event["id"]);
        const bool bad = event["id"] == "p7" || event["id"] == "p8";
        EXPECT_EQ(event["event"], bad ? "error" : "result") << line;
        if (event["id"] == "p7") {
            EXPECT_EQ(event["pointer"], "/tocks");
        }
    }
    EXPECT_EQ(ids.size(), 64U);
    client.send(get("/healthz"));
    EXPECT_EQ(client.read_answer().status, 200) << "the connection is in step";

    client.send(post("/v1/batch", kJson, body.dump(), "Accept: application/json\r\n"));
    const Json all = Json::parse(client.read_answer().body);
    ASSERT_EQ(all["answers"].size(), 64U);
    for (std::size_t i = 0; i < 64; ++i)
        EXPECT_EQ(all["answers"][i]["id"], "p" + std::to_string(i));

    client.send(post("/v1/batch", "application/x-ndjson", R"({"method":"toy.count"})"));
    EXPECT_EQ(Json::parse(client.read_answer().body)["id"], "0");
    client.send(post("/v1/batch", kJson, batch_of(65, 1)));
    EXPECT_EQ(client.read_answer().status, 400);
    client.send(post("/v1/batch", "image/png", "x"));
    EXPECT_EQ(client.read_answer().status, 415);
    client.send(post("/v1/batch", kJson, batch_of(1, 1), "Accept: image/png\r\n"));
    EXPECT_EQ(client.read_answer().status, 406);
    client.send(get("/v1/batch"));
    EXPECT_EQ(client.read_answer().status, 405);
}

TEST(HttpBatch, StopsTheWorkOfAClientThatLeaves) {
    ToyServer toy;
    RawClient client(toy.port());
    client.send(post("/v1/batch", kJson, batch_of(30, 100'000, 5)));
    EXPECT_TRUE(eventually([&] { return toy.counters.started.load() == 2; }));
    // None is on its way in any more, so that none can begin after the others were ended.
    EXPECT_TRUE(eventually([&] { return toy.service->stats().live == 16; }));
    client.close();
    EXPECT_TRUE(eventually([&] { return toy.counters.stopped.load() == 2; }));
    EXPECT_TRUE(eventually([&] { return toy.service->stats().live == 0; }));
    EXPECT_EQ(toy.counters.started.load(), 2);
}

TEST(HttpBatch, MayBeAJobInTheListOfItsOwner) {
    ToyServer toy([](Options& options) {
        options.policy.keys = {
            {.name = "a", .role = service::Role::user, .sha256 = sha256_hex("ka")},
            {.name = "b", .role = service::Role::admin, .sha256 = sha256_hex("kb")}};
    });
    const std::string a = "Authorization: Bearer ka\r\n";
    const std::string b = "Authorization: Bearer kb\r\n";
    const RawAnswer accepted =
        ask(toy.port(), post("/v1/batch", kJson, batch_of(12, 1), "Prefer: respond-async\r\n" + a));
    EXPECT_EQ(accepted.status, 202);
    const std::string location = accepted.field("location");
    EXPECT_TRUE(eventually(
        [&] { return Json::parse(ask(toy.port(), get(location, a)).body)["state"] == "done"; }));
    const Json job = Json::parse(ask(toy.port(), get(location, a)).body);
    EXPECT_EQ(job["method"], "batch");
    EXPECT_EQ(job["latest"]["answers"].size(), 12U);
    EXPECT_GT(job["created_ms"].get<std::int64_t>(), 1'700'000'000'000);
    ask(toy.port(),
        post("/v1/toy/count", kJson, R"({"ticks":1})", "Prefer: respond-async\r\n" + a));
    const Json list = Json::parse(ask(toy.port(), get("/v1/jobs", a)).body);
    ASSERT_EQ(list["jobs"].size(), 2U);
    EXPECT_EQ("/v1/jobs/" + list["jobs"][0]["id"].get<std::string>(), location);
    EXPECT_EQ(list["jobs"][1]["method"], "toy.count");
    EXPECT_FALSE(list["jobs"][0].contains("latest")) << "answers are read job by job";
    EXPECT_TRUE(Json::parse(ask(toy.port(), get("/v1/jobs", b)).body)["jobs"].empty());
    EXPECT_TRUE(Json::parse(ask(toy.port(), get("/v1/jobs")).body)["jobs"].empty());
    const std::string remove =
        "DELETE " + location + " HTTP/1.1\r\nHost: localhost\r\n" + a + "\r\n";
    EXPECT_EQ(ask(toy.port(), remove).status, 204);
    EXPECT_EQ(Json::parse(ask(toy.port(), get("/v1/jobs", a)).body)["jobs"].size(), 1U);
}

TEST(HttpValidators, AnswerNotModifiedToWhoHasTheAnswer) {
    ToyServer toy;
    const std::string path = "/v1/toy/echo?a=1";
    const RawAnswer first = ask(toy.port(), get(path));
    const std::string tag = first.field("etag");
    ASSERT_EQ(tag.substr(0, 3), "W/\"");
    EXPECT_EQ(first.field("cache-control"), "private, no-cache");
    EXPECT_NE(first.field("vary").find("Accept"), std::string::npos);
    RawClient client(toy.port());
    for (const std::string& list : {tag, "\"other\", " + tag, std::string("*"), tag.substr(2)}) {
        client.send(get(path, "If-None-Match: " + list + "\r\n"));
        const RawAnswer again = client.read_answer(true);
        EXPECT_EQ(again.status, 304) << list;
        EXPECT_EQ(again.field("etag"), tag);
        EXPECT_FALSE(again.fields.contains("content-length"));
        EXPECT_FALSE(again.fields.contains("content-type"));
    }
    client.send(get(path, "If-None-Match: \"other\"\r\n"));
    EXPECT_EQ(client.read_answer().status, 200) << "and the connection is in step";
    EXPECT_NE(ask(toy.port(), get("/v1/toy/echo?a=2")).field("etag"), tag);
    EXPECT_NE(ask(toy.port(), get(path, "Accept: text/plain\r\n")).field("etag"), tag)
        << "another representation has another tag";
    EXPECT_TRUE(ask(toy.port(), post("/v1/toy/echo", "text/plain", "x")).field("etag").empty());
    EXPECT_TRUE(ask(toy.port(), get("/v1/toy/echo?bad=%4")).field("etag").empty());
    const std::string openapi = ask(toy.port(), get("/openapi.json")).field("etag");
    client.send(get("/openapi.json", "If-None-Match: " + openapi + "\r\n"));
    EXPECT_EQ(client.read_answer(true).status, 304);
    EXPECT_EQ(ask(toy.port(), get("/healthz")).field("cache-control"), "no-store");
}

TEST(IdempotencyKey, LetsARepeatedRequestActOnce) {
    ToyServer toy;
    const std::string key = "Idempotency-Key: \"8e03978e\"\r\n";
    const std::string request = post("/v1/toy/count", kJson, R"({"ticks":3})", key);
    const RawAnswer first = ask(toy.port(), request);
    EXPECT_EQ(first.status, 200);
    EXPECT_TRUE(first.field("idempotency-replayed").empty());
    const RawAnswer again = ask(toy.port(), request);
    EXPECT_EQ(again.status, 200);
    EXPECT_EQ(again.body, first.body);
    EXPECT_EQ(again.field("idempotency-replayed"), "true");
    EXPECT_NE(again.field("x-request-id"), first.field("x-request-id"));
    EXPECT_EQ(toy.counters.started.load(), 1);
    EXPECT_EQ(ask(toy.port(), post("/v1/toy/count", kJson, R"({"ticks":4})", key)).status, 409)
        << "another request under the same key";
    EXPECT_EQ(toy.counters.started.load(), 1);
    // A refusal that will not change is kept as well; a job is started once.
    const std::string bad = post("/v1/toy/count", kJson, R"({"x":1})", "Idempotency-Key: bad\r\n");
    EXPECT_EQ(ask(toy.port(), bad).status, 400);
    EXPECT_EQ(ask(toy.port(), bad).field("idempotency-replayed"), "true");
    const std::string job =
        post("/v1/toy/count", kJson, "{}", "Idempotency-Key: job\r\nPrefer: respond-async\r\n");
    const std::string location = ask(toy.port(), job).field("location");
    EXPECT_FALSE(location.empty());
    EXPECT_EQ(ask(toy.port(), job).field("location"), location);
    for (const char* wrong : {"Idempotency-Key: \r\n", "Idempotency-Key: \"\"\r\n"}) {
        EXPECT_EQ(ask(toy.port(), post("/v1/toy/count", kJson, "{}", wrong)).status, 400) << wrong;
    }
    // A GET has nothing to protect.
    ask(toy.port(), get("/v1/toy/count?ticks=1", "Idempotency-Key: g\r\n"));
    ask(toy.port(), get("/v1/toy/count?ticks=1", "Idempotency-Key: g\r\n"));
    EXPECT_EQ(toy.counters.started.load(), 4);
}

TEST(IdempotencyKey, IsTakenWhileItsRequestRunsAndFreeAfterALostOne) {
    ToyServer toy;
    const std::string request =
        post("/v1/toy/count", kJson, R"({"ticks":100000,"tick_ms":5})", "Idempotency-Key: k\r\n");
    {
        RawClient running(toy.port());
        running.send(request);
        ASSERT_TRUE(eventually([&] { return toy.counters.started.load() == 1; }));
        const RawAnswer second = ask(toy.port(), request);
        EXPECT_EQ(second.status, 409);
        EXPECT_EQ(ask(toy.port(), post("/v1/toy/echo", "text/plain", "x", "Idempotency-Key: j\r\n"))
                      .status,
                  200)
            << "keys do not disturb each other";
    }
    ASSERT_TRUE(eventually([&] { return toy.counters.stopped.load() == 1; }));
    EXPECT_TRUE(eventually([&] {
        RawClient retry(toy.port());
        retry.send(request);
        return eventually([&] { return toy.counters.started.load() == 2; }, 50);
    })) << "the work of the lost request was stopped: the retry runs";
}

TEST(IdempotencyTable, IsBoundedInEntriesBytesAndTime) {
    using Table = IdempotencyTable;
    Table table({.max_entries = 3, .max_bytes = 100'000, .ttl = std::chrono::seconds(10)});
    const auto now = Table::Clock::now();
    const auto kept = [&](const std::string& key, std::size_t size, Table::Clock::time_point at) {
        const auto begun = table.begin(key, "f", at);
        if (!begun || *begun) return false;
        Answer answer;
        answer.body = std::string(size, 'x');
        table.keep(key, answer, at);
        return true;
    };
    ASSERT_TRUE(table.begin("runs", "f", now));
    for (const char* key : {"a", "b", "c"})
        EXPECT_TRUE(kept(key, 10, now));
    EXPECT_EQ(table.entries(), 3U);
    EXPECT_FALSE(table.begin("runs", "f", now)) << "what runs is never thrown out";
    EXPECT_FALSE(*table.begin("a", "f", now)) << "the oldest answer went";
    table.forget("a");
    ASSERT_TRUE(*table.begin("c", "f", now));
    EXPECT_TRUE(kept("c", 10, now + std::chrono::seconds(11))) << "its time was over";
    EXPECT_TRUE(kept("large", 99'000, now));
    EXPECT_FALSE(*table.begin("b", "f", now)) << "bytes count";
}

}  // namespace
}  // namespace yomi::net
