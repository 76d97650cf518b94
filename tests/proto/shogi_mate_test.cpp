#include "proto/shogi_mate.hpp"

#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/shogi/notation/kif.hpp"
#include "core/shogi/notation/sfen.hpp"
#include "core/shogi/notation/usi.hpp"
#include "tests/schema_check/schema_check.hpp"

namespace yomi::proto {
namespace {

using nlohmann::json;

constexpr std::string_view kThreeMover = "7p1/7k1/9/7B1/6S2/9/9/9/9 b 2G 1";

Result<ShogiMateCall> decode(const json& body) {
    const std::string text = body.dump();
    return decode_shogi_mate({.kind = Input::Kind::json, .body = text}, {});
}

shogi::TsumeAnswer solve(const ShogiMateCall& call) {
    engine::SearchMemory memory(std::size_t{4} << 20);
    engine::NullSink<shogi::TsumeProgress> sink;
    shogi::Tsume tsume;
    return tsume.analyse(call.request, memory, {}, sink);
}

json answer_to(const json& body) {
    const auto call = decode(body);
    EXPECT_TRUE(call) << call.error().message << " " << call.error().pointer;
    if (!call) return json::object();
    const std::string text = encode_shogi_mate(*call, solve(*call));
    EXPECT_EQ(complaints("ShogiMateAnswer", text), "");
    return json::parse(text);
}

std::string error_pointer(const json& body) {
    const auto call = decode(body);
    EXPECT_FALSE(call);
    return call ? "" : call.error().pointer;
}

TEST(ShogiMate, AnswersAThreeMoverWithItsWholeTree) {
    const json answer =
        answer_to({{"position", kThreeMover}, {"cooks", true}, {"tree", {{"max_nodes", 100}}}});
    EXPECT_EQ(answer["verdict"], "mate");
    EXPECT_EQ(answer["proved"], true);
    EXPECT_EQ(answer["length"], 3);
    EXPECT_EQ(answer["length_raw"], 3);
    EXPECT_EQ(answer["shortest"], true);
    EXPECT_EQ(answer["bestmove"], "G*1c");
    EXPECT_EQ(answer["lines_total"], 3);
    EXPECT_EQ(answer["tree"]["children"].size(), 1U);
    EXPECT_EQ(answer["tree"]["children"][0]["children"].size(), 3U);
    EXPECT_EQ(answer["tree_complete"], true);
    EXPECT_FALSE(answer.contains("check"));
}

TEST(ShogiMate, SaysNomateAndUnknown) {
    json answer = answer_to({{"position", "8k/9/8G/9/9/9/9/9/9 b P 1"}});
    EXPECT_EQ(answer["verdict"], "nomate");
    EXPECT_EQ(answer["proved"], true);
    EXPECT_TRUE(answer["length"].is_null());
    answer = answer_to(
        {{"position", "1pG1B4/Gs+P6/pP7/n1ls5/3k5/nL4+r1b/1+p1p+R4/1S7/2N6 b SP2gn2l11p 1"},
         {"limits", {{"nodes", 500}}}});
    EXPECT_EQ(answer["verdict"], "unknown");
    EXPECT_EQ(answer["proved"], false);
    EXPECT_EQ(answer["limit"], "nodes");
}

TEST(ShogiMate, ShowsBothLengths) {
    const json by_convention =
        answer_to({{"position", "5pk2/7P1/4+R1+P1+b/8b/6R2/9/9/9/9 b 4g4s4n4l15p 1"}});
    EXPECT_EQ(by_convention["length"], 3);
    EXPECT_EQ(by_convention["length_by"], "convention");
    EXPECT_GT(by_convention["length_raw"], 3);
    EXPECT_FALSE(by_convention["futile"].empty());
    const json counted = answer_to(
        {{"position", "5pk2/7P1/4+R1+P1+b/8b/6R2/9/9/9/9 b 4g4s4n4l15p 1"}, {"futile", "count"}});
    EXPECT_EQ(counted["length"], counted["length_raw"]);
    EXPECT_EQ(counted["length_by"], "count");
}

TEST(ShogiMate, PagesByToken) {
    const json first = answer_to({{"position", kThreeMover}, {"tree", {{"max_nodes", 1}}}});
    EXPECT_EQ(first["tree_complete"], false);
    const std::string token = first["tree"]["children"][0]["token"];
    EXPECT_EQ(token, "G*1c");
    const json second = answer_to({{"position", kThreeMover}, {"tree", {{"token", token}}}});
    EXPECT_EQ(second["tree"]["children"].size(), 3U);
    EXPECT_EQ(error_pointer({{"position", kThreeMover}, {"tree", {{"token", "G*1c_9a9b"}}}}),
              "/tree/token");
}

TEST(ShogiMate, WritesTheTreeAsKifWithBranches) {
    // Every way through the tree, and nothing else, is a line of the record.
    const json body = {{"position", "7kl/9/6G2/9/9/9/9/9/9 b RS 1"}, {"tree", {{"kif", true}}}};
    const json answer = answer_to(body);
    const auto read = shogi::read_kifu(answer["tree_kif"].get<std::string>());
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_TRUE(read->warnings.empty());
    std::size_t moves = 0;
    std::size_t mates = 0;
    for (NodeIndex node = 1; read->record.tree().contains(node); ++node) {
        if (!read->record.is_ending(node)) {
            ++moves;
        } else if (read->record.data(node).ending == shogi::Ending::mate) {
            ++mates;
        }
    }
    EXPECT_EQ(moves, 75U);
    EXPECT_EQ(mates, 48U);
    // The main line is the answer's.
    const auto game = shogi::main_line_game(read->record);
    ASSERT_TRUE(game);
    EXPECT_EQ(shogi::to_sfen(game->root), answer["position"]["sfen"]);
    ASSERT_EQ(game->moves.size(), answer["line"].size());
    for (std::size_t i = 0; i < game->moves.size(); ++i)
        EXPECT_EQ(shogi::to_usi(game->moves[i]), answer["line"][i]);
    EXPECT_FALSE(answer_to({{"position", kThreeMover}}).contains("tree_kif"));
}

TEST(ShogiMate, PutsCooksAndPagesIntoTheKif) {
    json body = {{"position", kThreeMover},
                 {"cooks", true},
                 {"tree", {{"kif", true}, {"equal_lines", false}}}};
    const json whole = answer_to(body);
    const std::string text = whole["tree_kif"];
    ASSERT_FALSE(whole["cooks"].empty());
    EXPECT_NE(text.find("余詰"), std::string::npos) << text;
    EXPECT_NE(text.find("変化："), std::string::npos) << text;
    EXPECT_NE(text.find("詰みまで1手"), std::string::npos) << text;
    body["tree"] = {{"kif", true}, {"max_nodes", 1}};
    const json first = answer_to(body);
    EXPECT_NE(first["tree_kif"].get<std::string>().find("この先は省略"), std::string::npos);
    body["tree"] = {{"kif", true}, {"token", first["tree"]["children"][0]["token"]}};
    const json second = answer_to(body);
    const auto read = shogi::read_kifu(second["tree_kif"].get<std::string>());
    ASSERT_TRUE(read);
    // The move of the token, then three defences with a move each.
    EXPECT_EQ(read->record.branches(), 2U);
}

TEST(ShogiMate, ReadsThreads) {
    const auto call = decode({{"position", kThreeMover}, {"limits", {{"threads", 1}}}});
    ASSERT_TRUE(call);
    EXPECT_EQ(call->request.budget.threads, 1);
    EXPECT_EQ(error_pointer({{"position", kThreeMover}, {"limits", {{"threads", 0}}}}),
              "/limits/threads");
}

TEST(ShogiMate, ChecksAGivenLine) {
    json answer = answer_to({{"position", kThreeMover}, {"moves", {"G*1c", "2b1a", "G*1b"}}});
    EXPECT_EQ(answer["check"]["right"], true);
    answer = answer_to({{"position", kThreeMover}, {"moves", {"G*2c"}}});
    EXPECT_EQ(answer["check"]["fault"], "no_mate");
    EXPECT_EQ(error_pointer({{"position", kThreeMover}, {"moves", {"G*1c", "9a9b"}}}), "/moves/1");
}

TEST(ShogiMate, NamesWhatIsWrong) {
    EXPECT_EQ(error_pointer({{"position", "8k/9/9/9/9/9/9/9/9 x - 1"}}), "/position");
    EXPECT_EQ(error_pointer({{"position", kThreeMover}, {"attacker", "white"}}), "/attacker");
    EXPECT_EQ(error_pointer({{"position", kThreeMover}, {"attacker", "nobody"}}), "/attacker");
    EXPECT_EQ(error_pointer({{"position", kThreeMover}, {"tree", {{"max_nodes", -1}}}}),
              "/tree/max_nodes");
    EXPECT_EQ(error_pointer({{"position", kThreeMover}, {"lenght", 3}}), "/lenght");
}

TEST(ShogiMate, WritesOneLineOfText) {
    const auto call = decode({{"position", "4k4/9/4P4/9/9/9/9/9/9 b G 1"}});
    ASSERT_TRUE(call);
    EXPECT_EQ(shogi_mate_text(*call, solve(*call)), "mate 1 G*5b\n");
    const auto none = decode({{"position", "8k/9/8G/9/9/9/9/9/9 b P 1"}});
    ASSERT_TRUE(none);
    EXPECT_EQ(shogi_mate_text(*none, solve(*none)), "nomate\n");
}

TEST(ShogiMate, KeysDifferWithWhatIsAsked) {
    const auto key = [](const json& body) {
        const auto call = decode(body);
        EXPECT_TRUE(call);
        return call ? call->key : "";
    };
    const json plain{{"position", kThreeMover}};
    EXPECT_EQ(key(plain), key(plain));
    EXPECT_NE(key(plain), key({{"position", kThreeMover}, {"cooks", true}}));
    EXPECT_NE(key(plain), key({{"position", kThreeMover}, {"shortest", false}}));
    EXPECT_EQ(key({{"position", kThreeMover}, {"cache", "bypass"}}), "");
}

TEST(ShogiMate, ProgressFollowsItsSchema) {
    shogi::TsumeProgress progress;
    progress.nodes = 10;
    json event = json::parse(encode_shogi_mate_progress(progress));
    EXPECT_EQ(event["verdict"], "unknown");
    EXPECT_TRUE(event["length_raw"].is_null());
    EXPECT_EQ(complaints("ShogiMateProgress", event.dump()), "");
}

}  // namespace
}  // namespace yomi::proto
