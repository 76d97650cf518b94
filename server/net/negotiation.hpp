#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace yomi::net {

/// The forms in which an answer can travel.
enum class Form { json, text, sse, ndjson, html, file };

std::string_view media_type(Form form) noexcept;

/// The best of `offered` for an `Accept` header, or nothing when the client refuses all of them.
///
/// An empty header accepts everything. Each offer takes the q-value of the most specific range that
/// matches it; equal q-values go to the earlier offer, so the server's order is its preference. A
/// range that cannot be read counts as absent. Source  RFC 9110, section 12.5.1.
std::optional<Form> negotiate(std::string_view accept, const std::vector<Form>& offered);

/// Whether a media type is named in an Accept header with q > 0 (no wildcards: a browser names
/// text/html, curl does not).
bool names_media_type(std::string_view accept, std::string_view type);

/// Whether a `Prefer` header holds the preference, e.g. "respond-async" (RFC 7240).
bool prefers(std::string_view prefer, std::string_view preference);

/// A `Content-Type` taken apart: lower-case type and charset (empty when not given).
struct ContentType {
    std::string type;
    std::string charset;
};
ContentType parse_content_type(std::string_view value);

}  // namespace yomi::net
