#include "server/net/negotiation.hpp"

#include <algorithm>

#include "core/base/split.hpp"
#include "server/net/text.hpp"

namespace yomi::net {
namespace {

/// One media range of an Accept header. Unit: `q` in thousandths.
struct Range {
    std::string_view type;
    std::string_view subtype;
    int q = 1000;
};

/// A qvalue ("0.8", "1", "0.125") in thousandths, or -1.
int parse_q(std::string_view text) {
    if (text.empty() || text.size() > 5 || (text[0] != '0' && text[0] != '1')) return -1;
    int q = (text[0] - '0') * 1000;
    if (text.size() > 1 && text[1] != '.') return -1;
    int weight = 100;
    for (const char c : text.substr(std::min<std::size_t>(2, text.size()))) {
        if (c < '0' || c > '9') return -1;
        q += (c - '0') * weight;
        weight /= 10;
    }
    return q <= 1000 ? q : -1;
}

std::vector<Range> parse_accept(std::string_view accept) {
    std::vector<Range> ranges;
    for (const std::string_view element : split(accept, ',')) {
        const auto parts = split(element, ';');
        const std::string_view name = trim(parts[0]);
        const auto slash = name.find('/');
        if (slash == std::string_view::npos) continue;
        Range range{.type = name.substr(0, slash), .subtype = name.substr(slash + 1)};
        for (std::size_t i = 1; i < parts.size(); ++i) {
            const std::string_view parameter = trim(parts[i]);
            if (parameter.size() > 2 && iequals(parameter.substr(0, 2), "q=")) {
                range.q = parse_q(trim(parameter.substr(2)));
            }
        }
        if (range.q >= 0) ranges.push_back(range);
    }
    return ranges;
}

/// The q-value for a media type: that of its most specific range; 0 when none matches.
int quality(const std::vector<Range>& ranges, std::string_view media) {
    const auto slash = media.find('/');
    const std::string_view type = media.substr(0, slash);
    const std::string_view subtype = media.substr(slash + 1);
    int best_rank = -1;
    int q = 0;
    for (const Range& range : ranges) {
        int rank = -1;
        if (iequals(range.type, type)) {
            if (iequals(range.subtype, subtype)) rank = 2;
            if (range.subtype == "*") rank = 1;
        } else if (range.type == "*" && range.subtype == "*") {
            rank = 0;
        }
        if (rank > best_rank) {
            best_rank = rank;
            q = range.q;
        }
    }
    return q;
}

}  // namespace

std::string_view media_type(Form form) noexcept {
    switch (form) {
        case Form::json:
            return "application/json";
        case Form::text:
            return "text/plain";
        case Form::sse:
            return "text/event-stream";
        case Form::ndjson:
            return "application/x-ndjson";
        case Form::html:
            return "text/html";
        case Form::file:
            return "application/octet-stream";
    }
    return "application/json";
}

std::optional<Form> negotiate(std::string_view accept, const std::vector<Form>& offered) {
    if (offered.empty()) return std::nullopt;
    if (trim(accept).empty()) return offered.front();
    const auto ranges = parse_accept(accept);
    if (ranges.empty()) return offered.front();
    std::optional<Form> best;
    int best_q = 0;
    for (const Form form : offered) {
        const int q = quality(ranges, media_type(form));
        if (q > best_q) {
            best_q = q;
            best = form;
        }
    }
    return best;
}

bool names_media_type(std::string_view accept, std::string_view type) {
    const auto slash = type.find('/');
    const auto ranges = parse_accept(accept);
    return std::any_of(ranges.begin(), ranges.end(), [&](const Range& range) {
        return range.q > 0 && iequals(range.type, type.substr(0, slash)) &&
               iequals(range.subtype, type.substr(slash + 1));
    });
}

bool prefers(std::string_view prefer, std::string_view preference) {
    for (const std::string_view element : split(prefer, ',')) {
        if (iequals(trim(split(element, ';')[0]), preference)) return true;
    }
    return false;
}

ContentType parse_content_type(std::string_view value) {
    const auto parts = split(value, ';');
    ContentType content{.type = ascii_lower(trim(parts[0])), .charset = {}};
    for (std::size_t i = 1; i < parts.size(); ++i) {
        const std::string_view parameter = trim(parts[i]);
        const auto equals = parameter.find('=');
        if (equals == std::string_view::npos) continue;
        if (!iequals(trim(parameter.substr(0, equals)), "charset")) continue;
        std::string_view charset = trim(parameter.substr(equals + 1));
        if (charset.size() >= 2 && charset.front() == '"' && charset.back() == '"') {
            charset = charset.substr(1, charset.size() - 2);
        }
        content.charset = ascii_lower(charset);
    }
    return content;
}

}  // namespace yomi::net
