#include "server/net/negotiation.hpp"

#include <gtest/gtest.h>

namespace yomi::net {
namespace {

const std::vector<Form> kAll = {Form::json, Form::text, Form::sse, Form::ndjson};

TEST(Negotiation, TakesTheBestAcceptedForm) {
    struct Row {
        const char* accept;
        std::optional<Form> form;
    };
    const Row rows[] = {
        {"", Form::json},
        {"*/*", Form::json},
        {"application/json", Form::json},
        {"text/plain", Form::text},
        {"text/*", Form::text},
        {"TEXT/Plain", Form::text},
        {"text/event-stream", Form::sse},
        {"application/x-ndjson", Form::ndjson},
        {"text/plain;q=0.5, application/json;q=0.4", Form::text},
        {"text/plain;q=0.5, application/json;q=0.5", Form::json},
        {"text/plain; q=0.3, */*; q=0.2", Form::text},
        {"text/html,application/xhtml+xml,*/*;q=0.8", Form::json},
        {"*/*, application/json;q=0", Form::text},
        {"text/*;q=0.9, text/plain;q=0.1, application/*;q=0.2", Form::sse},
        {"application/json;q=1.5, text/plain;q=0.1",
         Form::text},  // an unreadable weight counts as absent
        {"image/png", std::nullopt},
        {"application/json;q=0", std::nullopt},
        {"*/*;q=0", std::nullopt},
        {"nonsense", Form::json},
    };
    for (const Row& row : rows)
        EXPECT_EQ(negotiate(row.accept, kAll), row.form) << row.accept;
}

TEST(Negotiation, NamesMediaTypes) {
    EXPECT_TRUE(names_media_type("text/html,application/xml;q=0.9", "text/html"));
    EXPECT_FALSE(names_media_type("*/*", "text/html"));
    EXPECT_FALSE(names_media_type("text/html;q=0", "text/html"));
}

TEST(Negotiation, ReadsPrefer) {
    EXPECT_TRUE(prefers("respond-async", "respond-async"));
    EXPECT_TRUE(prefers("wait=10, Respond-Async; x=1", "respond-async"));
    EXPECT_FALSE(prefers("respond-asynchronously", "respond-async"));
    EXPECT_FALSE(prefers("", "respond-async"));
}

TEST(Negotiation, TakesContentTypesApart) {
    const auto content = parse_content_type("Text/Plain ; Charset=\"Shift_JIS\"; x=y");
    EXPECT_EQ(content.type, "text/plain");
    EXPECT_EQ(content.charset, "shift_jis");
    EXPECT_EQ(parse_content_type("").type, "");
}

}  // namespace
}  // namespace yomi::net
