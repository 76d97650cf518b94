#include "proto/shogi.hpp"

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/base/hash.hpp"
#include "core/shogi/movegen.hpp"
#include "core/shogi/notation/sfen.hpp"
#include "proto/shogi_engines.hpp"

namespace yomi::proto {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;
using Query = std::vector<std::pair<std::string, std::string>>;

Published published() {
    Published limits;
    limits.caps.set(Cap::time_ms, 60'000);
    limits.caps.set(Cap::deadline_ms, 600'000);
    limits.caps.set(Cap::nodes, 1'000'000'000);
    limits.caps.set(Cap::depth, 64);
    limits.caps.set(Cap::hash_mib, 256);
    limits.caps.set(Cap::threads, 1);
    limits.caps.set(Cap::multipv, 600);
    return limits;
}

Result<ShogiAnalysisCall> analysis(std::string_view body) {
    return decode_shogi_analysis({.kind = Input::Kind::json, .body = body}, published());
}
Result<ShogiAnalysisCall> analysis(const Query& query) {
    return decode_shogi_analysis({.query = query}, published());
}

shogi::UsiGame game(std::string_view text) {
    auto read = shogi::parse_usi_position(text);
    EXPECT_TRUE(read) << text << ": " << (read ? "" : read.error().message);
    return read ? *read : *shogi::parse_usi_position("startpos");
}

shogi::Line line(const shogi::Position& root, shogi::Score score, std::string_view moves) {
    shogi::Line out{.score = score, .depth = 9, .seldepth = 12, .pv = {}};
    shogi::Position position = root;
    while (!moves.empty()) {
        const std::size_t end = std::min(moves.find(' '), moves.size());
        const auto move = shogi::parse_usi_move(moves.substr(0, end), position);
        if (!move) {
            ADD_FAILURE() << move.error().message;
            break;
        }
        out.pv.push_back(*move);
        position.do_move(*move);
        moves.remove_prefix(std::min(end + 1, moves.size()));
    }
    return out;
}

TEST(ShogiAnalysis, FillsInTheDefaults) {
    const auto call = analysis(R"({"position": "startpos"})");
    ASSERT_TRUE(call) << call.error().message;
    EXPECT_EQ(to_sfen(call->request.position), to_sfen(shogi::Position::startpos()));
    EXPECT_EQ(call->request.budget.time, milliseconds(1000));
    EXPECT_FALSE(call->request.budget.depth);
    EXPECT_FALSE(call->request.budget.nodes);
    EXPECT_EQ(call->request.budget.hash_bytes, std::size_t{64} << 20);
    EXPECT_EQ(call->request.budget.threads, 1);
    EXPECT_EQ(call->request.multipv, 1);
    EXPECT_TRUE(call->request.search_moves.empty());
    EXPECT_EQ(call->request.min_interval, milliseconds(100));
    EXPECT_FALSE(call->options.deadline);
    EXPECT_FALSE(call->options.batch);
    EXPECT_FALSE(call->key.empty());
    EXPECT_TRUE(call->notes.warnings.empty());
}

TEST(ShogiAnalysis, ReadsEveryField) {
    const auto call = analysis(
        R"({"position": "startpos moves 7g7f", "limits": {"time_ms": 250, "depth": 12, "nodes": 5000,
        "hash_mib": 16, "threads": 1}, "multipv": 3, "engine": "alphabeta", "eval": "classic",
        "search_moves": ["3c3d", "8c8d", "3c3d"], "progress": {"min_interval_ms": 50}, "deadline_ms": 10000,
        "priority": "batch", "cache": "use", "session": null, "trace": true})");
    ASSERT_TRUE(call) << call.error().message;
    EXPECT_EQ(call->request.budget,
              (engine::Budget{.nodes = 5000,
                              .time = milliseconds(250),
                              .depth = 12,
                              .hash_bytes = std::size_t{16} << 20,
                              .threads = 1}));
    EXPECT_EQ(call->request.multipv, 3);
    EXPECT_EQ(call->request.search_moves.size(), 2U);
    EXPECT_EQ(call->options.min_interval, milliseconds(50));
    EXPECT_EQ(call->options.deadline, milliseconds(10'000));
    EXPECT_TRUE(call->options.batch);
    EXPECT_TRUE(call->notes.trace);
}

TEST(ShogiAnalysis, TimeAlwaysBinds) {
    const auto deep = analysis(R"({"position": "startpos", "limits": {"depth": 40}})");
    ASSERT_TRUE(deep);
    EXPECT_EQ(deep->request.budget.time, milliseconds(60'000));
    const auto long_one =
        analysis(R"({"position": "startpos", "limits": {"time_ms": 3600000, "hash_mib": 99999}})");
    ASSERT_TRUE(long_one);
    EXPECT_EQ(long_one->request.budget.time, milliseconds(60'000));
    EXPECT_EQ(long_one->request.budget.hash_bytes, std::size_t{256} << 20);
    EXPECT_EQ(long_one->notes.warnings.size(), 2U);
}

TEST(ShogiAnalysis, EqualQuestionsHaveEqualKeys) {
    const auto key = [](const auto& input) {
        const auto call = analysis(input);
        EXPECT_TRUE(call) << call.error().message;
        return call ? call->key : "";
    };
    const std::string base =
        key(R"({"position": "startpos moves 7g7f", "search_moves": ["3c3d", "8c8d"]})");
    EXPECT_EQ(base, key(Query{{"position", "startpos+moves+7g7f"}, {"search_moves", "8c8d,3c3d"}}));
    EXPECT_EQ(
        base,
        key(R"({"search_moves": ["3c3d", "8c8d"], "limits": {"time_ms": 1000}, "multipv": 1, "deadline_ms": 5,
        "position": "position sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1 moves 7g7f"})"));
    for (
        const std::string_view other :
        {R"({"position": "startpos moves 7g7f", "search_moves": ["3c3d"]})",
         R"({"position": "startpos moves 2g2f", "search_moves": ["3c3d", "8c8d"]})",
         R"({"position": "startpos moves 7g7f", "search_moves": ["3c3d", "8c8d"], "multipv": 2})",
         R"({"position": "startpos moves 7g7f", "search_moves": ["3c3d", "8c8d"], "limits": {"time_ms": 1001}})",
         R"({"position": "startpos moves 7g7f", "search_moves": ["3c3d", "8c8d"], "limits": {"depth": 5}})",
         R"({"position": "startpos moves 7g7f", "search_moves": ["3c3d", "8c8d"], "limits": {"hash_mib": 1}})",
         R"({"position": "startpos moves 7g7f", "search_moves": ["3c3d", "8c8d"], "trace": true})"}) {
        EXPECT_NE(base, key(other)) << other;
    }
    // Clamped and asked for: the same search, but not the same bytes.
    EXPECT_NE(key(R"({"position": "startpos", "multipv": 600})"),
              key(R"({"position": "startpos", "multipv": 601})"));
    EXPECT_EQ(key(R"({"position": "startpos", "cache": "bypass"})"), "");
    EXPECT_EQ(key(R"({"position": "startpos", "session": "mine"})"), "");
}

/// Random valid parameters, as JSON and as a query.
struct RandomParams {
    json body;
    Query query;

    explicit RandomParams(SplitMix64& random) {
        shogi::Position position = shogi::Position::startpos();
        std::string text = "startpos";
        const auto plies = random.below(30);
        for (std::uint32_t ply = 0; ply < plies; ++ply) {
            shogi::MoveList moves;
            legal_moves(position, moves);
            if (moves.empty()) break;
            const shogi::Move move = moves[random.below(static_cast<std::uint32_t>(moves.size()))];
            text += (ply == 0 ? " moves " : " ") + to_usi(move);
            position.do_move(move);
        }
        body["position"] = text;
        query.emplace_back("position", text);
        number(random, "limits", "time_ms", 70'000);
        number(random, "limits", "depth", 80);
        number(random, "limits", "nodes", 2'000'000'000);
        number(random, "limits", "hash_mib", 300);
        number(random, "", "multipv", 700);
        number(random, "", "deadline_ms", 700'000);
        word(random, "priority", {"interactive", "batch"});
        word(random, "cache", {"use", "bypass"});
        word(random, "engine", {"alphabeta"});
        word(random, "eval", {"classic"});
        word(random, "session", {"a", "B-1.c_d"});
        if (random.below(2) == 0) {
            const auto interval = 10 + random.below(1000);
            body["progress"]["min_interval_ms"] = interval;
            query.emplace_back("min_interval_ms", std::to_string(interval));
        }
        shogi::MoveList moves;
        legal_moves(position, moves);
        if (!moves.empty() && random.below(2) == 0) {
            std::string list;
            for (std::uint32_t i = 0; i <= random.below(5); ++i) {
                const std::string move =
                    to_usi(moves[random.below(static_cast<std::uint32_t>(moves.size()))]);
                body["search_moves"].push_back(move);
                list += (list.empty() ? "" : ",") + move;
            }
            query.emplace_back("search_moves", list);
        }
    }

    void number(SplitMix64& random,
                const std::string& group,
                const std::string& name,
                std::uint32_t most) {
        if (random.below(2) == 0) return;
        const auto value = 1 + random.below(most);
        (group.empty() ? body[name] : body[group][name]) = value;
        const bool dotted = !group.empty() && random.below(2) == 0;
        query.emplace_back(dotted ? group + "." + name : name, std::to_string(value));
    }
    void word(SplitMix64& random, const std::string& name, const std::vector<std::string>& words) {
        if (random.below(2) == 0) return;
        body[name] = words[random.below(static_cast<std::uint32_t>(words.size()))];
        query.emplace_back(name, body[name].get<std::string>());
    }
};

TEST(ShogiAnalysis, RandomParametersMeanTheSameInJsonAndInAQuery) {
    SplitMix64 random(17);
    for (int round = 0; round < 400; ++round) {
        RandomParams params(random);
        const auto from_body = analysis(params.body.dump());
        const auto from_query = analysis(params.query);
        ASSERT_TRUE(from_body) << params.body << from_body.error().message;
        ASSERT_TRUE(from_query) << params.body << from_query.error().message;
        EXPECT_EQ(from_body->key, from_query->key);
        EXPECT_EQ(from_body->notes.warnings, from_query->notes.warnings);
        EXPECT_EQ(from_body->request.budget, from_query->request.budget);
        EXPECT_EQ(from_body->request.multipv, from_query->request.multipv);
        EXPECT_EQ(from_body->request.search_moves, from_query->request.search_moves);
        EXPECT_EQ(from_body->request.position.key(), from_query->request.position.key());
        EXPECT_EQ(from_body->options.deadline, from_query->options.deadline);
        EXPECT_EQ(from_body->options.min_interval, from_query->options.min_interval);
        EXPECT_EQ(from_body->options.batch, from_query->options.batch);
        EXPECT_EQ(from_body->options.bypass_cache, from_query->options.bypass_cache);
        EXPECT_EQ(from_body->options.session, from_query->options.session);
        // And what was asked for is what was read.
        const json& body = params.body;
        if (body.contains("multipv")) {
            EXPECT_EQ(from_body->request.multipv, std::min(600, body["multipv"].get<int>()));
        }
        if (body.contains("limits") && body["limits"].contains("nodes")) {
            EXPECT_EQ(from_body->request.budget.nodes,
                      std::min<std::uint64_t>(1'000'000'000,
                                              body["limits"]["nodes"].get<std::uint64_t>()));
        }
    }
}

TEST(ShogiAnalysis, ErrorsNameFieldColumnAndFormats) {
    auto error = analysis(R"({"position": "startpos moves 7g7f 7g7f"})").error();
    EXPECT_EQ(error.code, ErrorCode::illegal_move);
    EXPECT_EQ(error.pointer, "/position");
    EXPECT_EQ(error.column, 21);
    EXPECT_EQ(error.value, "7g7f");
    error = analysis(R"({"position": "どの棋譜でもない文"})").error();
    EXPECT_EQ(error.code, ErrorCode::bad_notation);
    EXPECT_NE(error.hint.find("SFEN"), std::string::npos);
    error = analysis(R"({"position": "startpos", "search_moves": ["7g7f", "2g2e"]})").error();
    EXPECT_EQ(error.pointer, "/search_moves/1");
}

TEST(ShogiAnswer, HasTheContractsFieldsInItsOrder) {
    const auto root = game("startpos moves 7g7f").position;
    shogi::AnalysisAnswer answer;
    answer.result = {.depth = 9,
                     .seldepth = 12,
                     .depth_complete = true,
                     .nodes = 500'000,
                     .elapsed = std::chrono::microseconds(250'000),
                     .hashfull = 12,
                     .lines = {line(root, shogi::Score::cp(-32), "3c3d 8h2b+ 3a2b"),
                               line(root, shogi::Score::mate(-4), "8c8d")}};
    answer.bestmove = answer.result.lines[0].pv[0];
    answer.ponder = answer.result.lines[0].pv[1];
    const std::string text = encode_shogi_answer(root, answer, {.warnings = {"w"}});
    const json body = json::parse(text);
    EXPECT_EQ(body["method"], "shogi.analysis");
    EXPECT_EQ(body["position"]["side"], "white");
    EXPECT_EQ(body["position"]["ply"], 2);
    EXPECT_EQ(body["bestmove"], "3c3d");
    EXPECT_EQ(body["ponder"], "8h2b+");
    EXPECT_EQ(body["status"], "normal");
    EXPECT_EQ(body["source"], "alphabeta");
    ASSERT_EQ(body["lines"].size(), 2U);
    const json& first = body["lines"][0];
    EXPECT_EQ(first["rank"], 1);
    EXPECT_EQ(first["score"], (json{{"cp", -32}}));
    EXPECT_NEAR(first["winrate"].get<double>(), 1 / (1 + std::exp(32 / 600.0)), 1e-4);
    EXPECT_EQ(first["pv"], (json{"3c3d", "8h2b+", "3a2b"}));
    EXPECT_EQ(first["pv_text"]["en"].get<std::string>().find("P3c-3d"), 0U);
    EXPECT_EQ(first["pv_text"]["ja"].get<std::string>().find("☖３四歩 ☗２二角成 ☖同"), 0U)
        << first["pv_text"]["ja"];
    EXPECT_EQ(body["lines"][1]["score"], (json{{"mate", -4}}));
    EXPECT_EQ(body["lines"][1]["winrate"], 0.0);
    EXPECT_EQ(body["nps"], 2'000'000);
    EXPECT_EQ(body["time_ms"], 250);
    EXPECT_EQ(body["warnings"], json{"w"});
    EXPECT_LT(text.find("\"bestmove\""), text.find("\"lines\""));
    EXPECT_EQ(text.find("\"id\""), std::string::npos);
    EXPECT_EQ(text.find("\"stopped_by\""), std::string::npos);
    EXPECT_EQ(text.find("\"cache\""), std::string::npos);
    EXPECT_EQ(text.find('\n'), std::string::npos);
    EXPECT_EQ(shogi_answer_text(answer), "3c3d\n");

    const json so_far = json::parse(
        encode_shogi_answer(root, answer_so_far(root, answer.result), {.warnings = {"w"}}));
    EXPECT_EQ(so_far, body);
    const json progress = json::parse(encode_shogi_progress(root, answer.result));
    EXPECT_EQ(progress["lines"], body["lines"]);
    EXPECT_EQ(progress["pv"], first["pv"]);
    EXPECT_EQ(progress["score"], first["score"]);
    EXPECT_EQ(progress["depth_complete"], true);
    EXPECT_EQ(progress["hashfull"], 12);
}

TEST(ShogiAnswer, AFinishedGameHasNoNormalScore) {
    const auto mated = game("4k4/4G4/4G4/9/9/9/9/9/4K4 w - 1").position;
    shogi::AnalysisAnswer answer = answer_so_far(mated, {});
    EXPECT_EQ(answer.status, shogi::GameStatus::mated);
    json body = json::parse(encode_shogi_answer(mated, answer, {}));
    EXPECT_EQ(body["status"], "mated");
    EXPECT_TRUE(body["bestmove"].is_null());
    EXPECT_TRUE(body["ponder"].is_null());
    ASSERT_EQ(body["lines"].size(), 1U);
    EXPECT_EQ(body["lines"][0]["score"], (json{{"mate", 0}}));
    EXPECT_EQ(body["lines"][0]["pv"], json::array());
    EXPECT_EQ(body["source"], "rules");
    EXPECT_EQ(shogi_answer_text(answer), "mated\n");

    std::string loop = "startpos moves";
    for (int i = 0; i < 3; ++i)
        loop += " 2h3h 8b7b 3h2h 7b8b";
    const auto draw = game(loop).position;
    answer = answer_so_far(draw, {});
    body = json::parse(encode_shogi_answer(draw, answer, {}));
    EXPECT_EQ(body["status"], "repetition");
    EXPECT_TRUE(body["bestmove"].is_null());
    EXPECT_EQ(body["lines"], json::array());
    EXPECT_EQ(shogi_answer_text(answer), "repetition\n");
}

TEST(Winrate, IsTheLogisticCurveAndOneOrZeroForMates) {
    EXPECT_DOUBLE_EQ(winrate(shogi::Score::cp(0)), 0.5);
    EXPECT_NEAR(winrate(shogi::Score::cp(600)), 0.7310585786, 1e-9);
    EXPECT_NEAR(winrate(shogi::Score::cp(-600)) + winrate(shogi::Score::cp(600)), 1.0, 1e-12);
    EXPECT_EQ(winrate(shogi::Score::mate(1)), 1.0);
    EXPECT_EQ(winrate(shogi::Score::mate(-2)), 0.0);
    EXPECT_EQ(winrate(shogi::Score::mate(0)), 0.0);
}

TEST(ShogiPosition, DescribesTheStart) {
    const json body = json::parse(encode_shogi_position({.game = game("startpos")}));
    EXPECT_EQ(body["sfen"], "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1");
    EXPECT_EQ(body["legal_moves"].size(), 30U);
    EXPECT_EQ(body["status"], "normal");
    EXPECT_EQ(body["material"], 0);
    EXPECT_EQ(body["hands"], (json{{"black", json::object()}, {"white", json::object()}}));
    EXPECT_TRUE(body["last_move"].is_null());
    EXPECT_EQ(body["occurrences"], 1);
    int sum = 0;
    for (const auto& [name, value] : body["evaluation"]["terms"].items())
        sum += value.get<int>();
    EXPECT_EQ(body["evaluation"]["total"], sum);
}

TEST(ShogiPosition, DescribesChecksHandsAndHistory) {
    const json body = json::parse(encode_shogi_position(
        {.game = game("startpos moves 7g7f 3c3d 8h2b+ 3a2b"), .warnings = {"x"}}));
    EXPECT_EQ(body["hands"], (json{{"black", {{"B", 1}}}, {"white", {{"B", 1}}}}));
    EXPECT_EQ(body["last_move"], "3a2b");
    EXPECT_EQ(body["moves"].size(), 4U);
    EXPECT_EQ(body["ply"], 5);
    EXPECT_EQ(body["warnings"], json{"x"});
    const json check =
        json::parse(encode_shogi_position({.game = game("4k4/9/9/9/4r4/9/9/9/4K4 b P 1")}));
    EXPECT_EQ(check["status"], "check");
    EXPECT_EQ(check["in_check"], true);
    EXPECT_EQ(check["checkers"], json{"5e"});
    // Every listed move is legal, and there are as many as the generator says.
    EXPECT_EQ(check["legal_moves"].size(),
              count_legal_moves(game("4k4/9/9/9/4r4/9/9/9/4K4 b P 1").position));
}

TEST(ShogiBoardText, DrawsTheBoard) {
    EXPECT_EQ(shogi_board_text(game("startpos moves 7g7f 3c3d 8h2b+").position),
              "White hand: -\n"
              "    9  8  7  6  5  4  3  2  1\n"
              " +----------------------------+\n"
              " |  l  n  s  g  k  g  s  n  l |a\n"
              " |  .  r  .  .  .  .  . +B  . |b\n"
              " |  p  p  p  p  p  p  .  p  p |c\n"
              " |  .  .  .  .  .  .  p  .  . |d\n"
              " |  .  .  .  .  .  .  .  .  . |e\n"
              " |  .  .  P  .  .  .  .  .  . |f\n"
              " |  P  P  .  P  P  P  P  P  P |g\n"
              " |  .  .  .  .  .  .  .  R  . |h\n"
              " |  L  N  S  G  K  G  S  N  L |i\n"
              " +----------------------------+\n"
              "Black hand: B\n"
              "White to move, ply 4, normal, last move 8h2b+\n"
              "sfen lnsgkgsnl/1r5+B1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL w B 4\n");
}

TEST(ShogiEngines, NameTheEvaluationByItsHash) {
    EXPECT_EQ(classic_fingerprint().size(), 16U);
    EXPECT_EQ(classic_fingerprint(), classic_fingerprint());
    const json engines = shogi_engines();
    EXPECT_EQ(engines[0]["evals"][0]["hash"], classic_fingerprint());
}

}  // namespace
}  // namespace yomi::proto
