#include "server/net/payload.hpp"

#include <gtest/gtest.h>

namespace yomi::net {
namespace {

using Kind = service::Payload::Kind;

HttpRequest request(const char* type, const char* body, const char* query = "") {
    HttpRequest request;
    request.verb = "POST";
    request.query = query;
    request.body = body;
    if (*type != '\0') request.fields.emplace_back("Content-Type", type);
    return request;
}

TEST(Payload, TakesEveryKindOfBody) {
    struct Row {
        const char* type;
        const char* body;
        bool record;
        Kind kind;
    };
    const Row rows[] = {
        {"application/json", "{}", false, Kind::json},
        {"application/json; charset=UTF-8", "{}", false, Kind::json},
        {"application/x-www-form-urlencoded", "position=startpos", false, Kind::form},
        {"application/x-www-form-urlencoded", " {\"a\":1}", false, Kind::json},  // curl -d '{...}'
        {"text/plain", "record", true, Kind::text},
        {"text/plain; charset=Shift_JIS", "record", true, Kind::text},
        {"", "\xef\xbb\xbf {}", true, Kind::json},
        {"", "record", true, Kind::text},
        {"", "record", false, Kind::json},
        {"", "", false, Kind::query},
    };
    for (const Row& row : rows) {
        const auto payload = make_payload(request(row.type, row.body), row.record);
        ASSERT_TRUE(payload) << row.type << " " << row.body;
        EXPECT_EQ(payload->kind, row.kind) << row.type << " " << row.body;
    }
    EXPECT_EQ(make_payload(request("text/plain; charset=Shift_JIS", "r"), true)->charset,
              "shift_jis");
}

TEST(Payload, RefusesOtherTypes) {
    for (const char* type : {"application/xml",
                             "multipart/form-data; boundary=x",
                             "image/png",
                             "application/json; charset=utf-16",
                             "application/problem+json"}) {
        EXPECT_EQ(make_payload(request(type, "{}"), true).error().code,
                  ErrorCode::unsupported_media_type)
            << type;
    }
    EXPECT_EQ(make_payload(request("text/plain", "x"), false).error().code,
              ErrorCode::unsupported_media_type);
    HttpRequest coded = request("application/json", "{}");
    coded.fields.emplace_back("Content-Encoding", "gzip");
    EXPECT_EQ(make_payload(coded, true).error().code, ErrorCode::unsupported_media_type);
}

TEST(Payload, KeepsPlusAndPutsTheQueryBesideTheBody) {
    const auto form = make_payload(
        request("application/x-www-form-urlencoded", "position=8h2b+&x=a%2Bb\r\n", "q=1"), false);
    const std::vector<std::pair<std::string, std::string>> expected = {
        {"q", "1"}, {"position", "8h2b+"}, {"x", "a+b"}};
    EXPECT_EQ(form->query, expected);
    const auto json = make_payload(request("application/json", "{}", "time_ms=5"), false);
    EXPECT_EQ(json->kind, Kind::json);
    EXPECT_EQ(json->query.size(), 1U);
}

TEST(Payload, NamesTheBrokenParameter) {
    const auto payload = make_payload(request("", "", "position=%g1"), false);
    ASSERT_FALSE(payload);
    EXPECT_EQ(payload.error().code, ErrorCode::bad_request);
    EXPECT_NE(payload.error().message.find("position"), std::string::npos);
}

}  // namespace
}  // namespace yomi::net
