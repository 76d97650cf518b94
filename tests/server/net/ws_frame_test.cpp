#include "server/net/ws_frame.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace yomi::net {
namespace {

using Json = nlohmann::json;

TEST(WsFrame, ReadsTheFourKinds) {
    const auto call =
        parse_ws_frame(R"({"id":"a1","method":"shogi.analysis","params":{"x":[1,2]}})", 32);
    ASSERT_TRUE(call);
    EXPECT_EQ(call->kind, WsFrame::Kind::call);
    EXPECT_EQ(call->id, "a1");
    EXPECT_EQ(call->method, "shogi.analysis");
    EXPECT_EQ(Json::parse(call->params), Json::parse(R"({"x":[1,2]})"));
    EXPECT_EQ(parse_ws_frame(R"({"id":"a","method":"x"})", 32)->params, "{}");
    EXPECT_EQ(parse_ws_frame(R"({"id":"a","method":"cancel"})", 32)->kind, WsFrame::Kind::cancel);
    EXPECT_EQ(parse_ws_frame(R"({"method":"ping"})", 32)->kind, WsFrame::Kind::ping);
    const auto auth = parse_ws_frame(R"({"method":"auth","id":"k","params":{"key":"s"}})", 32);
    EXPECT_EQ(auth->kind, WsFrame::Kind::auth);
    EXPECT_EQ(auth->key, "s");
}

TEST(WsFrame, SaysWhatIsWrongAndWhoseItWas) {
    struct Row {
        const char* text;
        ErrorCode code;
        const char* pointer;
        const char* id;
    };
    const Row rows[] = {
        {"", ErrorCode::bad_json, "", ""},
        {"{", ErrorCode::bad_json, "", ""},
        {"[]", ErrorCode::bad_type, "", ""},
        {R"({"id":"a"})", ErrorCode::missing_field, "/method", "a"},
        {R"({"method":"x"})", ErrorCode::missing_field, "/id", ""},
        {R"({"method":"cancel"})", ErrorCode::missing_field, "/id", ""},
        {R"({"id":7,"method":"x"})", ErrorCode::bad_type, "/id", ""},
        {R"({"id":"","method":"x"})", ErrorCode::out_of_range, "/id", ""},
        {R"({"id":"a","method":7})", ErrorCode::bad_type, "/method", "a"},
        {R"({"id":"a","method":"x","params":[]})", ErrorCode::bad_type, "/params", "a"},
        {R"({"id":"a","method":"x","position":"startpos"})",
         ErrorCode::unknown_field,
         "/position",
         "a"},
        {R"({"id":"a","id":"b","method":"x"})", ErrorCode::duplicate_key, "/id", ""},
        {R"({"id":"a","method":"auth","params":{}})", ErrorCode::missing_field, "/params/key", "a"},
        {R"({"id":"a","method":"auth","params":{"key":1}})",
         ErrorCode::bad_type,
         "/params/key",
         "a"},
        {R"({"id":"a","method":"auth","params":{"key":"k","x":1}})",
         ErrorCode::unknown_field,
         "/params/x",
         "a"},
        {R"({"id":"a","method":"cancel","params":{"x":1}})",
         ErrorCode::unknown_field,
         "/params",
         "a"},
        {R"({"id":"a","method":"x","params":{"n":18446744073709551616}})",
         ErrorCode::out_of_range,
         "/params/n",
         ""},
    };
    for (const Row& row : rows) {
        const auto frame = parse_ws_frame(row.text, 32);
        ASSERT_FALSE(frame) << row.text;
        EXPECT_EQ(frame.error().error.code, row.code)
            << row.text << ": " << frame.error().error.message;
        EXPECT_EQ(frame.error().error.pointer, row.pointer) << row.text;
        EXPECT_EQ(frame.error().id, row.id) << row.text;
    }
    std::string deep = R"({"id":"a","method":"x","params":)";
    for (int i = 0; i < 3000; ++i)
        deep += "{\"a\":";
    EXPECT_EQ(parse_ws_frame(deep, 32).error().error.code, ErrorCode::too_deep);
}

TEST(WsFrame, WritesEventsThatAreJson) {
    const auto error =
        Json::parse(ws_error_json("a\"b", Error{.code = ErrorCode::duplicate_id, .message = "m"}));
    EXPECT_EQ(error["id"], "a\"b");
    EXPECT_EQ(error["event"], "error");
    EXPECT_EQ(error["status"], 409);
    EXPECT_TRUE(Json::parse(ws_error_json("", Error{}))["id"].is_null());
    EXPECT_EQ(Json::parse(ws_note_json("", "pong")), Json::parse(R"({"event":"pong"})"));
    EXPECT_EQ(Json::parse(ws_note_json("p", "pong", "\"x\":1")),
              Json::parse(R"({"id":"p","event":"pong","x":1})"));
}

}  // namespace
}  // namespace yomi::net
