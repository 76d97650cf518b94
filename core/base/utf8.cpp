#include "core/base/utf8.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace yomi {
namespace {

struct Decoded {
    char32_t value = 0;
    std::size_t length = 0;  // 0: no UTF-8
};

Decoded decode_one(std::string_view text) noexcept {
    const std::size_t length = utf8_sequence(text);
    if (length == 0) return {};
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    constexpr unsigned kLeadBits[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    char32_t value = byte(0) & kLeadBits[length];
    for (std::size_t i = 1; i < length; ++i)
        value = (value << 6) | (byte(i) & 0x3FU);
    return {value, length};
}

}  // namespace

std::size_t utf8_sequence(std::string_view text) noexcept {
    if (text.empty()) return 0;
    const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
    const std::uint8_t lead = byte(0);
    if (lead < 0x80) return 1;
    if (lead < 0xC2 || lead > 0xF4) return 0;
    const std::size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (text.size() < length) return 0;
    // The second byte's range depends on the lead: that is where overlong forms and surrogates
    // hide.
    const std::uint8_t low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const std::uint8_t high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (byte(1) < low || byte(1) > high) return 0;
    for (std::size_t i = 2; i < length; ++i) {
        if ((byte(i) & 0xC0U) != 0x80U) return 0;
    }
    return length;
}

bool is_utf8(std::string_view text) noexcept {
    while (!text.empty()) {
        const std::size_t length = utf8_sequence(text);
        if (length == 0) return false;
        text.remove_prefix(length);
    }
    return true;
}

std::string_view utf8_prefix(std::string_view text, std::size_t max_bytes) noexcept {
    if (text.size() <= max_bytes) return text;
    std::size_t end = 0;
    while (true) {
        const std::size_t step = std::max<std::size_t>(1, utf8_sequence(text.substr(end)));
        if (end + step > max_bytes) return text.substr(0, end);
        end += step;
    }
}

TextPlace place_of(std::string_view text, std::size_t offset) noexcept {
    TextPlace place;
    offset = std::min(offset, text.size());
    for (std::size_t i = 0; i < offset;) {
        if (text[i] == '\n') {
            ++place.line;
            place.column = 1;
            ++i;
            continue;
        }
        ++place.column;
        i += std::max<std::size_t>(1, utf8_sequence(text.substr(i)));
    }
    return place;
}

Result<std::vector<CodePoint>> decode_utf8(std::string_view text) {
    std::vector<CodePoint> points;
    points.reserve(text.size());
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    int line = 1;
    int column = 1;
    bool after_return = false;
    while (!text.empty()) {
        const Decoded decoded = decode_one(text);
        if (decoded.length == 0) {
            return fail(Error{.code = ErrorCode::bad_notation,
                              .message = "the text is not UTF-8",
                              .line = line,
                              .column = column});
        }
        points.push_back(CodePoint{.value = decoded.value, .line = line, .column = column});
        text.remove_prefix(decoded.length);
        ++column;
        const bool completes_crlf = decoded.value == U'\n' && after_return;
        if (completes_crlf) {
            // The pair is one line end; the feed sits at the end of the line it closes.
            points.back().line = line - 1;
            column = 1;
        } else if (decoded.value == U'\n' || decoded.value == U'\r') {
            ++line;
            column = 1;
        }
        after_return = decoded.value == U'\r';
    }
    return points;
}

void decode_points(std::string_view text, std::u32string& points) {
    points.clear();
    while (!text.empty()) {
        const Decoded decoded = decode_one(text);
        points += decoded.length == 0 ? U'\uFFFD' : decoded.value;
        text.remove_prefix(std::max<std::size_t>(1, decoded.length));
    }
}

void append_utf8(std::string& text, char32_t c) {
    const auto put = [&](char32_t byte) { text += static_cast<char>(byte); };
    if (c < 0x80) {
        put(c);
    } else if (c < 0x800) {
        put(0xC0 | (c >> 6));
        put(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
        put(0xE0 | (c >> 12));
        put(0x80 | ((c >> 6) & 0x3F));
        put(0x80 | (c & 0x3F));
    } else {
        put(0xF0 | (c >> 18));
        put(0x80 | ((c >> 12) & 0x3F));
        put(0x80 | ((c >> 6) & 0x3F));
        put(0x80 | (c & 0x3F));
    }
}

}  // namespace yomi
