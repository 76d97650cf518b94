#include "proto/othello_convert.hpp"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/base/hash.hpp"
#include "proto/base64.hpp"
#include "proto/othello.hpp"
#include "proto/othello_record.hpp"
#include "tests/schema_check/schema_check.hpp"

namespace yomi::proto {
namespace {

using nlohmann::json;
using Query = std::vector<std::pair<std::string, std::string>>;

Result<OthelloConversion> convert(const Input& input) {
    const auto call = decode_othello_convert(input, {});
    if (!call) return fail(call.error());
    return convert_othello(*call);
}

json converted(const Input& input) {
    const auto done = convert(input);
    if (!done) {
        ADD_FAILURE() << done.error().message << " " << done.error().pointer;
        return {};
    }
    EXPECT_EQ(complaints("OthelloConvertAnswer", done->body), "") << done->body;
    return json::parse(done->body);
}

json converted(const json& request) {
    const std::string body = request.dump();
    return converted(Input{.kind = Input::Kind::json, .body = body});
}

Error refused(const json& request) {
    const std::string body = request.dump();
    const auto done = convert(Input{.kind = Input::Kind::json, .body = body});
    if (done) {
        ADD_FAILURE() << done->body;
        return {};
    }
    return done.error();
}

TEST(OthelloConvert, WritesEveryFormat) {
    const std::string game = "f5d6c3d3c4f4f6";
    for (const std::string to : {"transcript", "board", "obf", "ggf", "sgf", "wthor", "json"}) {
        const json answer = converted({{"record", game}, {"to", to}});
        EXPECT_EQ(answer["from"], "transcript");
        EXPECT_EQ(answer["to"], to);
        EXPECT_EQ(answer["games"], 1);
        EXPECT_EQ(answer.contains("text"), to != "wthor" && to != "json");
        EXPECT_EQ(answer.contains("files"), to == "wthor");
        EXPECT_EQ(answer.contains("records"), to == "json");
    }
    EXPECT_EQ(converted({{"record", "F5 D6"}, {"to", "transcript"}})["text"], "f5d6\n");
    EXPECT_EQ(converted({{"record", ""}, {"to", "board"}})["text"],
              "---------------------------OX------XO--------------------------- X\n");
    EXPECT_EQ(converted({{"record", "f5"}, {"to", "ggf"}})["text"],
              "(;GM[Othello]TY[8]RE[?]BO[8 "
              "---------------------------O*------*O--------------------------- *]B[F5];)\n");
}

TEST(OthelloConvert, WthorGoesOutAndComesBackBothWays) {
    const std::string ggf = "(;GM[Othello]PB[Alice]PW[Bob]EV[Cup]DT[2024]B[F5]W[D6];)";
    const json written = converted({{"record", ggf}, {"to", "wthor"}});
    ASSERT_EQ(written["files"].size(), 3U);
    EXPECT_EQ(written["files"][0]["name"], "WTH_2024.wtb");
    const std::string games = written["files"][0]["base64"];
    const json back = converted({{"record_base64", games},
                                 {"to", "ggf"},
                                 {"players_base64", written["files"][1]["base64"]},
                                 {"tournaments_base64", written["files"][2]["base64"]}});
    EXPECT_EQ(back["from"], "wthor");
    const std::string text = back["text"];
    EXPECT_NE(text.find("PB[Alice]PW[Bob]"), std::string::npos) << text;
    EXPECT_NE(text.find("EV[Cup]"), std::string::npos) << text;
    EXPECT_NE(text.find("B[F5]W[D6]"), std::string::npos) << text;
    // The same file as a raw body.
    const std::string raw = base64_decode(games).value();
    const Query query{{"to", "transcript"}};
    EXPECT_EQ(converted(Input{.kind = Input::Kind::text, .body = raw, .query = query})["text"],
              "f5d6\n");
    const auto call = decode_othello_position({.kind = Input::Kind::text, .body = raw}, {});
    ASSERT_TRUE(call) << call.error().message;
    EXPECT_EQ(call->game.moves.size(), 2U);
}

TEST(OthelloConvert, WritesAllGamesOrOne) {
    const std::string file = "f5d6\nf5f6\na1\nd3";
    const json all = converted({{"record", file}, {"to", "transcript"}});
    EXPECT_EQ(all["text"], "f5d6\nf5f6\nd3\n");
    EXPECT_EQ(all["games"], 3);
    EXPECT_EQ(all["games_read"], 4);
    EXPECT_EQ(all["warnings"][0]["code"], "game_left_out");
    EXPECT_EQ(all["warnings"][0]["line"], 3);
    EXPECT_EQ(all["warnings"][0]["column"], 1);
    EXPECT_EQ(converted({{"record", file}, {"to", "transcript"}, {"game", 4}})["text"], "d3\n");
    Error error = refused({{"record", file}, {"to", "transcript"}, {"game", 3}});
    EXPECT_EQ(error.code, ErrorCode::not_found);
    EXPECT_EQ(error.pointer, "/game");
    error = refused({{"record", file}, {"to", "transcript"}, {"game", 5}});
    EXPECT_EQ(error.message, "the text has 4 games");
}

TEST(OthelloConvert, RefusesWithThePlace) {
    Error error = refused({{"record", "(;GM[2];B[f5]\n;W[f5])"}, {"to", "ggf"}});
    EXPECT_EQ(error.code, ErrorCode::illegal_move);
    EXPECT_EQ(error.pointer, "/record");
    EXPECT_EQ(error.line, 2);
    EXPECT_EQ(error.column, 3);
    EXPECT_EQ(refused({{"to", "ggf"}}).code, ErrorCode::missing_field);
    EXPECT_EQ(refused({{"record", "f5"}}).code, ErrorCode::missing_field);
    EXPECT_EQ(refused({{"record", "f5"}, {"to", "kif"}}).code, ErrorCode::bad_value);
    EXPECT_EQ(refused({{"record", "f5"}, {"to", "pgn"}}).code, ErrorCode::bad_value);
    EXPECT_EQ(refused({{"record", "f5"}, {"record_base64", "ZjU="}, {"to", "ggf"}}).code,
              ErrorCode::duplicate_key);
    error = refused({{"record_base64", "Z;"}, {"to", "ggf"}});
    EXPECT_EQ(error.code, ErrorCode::bad_value);
    EXPECT_EQ(error.pointer, "/record_base64");
    EXPECT_EQ(error.column, 2);
    error = refused({{"record", "f5"}, {"to", "ggf"}, {"players_base64", "ZjU="}});
    EXPECT_EQ(error.pointer, "/players_base64");
    // What a format cannot hold.
    const std::string board = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";
    EXPECT_EQ(refused({{"record", board}, {"to", "transcript"}}).code, ErrorCode::unsupported);
    EXPECT_EQ(refused({{"record", board}, {"to", "wthor"}}).pointer, "/to");
    error = refused({{"record", std::string((1U << 20U) + 1, ' ')}, {"to", "ggf"}});
    EXPECT_EQ(error.code, ErrorCode::payload_too_large);
}

TEST(OthelloConvert, FromNamesTheFormatAndSideTheMover) {
    // As a transcript this is a fault; its tags make it a PGN.
    EXPECT_EQ(
        refused({{"record", "[A \"b\"]\n1. f5 *"}, {"to", "ggf"}, {"from", "transcript"}}).code,
        ErrorCode::bad_notation);
    const std::string board = "---------------------------OX------XO---------------------------";
    EXPECT_EQ(converted({{"record", board}, {"side", "white"}, {"to", "board"}})["text"],
              board + " O\n");
    EXPECT_EQ(refused({{"record", board}, {"to", "board"}}).line, 1);
}

TEST(OthelloConvert, FormsMayHaveSpacesAsPlus) {
    const Query query{{"record", "(;GM[Othello]PB[a+b]RE[+12.000]B[F5];)"}, {"to", "ggf"}};
    const json answer = converted(Input{.kind = Input::Kind::form, .query = query});
    const std::string text = answer["text"];
    EXPECT_NE(text.find("PB[a b]"), std::string::npos) << text;
    EXPECT_NE(text.find("RE[+12.000]"), std::string::npos) << text;
}

TEST(OthelloRecordJson, KeepsTheWholeTree) {
    const std::string sgf =
        "(;GM[2]FF[4]CA[UTF-8]SZ[8]PB[a]RE[B+R]AB[d5][e4]AW[d4][e5]PL[B]C[head](;B[f5]V[1.5];W[d6]"
        "(;B[c3]C[x];W[d3])(;B[c5](;W[f6])(;W[f4]V[-2])))(;B[d3]))\n";
    auto read = othello::read_records(sgf);
    ASSERT_TRUE(read) << read.error().message;
    const std::string text = othello_record_json(read->games[0]).dump();
    const auto back = read_othello_records(text, {});
    ASSERT_TRUE(back) << back.error().message << text;
    EXPECT_EQ(back->format, othello::RecordFormat::json);
    std::vector<othello::RecordWarning> warnings;
    EXPECT_EQ(othello::write_records(back->games, othello::RecordFormat::sgf, warnings).value(),
              othello::write_records(read->games, othello::RecordFormat::sgf, warnings).value());
    const json list = converted({{"record", "[" + text + "," + text + "]"}, {"to", "json"}});
    EXPECT_EQ(list["games"], 2);
    EXPECT_EQ(list["records"][0], json::parse(text));
}

TEST(OthelloRecordJson, RandomTreesComeBack) {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        SplitMix64 random(seed);
        othello::Record record;
        const auto grow = [&](std::uint32_t node, othello::Position at) {
            while (!at.is_over()) {
                const auto moves = at.moves();
                const othello::Move move =
                    moves.empty() ? othello::Move{}
                                  : moves[random.below(static_cast<std::uint32_t>(moves.size()))];
                node = record.add(node, move).value();
                at.do_move(move);
                if (random.below(8) == 0) record.note(node).value = random.below(100) / 4.0;
                if (random.below(8) == 0) record.note(node).seconds = random.below(100) / 4.0;
            }
        };
        grow(0, record.start);
        for (int branch = 0; branch < 20; ++branch) {
            const std::uint32_t from =
                random.below(static_cast<std::uint32_t>(record.nodes.size()));
            std::vector<othello::Move> path;
            for (std::uint32_t node = from; node != 0; node = record.nodes[node].parent)
                path.push_back(record.nodes[node].move);
            othello::Position at = record.start;
            for (auto move = path.rbegin(); move != path.rend(); ++move)
                at.do_move(*move);
            grow(from, at);
        }
        record.result = record.outcome();
        const std::string text = othello_record_json(record).dump();
        const auto back = read_othello_json(text);
        ASSERT_TRUE(back) << back.error().message;
        ASSERT_EQ(back->games[0].nodes.size(), record.nodes.size());
        ASSERT_EQ(othello_record_json(back->games[0]).dump(), text);
        // Numbered by the text, the tree is the same for good.
        ASSERT_EQ(read_othello_json(text)->games[0], back->games[0]);
    }
}

TEST(OthelloRecordJson, ReadsOthelloQuest) {
    const std::string quest =
        R"({"name":"x","args":[{"gtype":"reversi1","players":[{"id":"a1","name":"Alice","oldR":1700.5},
        {"id":"b1","name":"Bob"}],"position":{"moves":[{"t":218,"m":"f5"},{"t":1500,"m":"d6"}]},
        "tcb":60000,"created":"2024-12-24T00:00:00.000Z","finished":false}]})";
    const json answer = converted({{"record", quest}, {"to", "json"}});
    const json& record = answer["records"][0];
    EXPECT_EQ(record["headers"]["black"], "Alice");
    EXPECT_EQ(record["headers"]["white"], "Bob");
    EXPECT_EQ(record["headers"]["black_rating"], "1700.5");
    EXPECT_EQ(record["moves"][1]["move"], "d6");
    EXPECT_EQ(record["moves"][1]["seconds"], 1.5);
}

