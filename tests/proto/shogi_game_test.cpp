#include "proto/shogi_game.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/shogi/analysis/winrate.hpp"
#include "core/shogi/notation/read_record.hpp"
#include "core/shogi/notation/usi.hpp"
#include "proto/shogi_record.hpp"
#include "tests/schema_check/schema_check.hpp"

namespace yomi::proto {
namespace {

using nlohmann::json;
using shogi::Score;

constexpr std::string_view kKif =
    "手合割：平手\n"
    "先手：一郎\n"
    "後手：次郎\n"
    "手数----指手---------消費時間--\n"
    "   1 ７六歩(77)   ( 0:01/00:00:01)\n"
    "*いつもの手\n"
    "   2 ３四歩(33)   ( 0:02/00:00:02)\n"
    "   3 ２二角成(88)   ( 0:03/00:00:04)\n"
    "   4 同　銀(31)   ( 0:04/00:00:06)\n"
    "   5 投了\n";

Result<ShogiGameCall> decode(const json& body, const Published& published = {}) {
    const std::string text = body.dump();
    return decode_shogi_game({.kind = Input::Kind::json, .body = text}, published);
}

Result<ShogiGameCall> decode_text(std::string_view body,
                                  std::vector<std::pair<std::string, std::string>> query = {}) {
    return decode_shogi_game({.kind = Input::Kind::text, .body = body, .query = query}, {});
}

shogi::PositionValue value(shogi::Score score, const shogi::Position& position, const char* line) {
    shogi::PositionValue v{.line = {.score = score, .depth = 9}, .winrate = shogi::winrate(score)};
    shogi::Position walker = position;
    std::string words = line;
    while (!words.empty()) {
        const auto end = words.find(' ');
        const auto move = shogi::parse_usi_move(words.substr(0, end), walker);
        EXPECT_TRUE(move) << words;
        if (!move) break;
        v.line.pv.push_back(*move);
        walker.do_move(*move);
        words = end == std::string::npos ? "" : words.substr(end + 1);
    }
    if (!v.line.pv.empty()) v.bestmove = v.line.pv.front();
    v.nodes = 100;
    return v;
}

/// The game above with values made up: its third move is a mistake.
shogi::GameAnalysis analysis_of(const ShogiGameCall& call) {
    shogi::GameAnalysis analysis;
    shogi::Position position = call.request.root;
    const std::array<std::pair<int, const char*>, 5> lines{{{40, "7g7f 3c3d"},
                                                            {-30, "8c8d 2g2f"},
                                                            {60, "2g2f 8c8d 2f2e"},
                                                            {280, "3a2b 7i8h"},
                                                            {-280, "7i8h 8b4b"}}};
    for (std::size_t i = 0; i < lines.size(); ++i) {
        analysis.values.emplace_back(value(Score::cp(lines[i].first), position, lines[i].second));
        if (i == call.request.moves.size()) break;
        analysis.moves.push_back({.move = call.request.moves[i], .side = position.side_to_move()});
        position.do_move(call.request.moves[i]);
    }
    for (std::size_t i = 0; i < analysis.moves.size(); ++i) {
        analysis.moves[i].judgement = shogi::judge_move(
            *analysis.values[i], *analysis.values[i + 1], analysis.moves[i].move, 30);
    }
    analysis.sides[0] = {.moves = 2, .best_moves = 1, .mistakes = 1, .total_loss = 14};
    analysis.done = analysis.values.size();
    analysis.latest = 3;
    return analysis;
}

TEST(ShogiGame, ReadsTheMainLineOfARecord) {
    const auto call = decode_text(kKif);
    ASSERT_TRUE(call) << call.error().message;
    ASSERT_EQ(call->request.moves.size(), 4U);
    EXPECT_EQ(shogi::to_usi(call->request.moves[2]), "8h2b+");
    EXPECT_EQ(call->request.analysis.search.budget.time, std::chrono::milliseconds(100));
    EXPECT_EQ(call->budget.time, std::chrono::milliseconds(500));
    EXPECT_FALSE(call->key.empty());
    // The same game by another name and in another form.
    const auto usi = decode({{"record", "startpos moves 7g7f 3c3d 8h2b+ 3a2b"}});
    ASSERT_TRUE(usi) << usi.error().message;
    EXPECT_EQ(usi->request.moves, call->request.moves);
    EXPECT_NE(usi->key, call->key) << "the comments come back with the answer";
    const auto bare =
        decode({{"record", "startpos moves 7g7f 3c3d 8h2b+ 3a2b"}, {"annotate", "none"}});
    const auto from_kif = decode({{"position", kKif}, {"annotate", "none"}});
    ASSERT_TRUE(bare && from_kif);
    EXPECT_EQ(bare->key, from_kif->key);
}

TEST(ShogiGame, RefusesWhatItCannotRead) {
    const auto refused = [](const json& body) {
        const auto call = decode(body);
        EXPECT_FALSE(call);
        return call ? Error{} : call.error();
    };
    EXPECT_EQ(refused(json::object()).code, ErrorCode::missing_field);
    const Error twice = refused({{"position", "startpos"}, {"record", "startpos"}});
    EXPECT_EQ(twice.code, ErrorCode::duplicate_key);
    EXPECT_EQ(twice.pointer, "/record");
    const Error bad = refused({{"record", "startpos moves 7g7f 7g7f"}});
    EXPECT_EQ(bad.code, ErrorCode::illegal_move);
    EXPECT_EQ(bad.pointer, "/record");
    EXPECT_EQ(refused({{"position", "startpos"}, {"annotate", "pdf"}}).pointer, "/annotate");
    EXPECT_EQ(refused({{"position", "startpos"}, {"eval", "nnue"}}).code, ErrorCode::unsupported);
}

TEST(ShogiGame, StopsAtAFoul) {
    // A king left in check is a foul that can be played.
    const auto foul = decode_text(
        "手合割：平手\n手数----指手---------消費時間--\n   1 ７六歩(77)\n   2 ３四歩(33)\n"
        "   3 ６八玉(59)\n   4 ８八角成(22)\n   5 ９六歩(97)\n   6 ７八馬(88)\n   7 ９五歩(96)\n");
    ASSERT_TRUE(foul) << foul.error().message;
    EXPECT_EQ(foul->request.moves.size(), 6U);
    ASSERT_FALSE(foul->warnings.empty());
    EXPECT_NE(foul->warnings.back().find("move 7"), std::string::npos);
}

TEST(ShogiGame, KeepsTheWholeGameWithinTheLongestDeadline) {
    Published published;
    published.caps.set(Cap::deadline_ms, 1000);
    published.caps.set(Cap::time_ms, 60'000);
    const auto call = decode(
        {{"position", "startpos moves 7g7f 3c3d 2g2f 8c8d"}, {"limits", {{"time_ms", 5000}}}},
        published);
    ASSERT_TRUE(call) << call.error().message;
    EXPECT_EQ(call->request.analysis.search.budget.time, std::chrono::milliseconds(200));
    ASSERT_EQ(call->warnings.size(), 1U);
    EXPECT_NE(call->warnings.front().find("200 ms"), std::string::npos);
    const auto nodes =
        decode({{"position", "startpos moves 7g7f"}, {"limits", {{"nodes", 5000}}}}, published);
    ASSERT_TRUE(nodes);
    EXPECT_EQ(nodes->request.analysis.search.budget.nodes, 5000U);
    EXPECT_EQ(nodes->request.analysis.search.budget.time, std::chrono::milliseconds(500));
    EXPECT_TRUE(nodes->warnings.empty());
}

TEST(ShogiGame, EncodesByItsSchema) {
    const auto call = decode_text(kKif);
    ASSERT_TRUE(call);
    const shogi::GameAnalysis analysis = analysis_of(*call);
    const std::string body = encode_shogi_game(*call, analysis);
    EXPECT_EQ(complaints("ShogiGameAnswer", body), "") << body;
    const json answer = json::parse(body);
    EXPECT_EQ(answer["moves"][2]["label"], "mistake");
    EXPECT_EQ(answer["moves"][0]["label"], "best");
    EXPECT_EQ(answer["moves"][2]["best"]["bestmove"], "2g2f");
    EXPECT_NEAR(answer["graph"][3].get<double>(), 1 - shogi::winrate(Score::cp(280)), 1e-3);
    EXPECT_EQ(answer["thresholds"]["mistake"], 10.0);
    const std::string progress = encode_shogi_game_progress(*call, analysis);
    EXPECT_EQ(complaints("ShogiGameProgress", progress), "") << progress;
    EXPECT_EQ(json::parse(progress)["judged"].size(), 2U);
    const std::string text = shogi_game_text(*call, analysis);
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 4);
    EXPECT_NE(text.find("3 8h2b+"), std::string::npos);
    EXPECT_NE(text.find("mistake best 2g2f"), std::string::npos) << text;

    // A part of the game: the rest is null, and the schema still fits.
    shogi::GameAnalysis part = analysis;
    part.values[4].reset();
    part.moves[3].judgement.reset();
    EXPECT_EQ(complaints("ShogiGameAnswer", encode_shogi_game(*call, part)), "");
}

TEST(ShogiGame, AnnotatesTheRecordAndKeepsWhatStoodThere) {
    for (const std::string format : {"kif", "ki2", "csa", "jkf", "json", "usi", "usen"}) {
        SCOPED_TRACE(format);
        auto call = decode_text(kKif, {{"annotate", format}});
        ASSERT_TRUE(call) << call.error().message;
        const json answer = json::parse(encode_shogi_game(*call, analysis_of(*call)));
        const json& written = answer["record"];
        ASSERT_EQ(written["format"], format);
        const std::string bytes = written.contains("text") ? written["text"].get<std::string>()
                                                           : written["record"].dump();
        const auto read = read_shogi_record(bytes, {}, format);
        ASSERT_TRUE(read) << read.error().message << "\n" << bytes;
        // Whatever the format keeps, the moves of the game are the same.
        std::vector<shogi::Move> moves;
        for (const NodeIndex node : read->record.main_line()) {
            const shogi::Move move = read->record.tree()[node].move;
            if (move) moves.push_back(move);
        }
        EXPECT_EQ(moves, call->request.moves);
        if (format == "usi" || format == "usen" || format == "csa") continue;
        EXPECT_EQ(read->record.branches(), 1U);
        const std::vector<NodeIndex> line = read->record.main_line();
        EXPECT_NE(read->record.data(line[1]).comment.find("いつもの手"), std::string::npos);
        EXPECT_NE(read->record.data(line[3]).comment.find("疑問手"), std::string::npos) << bytes;
        const auto& evaluations = read->record.data(line[3]).evaluations;
        ASSERT_FALSE(evaluations.empty()) << bytes;
        EXPECT_EQ(evaluations.front().cp, -280) << "after the move, from Black's view";
        EXPECT_EQ(*read->record.header("先手"), "一郎");
    }
}

TEST(ShogiGame, AnnotatesInEnglishAndWithoutVariationsWhenAsked) {
    const auto call = decode_text(kKif, {{"language", "en"}, {"variations", "false"}});
    ASSERT_TRUE(call) << call.error().message;
    std::vector<std::string> warnings;
    const shogi::Record record = annotate_shogi_record(*call, analysis_of(*call), warnings);
    EXPECT_EQ(record.branches(), 0U);
    EXPECT_TRUE(warnings.empty());
    const std::string& comment = record.data(record.main_line()[3]).comment;
    EXPECT_NE(comment.find("Mistake: lost"), std::string::npos) << comment;
}

}  // namespace
}  // namespace yomi::proto
