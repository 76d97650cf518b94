#include "server/methods.hpp"

#include <cctype>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "server/method_row.hpp"
#include "tests/schema_check/schema_check.hpp"

namespace yomi::server {
namespace {

using nlohmann::json;
using service::Payload;
using service::PreparedCall;

const service::Method& method(std::string_view name) {
    static const std::vector<service::Method> kMethods = all_methods();
    for (const service::Method& m : kMethods) {
        if (m.name == name) return m;
    }
    ADD_FAILURE() << "no method " << name;
    return kMethods.front();
}

Result<PreparedCall> decode(std::string_view name,
                            std::string body,
                            const service::Limits& limits = {}) {
    Payload payload;
    payload.kind = Payload::Kind::json;
    payload.body = std::move(body);
    return method(name).decode(payload, limits);
}

/// A finished run with everything that it told on the way.
struct Finished {
    service::Outcome outcome;
    std::vector<service::Snapshot> snapshots;
};

Finished run(const PreparedCall& call, std::stop_token stop = {}) {
    pool::Worker worker(0);
    engine::SearchMemory memory(call.budget.hash_bytes);
    Finished result;
    std::mutex mutex;
    service::RunContext context{.worker = worker,
                                .memory = memory,
                                .stop = std::move(stop),
                                .progress = [&](service::Snapshot s) {
                                    const std::lock_guard lock(mutex);
                                    result.snapshots.push_back(std::move(s));
                                }};
    auto outcome = call.run(context);
    EXPECT_TRUE(outcome) << outcome.error().message;
    if (outcome) result.outcome = std::move(*outcome);
    return result;
}

Finished run(std::string_view name, const std::string& body) {
    const auto call = decode(name, body);
    EXPECT_TRUE(call) << call.error().message << " " << call.error().pointer;
    return call ? run(*call) : Finished{};
}

TEST(Methods, HaveUniqueNamesAndRoutes) {
    std::set<std::string> names;
    std::set<std::pair<std::string, std::string>> routes;
    for (const service::Method& m : all_methods()) {
        EXPECT_TRUE(names.insert(m.name).second) << m.name;
        EXPECT_FALSE(m.routes.empty());
        EXPECT_TRUE(m.decode);
        for (const service::Route& route : m.routes) {
            EXPECT_TRUE(routes.insert({route.verb, route.path}).second) << route.path;
        }
    }
    EXPECT_TRUE(names.contains("shogi.analysis"));
    EXPECT_TRUE(names.contains("othello.position"));
}

TEST(ShogiAnalysisMethod, AnswersAndReportsByItsSchema) {
    const auto call =
        decode("shogi.analysis",
               R"({"position": "startpos moves 7g7f", "limits": {"depth": 4, "hash_mib": 1},
        "multipv": 3, "trace": true})");
    ASSERT_TRUE(call) << call.error().message;
    EXPECT_EQ(call->lane, pool::Lane::search);
    EXPECT_FALSE(call->join_key.empty());
    EXPECT_EQ(call->budget.hash_bytes, std::size_t{1} << 20);
    const Finished result = run(*call);
    ASSERT_TRUE(result.outcome.body);
    EXPECT_EQ(proto::complaints("ShogiAnalysisAnswer", *result.outcome.body), "")
        << *result.outcome.body;
    const json body = json::parse(*result.outcome.body);
    EXPECT_EQ(body["lines"].size(), 3U);
    EXPECT_EQ(body["lines"][0]["depth"], 4);
    EXPECT_EQ(body["lines"][0]["pv"][0], body["bestmove"]);
    EXPECT_EQ(*result.outcome.text, body["bestmove"].get<std::string>() + "\n");
    EXPECT_EQ(result.outcome.stopped_by, engine::StopReason::depth);
    EXPECT_TRUE(result.outcome.show_effort);
    EXPECT_GT(result.outcome.nodes, 0U);
    ASSERT_FALSE(result.snapshots.empty());
    int depth = 0;
    for (const service::Snapshot& snapshot : result.snapshots) {
        EXPECT_EQ(proto::complaints("ShogiProgress", *snapshot.progress), "") << *snapshot.progress;
        EXPECT_EQ(proto::complaints("ShogiAnalysisAnswer", *snapshot.best), "") << *snapshot.best;
        EXPECT_FALSE(snapshot.best_text->empty());
        const json progress = json::parse(*snapshot.progress);
        EXPECT_GE(progress["depth"].get<int>(), depth);
        depth = progress["depth"];
        EXPECT_EQ(progress["depth_complete"], snapshot.depth_complete);
    }
    EXPECT_EQ(depth, 4);
}

TEST(ShogiAnalysisMethod, TheSameQuestionGivesTheSameAnswer) {
    const std::string question =
        R"({"position": "startpos", "limits": {"nodes": 20000, "hash_mib": 1}})";
    const auto without_clock = [](const std::string& text) {
        json body = json::parse(text);
        body.erase("time_ms");
        body.erase("nps");
        return body;
    };
    const json first = without_clock(*run("shogi.analysis", question).outcome.body);
    EXPECT_EQ(first, without_clock(*run("shogi.analysis", question).outcome.body));
}

TEST(ShogiAnalysisMethod, MoreLinesThanMovesGivesExactlyTheMoves) {
    const Finished result =
        run("shogi.analysis",
            R"({"position": "startpos", "limits": {"depth": 2, "hash_mib": 1}, "multipv": 600})");
    const json body = json::parse(*result.outcome.body);
    std::set<std::string> firsts;
    for (const json& line : body["lines"])
        firsts.insert(line["pv"][0].get<std::string>());
    EXPECT_EQ(body["lines"].size(), 30U);
    EXPECT_EQ(firsts.size(), 30U);
}

TEST(ShogiAnalysisMethod, AFinishedGameIsAnsweredByItsStatus) {
    const Finished mated =
        run("shogi.analysis",
            R"({"position": "4k4/4G4/4G4/9/9/9/9/9/4K4 w - 1", "limits": {"hash_mib": 1}})");
    const json body = json::parse(*mated.outcome.body);
    EXPECT_EQ(body["status"], "mated");
    EXPECT_EQ(body["lines"][0]["score"]["mate"], 0);
    EXPECT_TRUE(body["bestmove"].is_null());
    EXPECT_EQ(*mated.outcome.text, "mated\n");
    EXPECT_EQ(mated.outcome.stopped_by, engine::StopReason::game_over);
    EXPECT_EQ(proto::complaints("ShogiAnalysisAnswer", *mated.outcome.body), "");
}

TEST(ShogiAnalysisMethod, AStoppedSearchStillAnswers) {
    const auto call =
        decode("shogi.analysis",
               R"({"position": "startpos", "limits": {"time_ms": 60000, "hash_mib": 1}})");
    ASSERT_TRUE(call);
    std::stop_source stop;
    stop.request_stop();
    const Finished result = run(*call, stop.get_token());
    const json body = json::parse(*result.outcome.body);
    EXPECT_TRUE(body["bestmove"].is_string());
    EXPECT_EQ(result.outcome.stopped_by, engine::StopReason::cancelled);
    EXPECT_EQ(proto::complaints("ShogiAnalysisAnswer", *result.outcome.body), "")
        << *result.outcome.body;
}

TEST(ShogiAnalysisMethod, OptionsReachTheService) {
    service::Limits limits;
    limits.max_time = std::chrono::milliseconds(500);
    const auto call = decode(
        "shogi.analysis",
        R"({"position": "startpos", "limits": {"time_ms": 9999}, "deadline_ms": 77, "priority": "batch",
                                 "session": "s", "progress": {"min_interval_ms": 20}})",
        limits);
    ASSERT_TRUE(call);
    EXPECT_EQ(call->budget.time, std::chrono::milliseconds(500));
    EXPECT_EQ(call->estimate, std::chrono::milliseconds(500));
    EXPECT_EQ(call->deadline, std::chrono::milliseconds(77));
    EXPECT_EQ(call->priority, pool::Priority::batch);
    EXPECT_EQ(call->session, "s");
    EXPECT_TRUE(call->join_key.empty());
    EXPECT_EQ(call->min_interval, std::chrono::milliseconds(20));
}

