#include "core/othello/board_text.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "core/base/utf8.hpp"

namespace yomi::othello {
namespace {

using Points = std::span<const CodePoint>;

tl::unexpected<Error> fault(std::string message, const CodePoint& place) {
    std::string value;
    append_utf8(value, place.value);
    return fail(Error{.code = ErrorCode::bad_notation,
                      .message = std::move(message),
                      .line = place.line,
                      .column = place.column,
                      .value = std::move(value)});
}

bool is_space(char32_t c) {
    return c == U' ' || c == U'\t' || c == U'\n' || c == U'\r';
}

// What a sign can mean. Digits mean different things in the two dialects.
enum class Sign { black, white, empty, digit, none };

Sign sign_of(char32_t c) {
    switch (c) {
        case U'X':
        case U'x':
        case U'*':
        case U'B':
        case U'b':
        case U'\u25CF':  // ●
        case U'\u26AB':  // ⚫
            return Sign::black;
        case U'O':
        case U'o':
        case U'W':
        case U'w':
        case U'\u25CB':  // ○
        case U'\u26AA':  // ⚪
            return Sign::white;
        case U'-':
        case U'.':
        case U'_':
        case U'\u30FB':  // ・
            return Sign::empty;
        case U'0':
        case U'1':
        case U'2':
            return Sign::digit;
        default:
            return Sign::none;
    }
}

// Cuts what a problem file adds, folds full-width forms and drops white space.
std::vector<CodePoint> signs_of(const std::vector<CodePoint>& text) {
    std::vector<CodePoint> signs;
    for (CodePoint point : text) {
        point.value = fold_width(point.value);
        if (point.value == U';') break;
        if (!is_space(point.value)) signs.push_back(point);
    }
    return signs;
}

bool starts_with(Points text, std::u32string_view word) {
    if (text.size() < word.size()) return false;
    for (std::size_t i = 0; i < word.size(); ++i) {
        const char32_t c = text[i].value;
        const char32_t lower = c >= U'A' && c <= U'Z' ? c + 32 : c;
        if (lower != word[i]) return false;
    }
    return true;
}

// A board under the labels "abcdefgh" has a rank digit before each 8 squares: drops the labels.
Result<std::vector<CodePoint>> without_labels(Points signs) {
    std::vector<CodePoint> rest;
    if (!starts_with(signs, U"abcdefgh")) return std::vector(signs.begin(), signs.end());
    signs = signs.subspan(8);
    for (char32_t rank = U'1'; rank <= U'8'; ++rank) {
        if (signs.empty()) break;  // the count of squares says it better
        if (signs.front().value != rank) {
            return fault("a labelled board needs its rank number at the left of each row",
                         signs.front());
        }
        const Points row = signs.subspan(1, std::min<std::size_t>(8, signs.size() - 1));
        rest.insert(rest.end(), row.begin(), row.end());
        signs = signs.subspan(1 + row.size());
    }
    rest.insert(rest.end(), signs.begin(), signs.end());
    return rest;
}

struct Dialect {
    bool digits = false;
    bool zero_is_empty = false;  // {0, 1, 2}; otherwise {-, 0, 1}
};

// The digits of a text belong to one dialect, and letters never stand beside digits: `0` beside `X`
// may be a white disc, a black disc or nothing.
Result<Dialect> dialect_of(Points squares) {
    const auto find = [&](auto matches) {
        return std::find_if(squares.begin(), squares.end(), [&](const CodePoint& point) {
            return matches(point.value);
        });
    };
    const auto digit = find([](char32_t c) { return sign_of(c) == Sign::digit; });
    if (digit == squares.end()) return Dialect{};
    const auto letter =
        find([](char32_t c) { return sign_of(c) == Sign::black || sign_of(c) == Sign::white; });
    if (letter != squares.end()) {
        return fault("a board is written in letters or in digits, not in both", *digit);
    }
    const bool dashes = find([](char32_t c) { return sign_of(c) == Sign::empty; }) != squares.end();
    if (!dashes) return Dialect{.digits = true, .zero_is_empty = true};
    const auto two = find([](char32_t c) { return c == U'2'; });
    if (two != squares.end()) {
        return fault("with - for empty the digits are 0 (black) and 1 (white)", *two);
    }
    return Dialect{.digits = true};
}

Sign meaning(char32_t c, Dialect dialect) {
    const Sign sign = sign_of(c);
    if (sign != Sign::digit || !dialect.digits) return sign;
    if (dialect.zero_is_empty) {
        if (c == U'0') return Sign::empty;
        return c == U'1' ? Sign::black : Sign::white;
    }
    return c == U'0' ? Sign::black : Sign::white;
}

// Reads "X", "white", "X to move" from everything behind the squares.
Result<std::optional<Color>> parse_side(Points text, Dialect dialect) {
    if (text.empty()) return std::optional<Color>{};
    Color side = Color::black;
    Points rest;
    if (starts_with(text, U"black")) {
        rest = text.subspan(5);
    } else if (starts_with(text, U"white")) {
        side = Color::white;
        rest = text.subspan(5);
    } else {
        const Sign sign = meaning(text.front().value, dialect);
        if (sign != Sign::black && sign != Sign::white) {
            return fault("the side to move is X or O (or black, white, B, W, *)", text.front());
        }
        side = sign == Sign::black ? Color::black : Color::white;
        rest = text.subspan(1);
    }
    if (starts_with(rest, U"tomove")) rest = rest.subspan(6);
    if (!rest.empty()) return fault("something follows the board and its side", rest.front());
    return std::optional(side);
}

}  // namespace

Result<Position> parse_board(std::string_view text, std::optional<Color> side) {
    auto decoded = decode_utf8(text);
    if (!decoded) return fail(decoded.error());
    auto signs = without_labels(signs_of(*decoded));
    if (!signs) return fail(signs.error());
    const Points all(*signs);
    const Points squares = all.first(std::min<std::size_t>(64, all.size()));
    for (const CodePoint& square : squares) {
        if (sign_of(square.value) == Sign::none) {
            return fault("a square is X (black), O (white) or - (empty)", square);
        }
    }
    if (squares.size() < 64) {
        const CodePoint end = all.empty() ? CodePoint{} : all.back();
        return fail(Error{
            .code = ErrorCode::bad_notation,
            .message = "a board has 64 squares, this one has " + std::to_string(squares.size()),
            .line = end.line,
            .column = end.column});
    }
    const auto dialect = dialect_of(squares);
    if (!dialect) return fail(dialect.error());
    const auto named = parse_side(all.subspan(64), *dialect);
    if (!named) return fail(named.error());
    if (*named && side && **named != *side) {
        return fault("the text says " + std::string(to_string(**named)) + " to move, the request " +
                         std::string(to_string(*side)),
                     all[64]);
    }
    if (!*named && !side) {
        return fail(Error{.code = ErrorCode::bad_notation,
                          .message = "the side to move is missing behind the board",
                          .line = all.back().line,
                          .column = all.back().column,
                          .hint = "add X (black) or O (white) after the 64 squares"});
    }
    std::uint64_t black = 0;
    std::uint64_t white = 0;
    for (Square square = 0; square < 64; ++square) {
        const Sign sign = meaning(squares[static_cast<std::size_t>(square)].value, *dialect);
        if (sign == Sign::black) black |= bit(square);
        if (sign == Sign::white) white |= bit(square);
    }
    if ((black | white) == 0) {
        return fail(ErrorCode::illegal_position, "the board has no disc");
    }
    Position position;
    position.side = *named ? **named : *side;
    position.board = position.side == Color::black ? Board{black, white} : Board{white, black};
    return position;
}

namespace {

char sign_at(const Position& position, Square square) {
    if ((position.black() & bit(square)) != 0) return 'X';
    return (position.white() & bit(square)) != 0 ? 'O' : '-';
}

char sign_of_side(const Position& position) {
    return position.side == Color::black ? 'X' : 'O';
}

}  // namespace

std::string board_string(const Position& position) {
    std::string text;
    for (Square square = 0; square < 64; ++square)
        text += sign_at(position, square);
    return text + ' ' + sign_of_side(position);
}

std::string diagram(const Position& position) {
    std::string text = "  a b c d e f g h\n";
    for (int rank = 0; rank < 8; ++rank) {
        text += static_cast<char>('1' + rank);
        for (int file = 0; file < 8; ++file) {
            text += ' ';
            text += sign_at(position, square_at(file, rank));
        }
        text += '\n';
    }
    return text + sign_of_side(position) + " to move\n";
}

}  // namespace yomi::othello
