#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "core/othello/notation/property_text.hpp"
#include "core/othello/notation/record.hpp"

namespace yomi::othello {

/// Reads boards, one a line, or one board over several lines; behind each may stand the scored
/// moves of a problem file: `BOARD X; G8:+18; H1:+12; % comment`.
///
/// Shape   Every dialect of `parse_board`. Lines that are empty or begin with % are skipped. Scores
///         are discs from the side to move, -64..64; an item of -127 is filler and dropped. `side`
///         is to move where a board names none. The format is `obf` if anything stands behind a
///         board, else `board`.
/// Errors  with line and column: bad_notation, illegal_move (an item that is no legal move),
///         illegal_position, out_of_range (a score). A line with a fault is left out and warned
///         about while others are good.
Result<Records> read_boards(Points text, std::optional<Color> side = {});

/// One line: the end of the main line, with the scored moves if the record has no moves.
std::string write_obf(const Record& record, std::vector<RecordWarning>& warnings);

/// One line: the end of the main line.
std::string write_board(const Record& record, std::vector<RecordWarning>& warnings);

}  // namespace yomi::othello
