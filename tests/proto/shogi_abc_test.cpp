// The ABC engine on the wire: its fields, its certificate, its answers against the schema.
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "proto/shogi.hpp"
#include "tests/schema_check/schema_check.hpp"

namespace yomi::proto {
namespace {

using nlohmann::json;
namespace abc = shogi::abc;

ShogiAnalysisCall decode(std::string_view body) {
    auto call = decode_shogi_analysis({.kind = Input::Kind::json, .body = body}, {});
    EXPECT_TRUE(call) << body << ": " << (call ? "" : call.error().message);
    return call ? std::move(*call) : ShogiAnalysisCall{};
}

abc::AbcAnswer search(std::string_view position, std::uint64_t nodes, abc::AbcProgress* last) {
    abc::AbcRequest request;
    const auto game = shogi::parse_usi_position(position);
    EXPECT_TRUE(game) << position;
    request.search.position = game->position;
    request.search.budget.nodes = nodes;
    request.options.margin = 60;
    engine::SearchMemory memory(1 << 20);
    abc::Abc engine;
    engine::CallSink<abc::AbcProgress, std::function<void(const abc::AbcProgress&)>> sink(
        [&](const abc::AbcProgress& progress) { *last = progress; });
    return engine.analyse(request, memory, {}, sink);
}

TEST(AbcFields, AreRead) {
    const ShogiAnalysisCall plain = decode(R"({"position": "startpos"})");
    EXPECT_FALSE(plain.choice.abc);
    EXPECT_FALSE(plain.choice.certificate);
    EXPECT_FALSE(plain.notes.abc);
    const ShogiAnalysisCall call = decode(
        R"({"position": "startpos", "engine": "abc", "certificate": true,
            "abc": {"cost": "exact", "margin": -20, "cap": 40}})");
    EXPECT_TRUE(call.choice.abc);
    EXPECT_TRUE(call.choice.certificate);
    EXPECT_TRUE(call.notes.abc);
    EXPECT_EQ(call.choice.options.cost, abc::CostMode::exact);
    EXPECT_EQ(call.choice.options.margin, -20);
    EXPECT_EQ(call.choice.options.cap, 40);
    EXPECT_TRUE(call.notes.warnings.empty());
}

TEST(AbcFields, AreReadFromAQuery) {
    const std::vector<std::pair<std::string, std::string>> query{
        {"position", "startpos"}, {"engine", "abc"}, {"cost", "uniform"}, {"abc.cap", "12"}};
    const auto call = decode_shogi_analysis({.query = query}, {});
    ASSERT_TRUE(call) << call.error().message;
    EXPECT_EQ(call->choice.options.cost, abc::CostMode::uniform);
    EXPECT_EQ(call->choice.options.cap, 12);
}

TEST(AbcFields, WithoutEffectAreSaidInAWarning) {
    const ShogiAnalysisCall plain =
        decode(R"({"position": "startpos", "abc": {"cost": "exact", "margin": 5}})");
    ASSERT_EQ(plain.notes.warnings.size(), 2U);
    EXPECT_NE(plain.notes.warnings[0].find("/abc/cost"), std::string::npos);
    EXPECT_EQ(plain.choice.options, AbcChoice{}.options);
    const ShogiAnalysisCall lines =
        decode(R"({"position": "startpos", "engine": "abc", "multipv": 3})");
    ASSERT_EQ(lines.notes.warnings.size(), 1U);
    EXPECT_NE(lines.notes.warnings[0].find("one line"), std::string::npos);
}

TEST(AbcFields, KeepSearchesApart) {
    std::vector<std::string> keys;
    for (const std::string_view rest : {"",
                                        R"(, "engine": "abc")",
                                        R"(, "engine": "abc", "abc": {"cost": "exact"})",
                                        R"(, "engine": "abc", "abc": {"margin": 10})",
                                        R"(, "engine": "abc", "abc": {"cap": 10})",
                                        R"(, "engine": "abc", "certificate": true)",
                                        R"(, "certificate": true)"}) {
        keys.push_back(decode(R"({"position": "startpos")" + std::string(rest) + "}").key);
        EXPECT_FALSE(keys.back().empty());
        for (std::size_t i = 0; i + 1 < keys.size(); ++i)
            EXPECT_NE(keys[i], keys.back()) << rest;
    }
    EXPECT_EQ(decode(R"({"position": "startpos", "engine": "abc", "abc": {"margin": 0}})").key,
              keys[1]);
}

TEST(AbcAnswer, ConformsToTheSchema) {
    // Solid, hanging, mating, mated.
    for (const std::string_view position : {"startpos",
                                            "4k4/9/9/4p4/4s4/4P4/9/9/4K4 b - 1",
                                            "7p1/7k1/9/7B1/6S2/9/9/9/9 b 2G 1",
                                            "7p1/7k1/9/7B1/6S2/9/9/9/9 b 2G 1 moves G*1c"}) {
        const auto root = shogi::parse_usi_position(position);
        ASSERT_TRUE(root);
        abc::AbcProgress last;
        const abc::AbcAnswer answer = search(position, 20'000, &last);
        const std::string text =
            encode_shogi_answer(root->position,
                                answer.search,
                                {.abc = true, .certificate = &answer.certificate, .warnings = {}});
        EXPECT_EQ(complaints("ShogiAnalysisAnswer", text), "") << text;
        const json body = json::parse(text);
        EXPECT_EQ(body["source"], "abc");
        EXPECT_EQ(body["engine"]["name"], "yomi-abc");
        ASSERT_TRUE(body.contains("certificate")) << text;
        EXPECT_EQ(body["certificate"]["conspiracy"].size(), body["lines"][0]["pv"].size());
        EXPECT_EQ(body["certificate"]["depth"], body["lines"][0]["depth"]);
        EXPECT_FALSE(body["certificate"].contains("searching"));
        EXPECT_EQ(body["certificate"]["down"][0]["count"].is_null(),
                  answer.certificate.down.front().count == abc::kProved);
        const std::string progress =
            encode_shogi_progress(root->position, last.search, &last.certificate);
        EXPECT_EQ(complaints("ShogiProgress", progress), "") << progress;
        EXPECT_TRUE(json::parse(progress)["certificate"].contains("searching"));
    }
}

TEST(AbcAnswer, OfAMateIsProved) {
    const auto root = shogi::parse_usi_position("7p1/7k1/9/7B1/6S2/9/9/9/9 b 2G 1");
    abc::AbcProgress last;
    const abc::AbcAnswer answer = search("7p1/7k1/9/7B1/6S2/9/9/9/9 b 2G 1", 200'000, &last);
    const json body = json::parse(
        encode_shogi_answer(root->position,
                            answer.search,
                            {.abc = true, .certificate = &answer.certificate, .warnings = {}}));
    EXPECT_EQ(body["lines"][0]["score"], (json{{"mate", 3}}));
    for (const json& point : body["certificate"]["down"])
        EXPECT_TRUE(point["count"].is_null());
}

TEST(AbcAnswer, WithoutACompleteDepthHasNoCertificate) {
    const auto root = shogi::parse_usi_position("startpos");
    const abc::Certificate nothing;
    const shogi::AnalysisAnswer answer = answer_so_far(root->position, {});
    const json body = json::parse(encode_shogi_answer(
        root->position, answer, {.abc = true, .certificate = &nothing, .warnings = {}}));
    EXPECT_FALSE(body.contains("certificate"));
}

}  // namespace
}  // namespace yomi::proto