TEST(OthelloRecordJson, NamesWhatIsWrong) {
    const std::pair<const char*, const char*> faults[] = {
        {R"({"moves": [{"move": "f5"}, {"move": "a1"}]})", "/moves/1: "},
        {R"({"moves": [{"move": "i9"}]})", "/moves/0/move: "},
        {R"({"moves": [{}]})", "/moves/0: "},
        {R"({"moves": 1})", "/moves: "},
        {R"({"move": []})", "/move: "},
        {R"({"start": {"board": "X"}, "moves": []})", "/start/board: "},
        {R"({"start": 1})", "/start: "},
        {R"({"headers": {"a": 1}})", "/headers/a: "},
        {R"({"result": {"winner": "x"}})", "/result: "},
        {R"({"result": {"winner": "black", "ending": "x"}})", "/result/ending: "},
        {R"({"result": {"winner": "black", "disc_difference": 65}})", "/result/disc_difference: "},
        {R"({"theory": {"disc_difference": 0}})", "/theory: "},
        {R"({"answers": [{"move": "f5", "score": 65}]})", "/answers/0: "},
        {R"({"answers": [{"move": "a1", "score": 0}]})", "/answers/0: "},
        {R"({"moves": [{"move": "f5", "value": "x"}]})", "/moves/0/value: "},
        {R"({"moves": [{"move": "f5", "seconds": 1e99}]})", "/moves/0/seconds: "},
        {R"({"moves": [{"move": "f5", "variations": [[{"move": "f5"}, {"move": "f5"}]]}]})",
         "/moves/0/variations/0/1: "},
        {R"({"name": "x", "args": [{"position": {"moves": [{"m": "f5"}, {"m": "z"}]}}]})",
         "/args/0/position/moves/1: "},
    };
    for (const auto& [text, begin] : faults) {
        const auto read = read_othello_json(text);
        ASSERT_FALSE(read) << text;
        EXPECT_TRUE(read.error().message.starts_with(begin)) << read.error().message;
    }
    const auto broken = read_othello_json("{\n\"moves\": [}");
    ASSERT_FALSE(broken);
    EXPECT_EQ(broken.error().code, ErrorCode::bad_json);
    EXPECT_EQ(broken.error().line, 2);
    EXPECT_FALSE(read_othello_json("[]"));
}

