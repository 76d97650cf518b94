#include "proto/shogi_convert.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/base/text_decode.hpp"
#include "core/shogi/notation/kif.hpp"
#include "proto/jkf.hpp"
#include "proto/shogi.hpp"
#include "proto/shogi_record.hpp"
#include "tests/core/shogi/notation/record_samples.hpp"
#include "tests/schema_check/schema_check.hpp"

namespace yomi::proto {
namespace {

using nlohmann::json;
using Query = std::vector<std::pair<std::string, std::string>>;

json answer_of(const Input& input) {
    const auto call = decode_shogi_convert(input, {});
    EXPECT_TRUE(call) << call.error().message;
    if (!call) return {};
    const auto converted = convert_shogi(*call);
    EXPECT_TRUE(converted) << converted.error().message;
    if (!converted) return {};
    EXPECT_EQ(complaints("ShogiConvertAnswer", converted->body), "");
    return json::parse(converted->body);
}

json convert(const std::string& record, const std::string& to) {
    const std::string body = json{{"record", record}, {"to", to}}.dump();
    return answer_of({.kind = Input::Kind::json, .body = body});
}

Error refused(const Input& input) {
    const auto call = decode_shogi_convert(input, {});
    if (!call) return call.error();
    const auto converted = convert_shogi(*call);
    EXPECT_FALSE(converted);
    return converted ? Error{} : converted.error();
}

constexpr const char* kStudy =
    "手合割：平手　　\n先手：甲\n後手：乙\n手数----指手---------消費時間--\n*はじめ\n"
    "   1 ７六歩(77)   ( 0:07/00:00:07)\n*評価値=50\n"
    "   2 ３四歩(33)   ( 1:00/00:01:00)+\n   3 投了         ( 0:01/00:00:08)\n"
    "\n変化：2手\n   2 ８四歩(83)\n&ここ\n   3 ２五歩(27)\n";

TEST(ShogiConvert, WritesEveryFormatFromEveryOther) {
    const json kif = convert(kStudy, "kif");
    EXPECT_EQ(kif["from"], "kif");
    EXPECT_EQ(kif["plies"], 2);
    EXPECT_EQ(kif["branches"], 1);
    ASSERT_EQ(kif["warnings"].size(), 1U) << "the jump of the pawn";
    EXPECT_EQ(kif["warnings"][0]["code"], "illegal_move");
    EXPECT_EQ(kif["warnings"][0]["line"], 14);
    EXPECT_EQ(kif["warnings"][0]["column"], 6);
    for (const char* const to : {"sfen", "usi", "kif", "ki2", "bod", "csa", "usen"}) {
        const json written = convert(kStudy, to);
        ASSERT_TRUE(written.contains("text")) << to;
        const json back = convert(written["text"], to);
        EXPECT_EQ(back["text"], written["text"]) << to;
        EXPECT_EQ(back["from"], to);
    }
    EXPECT_EQ(convert(kStudy, "usi")["text"], "position startpos moves 7g7f 3c3d\n");
    EXPECT_EQ(convert("https://example.com/?moves=7g7f", "usen")["text"], "~0.7ku.\n");
    for (const char* const to : {"jkf", "json"}) {
        const json written = convert(kStudy, to);
        ASSERT_TRUE(written.contains("record")) << to;
        const json back = convert(written["record"].dump(), "kif");
        EXPECT_EQ(back["from"], to);
        EXPECT_EQ(back["text"], kif["text"]) << to;
    }
}

TEST(ShogiConvert, TakesRecordsAsTheyComeOverHttp) {
    const std::string sjis = encode_text(kStudy, Charset::cp932)->bytes;
    const Query to{{"to", "usi"}};
    const std::string expected = "position startpos moves 7g7f 3c3d\n";
    EXPECT_EQ(answer_of({.kind = Input::Kind::text, .body = sjis, .query = to})["text"], expected);
    EXPECT_EQ(
        answer_of(
            {.kind = Input::Kind::text, .body = sjis, .query = to, .charset = "shift_jis"})["text"],
        expected);
    // A JKF file sent as JSON, with what is asked in the query.
    const std::string jkf = convert(kStudy, "jkf")["record"].dump();
    EXPECT_EQ(answer_of({.kind = Input::Kind::json, .body = jkf, .query = to})["text"], expected);
    // A form that has written its spaces as '+'.
    std::string form = kStudy;
    std::replace(form.begin(), form.end(), ' ', '+');
    const Query fields{{"record", form}, {"to", "usi"}};
    EXPECT_EQ(answer_of({.kind = Input::Kind::form, .query = fields})["text"], expected);
    const Query csa{{"record", "PI\n+\n+7776FU,T12\n-3334FU\n%TORYO\n"}, {"to", "usi"}};
    EXPECT_EQ(answer_of({.kind = Input::Kind::form, .query = csa})["text"], expected);
}

TEST(ShogiConvert, RestoresTheSpacesOfForms) {
    EXPECT_EQ(restore_record_spaces("1+７六歩(77)+++(+0:07/00:00:07)+\n"),
              "1 ７六歩(77)   ( 0:07/00:00:07)+\n");
    EXPECT_EQ(restore_record_spaces("P1-KY+*++*++FU\nP+00FU\n+\n+7776FU,T1\nN+a+b\n"),
              "P1-KY *  * +FU\nP+00FU\n+\n+7776FU,T1\nN+a b\n");
    EXPECT_EQ(restore_record_spaces("a b+c"), "a b+c") << "spaces have survived";
}

TEST(ShogiConvert, SaysWhatIsWrongWithTheRequest) {
    const auto error = [](const std::string& body) {
        return refused({.kind = Input::Kind::json, .body = body});
    };
    EXPECT_EQ(error(R"({"to": "kif"})").code, ErrorCode::missing_field);
    EXPECT_EQ(error(R"({"to": "kif"})").pointer, "/record");
    EXPECT_EQ(error(R"({"record": "startpos"})").pointer, "/to");
    EXPECT_EQ(error(R"({"record": "startpos", "to": "pgn"})").code, ErrorCode::bad_value);
    const Error broken =
        error(json{{"record", "手合割：平手\n1 ７六鬼(77)"}, {"to", "csa"}}.dump());
    EXPECT_EQ(broken.code, ErrorCode::bad_notation);
    EXPECT_EQ(broken.pointer, "/record");
    EXPECT_EQ(broken.line, 2);
    EXPECT_EQ(broken.column, 3);
    EXPECT_EQ(error(R"({"record": "{\"moves\": [{}, {\"move\": {}}]}", "to": "csa"})").message,
              "JKF, at /moves/1/move: to is missing");
    EXPECT_EQ(error(R"({"record": "{\"moves\"", "to": "csa"})").code, ErrorCode::bad_notation);
    EXPECT_EQ(error(R"({"record": "{\"root\": {\"sfen\": \"x\"}}", "to": "csa"})").code,
              ErrorCode::bad_notation);
    const Query twice{{"to", "kif"}, {"record", "startpos"}};
    EXPECT_EQ(refused({.kind = Input::Kind::text, .body = "startpos", .query = twice}).code,
              ErrorCode::duplicate_key);
    const std::string big((1U << 20U) + 1, '\n');
    const Query to{{"to", "kif"}};
    EXPECT_EQ(refused({.kind = Input::Kind::text, .body = big, .query = to}).code,
              ErrorCode::payload_too_large);
}

TEST(Jkf, KeepsWholeStudies) {
    SplitMix64 random(71);
    const int games = shogi::sample::games(60);
    for (int i = 0; i < games; ++i) {
        const shogi::Record record = shogi::sample::random_record(random, {.plies = 50});
        std::vector<shogi::RecordWarning> warnings;
        const std::string text = write_jkf(record, warnings).dump();
        const auto read = read_shogi_record(text);
        ASSERT_TRUE(read) << read.error().message;
        EXPECT_EQ(read->format, "jkf");
        EXPECT_TRUE(read->warnings.empty());
        ASSERT_TRUE(same_moves(read->record, record)) << text;
        EXPECT_EQ(write_jkf(read->record, warnings).dump(), text);
        // KIF -> JKF -> KIF: everything but the order of headers, which JSON does not keep.
        const std::string kif = write_kif(record).text;
        const auto sort_head = [](std::string whole) {
            const std::size_t moves = whole.find("手数----");
            std::sort(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(moves));
            return whole;
        };
        EXPECT_EQ(sort_head(write_kif(read->record).text), sort_head(kif));
    }
}

TEST(Jkf, ReadsMovesWithoutOriginsAsKi2Does) {
    const auto usi = [](const std::string& moves) {
        return convert(R"({"header": {}, "moves": [{}, )" + moves + "]}", "usi")["text"]
            .get<std::string>();
    };
    EXPECT_EQ(usi(R"({"move": {"to": {"x": 5, "y": 8}, "piece": "KI", "relative": "R"}})"),
              "position startpos moves 4i5h\n");
    EXPECT_EQ(usi(R"({"move": {"to": {"x": 5, "y": 8}, "piece": "KI", "relative": "L"}})"),
              "position startpos moves 6i5h\n");
    EXPECT_EQ(convert(R"({"header": {"手合割": "香落ち"}, "moves": [{}]})", "sfen")["text"],
              "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1\n");
}

TEST(ShogiRecordJson, KeepsEverything) {
    SplitMix64 random(72);
    const int games = shogi::sample::games(60);
    for (int i = 0; i < games; ++i) {
        const shogi::Record record = shogi::sample::random_record(random, {.plies = 50});
        const std::string text = shogi_record_json(record).dump();
        const auto read = read_shogi_record(text);
        ASSERT_TRUE(read) << read.error().message;
        EXPECT_EQ(read->format, "json");
        ASSERT_TRUE(read->record == record) << text;
    }
}

TEST(ShogiRecords, StandForThePositionOfEveryMethod) {
    const std::string csa = "PI\n+\n+7776FU\n-3334FU\n%TORYO\n";
    for (const std::string& text :
         {csa,
          std::string("手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n3 投了\n"),
          std::string("▲７六歩△３四歩"),
          std::string("~0.7ku2jm.r"),
          std::string("https://www.kento-shogi.com/?moves=7g7f.3c3d"),
          convert(csa, "jkf")["record"].dump(),
          convert(csa, "json")["record"].dump()}) {
        const std::string body = json{{"position", text}}.dump();
        const Input input{.kind = Input::Kind::json, .body = body};
        const auto position = decode_shogi_position(input, {});
        ASSERT_TRUE(position) << text << ": " << position.error().message;
        EXPECT_EQ(position->game.moves.size(), 2U) << text;
        const auto analysis = decode_shogi_analysis(input, {});
        ASSERT_TRUE(analysis) << text;
        EXPECT_EQ(analysis->request.position.history_size(), 2) << "the history counts";
        const Input raw{.kind = Input::Kind::text, .body = text};
        ASSERT_TRUE(decode_shogi_position(raw, {})) << text;
    }
    const std::string sjis = encode_text("手合割：平手\n1 ７六歩(77)\n", Charset::cp932)->bytes;
    EXPECT_TRUE(decode_shogi_position(
        {.kind = Input::Kind::text, .body = sjis, .charset = "shift_jis"}, {}));

    const auto fault = [](const std::string& text) {
        const std::string body = json{{"position", text}}.dump();
        const auto call = decode_shogi_position({.kind = Input::Kind::json, .body = body}, {});
        EXPECT_FALSE(call) << text;
        return call ? Error{} : call.error();
    };
    const Error foul = fault("手合割：平手\n1 ７五歩(77)\n");
    EXPECT_EQ(foul.code, ErrorCode::illegal_move);
    EXPECT_EQ(foul.pointer, "/position");
    const Error broken = fault("手合割：平手\n1 ７六歩(78)\n");
    EXPECT_EQ(broken.code, ErrorCode::illegal_move);
    EXPECT_EQ(broken.line, 2);
    EXPECT_EQ(broken.column, 3);
}

TEST(JkfFiles, HaveThePliesOfTheOracle) {
    const auto folder = shogi::sample::data_folder();
    if (!folder) GTEST_SKIP() << "no data: set YOMI_DATA_DIR to a folder with records/shogi";
    const std::string oracle = shogi::sample::file_text(*folder / "oracle.txt");
    int files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(*folder / "shogi")) {
        if (entry.path().extension() != ".jkf") continue;
        const std::string name = entry.path().filename();
        const auto read = read_shogi_record(shogi::sample::file_text(entry.path()));
        ASSERT_TRUE(read) << name << ": " << read.error().message;
        EXPECT_TRUE(read->warnings.empty()) << name << ": " << read->warnings[0].message;
        const std::string row =
            name + " | ok ply=" + std::to_string(read->record.main_line().size() - 1) + " ";
        EXPECT_NE(oracle.find(row), std::string::npos) << row;
        ++files;
    }
    EXPECT_GE(files, 4);
}

}  // namespace
}  // namespace yomi::proto
