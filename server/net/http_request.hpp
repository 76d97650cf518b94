#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.hpp"

namespace yomi::net {

/// One HTTP request as plain data, so that routing, guards and payloads need no HTTP library.
struct HttpRequest {
    std::string verb;    ///< as sent: "GET"; verbs are case-sensitive
    std::string target;  ///< as sent
    std::string path;    ///< percent-decoded, set by `split_target`
    std::string query;   ///< after the '?', not decoded
    int version = 11;    ///< 10 or 11
    bool keep_alive = true;
    std::vector<std::pair<std::string, std::string>>
        fields;  ///< of the header only; trailers are not kept
    std::string body;

    /// The first field of that name (any case), or nothing.
    [[nodiscard]] std::optional<std::string_view> field(std::string_view name) const;
    /// All fields of that name as one comma-separated list; empty when there is none.
    [[nodiscard]] std::string list(std::string_view name) const;
    [[nodiscard]] std::size_t count(std::string_view name) const;
    [[nodiscard]] bool has_body() const;  ///< a body is announced, perhaps not yet read
    [[nodiscard]] bool is_head() const { return verb == "HEAD"; }
};

/// What the HTTP library lets through but must not pass: each of these ends the connection, because
/// the bytes that follow cannot be trusted to be a request.
///
/// Errors  headers_too_large: more than `max_fields`. bad_request: Host missing, twice or empty on
/// HTTP/1.1;
///         Transfer-Encoding on HTTP/1.0; an unknown Expect. not_implemented: a transfer coding
///         other than exactly "chunked".
/// Source  RFC 9112, sections 3.2 and 6.1; request smuggling as listed in the test table.
std::optional<Error> head_fault(const HttpRequest& request, std::size_t max_fields);

/// Fills `path` and `query` from `target`: origin form, absolute form or "*".
/// Errors  bad_request: another form, a fragment, bad percent-encoding in the path.
Result<void> split_target(HttpRequest& request);

/// Decodes %XX and nothing else: '+' stays '+', because it is a promoted piece in a position.
/// Errors  bad_request with the column of the '%' that two hex digits do not follow.
Result<std::string> percent_decode(std::string_view text);

/// Decoded name/value pairs of a query or form body, in order; empty parts are skipped.
/// Errors  bad_request naming the parameter.
Result<std::vector<std::pair<std::string, std::string>>> parse_pairs(std::string_view text);

/// Whether `Host` may be answered. An empty list allows every host, except on a loopback listener,
/// which answers to IP literals and localhost names only: a page of another name that resolves here
/// is DNS rebinding.
bool host_allowed(std::string_view host,
                  const std::vector<std::string>& allowed,
                  bool loopback_listener);

/// Whether a browser's `Origin` may act here: the same host as `Host`, or on the exact list.
bool origin_allowed(std::string_view origin,
                    std::string_view host,
                    const std::vector<std::string>& allowed);

}  // namespace yomi::net
