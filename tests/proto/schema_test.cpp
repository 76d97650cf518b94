#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "proto/envelope.hpp"
#include "proto/othello.hpp"
#include "proto/schema/answer_schema.hpp"
#include "proto/schema/request_schema.hpp"
#include "proto/shogi.hpp"
#include "tests/schema_check/schema_check.hpp"

namespace yomi::proto {
namespace {

using nlohmann::json;

std::string shogi_position(std::string_view text) {
    const auto game = shogi::parse_usi_position(text);
    EXPECT_TRUE(game) << text;
    if (!game) return "{}";
    return encode_shogi_position({.game = *game, .trace = game->moves.size() % 2 == 0});
}

std::string shogi_answer(std::string_view text,
                         const shogi::AnalysisProgress& progress,
                         const AnswerNotes& notes = {}) {
    const auto game = shogi::parse_usi_position(text);
    EXPECT_TRUE(game) << text;
    return encode_shogi_answer(game->position, answer_so_far(game->position, progress), notes);
}

shogi::AnalysisProgress one_line(std::string_view position, std::string_view move) {
    const auto game = shogi::parse_usi_position(position);
    shogi::AnalysisProgress progress{
        .depth = 3, .seldepth = 5, .depth_complete = true, .nodes = 10, .lines = {}};
    progress.lines.push_back({.score = shogi::Score::cp(5),
                              .depth = 3,
                              .seldepth = 5,
                              .pv = {*shogi::parse_usi_move(move, game->position)}});
    return progress;
}

TEST(Schema, AcceptsWhatTheEncodersWrite) {
    for (const std::string_view text : {"startpos",
                                        "startpos moves 7g7f 3c3d 8h2b+ 3a2b",
                                        "4k4/4G4/4G4/9/9/9/9/9/4K4 w - 1",
                                        "4k4/9/9/9/4r4/9/9/9/4K4 b P 1",
                                        "8k/9/9/9/9/9/9/9/9 b 2R2B4G4S4N4L18P 1"}) {
        EXPECT_EQ(complaints("ShogiPositionAnswer", shogi_position(text)), "") << text;
        EXPECT_EQ(complaints("ShogiAnalysisAnswer",
                             shogi_answer(text, {}, {.trace = true, .warnings = {"w"}})),
                  "");
    }
    EXPECT_EQ(
        complaints("ShogiAnalysisAnswer", shogi_answer("startpos", one_line("startpos", "7g7f"))),
        "");
    for (const std::string_view text : {"", "f5d6c3", "f5d6c3d3c4"}) {
        const std::vector<std::pair<std::string, std::string>> query{
            {"position", std::string(text)}};
        const auto call = decode_othello_position({.query = query}, {});
        ASSERT_TRUE(call);
        EXPECT_EQ(complaints("OthelloPositionAnswer", encode_othello_position(call->game, {})), "")
            << text;
    }
    const Error error{.code = ErrorCode::bad_json,
                      .message = "m",
                      .pointer = "/a",
                      .line = 1,
                      .column = 2,
                      .hint = "h",
                      .value = "v"};
    EXPECT_EQ(complaints("Problem", problem_json(error, "r-1")), "");
}

TEST(Schema, AcceptsEveryKindOfEvent) {
    const auto position = shogi::Position::startpos();
    const auto progress = one_line("startpos", "7g7f");
    const auto answer = encode_shogi_answer(position, answer_so_far(position, progress), {});
    const std::vector<std::pair<EventKind, std::string>> bodies{
        {EventKind::queued, R"({"ahead":2})"},
        {EventKind::started, "{}"},
        {EventKind::progress, encode_shogi_progress(position, progress)},
        {EventKind::progress, encode_shogi_progress(position, {})},
        {EventKind::result, answer},
        {EventKind::cancelled, answer},
        {EventKind::cancelled, "{}"},
        {EventKind::error, problem_json({.code = ErrorCode::busy, .message = "m"}, "x")},
    };
    std::uint64_t seq = 0;
    for (const auto& [kind, body] : bodies) {
        Event event{.kind = kind,
                    .seq = seq++,
                    .id = "x",
                    .body = std::make_shared<const std::string>(body),
                    .text = nullptr,
                    .file = nullptr,
                    .extra = is_final(kind) && kind != EventKind::error
                                 ? R"("cache":"miss","stopped_by":"time")"
                                 : ""};
        EXPECT_EQ(complaints("ShogiAnalysisEvent", event_json(event)), "") << event_json(event);
    }
}

// A schema that accepts everything would pass the tests above: each damage must be noticed.
TEST(Schema, NoticesDamage) {
    const json good = json::parse(shogi_answer("startpos", one_line("startpos", "7g7f")));
    const auto damaged = [&](const std::string& pointer, const json& value) {
        json bad = good;
        bad[json::json_pointer(pointer)] = value;
        return complaints("ShogiAnalysisAnswer", bad.dump());
    };
    EXPECT_NE(damaged("/bestmove", "7g7x"), "");
    EXPECT_NE(damaged("/lines/0/score", json{{"cp", 1}, {"mate", 2}}), "");
    EXPECT_NE(damaged("/lines/0/score", json::object()), "");
    EXPECT_NE(damaged("/lines/0/winrate", 1.5), "");
    EXPECT_NE(damaged("/lines/0/pv/0", "resign"), "");
    EXPECT_NE(damaged("/status", "fine"), "");
    EXPECT_NE(damaged("/surprise", 1), "");
    EXPECT_NE(damaged("/nodes", -1), "");
    for (const std::string name :
         {"bestmove", "lines", "warnings", "engine", "position", "status"}) {
        json bad = good;
        bad.erase(name);
        EXPECT_NE(complaints("ShogiAnalysisAnswer", bad.dump()), "") << name;
    }
}

void collect_references(const json& value, std::set<std::string>& references) {
    if (value.is_object() && value.contains("$ref"))
        references.insert(value["$ref"].get<std::string>());
    for (const json& child : value) {
        if (child.is_structured()) collect_references(child, references);
    }
}

TEST(Schema, EveryReferenceHasItsSchema) {
    const json schemas = answer_schemas();
    std::set<std::string> references;
    collect_references(schemas, references);
    EXPECT_GT(references.size(), 10U);
    for (const std::string& reference : references) {
        constexpr std::string_view kPrefix = "#/components/schemas/";
        ASSERT_TRUE(reference.starts_with(kPrefix)) << reference;
        EXPECT_TRUE(schemas.contains(reference.substr(kPrefix.size()))) << reference;
    }
}

TEST(RequestSchema, ListsEveryFieldOfThisVersionAndNoOther) {
    const json schema = request_schema(shogi_analysis_fields());
    EXPECT_EQ(schema["required"], json{"position"});
    EXPECT_EQ(schema["additionalProperties"], false);
    const json& limits = schema["properties"]["limits"]["properties"];
    EXPECT_EQ(limits["time_ms"]["minimum"], 1);
    EXPECT_FALSE(limits["time_ms"].contains("maximum"));  // clamped, not refused
    EXPECT_EQ(schema["properties"]["engine"]["enum"], (json{"alphabeta", "abc"}));
    EXPECT_EQ(schema["properties"]["session"]["type"], (json{"string", "null"}));
    EXPECT_EQ(schema["properties"]["abc"]["properties"]["cost"]["enum"].size(), 3U);
    EXPECT_TRUE(schema["properties"].contains("guide"));
    EXPECT_FALSE(schema["properties"].contains("book"));  // of another method

    const json parameters = query_parameters(shogi_analysis_fields());
    std::set<std::string> names;
    for (const json& parameter : parameters)
        EXPECT_TRUE(names.insert(parameter["name"]).second);
    EXPECT_TRUE(names.contains("time_ms"));
    EXPECT_TRUE(names.contains("min_interval_ms"));
    EXPECT_EQ(form_schema(shogi_analysis_fields())["properties"].size(), names.size());
    EXPECT_EQ(request_schema({})["properties"], json::object());
}

TEST(FieldTables, HaveUniqueNamesAndDocumentedFields) {
    for (const FieldTable table :
         {shogi_analysis_fields(), shogi_position_fields(), othello_position_fields()}) {
        std::set<std::string_view> paths;
        std::set<std::string_view> names;
        int bodies = 0;
        for (const Field& field : table) {
            EXPECT_TRUE(paths.insert(field.path).second) << field.path;
            EXPECT_TRUE(names.insert(field.name).second) << field.name;
            EXPECT_EQ(field.doc.empty(), field.later) << field.path;
            bodies += field.takes_body ? 1 : 0;
            if (!field.fallback.empty()) {
                EXPECT_TRUE(json::accept(field.fallback)) << field.path;
            }
        }
        EXPECT_LE(bodies, 1);
    }
}

}  // namespace
}  // namespace yomi::proto
