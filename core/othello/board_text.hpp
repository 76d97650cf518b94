#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.hpp"
#include "core/othello/position.hpp"

namespace yomi::othello {

/// Reads a board as people write it: 64 squares from a1 along the ranks to h8, then the side to
/// move.
///
/// Shape   Squares: black `X x * B b ●`, white `O o W w ○`, empty `- . _ ・`; or digits only, as
///         {0 empty, 1 black, 2 white} or, with `-` or `.` for empty, {0 black, 1 white}. White
///         space anywhere, full-width forms, the file and rank labels of `diagram`. The side: one
///         of the same signs or "black"/"white", then optionally "to move". What follows a `;`
///         belongs to a problem file and is not read. `side` is the side to move when the text
///         names none.
/// Errors  bad_notation with line and column: an odd sign, digits and letters mixed, not 64
/// squares, no
///         side, a side that contradicts `side`. illegal_position: no disc at all.
Result<Position> parse_board(std::string_view text, std::optional<Color> side = {});

/// "---------------------------OX------XO--------------------------- X", the form of problem files.
std::string board_string(const Position& position);

/// Nine lines with labels and one with the side to move: the text/plain form. `parse_board` reads
/// it.
std::string diagram(const Position& position);

}  // namespace yomi::othello
