#pragma once

#include "core/base/result.hpp"
#include "core/othello/notation/property_text.hpp"
#include "core/othello/notation/record.hpp"

namespace yomi::othello {

/// Reads a board drawn with the numbers of its moves: the PARAM tags Line1 to Line8 of the Hamlet
/// applet's HTML, or 8 lines of 8 cells as plain text.
///
/// Shape   A cell is a move number (1..60, leading zero allowed), a disc of the start ("##" or X
///         black, "()" or O white), or empty ("--", "..", "__"). Without discs the game begins at
///         the standard start. Black plays 1; forced passes are inserted. PARAM tags with other
///         names are kept as headers "grid:name"; Title is "title".
/// Errors  with line and column: bad_notation (a line that is missing or not of 8 cells, a number
///         given twice or left out), illegal_move.
Result<Records> read_grid(Points text);

/// Whether the text is such a drawing: tags named Line, or 64 words of which most are numbers.
bool looks_like_grid(Points text);

}  // namespace yomi::othello
