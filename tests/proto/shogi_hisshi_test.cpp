#include "proto/shogi_hisshi.hpp"

#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/schema_check/schema_check.hpp"

namespace yomi::proto {
namespace {

using nlohmann::json;

constexpr std::string_view kOneMove = "7k1/9/5gn2/9/5L3/9/9/9/9 b 2G 1";

Result<ShogiHisshiCall> decode(const json& body) {
    const std::string text = body.dump();
    return decode_shogi_hisshi({.kind = Input::Kind::json, .body = text}, {});
}

shogi::HisshiAnswer solve(const ShogiHisshiCall& call) {
    engine::SearchMemory memory(std::size_t{8} << 20);
    engine::NullSink<shogi::HisshiProgress> sink;
    return shogi::Hisshi().analyse(call.request, memory, {}, sink);
}

/// Node limits only, so that a busy machine answers the same.
json answer_to(json body, int nodes = 500'000) {
    body["limits"]["nodes"] = nodes;
    const auto call = decode(body);
    EXPECT_TRUE(call) << call.error().message << " " << call.error().pointer;
    if (!call) return json::object();
    const std::string text = encode_shogi_hisshi(*call, solve(*call));
    EXPECT_EQ(complaints("ShogiHisshiAnswer", text), "");
    return json::parse(text);
}

std::string text_of(json body, int nodes = 500'000) {
    body["limits"]["nodes"] = nodes;
    const auto call = decode(body);
    EXPECT_TRUE(call);
    return call ? shogi_hisshi_text(*call, solve(*call)) : "";
}

std::string error_pointer(const json& body) {
    const auto call = decode(body);
    EXPECT_FALSE(call);
    return call ? "" : call.error().pointer;
}

TEST(ShogiHisshi, AnswersWithKeyRepliesAndMates) {
    const json answer = answer_to({{"position", kOneMove}});
    EXPECT_EQ(answer["verdict"], "hisshi");
    EXPECT_EQ(answer["bestmove"], "G*2c");
    EXPECT_EQ(answer["attacks"], 1);
    EXPECT_EQ(answer["keys_complete"], true);
    EXPECT_EQ(answer["tree_complete"], true);
    ASSERT_EQ(answer["keys"].size(), 1U);
    const json& key = answer["keys"][0];
    EXPECT_EQ(key["move"], "G*2c");
    EXPECT_EQ(key["quiet"], true);
    EXPECT_EQ(key["threat"]["mate"], 1);
    EXPECT_EQ(key["replies_total"], 9);
    EXPECT_EQ(key["by_replay"].get<int>() + key["by_search"].get<int>(), 9);
    ASSERT_EQ(key["replies"].size(), 9U);
    for (const json& reply : key["replies"]) {
        EXPECT_EQ(reply["mate"], 1);
        EXPECT_EQ(reply["line"].size(), 1U);
        if (reply["move"] == "2a3a") {
            EXPECT_EQ(reply["line"][0], "G*3b");
        }
    }
}

TEST(ShogiHisshi, ShowsLaterAttacksBelowTheReplies) {
    const json answer = answer_to({{"position", "4k4/9/9/9/9/9/9/9/9 b 3S 1"}});
    EXPECT_EQ(answer["attacks"], 2);
    EXPECT_EQ(answer["line"].size(), 3U);
    ASSERT_FALSE(answer["keys"].empty());
    const json& reply = answer["keys"][0]["replies"][0];
    EXPECT_EQ(reply["moves"], 1);
    EXPECT_EQ(reply["next"]["quiet"], true);
    EXPECT_FALSE(reply["next"]["replies"].empty());
}

TEST(ShogiHisshi, TellsADefenderWhatEscapes) {
    const json answer =
        answer_to({{"position", "7nl/6GSk/6pp1/8p/7P1/9/9/9/9 w G2r2b2g3s3n3l14p 1"}});
    EXPECT_EQ(answer["verdict"], "none");
    EXPECT_EQ(answer["status"], "threatmate");
    EXPECT_EQ(answer["threat"]["mate"], 3);
    EXPECT_EQ(answer["escapes"].size(), 2U);
    EXPECT_EQ(answer["escapes_complete"], true);
    const json hisshi = answer_to({{"position", "7k1/9/5gnG1/9/5L3/9/9/9/9 w G 1"}});
    EXPECT_EQ(hisshi["status"], "hisshi");
    EXPECT_EQ(hisshi["replies"].size(), 9U);
}

TEST(ShogiHisshi, LeavesOutWhatHasNoRoom) {
    const json none = answer_to({{"position", kOneMove}, {"tree", {{"max_nodes", 0}}}});
    EXPECT_EQ(none["keys"].size(), 1U);
    EXPECT_TRUE(none["keys"][0]["replies"].empty());
    EXPECT_EQ(none["tree_complete"], false);
    const json few = answer_to({{"position", kOneMove}, {"tree", {{"max_nodes", 12}}}});
    EXPECT_EQ(few["keys"][0]["replies"].size(), 9U);
    EXPECT_EQ(few["tree_complete"], false);
}

TEST(ShogiHisshi, SaysUnknownAtALimit) {
    const json answer = answer_to({{"position", kOneMove}}, 50);
    EXPECT_EQ(answer["verdict"], "unknown");
    EXPECT_EQ(answer["limit"], "nodes");
    EXPECT_TRUE(answer["keys"].empty());
}

TEST(ShogiHisshi, WritesOneLineOfText) {
    EXPECT_EQ(text_of({{"position", kOneMove}}), "hisshi 1 G*2c\n");
    EXPECT_EQ(text_of({{"position", kOneMove}}, 50), "unknown nodes\n");
    EXPECT_EQ(text_of({{"position", "4k4/9/4P4/9/9/9/9/9/9 b G 1"}}), "mate 1 G*5b\n");
    EXPECT_EQ(text_of({{"position", "startpos"}}), "none\n");
    EXPECT_EQ(text_of({{"position", "7k1/9/5gnG1/9/5L3/9/9/9/9 w G 1"}}), "hisshi\n");
    EXPECT_EQ(text_of({{"position", "startpos"}, {"attacker", "white"}}), "none\n");
}

TEST(ShogiHisshi, NamesWhatIsWrong) {
    EXPECT_EQ(error_pointer({{"position", "8k/9/9/9/9/9/9/9/9 x - 1"}}), "/position");
    EXPECT_EQ(error_pointer({{"limits", {{"nodes", 5}}}}), "/position");
    EXPECT_EQ(error_pointer({{"position", kOneMove}, {"attacker", "white"}}), "/attacker");
    EXPECT_EQ(error_pointer({{"position", kOneMove}, {"attacker", "nobody"}}), "/attacker");
    EXPECT_EQ(error_pointer({{"position", kOneMove}, {"limits", {{"attacks", 0}}}}),
              "/limits/attacks");
    EXPECT_EQ(error_pointer({{"position", kOneMove}, {"tree", {{"max_nodes", -1}}}}),
              "/tree/max_nodes");
    EXPECT_EQ(error_pointer({{"position", kOneMove}, {"extra", "maybe"}}), "/extra");
    EXPECT_EQ(error_pointer({{"position", kOneMove}, {"keyes", 3}}), "/keyes");
}

TEST(ShogiHisshi, KeysDifferWithWhatIsAsked) {
    const auto key = [](const json& body) {
        const auto call = decode(body);
        EXPECT_TRUE(call);
        return call ? call->key : "";
    };
    const json plain{{"position", kOneMove}};
    EXPECT_EQ(key(plain), key(plain));
    EXPECT_NE(key(plain), key({{"position", kOneMove}, {"extra", false}}));
    EXPECT_NE(key(plain), key({{"position", kOneMove}, {"limits", {{"attacks", 1}}}}));
    EXPECT_EQ(key({{"position", kOneMove}, {"cache", "bypass"}}), "");
}

TEST(ShogiHisshi, ProgressFollowsItsSchema) {
    const auto call = decode({{"position", kOneMove}});
    ASSERT_TRUE(call);
    const shogi::HisshiAnswer answer = solve(*call);
    shogi::HisshiProgress progress;
    progress.verdict = answer.verdict;
    progress.moves = 1;
    progress.keys = answer.keys;
    progress.nodes = 10;
    const std::string event = encode_shogi_hisshi_progress(progress);
    EXPECT_EQ(complaints("ShogiHisshiProgress", event), "");
    EXPECT_EQ(json::parse(event)["keys"][0], "G*2c");
    const shogi::HisshiAnswer so_far = hisshi_so_far(progress);
    EXPECT_EQ(complaints("ShogiHisshiAnswer", encode_shogi_hisshi(*call, so_far)), "");
    EXPECT_EQ(shogi_hisshi_text(*call, so_far), "hisshi 1 G*2c\n");
}

}  // namespace
}  // namespace yomi::proto
