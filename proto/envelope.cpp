#include "proto/envelope.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/base/utf8.hpp"

namespace yomi::proto {
namespace {

// Texts that a client chose are echoed cut: an error must not be a way to be sent one's own
// megabyte back.
constexpr std::size_t kMaxValueBytes = 200;
constexpr std::size_t kMaxPointerBytes = 512;

#define YOMI_PROBLEM(name) "https://yomi.dev/problems/" name

// clang-format off
constexpr std::array kProblems{
    ProblemKind{ErrorCode::bad_request,            400, YOMI_PROBLEM("bad-request"),            "The request cannot be understood"},
    ProblemKind{ErrorCode::bad_json,               400, YOMI_PROBLEM("bad-json"),               "The body is not valid JSON"},
    ProblemKind{ErrorCode::duplicate_key,          400, YOMI_PROBLEM("duplicate-key"),          "A field is given twice"},
    ProblemKind{ErrorCode::too_deep,               400, YOMI_PROBLEM("too-deep"),               "The JSON is nested too deeply"},
    ProblemKind{ErrorCode::unknown_field,          400, YOMI_PROBLEM("unknown-field"),          "A field is not known to this method"},
    ProblemKind{ErrorCode::missing_field,          400, YOMI_PROBLEM("missing-field"),          "A required field is missing"},
    ProblemKind{ErrorCode::bad_type,               400, YOMI_PROBLEM("bad-type"),               "A field has the wrong type"},
    ProblemKind{ErrorCode::out_of_range,           400, YOMI_PROBLEM("out-of-range"),           "A number is out of range"},
    ProblemKind{ErrorCode::bad_value,              400, YOMI_PROBLEM("bad-value"),              "A field has a value that is not allowed"},
    ProblemKind{ErrorCode::bad_notation,           400, YOMI_PROBLEM("bad-notation"),           "A position, move or record cannot be read"},
    ProblemKind{ErrorCode::illegal_position,       422, YOMI_PROBLEM("illegal-position"),       "The rules forbid this position"},
    ProblemKind{ErrorCode::illegal_move,           422, YOMI_PROBLEM("illegal-move"),           "The rules forbid this move"},
    ProblemKind{ErrorCode::unsupported,            422, YOMI_PROBLEM("unsupported"),            "This server does not offer that"},
    ProblemKind{ErrorCode::unknown_method,         404, YOMI_PROBLEM("unknown-method"),         "There is no such method"},
    ProblemKind{ErrorCode::not_found,              404, YOMI_PROBLEM("not-found"),              "There is nothing at this address"},
    ProblemKind{ErrorCode::method_not_allowed,     405, YOMI_PROBLEM("method-not-allowed"),     "This address does not take that HTTP method"},
    ProblemKind{ErrorCode::not_acceptable,         406, YOMI_PROBLEM("not-acceptable"),         "No acceptable media type"},
    ProblemKind{ErrorCode::request_timeout,        408, YOMI_PROBLEM("request-timeout"),        "The request took too long to arrive"},
    ProblemKind{ErrorCode::conflict,               409, YOMI_PROBLEM("conflict"),               "The request conflicts with the present state"},
    ProblemKind{ErrorCode::duplicate_id,           409, YOMI_PROBLEM("duplicate-id"),           "A request with this id is still running"},
    ProblemKind{ErrorCode::payload_too_large,      413, YOMI_PROBLEM("payload-too-large"),      "The body is too large"},
    ProblemKind{ErrorCode::unsupported_media_type, 415, YOMI_PROBLEM("unsupported-media-type"), "The media type of the body is not supported"},
    ProblemKind{ErrorCode::misdirected,            421, YOMI_PROBLEM("misdirected"),            "This server does not answer for that host"},
    ProblemKind{ErrorCode::headers_too_large,      431, YOMI_PROBLEM("headers-too-large"),      "The request headers are too large"},
    ProblemKind{ErrorCode::not_implemented,        501, YOMI_PROBLEM("not-implemented"),        "This HTTP feature is not implemented"},
    ProblemKind{ErrorCode::unauthorized,           401, YOMI_PROBLEM("unauthorized"),           "A valid key is needed"},
    ProblemKind{ErrorCode::forbidden,              403, YOMI_PROBLEM("forbidden"),              "This key may not do that"},
    ProblemKind{ErrorCode::quota_exceeded,         429, YOMI_PROBLEM("quota-exceeded"),         "Too many requests of this client are running"},
    ProblemKind{ErrorCode::busy,                   503, YOMI_PROBLEM("busy"),                   "The queue is full"},
    ProblemKind{ErrorCode::draining,               503, YOMI_PROBLEM("draining"),               "The server is shutting down"},
    ProblemKind{ErrorCode::deadline_exceeded,      503, YOMI_PROBLEM("deadline-exceeded"),      "The deadline passed before the work could start"},
    ProblemKind{ErrorCode::internal,               500, YOMI_PROBLEM("internal"),               "Internal error"},
};
// clang-format on
#undef YOMI_PROBLEM

static_assert(kProblems.size() == static_cast<std::size_t>(ErrorCode::internal) + 1);
static_assert(
    [] {
        for (std::size_t i = 0; i < kProblems.size(); ++i) {
            if (static_cast<std::size_t>(kProblems[i].code) != i) return false;
        }
        return true;
    }(),
    "rows stand in the order of ErrorCode, so that a look-up is an index");

void append_escaped(std::string& out, std::uint8_t byte) {
    constexpr std::string_view kHex = "0123456789abcdef";
    switch (byte) {
        case '"':
            out += "\\\"";
            return;
        case '\\':
            out += "\\\\";
            return;
        case '\b':
            out += "\\b";
            return;
        case '\f':
            out += "\\f";
            return;
        case '\n':
            out += "\\n";
            return;
        case '\r':
            out += "\\r";
            return;
        case '\t':
            out += "\\t";
            return;
        default:
            break;
    }
    if (byte >= 0x20 && byte != 0x7F) {
        out += static_cast<char>(byte);
        return;
    }
    out += "\\u00";
    out += kHex[byte >> 4];
    out += kHex[byte & 15U];
}

/// Cut at a code point, with an ellipsis where something is missing.
std::string shortened(std::string_view text, std::size_t max_bytes) {
    const std::string_view kept = utf8_prefix(text, max_bytes);
    std::string out(kept);
    if (kept.size() < text.size()) out += "…";
    return out;
}

/// The members of a JSON object's text, without its braces.
std::string_view members(std::string_view object) noexcept {
    constexpr std::string_view kSpace = " \t\r\n";
    const auto trim = [&](std::string_view text) {
        const std::size_t first = text.find_first_not_of(kSpace);
        if (first == std::string_view::npos) return std::string_view{};
        return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
    };
    object = trim(object);
    if (object.size() >= 2 && object.front() == '{' && object.back() == '}') {
        object.remove_prefix(1);
        object.remove_suffix(1);
    }
    return trim(object);
}

void append_members(std::string& out, std::string_view more) {
    if (more.empty()) return;
    if (out.back() != '{') out += ',';
    out += more;
}

void append_text(std::string& out, std::string_view name, std::string_view text) {
    if (text.empty()) return;
    append_members(out, json_quote(name) + ":" + json_quote(text));
}

void append_count(std::string& out, std::string_view name, int number) {
    if (number <= 0) return;
    append_members(out, json_quote(name) + ":" + std::to_string(number));
}

}  // namespace

const ProblemKind& problem_kind(ErrorCode code) noexcept {
    const auto row = static_cast<std::size_t>(code);
    return row < kProblems.size() ? kProblems[row] : kProblems.back();
}

std::string json_quote(std::string_view text) {
    std::string out;
    out.reserve(text.size() + 2);
    out += '"';
    const auto plain = [](char c) { return c >= ' ' && c < 0x7F && c != '"' && c != '\\'; };
    while (!text.empty()) {
        const auto first = std::find_if_not(text.begin(), text.end(), plain);
        out.append(text.begin(), first);
        text.remove_prefix(static_cast<std::size_t>(first - text.begin()));
        if (text.empty()) break;
        const std::size_t length = utf8_sequence(text);
        if (length == 1) {
            append_escaped(out, static_cast<std::uint8_t>(text.front()));
        } else if (length > 1) {
            out += text.substr(0, length);
        } else {
            out += "\xEF\xBF\xBD";
        }
        text.remove_prefix(length == 0 ? 1 : length);
    }
    out += '"';
    return out;
}

std::string problem_json(const Error& error, std::string_view instance) {
    const ProblemKind& kind = problem_kind(error.code);
    std::string out = "{";
    append_text(out, "type", kind.type);
    append_text(out, "title", kind.title);
    append_count(out, "status", kind.status);
    append_text(out, "detail", error.message);
    append_text(out, "instance", instance);
    append_text(out, "pointer", shortened(error.pointer, kMaxPointerBytes));
    append_count(out, "line", error.line);
    append_count(out, "column", error.column);
    append_text(out, "hint", error.hint);
    append_text(out, "value", shortened(error.value, kMaxValueBytes));
    out += '}';
    return out;
}

std::string_view to_string(EventKind kind) noexcept {
    switch (kind) {
        case EventKind::queued:
            return "queued";
        case EventKind::started:
            return "started";
        case EventKind::progress:
            return "progress";
        case EventKind::result:
            return "result";
        case EventKind::error:
            return "error";
        case EventKind::cancelled:
            return "cancelled";
    }
    return "error";
}

std::string event_json(const Event& event) {
    std::string out = "{\"id\":" + json_quote(event.id) + ",\"seq\":" + std::to_string(event.seq) +
                      ",\"event\":\"";
    out += to_string(event.kind);
    out += '"';
    append_members(out, event.extra);
    if (event.body) append_members(out, members(*event.body));
    out += '}';
    return out;
}

std::string answer_json(const Event& event) {
    if (event.kind == EventKind::error) return event.body ? *event.body : "{}";
    constexpr std::size_t kRoom = 16;  // names, braces, and the line end that HTTP adds
    std::string out;
    out.reserve(kRoom + event.id.size() + event.extra.size() +
                (event.body ? event.body->size() : 0));
    out += "{\"id\":";
    out += json_quote(event.id);
    append_members(out, event.extra);
    if (event.body) append_members(out, members(*event.body));
    out += '}';
    return out;
}

}  // namespace yomi::proto