TEST(OthelloPosition, TakesEveryFormat) {
    const std::string at = "f5d6c3";
    const auto expected = decode_othello_position({.query = Query{{"position", at}}}, {});
    ASSERT_TRUE(expected);
    for (const std::string to : {"ggf", "sgf", "json"}) {
        const json answer = converted({{"record", at}, {"to", to}});
        const std::string text =
            to == "json" ? answer["records"].dump() : answer["text"].get<std::string>();
        const std::string body = json{{"position", text}}.dump();
        const auto call = decode_othello_position({.kind = Input::Kind::json, .body = body}, {});
        ASSERT_TRUE(call) << call.error().message;
        EXPECT_EQ(call->game, expected->game);
        EXPECT_TRUE(call->warnings.empty());
        const auto raw = decode_othello_position({.kind = Input::Kind::text, .body = text}, {});
        ASSERT_TRUE(raw) << raw.error().message;
        EXPECT_EQ(raw->game, expected->game);
    }
    const auto problem = decode_othello_position(
        {.kind = Input::Kind::text,
         .body = "---------------------------OX------XO--------------------------- X; F5:+0; % a"},
        {});
    ASSERT_TRUE(problem);
    EXPECT_EQ(problem->game.start, othello::Position{});
    const auto several =
        decode_othello_position({.kind = Input::Kind::text, .body = "f5d6\nf5f6\n"}, {});
    ASSERT_TRUE(several);
    EXPECT_EQ(several->warnings.size(), 1U);
    const auto fault =
        decode_othello_position({.kind = Input::Kind::text, .body = "\n\nf5 a1"}, {});
    ASSERT_FALSE(fault);
    EXPECT_EQ(fault.error().line, 3);
    EXPECT_EQ(fault.error().column, 4);
    EXPECT_EQ(fault.error().pointer, "");
    const auto mirrored = decode_othello_position({.query = Query{{"position", "f4f3"}}}, {});
    EXPECT_NE(mirrored.error().hint.find("mirror"), std::string::npos);
}

