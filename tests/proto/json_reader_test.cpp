#include "proto/json_reader.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/base/hash.hpp"

namespace yomi::proto {
namespace {

Error error_of(std::string_view text, int max_depth = 32) {
    const auto read = read_json(text, {.max_depth = max_depth});
    if (read) {
        ADD_FAILURE() << "accepted: " << text << " as " << *read;
        return {};
    }
    return read.error();
}

TEST(JsonReader, ReadsWhatTheLibraryReads) {
    for (const std::string_view text :
         {R"({"a": [1, -2, 3.5, "x", true, false, null, {}], "b": {"c": []}})",
          "1",
          "\"\\u00e9\\ud83d\\ude00\"",
          "[]",
          " \n{}\r\n\t",
          "18446744073709551615",
          "-9223372036854775808",
          "1e3",
          "0.1",
          "-0"}) {
        const auto read = read_json(text);
        ASSERT_TRUE(read) << text << ": " << read.error().message;
        EXPECT_EQ(*read, nlohmann::json::parse(text)) << text;
    }
}

TEST(JsonReader, SkipsAByteOrderMark) {
    const auto read = read_json("\xEF\xBB\xBF{\"a\":1}");
    ASSERT_TRUE(read);
    EXPECT_EQ((*read)["a"], 1);
    EXPECT_EQ(error_of("\xEF\xBB\xBF{x").column, 2);
}

TEST(JsonReader, NamesLineAndColumnOfASyntaxError) {
    struct Row {
        std::string_view text;
        int line;
        int column;
    };
    for (const Row& row : std::vector<Row>{
             {"{\"a\": nope}", 1, 8},
             {"{\n  \"歩\": 1,\n  \"b\" 2\n}", 3, 7},
             {"{\"a\": 1,}", 1, 9},
             {"{\"a\": 1} x", 1, 10},
             {"{} {}", 1, 4},
             {"[1, 2", 1, 6},
             {"{\"a\": 'x'}", 1, 7},
             {"", 1, 1},
             {"  ", 1, 1},
             {"{\"a\": 01}", 1, 8},
             {"{\"歩歩\": +1}", 1, 8},
             {"/* c */ {}", 1, 1},
             {"[-Infinity]", 1, 3},
         }) {
        const Error error = error_of(row.text);
        EXPECT_EQ(error.code, ErrorCode::bad_json) << row.text;
        EXPECT_EQ(error.line, row.line) << row.text << ": " << error.message;
        EXPECT_EQ(error.column, row.column) << row.text << ": " << error.message;
        EXPECT_FALSE(error.message.empty());
        EXPECT_EQ(error.message.find("json.exception"), std::string::npos) << error.message;
        EXPECT_EQ(error.message.find("last read"), std::string::npos) << error.message;
    }
}

TEST(JsonReader, RefusesNotANumber) {
    for (const std::string_view text :
         {"NaN", "[NaN]", "Infinity", "-Infinity", "{\"a\": nan}", "1.", ".5", "0x10", "+1"}) {
        EXPECT_EQ(error_of(text).code, ErrorCode::bad_json) << text;
    }
}

TEST(JsonReader, RefusesIllFormedUtf8AndNul) {
    for (const std::string_view text : {std::string_view("\"\xFF\""),
                                        std::string_view("\"\xC0\xAF\""),
                                        std::string_view("\"\xED\xA0\x80\""),
                                        std::string_view("{\"\x80\": 1}"),
                                        std::string_view("{}\0{}", 5),
                                        std::string_view("{}\0", 3),
                                        std::string_view("\"a\0b\"", 5),
                                        std::string_view("\"\\ud800\"")}) {
        EXPECT_EQ(error_of(text).code, ErrorCode::bad_json) << text;
    }
    EXPECT_EQ(error_of(std::string_view("{}\0{}", 5)).column, 3);
}

TEST(JsonReader, NeverTurnsAnIntegerIntoADouble) {
    Error error = error_of(R"({"limits": {"nodes": 18446744073709551616}})");
    EXPECT_EQ(error.code, ErrorCode::out_of_range);
    EXPECT_EQ(error.pointer, "/limits/nodes");
    EXPECT_EQ(error.value, "18446744073709551616");
    error = error_of("[1, [2, -9223372036854775809]]");
    EXPECT_EQ(error.code, ErrorCode::out_of_range);
    EXPECT_EQ(error.pointer, "/1/1");
    error = error_of(R"({"a": {"b": [0, 1e999]}})");
    EXPECT_EQ(error.code, ErrorCode::out_of_range);
    EXPECT_EQ(error.pointer, "/a/b/1");
    EXPECT_EQ(error_of("-1e999").code, ErrorCode::out_of_range);
}

TEST(JsonReader, NamesADuplicateKeyByItsPointer) {
    Error error = error_of(R"({"limits": {"time_ms": 1, "time_ms": 2}})");
    EXPECT_EQ(error.code, ErrorCode::duplicate_key);
    EXPECT_EQ(error.pointer, "/limits/time_ms");
    error = error_of(R"([{"a~/b": 1, "a~\u002fb": 2}])");
    EXPECT_EQ(error.code, ErrorCode::duplicate_key);
    EXPECT_EQ(error.pointer, "/0/a~0~1b");
    EXPECT_TRUE(read_json(R"({"a": {"x": 1}, "b": {"x": 1}})"));
}

TEST(JsonReader, CountsDepth) {
    EXPECT_TRUE(read_json("[[1]]", {.max_depth = 2}));
    const Error error = error_of("[0, {\"a\": [1]}]", 2);
    EXPECT_EQ(error.code, ErrorCode::too_deep);
    EXPECT_EQ(error.pointer, "/1/a");
    EXPECT_TRUE(read_json(std::string(32, '[') + std::string(32, ']')));
    EXPECT_EQ(error_of(std::string(33, '[') + std::string(33, ']')).code, ErrorCode::too_deep);
    EXPECT_EQ(error_of(std::string(1 << 20, '[')).code, ErrorCode::too_deep);
}

// The library's own parser is the twin: with no duplicate keys and no depth, both accept the same
// texts and build the same documents.
TEST(JsonReader, AgreesWithTheLibraryOnRandomTexts) {
    const std::vector<std::string_view> pieces{"{",
                                               "}",
                                               "[",
                                               "]",
                                               ",",
                                               ":",
                                               "\"a\"",
                                               "\"b\"",
                                               "1",
                                               "-2",
                                               "0.5",
                                               "1e2",
                                               "true",
                                               "null",
                                               " ",
                                               "\n",
                                               "\"\\n\"",
                                               "歩",
                                               "x"};
    SplitMix64 random(7);
    int accepted = 0;
    for (int round = 0; round < 60'000; ++round) {
        std::string text;
        const auto size = 1 + random.below(9);
        for (std::uint32_t i = 0; i < size; ++i)
            text += pieces[random.below(static_cast<std::uint32_t>(pieces.size()))];
        const auto twin = nlohmann::json::parse(text, nullptr, false);
        const auto read = read_json(text);
        if (read) {
            ++accepted;
            ASSERT_EQ(*read, twin) << text;
        } else {
            ASSERT_TRUE(twin.is_discarded() || read.error().code == ErrorCode::duplicate_key)
                << text;
        }
    }
    EXPECT_GT(accepted, 500);
}

}  // namespace
}  // namespace yomi::proto
