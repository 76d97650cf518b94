#pragma once

#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "core/othello/notation/property_text.hpp"
#include "core/othello/notation/record.hpp"

namespace yomi::othello {

/// Reads the Generic Game Format: `(;GM[Othello]PB[a]PW[b]BO[8 ... *]B[d3/eval/seconds];)`, any
/// number of games, "2 (;...;)(;...;)" of synchro matches and the `set game` lines of NBoard.
///
/// Shape   Tags in any order before the moves; unknown ones are kept as headers "ggf:XX". A pass is
///         PA, PASS or empty; one that is forced and not written is inserted. Without BO the game
///         begins at the standard start. Text around the games is skipped with a warning.
/// Errors  with line and column: bad_notation, illegal_move, illegal_position; unsupported for
///         another game or board size. A game with a fault is left out and warned about while
///         others are good.
Result<Records> read_ggf(Points text);

/// One line `(;GM[Othello]...;)`. `warnings` gets what GGF cannot say: variations, comments.
std::string write_ggf(const Record& record, std::vector<RecordWarning>& warnings);

}  // namespace yomi::othello
