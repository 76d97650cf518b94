#include "proto/utf8.hpp"

#include <algorithm>
#include <cstdint>

namespace yomi::proto {

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

}  // namespace yomi::proto
