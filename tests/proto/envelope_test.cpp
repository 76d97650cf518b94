#include "proto/envelope.hpp"

#include <set>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/base/hash.hpp"
#include "core/base/utf8.hpp"

namespace yomi::proto {
namespace {

TEST(ProblemKind, EveryCodeHasItsOwnTypeAndAnErrorStatus) {
    std::set<std::string> types;
    for (int i = 0; i <= static_cast<int>(ErrorCode::internal); ++i) {
        const ProblemKind& kind = problem_kind(static_cast<ErrorCode>(i));
        EXPECT_EQ(static_cast<int>(kind.code), i);
        EXPECT_GE(kind.status, 400);
        EXPECT_LT(kind.status, 600);
        EXPECT_TRUE(kind.type.starts_with("https://yomi.dev/problems/")) << kind.type;
        EXPECT_TRUE(types.insert(std::string(kind.type)).second) << kind.type;
        EXPECT_FALSE(kind.title.empty());
    }
    EXPECT_EQ(problem_kind(ErrorCode::illegal_position).status, 422);
    EXPECT_EQ(problem_kind(ErrorCode::quota_exceeded).status, 429);
    EXPECT_EQ(problem_kind(ErrorCode::busy).status, 503);
}

TEST(ProblemJson, NamesThePlaceAndLeavesOutWhatIsNotKnown) {
    const Error error{.code = ErrorCode::out_of_range,
                      .message = "time_ms must be 1 or more",
                      .pointer = "/limits/time_ms",
                      .value = "-5"};
    const auto json = nlohmann::json::parse(problem_json(error, "r-1"));
    EXPECT_EQ(json, nlohmann::json::parse(R"({"type": "https://yomi.dev/problems/out-of-range",
        "title": "A number is out of range", "status": 400, "detail": "time_ms must be 1 or more",
        "instance": "r-1", "pointer": "/limits/time_ms", "value": "-5"})"));

    const Error placed{
        .code = ErrorCode::bad_json, .message = "m", .line = 3, .column = 14, .hint = "h"};
    const auto other = nlohmann::json::parse(problem_json(placed, "r-2"));
    EXPECT_EQ(other["line"], 3);
    EXPECT_EQ(other["column"], 14);
    EXPECT_EQ(other["hint"], "h");
    EXPECT_FALSE(other.contains("pointer"));
    EXPECT_FALSE(other.contains("value"));
}

TEST(ProblemJson, CutsLongValuesAtACodePoint) {
    std::string value;
    for (int i = 0; i < 500; ++i)
        value += "歩";
    const Error error{.code = ErrorCode::bad_notation, .message = "m", .value = value};
    const auto json = nlohmann::json::parse(problem_json(error, "r-1"));
    const std::string shown = json["value"];
    EXPECT_TRUE(is_utf8(shown));
    EXPECT_LE(shown.size(), 203U);
    EXPECT_TRUE(shown.ends_with("歩…"));
}

TEST(ProblemJson, ReplacesInvalidUtf8) {
    const Error error{.code = ErrorCode::bad_notation, .message = "m", .value = "a\xFF\x80z"};
    const auto json = nlohmann::json::parse(problem_json(error, "r-1"));
    EXPECT_EQ(json["value"], "a\xEF\xBF\xBD\xEF\xBF\xBDz");
}

TEST(JsonQuote, AgreesWithAParserOnRandomBytes) {
    SplitMix64 random(1);
    for (int round = 0; round < 3000; ++round) {
        std::string text;
        const auto size = random.below(24);
        for (std::uint32_t i = 0; i < size; ++i)
            text += static_cast<char>(random.below(256));
        const std::string quoted = json_quote(text);
        const auto parsed = nlohmann::json::parse(quoted, nullptr, false);
        ASSERT_TRUE(parsed.is_string()) << quoted;
        // nlohmann's UTF-8 automaton is the plain twin of ours.
        const bool valid =
            !nlohmann::json::parse(
                 "\"" +
                     [&] {
                         std::string safe;
                         for (const char c : text)
                             safe += c == '"' || c == '\\' || (c >= 0 && c < 0x20) ? 'x' : c;
                         return safe;
                     }() +
                     "\"",
                 nullptr,
                 false)
                 .is_discarded();
        EXPECT_EQ(is_utf8(text), valid);
        if (valid) {
            EXPECT_EQ(parsed.get<std::string>(), text);
        }
    }
}

TEST(EventJson, SplicesIdSeqEventExtraAndBody) {
    Event event;
    event.kind = EventKind::result;
    event.seq = 7;
    event.id = "a\"1";
    event.body = std::make_shared<const std::string>(R"( {"bestmove":"7g7f","lines":[{"a":{}}]} )");
    event.extra = R"("cache":"miss","stopped_by":"time")";
    EXPECT_EQ(event_json(event),
              R"({"id":"a\"1","seq":7,"event":"result","cache":"miss","stopped_by":"time",)"
              R"("bestmove":"7g7f","lines":[{"a":{}}]})");
    EXPECT_EQ(
        answer_json(event),
        R"({"id":"a\"1","cache":"miss","stopped_by":"time","bestmove":"7g7f","lines":[{"a":{}}]})");
}

TEST(EventJson, SurvivesEmptyParts) {
    Event event;
    event.kind = EventKind::started;
    event.id = "x";
    EXPECT_EQ(event_json(event), R"({"id":"x","seq":0,"event":"started"})");
    event.body = std::make_shared<const std::string>("{}");
    EXPECT_EQ(event_json(event), R"({"id":"x","seq":0,"event":"started"})");
    EXPECT_EQ(answer_json(event), R"({"id":"x"})");
}

TEST(EventJson, AnErrorEventCarriesTheProblemAndAnErrorAnswerIsTheProblem) {
    Event event;
    event.kind = EventKind::error;
    event.seq = 1;
    event.id = "r-9";
    event.body = std::make_shared<const std::string>(
        problem_json(Error{.code = ErrorCode::busy, .message = "the queue is full"}, "r-9"));
    EXPECT_EQ(answer_json(event), *event.body);
    const auto json = nlohmann::json::parse(event_json(event));
    EXPECT_EQ(json["event"], "error");
    EXPECT_EQ(json["status"], 503);
    EXPECT_EQ(json["id"], "r-9");
}

TEST(Utf8, CountsLinesAndColumnsInCodePoints) {
    const std::string_view text = "a歩b\nか\xFFx";
    EXPECT_EQ(place_of(text, 0).column, 1);
    EXPECT_EQ(place_of(text, 4).column, 3);
    EXPECT_EQ(place_of(text, 6).line, 2);
    EXPECT_EQ(place_of(text, 6).column, 1);
    EXPECT_EQ(place_of(text, 10).column, 3);
    EXPECT_EQ(place_of(text, 999).column, 4);
}

}  // namespace
}  // namespace yomi::proto
