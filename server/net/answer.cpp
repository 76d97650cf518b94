#include "server/net/answer.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <ctime>

#include "core/base/hash.hpp"
#include "core/base/split.hpp"
#include "server/net/text.hpp"

namespace yomi::net {
namespace {

constexpr std::string_view kProblemType = "application/problem+json";

/// IMF-fixdate, made once a second.
/// Threads thread-local, so that no lock is needed.
const std::string& http_date() {
    thread_local std::time_t at = 0;
    thread_local std::string text;
    const std::time_t now = std::time(nullptr);
    if (now != at || text.empty()) {
        at = now;
        std::tm parts{};
        gmtime_r(&now, &parts);
        static constexpr std::array<const char*, 7> kDays = {
            "Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
        static constexpr std::array<const char*, 12> kMonths = {
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
        std::array<char, 40> buffer{};
        // Not "%a, %d %b": strftime asks the locale for the names.
        std::strftime(buffer.data(), buffer.size(), "%d .... %Y %H:%M:%S GMT", &parts);
        text = std::string(kDays[static_cast<std::size_t>(parts.tm_wday)]) + ", " + buffer.data();
        text.replace(text.find("...."), 4, kMonths[static_cast<std::size_t>(parts.tm_mon)]);
    }
    return text;
}

constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15ULL;  // the golden ratio's fraction

/// Both halves of the product together: mixes two words into one in a single multiplication.
std::uint64_t folded(std::uint64_t a, std::uint64_t b) noexcept {
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
}

/// The lowest `digits` digits of a number.
void append_hex(std::string& out, std::uint64_t number, int digits) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4)
        out += kDigits[number >> static_cast<unsigned>(shift) & 15U];
}

void add_field(std::string& out, std::string_view name, std::string_view value) {
    out += name;
    out += ": ";
    // A value never breaks out of its line, whatever it was made from.
    const std::size_t begin = out.size();
    out += value;
    if (value.find('\r') != std::string_view::npos || value.find('\n') != std::string_view::npos) {
        std::replace_if(
            out.begin() + static_cast<std::ptrdiff_t>(begin),
            out.end(),
            [](char c) { return c == '\r' || c == '\n'; },
            ' ');
    }
    out += "\r\n";
}

std::string head_of(const Answer& answer, const Framing& framing) {
    std::string out;
    out.reserve(512 + answer.body.size());
    out += "HTTP/1.1 ";
    out += std::to_string(answer.status);
    out += ' ';
    out += reason_phrase(answer.status);
    out += "\r\n";
    add_field(out, "Date", http_date());
    if (!framing.id.empty()) add_field(out, "X-Request-Id", framing.id);
    if (!answer.content_type.empty()) add_field(out, "Content-Type", answer.content_type);
    const auto named = [&answer](std::string_view name) {
        return std::any_of(answer.fields.begin(), answer.fields.end(), [name](const auto& field) {
            return field.first == name;
        });
    };
    if (!named("Cache-Control")) add_field(out, "Cache-Control", "no-store");
    add_field(out, "X-Content-Type-Options", "nosniff");
    for (const auto& [name, value] : answer.fields)
        add_field(out, name, value);
    if (!framing.keep_alive) {
        add_field(out, "Connection", "close");
    } else if (framing.version < 11) {
        add_field(out, "Connection", "keep-alive");
    }
    return out;
}

}  // namespace

std::string& Answer::field(std::string_view name) {
    for (auto& [key, value] : fields) {
        if (key == name) return value;
    }
    return fields.emplace_back(std::string(name), std::string()).second;
}

std::string entity_tag(std::string_view text, std::string_view variant) {
    // Not for secrets: who makes two texts of one tag deceives nobody but himself.
    // Four chains side by side: one alone would wait for its own multiplications.
    constexpr std::size_t kLanes = 4;
    std::array<std::uint64_t, kLanes> lanes = {1, 2, 3, 4};
    for (const std::string_view part : {variant, text}) {
        std::string_view rest = part;
        while (!rest.empty()) {
            std::array<std::uint64_t, 2 * kLanes> words{};
            const std::size_t count = std::min(rest.size(), sizeof words);
            std::memcpy(words.data(), rest.data(), count);
            for (std::size_t i = 0; i < kLanes; ++i)
                lanes[i] = folded(lanes[i] ^ words[2 * i], words[2 * i + 1] ^ kOdd);
            rest.remove_prefix(count);
        }
        lanes[0] = mix64(lanes[0] ^ part.size());
    }
    std::uint64_t high = 0;
    std::uint64_t low = 0;
    for (const std::uint64_t lane : lanes) {
        high = mix64(high ^ lane);
        low = mix64(low + lane + 1);
    }
    std::string tag = "W/\"";
    append_hex(tag, high, 16);
    append_hex(tag, low, 8);
    tag += '"';
    return tag;
}

bool matches_tag(std::string_view if_none_match, std::string_view tag) {
    const auto opaque = [](std::string_view text) {
        text = trim(text);
        return text.starts_with("W/") ? text.substr(2) : text;
    };
    for (const std::string_view element : split(if_none_match, ',')) {
        if (trim(element) == "*" || opaque(element) == opaque(tag)) return true;
    }
    return false;
}

Answer problem_answer(const Error& error, std::string_view id) {
    Answer answer{.status = proto::problem_kind(error.code).status,
                  .content_type = std::string(kProblemType),
                  .body = proto::problem_json(error, id) + "\n",
                  .fields = {}};
    if (answer.status == 401)
        answer.fields.emplace_back("WWW-Authenticate", "Bearer realm=\"yomi\"");
    if (answer.status == 429 || answer.status == 503)
        answer.fields.emplace_back("Retry-After", "1");
    return answer;
}

Answer final_answer(const proto::Event& event, Form form, int live_quota) {
    Answer answer{.status = event.status, .content_type = {}, .body = {}, .fields = {}};
    if (event.kind == proto::EventKind::error) {
        answer.content_type = kProblemType;
        answer.body = proto::answer_json(event) + "\n";
        if (event.status == 401) {
            answer.fields.emplace_back("WWW-Authenticate", "Bearer realm=\"yomi\"");
        }
    } else if (form == Form::text && event.text) {
        answer.content_type = "text/plain; charset=utf-8";
        answer.body = *event.text;
    } else {
        answer.content_type = "application/json";
        answer.body = proto::answer_json(event) + "\n";
    }
    if (event.retry_after_s > 0) {
        answer.fields.emplace_back("Retry-After", std::to_string(event.retry_after_s));
    }
    if (event.status == 429) {
        answer.fields.emplace_back("RateLimit-Limit", std::to_string(live_quota));
        answer.fields.emplace_back("RateLimit-Remaining", "0");
        answer.fields.emplace_back("RateLimit-Reset", std::to_string(event.retry_after_s));
    }
    return answer;
}

std::string render(const Answer& answer, const Framing& framing) {
    std::string out = head_of(answer, framing);
    const bool bodiless = answer.status == 204 || answer.status == 304;
    if (!bodiless) {
        add_field(out, "Content-Length", std::to_string(answer.body.size()));
    }
    out += "\r\n";
    if (!framing.head_only && !bodiless) out += answer.body;
    return out;
}

std::string render_stream_head(const Answer& answer, const Framing& framing) {
    std::string out = head_of(answer, framing);
    add_field(out, "X-Accel-Buffering", "no");
    if (framing.version >= 11) add_field(out, "Transfer-Encoding", "chunked");
    out += "\r\n";
    return out;
}

std::string stream_event(const proto::Event& event, Form form) {
    if (form == Form::ndjson) return proto::event_json(event) + "\n";
    std::string out = "id: " + std::to_string(event.seq) + "\nevent: ";
    out += proto::to_string(event.kind);
    out += "\ndata: ";
    out += proto::event_json(event);
    out += "\n\n";
    return out;
}

std::string_view heartbeat(Form form) noexcept {
    return form == Form::sse ? std::string_view(": heartbeat\n\n") : std::string_view("\n");
}

std::string chunk(std::string_view data) {
    std::array<char, 20> hex{};
    const auto end = std::to_chars(hex.data(), hex.data() + hex.size(), data.size(), 16).ptr;
    std::string out(hex.data(), end);
    out.reserve(out.size() + data.size() + 4);
    out += "\r\n";
    out += data;
    out += "\r\n";
    return out;
}

std::string_view reason_phrase(int status) noexcept {
    switch (status) {
        case 200:
            return "OK";
        case 202:
            return "Accepted";
        case 204:
            return "No Content";
        case 304:
            return "Not Modified";
        case 400:
            return "Bad Request";
        case 401:
            return "Unauthorized";
        case 403:
            return "Forbidden";
        case 404:
            return "Not Found";
        case 405:
            return "Method Not Allowed";
        case 406:
            return "Not Acceptable";
        case 408:
            return "Request Timeout";
        case 409:
            return "Conflict";
        case 413:
            return "Content Too Large";
        case 415:
            return "Unsupported Media Type";
        case 421:
            return "Misdirected Request";
        case 422:
            return "Unprocessable Content";
        case 426:
            return "Upgrade Required";
        case 429:
            return "Too Many Requests";
        case 431:
            return "Request Header Fields Too Large";
        case 500:
            return "Internal Server Error";
        case 501:
            return "Not Implemented";
        case 503:
            return "Service Unavailable";
        default:
            return "Status";
    }
}

}  // namespace yomi::net
