#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <tl/expected.hpp>

namespace yomi {

/// Every way in which a request can fail, named once for the whole house.
///
/// `proto/envelope` holds the only table that maps these to HTTP statuses and problem types.
/// "No mate", "budget spent" and "cancelled" are answers (see `engine::StopReason`), never errors.
enum class ErrorCode {
    bad_request,       ///< not understandable as a request at all
    bad_json,          ///< the body is not one JSON value; line and column say where it broke
    duplicate_key,     ///< an object names one key twice
    too_deep,          ///< JSON nested deeper than the published limit
    unknown_field,     ///< a field that this method does not have
    missing_field,     ///< a field that this method needs
    bad_type,          ///< a field of another JSON type than the contract's
    out_of_range,      ///< a number outside its range, or not a number (NaN, 1e999)
    bad_value,         ///< a word that is not one of the allowed ones
    bad_notation,      ///< a SFEN, USI move, transcript or record that cannot be read
    illegal_position,  ///< readable, but the rules forbid the position
    illegal_move,      ///< readable, but the rules forbid the move
    unsupported,       ///< understood, but not possible here (a build option, a peer's format)
    unknown_method,
    not_found,
    method_not_allowed,
    not_acceptable,
    request_timeout,  ///< the client did not send its request in time
    conflict,
    duplicate_id,  ///< the id is already live on this connection
    payload_too_large,
    unsupported_media_type,
    misdirected,  ///< Host header that this server does not answer for
    headers_too_large,
    not_implemented,  ///< HTTP feature that this server does not speak (a transfer coding)
    unauthorized,
    forbidden,
    quota_exceeded,     ///< this client has too much in flight
    busy,               ///< the queue is full
    draining,           ///< the server is shutting down
    deadline_exceeded,  ///< the caller's deadline passed before the work could start
    internal,           ///< a defect here; the detail never carries internal text
};

/// What went wrong and where. Plain data; every field but `code` and `message` may be empty.
///
/// Unit    `line` and `column` count from 1; 0 means "not known". Columns count Unicode code
/// points.
struct Error {
    ErrorCode code = ErrorCode::internal;
    std::string message;       ///< one sentence for a person
    std::string pointer = {};  ///< JSON pointer of the field, e.g. "/limits/time_ms"
    int line = 0;
    int column = 0;
    std::string hint = {};   ///< what to do instead
    std::string value = {};  ///< the offending text, shortened by whoever shows it

    friend bool operator==(const Error&, const Error&) = default;
};

/// A value or an `Error`. C++23's std::expected replaces this alias without another change.
template <class T>
using Result = tl::expected<T, Error>;

/// Makes the error side of any `Result`.
[[nodiscard]] inline tl::unexpected<Error> fail(ErrorCode code, std::string message) {
    return tl::unexpected<Error>(Error{.code = code, .message = std::move(message)});
}

[[nodiscard]] inline tl::unexpected<Error> fail(Error error) {
    return tl::unexpected<Error>(std::move(error));
}

/// An error in a text: `column` counts from 1.
[[nodiscard]] inline tl::unexpected<Error> fail_at(ErrorCode code,
                                                   std::string message,
                                                   int column,
                                                   std::string_view value = {}) {
    return tl::unexpected<Error>(Error{.code = code,
                                       .message = std::move(message),
                                       .column = column,
                                       .value = std::string(value)});
}

}  // namespace yomi