TEST(PositionMethods, AnswerByTheirSchemas) {
    const Finished shogi = run("shogi.position", R"({"position": "startpos moves 7g7f"})");
    EXPECT_EQ(proto::complaints("ShogiPositionAnswer", *shogi.outcome.body), "");
    EXPECT_FALSE(shogi.outcome.show_effort);
    EXPECT_TRUE(shogi.outcome.text->ends_with("w - 2\n"));
    const Finished othello = run("othello.position", R"({"position": "f5d6"})");
    EXPECT_EQ(proto::complaints("OthelloPositionAnswer", *othello.outcome.body), "");
    EXPECT_TRUE(othello.outcome.text->starts_with("  a b c"));
}

TEST(ServerMethods, AnswerByTheirSchemasWithThePresentLimits) {
    service::Limits limits;
    limits.max_nodes = 12'345;
    const auto call = decode("limits", "{}", limits);
    ASSERT_TRUE(call);
    EXPECT_EQ(call->lane, pool::Lane::inline_);
    const Finished result = run(*call);
    EXPECT_EQ(proto::complaints("LimitsAnswer", *result.outcome.body), "");
    EXPECT_EQ(json::parse(*result.outcome.body)["max_nodes"], 12'345);
    EXPECT_NE(result.outcome.text->find("max_nodes 12345\n"), std::string::npos);
    const Finished engines = run("engines", "{}");
    EXPECT_EQ(proto::complaints("EnginesAnswer", *engines.outcome.body), "");
}

TEST(OpenApi, ListsEveryRouteWithItsRequestAndAnswer) {
    const json document = json::parse(openapi_json());
    EXPECT_EQ(document["openapi"], "3.1.0");
    for (const MethodRow& row : method_rows()) {
        for (const service::Route& route : row.method.routes) {
            std::string verb = route.verb;
            for (char& letter : verb)
                letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
            ASSERT_TRUE(document["paths"].contains(route.path)) << route.path;
            const json& operation = document["paths"][route.path][verb];
            const json& content = operation["responses"]["200"]["content"];
            EXPECT_EQ(content.contains("application/octet-stream"), row.method.files);
            if (route.file) {
                EXPECT_FALSE(content.contains("application/json"));
            } else {
                EXPECT_EQ(content.at("application/json")["schema"]["$ref"],
                          "#/components/schemas/" + std::string(row.answer));
                EXPECT_EQ(content.contains("text/event-stream"), row.method.streams);
            }
            EXPECT_EQ(operation.contains("requestBody"), route.verb != "GET");
            EXPECT_FALSE(operation["summary"].get<std::string>().empty());
        }
        if (!row.example.empty()) {
            EXPECT_TRUE(decode(row.method.name, std::string(row.example))) << row.example;
        }
    }
}

TEST(OpenApi, IsConsistent) {
    const json document = json::parse(openapi_json());
    std::set<std::string> ids;
    for (const auto& [path, item] : document["paths"].items()) {
        EXPECT_TRUE(path.starts_with("/"));
        for (const auto& [verb, operation] : item.items()) {
            if (verb == "parameters") continue;
            EXPECT_TRUE(ids.insert(operation["operationId"]).second) << operation["operationId"];
            EXPECT_FALSE(operation["responses"].empty());
        }
    }
    std::vector<const json*> todo{&document};
    while (!todo.empty()) {
        const json& value = *todo.back();
        todo.pop_back();
        if (value.is_object() && value.contains("$ref")) {
            const std::string reference = value["$ref"];
            ASSERT_TRUE(reference.starts_with("#/")) << reference;
            EXPECT_TRUE(document.contains(json::json_pointer(reference.substr(1)))) << reference;
        }
        for (const json& child : value) {
            if (child.is_structured()) todo.push_back(&child);
        }
    }
}

}  // namespace
}  // namespace yomi::server
