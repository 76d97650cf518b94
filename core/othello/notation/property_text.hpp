#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/base/utf8.hpp"
#include "core/othello/position.hpp"

namespace yomi::othello {

/// A stretch of decoded text that a reader looks at; borrows from the whole.
using Points = std::span<const CodePoint>;

constexpr bool is_blank(char32_t c) noexcept {
    return c == U' ' || c == U'\t' || c == U'\n' || c == U'\r' || c == 0xFEFF;
}

/// The stretch as UTF-8.
std::string utf8_of(Points text);
/// Without blanks at both ends.
Points trim(Points text) noexcept;
/// One stretch a line, without the line ends; empty lines included. Lines as `CodePoint` counts
/// them.
std::vector<Points> lines_of(Points text);
/// Whether `text` begins with ASCII `word` (lower case), whatever the case of `text`.
bool starts_with_word(Points text, std::string_view word) noexcept;
/// The place where `word` (ASCII, lower case) first stands in any case, or the size of `text`.
std::size_t find_word(Points text, std::string_view word) noexcept;

/// bad_notation (or `code`) at a place of the text, which goes into `value`.
tl::unexpected<Error> fault_at(const CodePoint& place,
                               std::string message,
                               ErrorCode code = ErrorCode::bad_notation,
                               std::string hint = {});
/// An error of another reader, told where it was found.
tl::unexpected<Error> fault_at(const CodePoint& place, Error error, Points value);

/// What stands in a bracket text "(;GM[2];B[f5](;W[d6])(;W[f4]))": the syntax of SGF and GGF.
struct PropertyToken {
    enum class Kind { open, node, close, name, value, end };
    Kind kind = Kind::end;
    Points text;      ///< of a name or value; the brackets left out, escapes as they are
    CodePoint place;  ///< where it begins
};

/// Cuts a bracket text into tokens, front to back. Blanks between tokens are dropped.
///
/// Errors  bad_notation: a value that is not closed, a sign that has no place between tokens.
/// Cost    constant a code point.
class PropertyScanner {
public:
    explicit PropertyScanner(Points text) : text_(text) {}

    Result<PropertyToken> next();
    /// The next token is looked at but not taken.
    Result<PropertyToken> peek();
    /// Drops code points up to the next "(;" (blanks may stand between the two).
    ///
    /// Returns what was dropped, without blanks at its ends; the whole rest if there is none.
    Points skip_to_game();

private:
    Points text_;
    std::size_t at_ = 0;
};

/// The square or pass that a move's text is: "f5" in any case and width; a pass is empty, "pa",
/// "ps", "pass" or "--". Errors  bad_notation at its place.
Result<Square> square_in(Points text, const CodePoint& place);
/// Reads a board within a longer text; errors name their place in that text.
Result<Position> board_in(Points text, const CodePoint& place);

/// The value of a property: escapes undone ("\]" is "]", a backslash before a line end joins
/// lines), other line ends kept, blanks at both ends dropped.
std::string property_value(Points raw);
/// Whether a writer may use the word as the name of a property: letters A..Z only.
bool is_property_name(std::string_view word) noexcept;
/// `text` as it stands within brackets.
std::string escaped_property(std::string_view text);

}  // namespace yomi::othello
