#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/result.hpp"
#include "core/engine/budget.hpp"

namespace yomi::proto {

/// One row of the only table that maps errors to the wire.
struct ProblemKind {
    ErrorCode code;
    int status;  ///< HTTP status
    std::string_view
        type;  ///< stable URI, e.g. "https://yomi.dev/problems/illegal-position" (never fetched)
    std::string_view title;
};
const ProblemKind& problem_kind(ErrorCode code) noexcept;

/// The RFC 9457 object as JSON text: type, title, status, detail, instance and, where known,
/// pointer, line, column, hint, value. `value` is cut to 200 bytes; invalid UTF-8 is replaced.
std::string problem_json(const Error& error, std::string_view instance);

/// The kinds of events of one request, in the order in which they may come:
/// queued, started, progress*, then exactly one of result, error, cancelled.
enum class EventKind : std::uint8_t { queued, started, progress, result, error, cancelled };
std::string_view to_string(EventKind kind) noexcept;
constexpr bool is_final(EventKind kind) noexcept {
    return kind >= EventKind::result;
}

/// An answer that is a file, made piece by piece while it travels: however long the file is, its
/// maker and its reader hold one piece of it.
///
/// Threads one call at a time, from any thread.
class FileBody {
public:
    virtual ~FileBody() = default;
    [[nodiscard]] virtual std::string_view media_type() const noexcept = 0;
    [[nodiscard]] virtual std::string_view name() const noexcept = 0;  ///< to save it under
    /// Some milliseconds of what must be known before the first byte; true: no more of it.
    /// Errors  there will be no file: the answer to the request.
    virtual Result<bool> prepare() = 0;
    /// Appends the next piece, some tens of kilobytes; false: that was the last one.
    /// Errors  the file cannot be completed, and whoever reads it must learn that it is cut.
    virtual Result<bool> next(std::string& out) = 0;
};

/// One event of one subscription. Immutable once made, shared between threads by pointer.
struct Event {
    EventKind kind = EventKind::queued;
    std::uint64_t seq =
        0;           ///< 0, 1, 2 ... within the request; a dropped progress event leaves a gap
    std::string id;  ///< the request's id
    /// The fields of this event as the text of one JSON object, without id, seq and event. Shared
    /// between the subscriptions of a joined search.
    std::shared_ptr<const std::string> body;
    /// For `result` and `cancelled`: the plain-text form (`Accept: text/plain`),
    /// newline-terminated.
    std::shared_ptr<const std::string> text;
    /// Of a `result` that was asked for as a file; this subscription's own, and `body` is empty.
    std::shared_ptr<FileBody> file;
    /// Fields that belong to this subscription only, as JSON members without braces
    /// (e.g. `"cache":"join","stopped_by":"cancelled"`); may be empty.
    std::string extra;
    int status = 200;       ///< HTTP status when this event is the whole answer
    int retry_after_s = 0;  ///< > 0: Retry-After header
};

/// `{"id":..., "seq":..., "event":..., <extra>, <body fields>}` on one line: one SSE data line, one
/// NDJSON line (without the newline), one WebSocket frame.
std::string event_json(const Event& event);

/// The JSON body of a plain HTTP answer: `{"id":..., <extra>, <body fields>}`, or the problem
/// object for an error.
std::string answer_json(const Event& event);

/// Escapes `text` as a JSON string with quotes; invalid UTF-8 becomes U+FFFD.
std::string json_quote(std::string_view text);

}  // namespace yomi::proto
