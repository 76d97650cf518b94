#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.hpp"
#include "proto/envelope.hpp"
#include "server/net/negotiation.hpp"

namespace yomi::net {

/// One HTTP answer before it becomes bytes. Fields that every answer has (Date, X-Request-Id,
/// Cache-Control ...) are added by `render`.
struct Answer {
    int status = 200;
    std::string content_type;  ///< empty: no body at all
    std::string body;
    std::vector<std::pair<std::string, std::string>> fields;

    /// The field of that (exact) name, made if it is absent.
    std::string& field(std::string_view name);
};

/// The weak validator of a text: equal texts, equal tags. `variant` tells representations apart.
std::string entity_tag(std::string_view text, std::string_view variant);
/// Whether an `If-None-Match` list names the tag, by weak comparison (RFC 9110, 13.1.2).
bool matches_tag(std::string_view if_none_match, std::string_view tag);

/// How the bytes travel.
struct Framing {
    int version = 11;
    bool keep_alive = true;
    bool head_only = false;  ///< HEAD: the length of the body, not the body
    std::string_view id;     ///< X-Request-Id
};

/// RFC 9457 problem for an error, with the headers that its status asks for.
Answer problem_answer(const Error& error, std::string_view id);

/// The final event of a call as a whole answer. `live_quota` goes into the RateLimit fields of a
/// 429.
Answer final_answer(const proto::Event& event, Form form, int live_quota);

/// Status line, fields and body.
std::string render(const Answer& answer, const Framing& framing);

/// Status line and fields of a stream: chunked on HTTP/1.1, ended by the close on HTTP/1.0.
std::string render_stream_head(const Answer& answer, const Framing& framing);

/// One event as SSE (`id`, `event`, `data`) or as an NDJSON line.
std::string stream_event(const proto::Event& event, Form form);
/// What keeps proxies and clients awake: an SSE comment, a blank NDJSON line.
std::string_view heartbeat(Form form) noexcept;

/// `data` as one HTTP chunk. `data` must not be empty: an empty chunk ends the body.
std::string chunk(std::string_view data);
inline constexpr std::string_view kLastChunk = "0\r\n\r\n";

/// "Not Found" for 404.
std::string_view reason_phrase(int status) noexcept;

}  // namespace yomi::net
