#include "core/base/utf8.hpp"

#include <cstddef>
#include <string>

namespace yomi {
namespace {

struct Decoded {
    char32_t value = 0;
    std::size_t length = 0;  // 0: no UTF-8
};

Decoded decode_one(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(0);
    if (lead < 0x80) return {lead, 1};
    std::size_t length = 0;
    char32_t value = 0;
    char32_t least = 0;  // a smaller value in as many bytes is an overlong form
    if ((lead & 0xE0) == 0xC0) {
        length = 2;
        value = lead & 0x1FU;
        least = 0x80;
    } else if ((lead & 0xF0) == 0xE0) {
        length = 3;
        value = lead & 0x0FU;
        least = 0x800;
    } else if ((lead & 0xF8) == 0xF0) {
        length = 4;
        value = lead & 0x07U;
        least = 0x10000;
    } else {
        return {};
    }
    if (text.size() < length) return {};
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0) != 0x80) return {};
        value = (value << 6) | (byte(i) & 0x3FU);
    }
    const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
    if (value < least || surrogate || value > 0x10FFFF) return {};
    return {value, length};
}

}  // namespace

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
