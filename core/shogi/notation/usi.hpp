#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/shogi/position.hpp"

namespace yomi::shogi {

/// "7g7f", "8h2b+", "G*5b".
std::string to_usi(Move move);

/// Reads one USI move and requires it to be legal in `position`.
/// Errors  bad_notation (cannot be read) or illegal_move (message = the reason), both with `value`.
Result<Move> parse_usi_move(std::string_view text, const Position& position);

/// A game as USI's `position` command gives it.
struct UsiGame {
    Setup root;
    std::vector<Move> moves;
    Position position;  ///< after all moves, with its whole history
};

/// Reads `startpos [moves ...]`, `sfen ... [moves ...]`, a bare SFEN `[moves ...]`, the name of a
/// handicap start `[moves ...]` (`handicap:2-piece`, `2-piece` or 二枚落ち, see handicap.hpp), with
/// a leading "position " too. A king may be missing for one side. At most `max_moves` moves. Errors
/// bad_notation / illegal_position / illegal_move with `column` into `text`.
Result<UsiGame> parse_usi_position(std::string_view text, int max_moves = 1024);

}  // namespace yomi::shogi
