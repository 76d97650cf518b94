#include "proto/othello_analysis.hpp"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/schema_check/schema_check.hpp"

namespace yomi::proto {
namespace {

using nlohmann::json;
using Query = std::vector<std::pair<std::string, std::string>>;

Result<OthelloAnalysisCall> decode(std::string_view body) {
    return decode_othello_analysis({.kind = Input::Kind::json, .body = body}, {});
}

Error error_of(std::string_view body) {
    auto call = decode(body);
    EXPECT_FALSE(call) << body;
    return call ? Error{} : call.error();
}

std::string answer_of(const OthelloAnalysisCall& call, std::vector<std::string>* events = nullptr) {
    engine::SearchMemory memory(std::size_t{4} << 20);
    const auto keep = [events](const othello::AnalysisProgress& progress) {
        if (events != nullptr) events->push_back(encode_othello_progress(progress));
    };
    engine::CallSink<othello::AnalysisProgress, decltype(keep)> sink(keep);
    return encode_othello_analysis(call,
                                   othello::Analyser().analyse(call.request, memory, {}, sink));
}

constexpr std::string_view kNearTheEnd =
    "f5d6c3d3c4f4f6g5e6d7e3c5f3e7h5e2c6d2c2b3b4g6a4h6g4h4c7h3d8b5f8b6f7a5a3a2a7c1b7g3g2c8b8e8d1e1f1"
    "b2a6a8h2";

TEST(OthelloAnalysis, ReadsEveryFieldOfTheContract) {
    const auto call = decode(
        R"({"position": "f5d6", "moves": "c3", "limits": {"depth": 7, "selectivity": 3, "time_ms": 500,
            "nodes": 1000, "hash_mib": 2, "threads": 1}, "goal": "wld", "multipv": 4,
            "search_moves": ["d3", "f4"], "progress": {"min_interval_ms": 20}})");
    ASSERT_TRUE(call) << call.error().message;
    const othello::AnalysisRequest& request = call->request;
    EXPECT_EQ(request.position.ply(), 3);
    EXPECT_EQ(request.budget.depth, 7);
    EXPECT_EQ(request.selectivity, 3);
    EXPECT_EQ(request.budget.time, std::chrono::milliseconds(500));
    EXPECT_EQ(request.budget.nodes, 1000U);
    EXPECT_EQ(request.budget.hash_bytes, std::size_t{2} << 20);
    EXPECT_EQ(request.goal, othello::Goal::wld);
    EXPECT_EQ(request.multipv, 4);
    EXPECT_EQ(request.search_moves.size(), 2U);
    EXPECT_EQ(request.min_interval, std::chrono::milliseconds(20));
}

TEST(OthelloAnalysis, EveryOptionThatChangesTheAnswerChangesTheKey) {
    std::vector<std::string> keys;
    for (const char* const body : {R"({})",
                                   R"({"limits": {"level": 5}})",
                                   R"({"limits": {"level": 6}})",
                                   R"({"limits": {"depth": 5}})",
                                   R"({"limits": {"depth": 5, "selectivity": 2}})",
                                   R"({"limits": {"exact": true}})",
                                   R"({"limits": {"exact": true}, "goal": "wld"})",
                                   R"({"limits": {"nodes": 5}})",
                                   R"({"limits": {"time_ms": 5}})",
                                   R"({"multipv": 2})",
                                   R"({"search_moves": ["f5"]})",
                                   R"({"position": "f5"})",
                                   R"({"limits": {"hash_mib": 1}})"}) {
        const auto call = decode(body);
        ASSERT_TRUE(call) << body;
        EXPECT_FALSE(call->key.empty());
        for (const std::string& other : keys)
            EXPECT_NE(call->key, other) << body;
        keys.push_back(call->key);
    }
    EXPECT_TRUE(decode(R"({"cache": "bypass"})")->key.empty());
    EXPECT_TRUE(decode(R"({"session": "s"})")->key.empty());
}

TEST(OthelloAnalysis, FaultsAreNamedByPlace) {
    EXPECT_EQ(error_of(R"({"limits": {"level": 5, "exact": true}})").pointer, "/limits/exact");
    EXPECT_EQ(error_of(R"({"limits": {"level": 5, "depth": 3}})").code, ErrorCode::bad_value);
    EXPECT_EQ(error_of(R"({"limits": {"level": 61}})").code, ErrorCode::out_of_range);
    EXPECT_EQ(error_of(R"({"limits": {"selectivity": 6}})").pointer, "/limits/selectivity");
    EXPECT_EQ(error_of(R"({"search_moves": ["f5", "a1"]})").pointer, "/search_moves/1");
    EXPECT_EQ(error_of(R"({"search_moves": ["f5", "a1"]})").code, ErrorCode::illegal_move);
    EXPECT_EQ(error_of(R"({"search_moves": ["z9"]})").code, ErrorCode::bad_notation);
    EXPECT_EQ(error_of(R"({"goal": "win"})").code, ErrorCode::bad_value);
    EXPECT_EQ(error_of(R"({"position": "f5f5"})").pointer, "/position");
    EXPECT_EQ(error_of(R"({"depht": 3})").code, ErrorCode::unknown_field);
}