TEST(OthelloConvert, ReadsShiftJisBodies) {
    const Query query{{"to", "transcript"}};
    const std::string body = "\x81\x45\x82\x65\x82\x54\x82\x63\x82\x55\x81\x69\x8C\xD5\x81\x6A";
    for (const std::string_view charset : {"shift_jis", ""}) {
        const json answer = converted(
            Input{.kind = Input::Kind::text, .body = body, .query = query, .charset = charset});
        EXPECT_EQ(answer["text"], "f5d6\n");
    }
}

TEST(Base64, ReadsWhatItWrites) {
    SplitMix64 random(5);
    for (std::size_t length = 0; length < 100; ++length) {
        std::string bytes;
        for (std::size_t i = 0; i < length; ++i)
            bytes += static_cast<char>(random.below(256));
        const std::string text = base64_encode(bytes);
        EXPECT_EQ(text.size(), (length + 2) / 3 * 4);
        EXPECT_EQ(base64_decode(text).value(), bytes);
        EXPECT_EQ(base64_decode(text.substr(0, text.find('='))).value(), bytes);
    }
    EXPECT_EQ(base64_encode("Man"), "TWFu");
    EXPECT_EQ(base64_encode("Ma"), "TWE=");
    EXPECT_EQ(base64_encode("M"), "TQ==");
    EXPECT_EQ(base64_decode("TW\r\nFu\n").value(), "Man");
    EXPECT_EQ(base64_decode("-_8=").value(), base64_decode("+/8=").value());
    for (const char* bad : {"A", "TWFuA", "TQ==TQ==", "T*", "=A", "\xFF"})
        EXPECT_FALSE(base64_decode(bad)) << bad;
}

}  // namespace
}  // namespace yomi::proto
