#include "proto/fields.hpp"

#include <array>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/base/hash.hpp"
#include "proto/nearest.hpp"

namespace yomi::proto {
namespace {

constexpr std::array<std::string_view, 2> kWords{"alpha", "beta"};
constexpr std::array<std::string_view, 1> kLaterWords{"gamma"};
constexpr std::array<Field, 11> kTable{{
    {.path = "position",
     .name = "position",
     .type = FieldType::text,
     .doc = "",
     .max_length = 40,
     .required = true,
     .takes_body = true},
    {.path = "limits/time_ms",
     .name = "time_ms",
     .type = FieldType::integer,
     .doc = "",
     .unit = "ms",
     .min = 1,
     .cap = Cap::time_ms},
    {.path = "limits/depth",
     .name = "depth",
     .type = FieldType::integer,
     .doc = "",
     .min = -3,
     .max = 10},
    {.path = "margin", .name = "margin", .type = FieldType::number, .doc = "", .min = 0, .max = 2},
    {.path = "trace", .name = "trace", .type = FieldType::boolean, .doc = ""},
    {.path = "engine",
     .name = "engine",
     .type = FieldType::word,
     .doc = "",
     .words = kWords,
     .later_words = kLaterWords},
    {.path = "moves", .name = "moves", .type = FieldType::text_list, .doc = "", .max_length = 4},
    {.path = "guide", .name = "guide", .type = FieldType::line_list, .doc = ""},
    {.path = "session", .name = "session", .type = FieldType::text, .doc = "", .nullable = true},
    {.path = "rules", .name = "rules", .type = FieldType::text, .doc = "", .later = true},
    {.path = "any", .name = "any", .type = FieldType::integer, .doc = ""},
}};

using Query = std::vector<std::pair<std::string, std::string>>;

Caps caps() {
    Caps caps;
    caps.set(Cap::time_ms, 60'000);
    return caps;
}

Result<Params> from_json(std::string_view body, const Query& query = {}) {
    return decode_fields(kTable, {.kind = Input::Kind::json, .body = body, .query = query}, caps());
}

Result<Params> from_query(const Query& query) {
    return decode_fields(kTable, {.query = query}, caps());
}

struct Refusal {
    std::string input;  // JSON members, or "name=value" with '&'
    ErrorCode code;
    std::string pointer;
    std::string hint = "";
};

void expect_refusal(const Result<Params>& read, const Refusal& row) {
    ASSERT_FALSE(read) << row.input;
    EXPECT_EQ(read.error().code, row.code) << row.input << ": " << read.error().message;
    EXPECT_EQ(read.error().pointer, row.pointer) << row.input;
    EXPECT_FALSE(read.error().message.empty());
    if (!row.hint.empty()) {
        EXPECT_EQ(read.error().hint, row.hint) << row.input;
    }
}

TEST(Fields, ReadsEveryTypeFromJson) {
    const auto params =
        from_json(R"({"position": "p", "limits": {"time_ms": 1000.0, "depth": -3}, "margin": 1.5,
        "trace": true, "engine": "beta", "moves": ["a", "b c"], "guide": [["a", "b"], []], "session": null})");
    ASSERT_TRUE(params) << params.error().message;
    EXPECT_EQ(*params->text("position"), "p");
    EXPECT_EQ(params->integer("limits/time_ms"), 1000);
    EXPECT_EQ(params->integer("limits/depth"), -3);
    EXPECT_EQ(params->number("margin"), 1.5);
    EXPECT_EQ(params->boolean("trace"), true);
    EXPECT_EQ(*params->text("engine"), "beta");
    EXPECT_EQ(*params->texts("moves"), (TextList{"a", "b c"}));
    EXPECT_EQ(*params->lines("guide"), (LineList{{"a", "b"}, {}}));
    EXPECT_FALSE(params->has("session"));
    EXPECT_EQ(params->pointer("limits/time_ms"), "/limits/time_ms");
    EXPECT_FALSE(params->from_query("position"));
    EXPECT_TRUE(params->warnings().empty());
}

TEST(Fields, ReadsEveryTypeFromAQuery) {
    const auto params = from_query({{"position", "p"},
                                    {"time_ms", "1000"},
                                    {"limits.depth", "-3"},
                                    {"margin", "1.5e0"},
                                    {"trace", "1"},
                                    {"engine", "beta"},
                                    {"moves", "a,b"},
                                    {"moves", "c "},
                                    {"guide", "a b,c"},
                                    {"guide", "d+e"},
                                    {"session", "s"}});
    ASSERT_TRUE(params) << params.error().message;
    EXPECT_EQ(*params->text("position"), "p");
    EXPECT_EQ(params->integer("limits/time_ms"), 1000);
    EXPECT_EQ(params->integer("limits/depth"), -3);
    EXPECT_EQ(params->number("margin"), 1.5);
    EXPECT_EQ(params->boolean("trace"), true);
    EXPECT_EQ(*params->texts("moves"), (TextList{"a", "b", "c "}));
    EXPECT_EQ(*params->lines("guide"), (LineList{{"a", "b"}, {"c"}, {"d", "e"}}));
    EXPECT_EQ(*params->text("session"), "s");
    EXPECT_EQ(params->pointer("limits/depth"), "/limits.depth");
    EXPECT_TRUE(params->from_query("position"));
}

TEST(Fields, TakesATextBodyWithTheRestInTheQuery) {
    const Query query{{"time_ms", "5"}};
    const auto params = decode_fields(
        kTable, {.kind = Input::Kind::text, .body = "  startpos\r\n", .query = query}, caps());
    ASSERT_TRUE(params) << params.error().message;
    EXPECT_EQ(*params->text("position"), "startpos");
    EXPECT_EQ(params->integer("limits/time_ms"), 5);
    EXPECT_FALSE(params->from_query("position"));

    // "先手" in Shift_JIS, with and without saying so.
    for (const std::string_view charset : {"shift_jis", "", "utf-8"}) {
        const Input sjis{.kind = Input::Kind::text, .body = "\x90\xE6\x8E\xE8", .charset = charset};
        const auto read = decode_fields(kTable, sjis, caps());
        ASSERT_TRUE(read) << charset << ": " << read.error().message;
        EXPECT_EQ(*read->text("position"), "先手");
        EXPECT_EQ(read->warnings().empty(), charset != "utf-8") << "a false declaration is said";
    }
    const Input broken{.kind = Input::Kind::text, .body = "\xFF\xFD\x80"};
    EXPECT_EQ(decode_fields(kTable, broken, caps()).error().code, ErrorCode::bad_notation);
    const Query twice{{"position", "x"}};
    EXPECT_EQ(
        decode_fields(kTable, {.kind = Input::Kind::text, .body = "y", .query = twice}, caps())
            .error()
            .code,
        ErrorCode::duplicate_key);
    EXPECT_EQ(
        decode_fields(kTable, {.kind = Input::Kind::text, .body = " \n"}, caps()).error().code,
        ErrorCode::missing_field);
    EXPECT_EQ(decode_fields(
                  FieldTable(kTable).subspan(1), {.kind = Input::Kind::text, .body = "y"}, caps())
                  .error()
                  .code,
              ErrorCode::unsupported_media_type);
}

TEST(Fields, AQueryBesideAJsonBodyAddsToIt) {
    const auto params = from_json(R"({"position": "p"})", {{"time_ms", "7"}});
    ASSERT_TRUE(params) << params.error().message;
    EXPECT_EQ(params->integer("limits/time_ms"), 7);
    expect_refusal(from_json(R"({"position": "p", "limits": {"time_ms": 7}})", {{"time_ms", "7"}}),
                   {"both", ErrorCode::duplicate_key, "/time_ms"});
    // A list of the body is not quietly extended by the query.
    expect_refusal(from_json(R"({"position": "p", "moves": ["a"]})", {{"moves", "b"}}),
                   {"list in both", ErrorCode::duplicate_key, "/moves"});
}

TEST(Fields, ClampsToThePublishedLimitAndSaysSo) {
    for (const std::string_view value : {"60001", "18446744073709551615"}) {
        const auto params = from_json(
            "{\"position\": \"p\", \"limits\": {\"time_ms\": " + std::string(value) + "}}");
        ASSERT_TRUE(params) << params.error().message;
        EXPECT_EQ(params->integer("limits/time_ms"), 60'000);
        ASSERT_EQ(params->warnings().size(), 1U);
        EXPECT_EQ(params->warnings()[0],
                  "limits.time_ms: " + std::string(value) +
                      " is above the published limit; 60000 is used");
        const auto query = from_query({{"position", "p"}, {"time_ms", std::string(value)}});
        ASSERT_TRUE(query);
        EXPECT_EQ(query->warnings(), params->warnings());
    }
}

TEST(Fields, RefusesInJsonWithThePointer) {
    const std::vector<Refusal> rows{
        {R"("limits": {"time_ms": 0})", ErrorCode::out_of_range, "/limits/time_ms"},
        {R"("limits": {"time_ms": -5})", ErrorCode::out_of_range, "/limits/time_ms"},
        {R"("limits": {"time_ms": "5"})",
         ErrorCode::bad_type,
         "/limits/time_ms",
         "write numbers without quotes"},
        {R"("limits": {"time_ms": 1.5})", ErrorCode::bad_type, "/limits/time_ms"},
        {R"("limits": {"time_ms": null})", ErrorCode::bad_type, "/limits/time_ms"},
        {R"("limits": {"time_ms": true})", ErrorCode::bad_type, "/limits/time_ms"},
        {R"("limits": {"time_ms": 1e300})", ErrorCode::out_of_range, "/limits/time_ms"},
        {R"("limits": {"depth": 11})", ErrorCode::out_of_range, "/limits/depth"},
        {R"("limits": {"depth": 18446744073709551615})", ErrorCode::out_of_range, "/limits/depth"},
        {R"("limits": {"depth": -9223372036854775808})", ErrorCode::out_of_range, "/limits/depth"},
        {R"("limits": {"nodes": 18446744073709551616})", ErrorCode::out_of_range, "/limits/nodes"},
        {R"("limits": 5)", ErrorCode::bad_type, "/limits"},
        {R"("limits": {"tme_ms": 5})",
         ErrorCode::unknown_field,
         "/limits/tme_ms",
         "did you mean limits.time_ms?"},
        {R"("time_ms": 5)", ErrorCode::unknown_field, "/time_ms", "did you mean limits.time_ms?"},
        {R"("limits/time_ms": 5)", ErrorCode::unknown_field, "/limits~1time_ms"},
        {R"("limits.time_ms": 5)",
         ErrorCode::unknown_field,
         "/limits.time_ms",
         "did you mean limits.time_ms?"},
        {R"("pozition": "p")", ErrorCode::unknown_field, "/pozition", "did you mean position?"},
        {R"("": 1)", ErrorCode::unknown_field, "/"},
        {R"("zzzzzzzz": 1)", ErrorCode::unknown_field, "/zzzzzzzz"},
        {R"("margin": 2.01)", ErrorCode::out_of_range, "/margin"},
        {R"("margin": "1")", ErrorCode::bad_type, "/margin"},
        {R"("trace": 1)", ErrorCode::bad_type, "/trace"},
        {R"("engine": "alhpa")", ErrorCode::bad_value, "/engine", "did you mean alpha?"},
        {R"("engine": "gamma")", ErrorCode::unsupported, "/engine", "available: alpha, beta"},
        {R"("engine": 3)", ErrorCode::bad_type, "/engine"},
        {R"("moves": "a,b")", ErrorCode::bad_type, "/moves"},
        {R"("moves": ["a", 5])", ErrorCode::bad_type, "/moves/1"},
        {R"("moves": ["a", "b", "c", "d", "e"])", ErrorCode::bad_value, "/moves"},
        {R"("guide": [["a"], "b"])", ErrorCode::bad_type, "/guide/1"},
        {R"("guide": [["a"], ["b", null]])", ErrorCode::bad_type, "/guide/1/1"},
        {R"("rules": {"x": 1})", ErrorCode::unsupported, "/rules"},
        {R"("any": 9223372036854775808)", ErrorCode::out_of_range, "/any"},
    };
    for (const Refusal& row : rows)
        expect_refusal(from_json(R"({"position": "p", )" + row.input + "}"), row);
    expect_refusal(from_json("{}"), {"{}", ErrorCode::missing_field, "/position"});
    expect_refusal(from_json(R"({"position": ""})"),
                   {"empty", ErrorCode::missing_field, "/position"});
    expect_refusal(from_json(R"({"position": null})"), {"null", ErrorCode::bad_type, "/position"});
    expect_refusal(from_json("{\"position\": \"" + std::string(41, 'x') + "\"}"),
                   {"long", ErrorCode::bad_value, "/position"});
    expect_refusal(from_json("[]"), {"[]", ErrorCode::bad_type, ""});
    expect_refusal(from_json(""), {"nothing", ErrorCode::bad_json, ""});
}

TEST(Fields, RefusesInAQueryWithTheName) {
    const std::vector<std::pair<Query, Refusal>> rows{
        {{{"time_ms", "-5"}}, {"-5", ErrorCode::out_of_range, "/time_ms"}},
        {{{"time_ms", "5ms"}}, {"5ms", ErrorCode::bad_type, "/time_ms"}},
        {{{"time_ms", ""}}, {"empty", ErrorCode::bad_type, "/time_ms"}},
        {{{"time_ms", " 5"}}, {"space", ErrorCode::bad_type, "/time_ms"}},
        {{{"time_ms", "+5"}}, {"+5", ErrorCode::bad_type, "/time_ms"}},
        {{{"time_ms", "1e3"}}, {"1e3", ErrorCode::bad_type, "/time_ms"}},
        {{{"time_ms", "0x10"}}, {"0x10", ErrorCode::bad_type, "/time_ms"}},
        {{{"time_ms", "NaN"}}, {"NaN", ErrorCode::out_of_range, "/time_ms"}},
        {{{"time_ms", "-Infinity"}}, {"inf", ErrorCode::out_of_range, "/time_ms"}},
        {{{"time_ms", "18446744073709551616"}}, {"2^64", ErrorCode::out_of_range, "/time_ms"}},
        {{{"time_ms", "1"}, {"limits.time_ms", "2"}},
         {"twice", ErrorCode::duplicate_key, "/limits.time_ms"}},
        {{{"position", "q"}}, {"position twice", ErrorCode::duplicate_key, "/position"}},
        {{{"limits/time_ms", "1"}}, {"slash", ErrorCode::unknown_field, "/limits~1time_ms"}},
        {{{"tme_ms", "1"}},
         {"typo", ErrorCode::unknown_field, "/tme_ms", "did you mean limits.time_ms?"}},
        {{{"margin", "nan"}}, {"nan", ErrorCode::out_of_range, "/margin"}},
        {{{"margin", "1e999"}}, {"1e999", ErrorCode::out_of_range, "/margin"}},
        {{{"margin", "1.0x"}}, {"1.0x", ErrorCode::bad_type, "/margin"}},
        {{{"trace", "yes"}}, {"yes", ErrorCode::bad_type, "/trace"}},
        {{{"engine", "Alpha"}}, {"case", ErrorCode::bad_value, "/engine", "did you mean alpha?"}},
        {{{"moves", "a,b,c"}, {"moves", "d,e"}}, {"five", ErrorCode::bad_value, "/moves"}},
        {{{"session", "\xFF"}}, {"utf8", ErrorCode::bad_value, "/session"}},
        {{{"rules", ""}}, {"later", ErrorCode::unsupported, "/rules"}},
        {{{"", ""}}, {"no name", ErrorCode::unknown_field, "/"}},
    };
    for (const auto& [query, row] : rows) {
        Query all{{"position", "p"}};
        all.insert(all.end(), query.begin(), query.end());
        expect_refusal(from_query(all), row);
    }
    expect_refusal(from_query({}), {"nothing", ErrorCode::missing_field, "/position"});
    expect_refusal(from_query({{"position", "  "}}),
                   {"blank", ErrorCode::missing_field, "/position"});
}

// The same random values through both ways in give the same fields, or the same error code.
TEST(Fields, JsonAndQueryAgreeOnRandomIntegers) {
    SplitMix64 random(11);
    int accepted = 0;
    for (int round = 0; round < 5000; ++round) {
        const auto bits = random.below(65);
        const std::uint64_t word = bits == 0 ? 0 : random() >> (64 - bits);
        std::string literal = (random.below(3) == 0 ? "-" : "") + std::to_string(word);
        if (word != 0 && random.below(20) == 0) literal += "0";
        const std::string name = random.below(2) == 0 ? "time_ms" : "depth";
        const auto json =
            from_json(R"({"position": "p", "limits": {")" + name + "\": " + literal + "}}");
        const auto query = from_query({{"position", "p"}, {name, literal}});
        ASSERT_EQ(json.has_value(), query.has_value()) << literal;
        if (json) {
            ++accepted;
            EXPECT_EQ(json->integer("limits/" + name), query->integer("limits/" + name)) << literal;
            EXPECT_EQ(json->warnings(), query->warnings());
        } else {
            EXPECT_EQ(json.error().code, query.error().code) << literal;
        }
    }
    EXPECT_GT(accepted, 1000);
}

TEST(Nearest, FindsSlipsAndLeavesStrangersAlone) {
    const std::array<std::string_view, 3> names{"time_ms", "depth", "nodes"};
    EXPECT_EQ(nearest("tiem_ms", names), "time_ms");
    EXPECT_EQ(nearest("time_m", names), "time_ms");
    EXPECT_EQ(nearest("node", names), "nodes");
    EXPECT_EQ(nearest("deptth", names), "depth");
    EXPECT_EQ(nearest("banana", names), "");
    EXPECT_EQ(nearest("", names), "");
    EXPECT_EQ(nearest(std::string(100'000, 'x'), names), "");
}

}  // namespace
}  // namespace yomi::proto
