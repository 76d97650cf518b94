#pragma once

#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "core/othello/notation/property_text.hpp"
#include "core/othello/notation/record.hpp"

namespace yomi::othello {

/// Reads Smart Game Format files of Othello, `(;GM[2]AB[e4][d5]AW[d4][e5]PL[B];B[f5];W[d6])`, with
/// variations, comments (C), node values (V) and set-ups (AB, AW, AE, PL; rectangles `a1:b2`).
///
/// Shape   Squares are "f5" in any case; a pass is empty, PASS, PA or "tt". Lower-case letters in
///         names are dropped (FF[1..3]). A set-up starts from the standard start. Properties that
///         have no place in a `Record` are kept in the root as headers "sgf:XX", and dropped with
///         one warning a name behind it. Variations of one move with the same move are merged.
/// Errors  with line and column: bad_notation, illegal_move, illegal_position; unsupported for
///         another game, another size or a set-up behind the root; payload_too_large beyond
///         `kMaxRecordMoves` or `kMaxVariationDepth`. A game with a fault is left out and warned
///         about while others are good.
Result<Records> read_sgf(Points text);

/// `(;GM[2]FF[4]...)` with the whole tree. `warnings` gets what SGF cannot say.
std::string write_sgf(const Record& record, std::vector<RecordWarning>& warnings);

}  // namespace yomi::othello