TEST(OthelloAnalysis, AnswersAndEventsKeepTheSchema) {
    const std::string end(kNearTheEnd);
    for (const std::string& body :
         {std::string(R"({"limits": {"depth": 4}, "multipv": 64})"),
          R"({"position": ")" + end + R"(", "limits": {"exact": true}})",
          R"({"position": ")" + end + R"(", "limits": {"exact": true}, "goal": "wld"})"}) {
        const auto call = decode(body);
        ASSERT_TRUE(call) << call.error().message;
        std::vector<std::string> events;
        const std::string answer = answer_of(*call, &events);
        EXPECT_EQ(complaints("OthelloAnalysisAnswer", answer), "") << answer;
        ASSERT_FALSE(events.empty());
        for (const std::string& event : events)
            EXPECT_EQ(complaints("OthelloProgress", event), "") << event;
    }
}

TEST(OthelloAnalysis, SaysExactOnlyWhenItIsProved) {
    const std::string end(kNearTheEnd);
    const auto solved = decode(R"({"position": ")" + end + R"(", "limits": {"level": 10}})");
    const json exact = json::parse(answer_of(*solved));
    EXPECT_EQ(exact["lines"][0]["score"]["exact"], true);
    EXPECT_EQ(exact["lines"][0]["score"]["confidence"], 100);
    EXPECT_EQ(exact["lines"][0]["to_end"], true);
    const auto midgame = decode(R"({"position": "f5d6c3", "limits": {"depth": 5}})");
    const json guess = json::parse(answer_of(*midgame));
    EXPECT_EQ(guess["lines"][0]["score"]["exact"], false);
    EXPECT_EQ(guess["lines"][0]["score"]["confidence"], 73);
    EXPECT_EQ(guess["lines"][0]["depth"], 5);
    EXPECT_EQ(guess["bestmove"], guess["lines"][0]["move"]);
    EXPECT_EQ(guess["lines"][0]["pv"][0], guess["bestmove"]);
}

TEST(OthelloAnalysis, AFinishedGameAndAForcedPassAreTheirOwnAnswers) {
    const std::string over(64, 'X');
    const auto finished = decode(R"({"position": ")" + over + R"( O"})");
    ASSERT_TRUE(finished) << finished.error().message;
    const std::string text = answer_of(*finished);
    EXPECT_EQ(complaints("OthelloAnalysisAnswer", text), "");
    const json answer = json::parse(text);
    EXPECT_EQ(answer["status"], "game_over");
    EXPECT_TRUE(answer["bestmove"].is_null());
    EXPECT_EQ(answer["final_score"], 64);
    // White at h1 alone can be surrounded by nobody: Black must pass, White plays.
    const auto pass = decode(
        R"({"position": "XXXXXXO--------------------------------------------------------- X"})");
    ASSERT_TRUE(pass) << pass.error().message;
    const json turn = json::parse(answer_of(*pass));
    EXPECT_EQ(turn["status"], turn["bestmove"] == "pass" ? "pass" : "normal");
}

Result<OthelloGameCall> game_call(std::string_view body) {
    return decode_othello_game_call({.kind = Input::Kind::json, .body = body}, {});
}

TEST(OthelloGame, ThreadsBelongToTheQuestion) {
    const std::string position = R"({"position": ")" + std::string(kNearTheEnd) + "\"";
    const auto one = game_call(position + "}");
    const auto two = decode_othello_game_call(
        {.kind = Input::Kind::json, .body = position + R"(, "limits": {"threads": 2}})"}, [] {
            Published published;
            published.caps.set(Cap::threads, 4);
            return published;
        }());
    ASSERT_TRUE(one && two);
    EXPECT_EQ(one->request.budget.threads, 1);
    EXPECT_EQ(two->request.budget.threads, 2);
    EXPECT_NE(one->key, two->key);
}

TEST(OthelloGame, AnswerAndProgressKeepTheSchemaAndAddUp) {
    const auto call =
        game_call(R"({"position": ")" + std::string(kNearTheEnd) + R"(", "limits": {"level": 2}})");
    ASSERT_TRUE(call) << call.error().message;
    engine::SearchMemory memory(std::size_t{4} << 20);
    std::vector<std::string> events;
    const auto keep = [&events](const othello::GameAnalysis& so_far) {
        events.push_back(encode_othello_game_progress(so_far));
    };
    engine::CallSink<othello::GameAnalysis, decltype(keep)> sink(keep);
    const auto analysis = othello::GameAnalyser().analyse(call->request, memory, {}, sink);
    const std::string text = encode_othello_game(*call, analysis);
    EXPECT_EQ(complaints("OthelloGameAnswer", text), "");
    for (const std::string& event : events)
        ASSERT_EQ(complaints("OthelloGameProgress", event), "") << event;
    const json answer = json::parse(text);
    EXPECT_EQ(answer["moves"].size(), events.size());
    EXPECT_EQ(json::parse(events.back())["done"], answer["moves"].size());
    int losses = 0;
    for (const json& move : answer["moves"]) {
        losses += move["analysis"]["loss"].get<int>();
        const int sign = move["side"] == "black" ? 1 : -1;
        EXPECT_EQ(move["analysis"]["black_value"], sign * move["analysis"]["value"].get<int>());
    }
    EXPECT_EQ(losses,
              answer["summary"]["black"]["total_loss"].get<int>() +
                  answer["summary"]["white"]["total_loss"].get<int>());
    EXPECT_TRUE(answer["final_score"].is_null());
    EXPECT_NE(othello_game_text(analysis).find("1 X f5"), std::string::npos);
}

TEST(OthelloEngines, NameTheEvaluationByItsHash) {
    const json engines = othello_engines();
    EXPECT_EQ(engines[0]["game"], "othello");
    EXPECT_EQ(engines[0]["evals"][0]["hash"].get<std::string>().size(), 16U);
}

}  // namespace
}  // namespace yomi::proto
