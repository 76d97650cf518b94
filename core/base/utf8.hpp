#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"

namespace yomi {

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

/// One Unicode code point with its place in the text.
///
/// Unit    `line` and `column` count from 1; columns count code points. CR LF, LF and CR end a
/// line.
struct CodePoint {
    char32_t value = 0;
    int line = 1;
    int column = 1;
};

/// Decodes UTF-8. A byte order mark at the beginning is dropped. Nothing follows the last code
/// point.
///
/// Errors  bad_notation with line and column at the first byte that is no UTF-8: a stray or missing
///         continuation, an overlong form, a surrogate, more than U+10FFFF.
/// Cost    linear; 12 bytes of memory a code point.
Result<std::vector<CodePoint>> decode_utf8(std::string_view text);

/// The code points of one piece of text without their places; an ill-formed byte becomes U+FFFD.
/// Cost    linear; `points` is reused.
void decode_points(std::string_view text, std::u32string& points);

/// The ASCII twin of a full-width form (U+FF01..U+FF5E) or the ideographic space; others unchanged.
constexpr char32_t fold_width(char32_t c) noexcept {
    if (c >= 0xFF01 && c <= 0xFF5E) return c - 0xFEE0;
    return c == 0x3000 ? U' ' : c;
}

/// Appends a code point as UTF-8. `c` must be a Unicode scalar value.
void append_utf8(std::string& text, char32_t c);

}  // namespace yomi
