#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "core/base/result.hpp"

namespace yomi::net {

/// A text frame from a client, taken apart but not judged: `{"id", "method", "params"}`.
struct WsFrame {
    enum class Kind { call, cancel, ping, auth };
    Kind kind = Kind::call;
    std::string id;  ///< 1..128 bytes for `call` and `cancel`; may be empty for `ping` and `auth`
    std::string method;         ///< of a call
    std::string params = "{}";  ///< of a call: one JSON object as text
    std::string key;            ///< of `auth`
};

/// What is wrong with a frame, and whose it was as far as that could be read.
struct WsFault {
    std::string id;
    Error error;
};

/// Reads a frame strictly: one JSON object, known fields only, each of its type.
///
/// Errors  those of the JSON reader; unknown_field, missing_field, bad_type, out_of_range with the
/// field's JSON pointer.
tl::expected<WsFrame, WsFault> parse_ws_frame(std::string_view text, int max_json_depth);

/// An `error` event for a frame that never became a call; an empty id becomes null.
std::string ws_error_json(std::string_view id, const Error& error);

/// `{"id": ..., "event": "pong"}` and its like: an event without a body but for `members` (JSON
/// members, may be empty).
std::string ws_note_json(std::string_view id,
                         std::string_view event,
                         std::string_view members = {});

}  // namespace yomi::net
