#pragma once

#include "core/shogi/movegen.hpp"
#include "core/shogi/position.hpp"

namespace yomi::shogi::mate {

/// Whether the side to move, which is in check, has no legal move.
/// Cost    looks at the king's flights first, which settle most positions.
bool is_mated(const Position& position);

/// Whether the side to move, which is in check, has a legal move other than a drop.
bool has_board_move(const Position& position);

/// A move among `checks` (legal checks of the side to move) that mates at once, or no move.
///
/// Shape   `position` is the same before and after; it is played on in between.
/// Cost    a check next to the king that nothing supports is thrown out without playing it.
Move mate_in_one(Position& position, const MoveList& checks);
/// The same over all checks.
Move mate_in_one(Position& position);

}  // namespace yomi::shogi::mate
