#include "server/net/payload.hpp"

#include <algorithm>

#include "server/net/negotiation.hpp"
#include "server/net/text.hpp"

namespace yomi::net {
namespace {

constexpr std::string_view kJson = "application/json";
constexpr std::string_view kForm = "application/x-www-form-urlencoded";
constexpr std::string_view kText = "text/plain";
constexpr std::string_view kBytes = "application/octet-stream";

/// The first character that is neither white space nor part of a byte order mark, or 0.
char first_character(std::string_view body) {
    if (body.starts_with("\xef\xbb\xbf")) body.remove_prefix(3);
    const auto at = body.find_first_not_of(" \t\r\n");
    return at == std::string_view::npos ? '\0' : body[at];
}

tl::unexpected<Error> bad_type(std::string message, std::string_view type, bool accepts_record) {
    return fail(Error{.code = ErrorCode::unsupported_media_type,
                      .message = std::move(message),
                      .hint = accepts_record ? "send application/json, a form, text/plain, or a "
                                               "file as application/octet-stream"
                                             : "send application/json or a form",
                      .value = std::string(type)});
}

}  // namespace

std::optional<Error> coding_fault(const HttpRequest& request) {
    const std::string coding = request.list("Content-Encoding");
    if (coding.empty() || iequals(coding, "identity")) return std::nullopt;
    return Error{.code = ErrorCode::unsupported_media_type,
                 .message = "coded bodies are not read here",
                 .hint = "send the body as it is",
                 .value = coding};
}

Result<service::Payload> make_payload(const HttpRequest& request, bool accepts_record) {
    using Kind = service::Payload::Kind;
    service::Payload payload;
    auto query = parse_pairs(request.query);
    if (!query) return fail(std::move(query.error()));
    payload.query = *std::move(query);
    if (request.body.empty()) return payload;

    if (auto fault = coding_fault(request)) return fail(*std::move(fault));
    ContentType content = parse_content_type(request.field("Content-Type").value_or(""));
    const bool brace = first_character(request.body) == '{';
    if (content.type.empty()) content.type = brace || !accepts_record ? kJson : kText;
    if (content.type == kForm && brace) content.type = kJson;

    if (content.type == kJson) {
        if (!content.charset.empty() && content.charset != "utf-8" && content.charset != "utf8" &&
            content.charset != "us-ascii") {
            return bad_type("JSON is UTF-8", content.charset, accepts_record);
        }
        payload.kind = Kind::json;
        payload.body = request.body;
        return payload;
    }
    if (content.type == kForm) {
        // A line end that a shell's here-document or `--data-binary @file` leaves is no part of the
        // last value.
        std::string_view form = request.body;
        while (!form.empty() && (form.back() == '\n' || form.back() == '\r'))
            form.remove_suffix(1);
        auto fields = parse_pairs(form);
        if (!fields) return fail(std::move(fields.error()));
        payload.kind = Kind::form;
        std::move(fields->begin(), fields->end(), std::back_inserter(payload.query));
        return payload;
    }
    // A file as it is, text or not: the decoder of the record looks at its bytes.
    if ((content.type == kText || content.type == kBytes) && accepts_record) {
        payload.kind = Kind::text;
        payload.body = request.body;
        payload.charset = content.charset;
        return payload;
    }
    return bad_type("a body of this type is not read here", content.type, accepts_record);
}

}  // namespace yomi::net
