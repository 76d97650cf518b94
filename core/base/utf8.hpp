#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"

namespace yomi {

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

/// The ASCII twin of a full-width form (U+FF01..U+FF5E) or the ideographic space; others unchanged.
constexpr char32_t fold_width(char32_t c) noexcept {
    if (c >= 0xFF01 && c <= 0xFF5E) return c - 0xFEE0;
    return c == 0x3000 ? U' ' : c;
}

/// Appends a code point as UTF-8. `c` must be a Unicode scalar value.
void append_utf8(std::string& text, char32_t c);

}  // namespace yomi
