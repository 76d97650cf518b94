#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace yomi::proto {

/// Length in bytes of the valid UTF-8 sequence at the start of `text` (1..4), or 0 if it is
/// ill-formed or `text` is empty. Overlong forms, surrogates and code points above U+10FFFF are
/// ill-formed (Unicode 15, table 3-7).
std::size_t utf8_sequence(std::string_view text) noexcept;

/// Whether all of `text` is well-formed UTF-8.
bool is_utf8(std::string_view text) noexcept;

/// The longest prefix of `text` of at most `max_bytes` bytes that does not cut a code point in two.
std::string_view utf8_prefix(std::string_view text, std::size_t max_bytes) noexcept;

/// A place in a text, counted from 1; columns count code points, as editors show them.
struct TextPlace {
    int line = 1;
    int column = 1;
};
/// Place of the byte at `offset` (clamped to the text). Ill-formed bytes count one column each.
TextPlace place_of(std::string_view text, std::size_t offset) noexcept;

}  // namespace yomi::proto
