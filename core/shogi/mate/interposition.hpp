#pragma once

#include <cstdint>
#include <optional>

#include "core/shogi/position.hpp"

namespace yomi::shogi::mate {

/// The defender's turn again after it dropped a piece on `to`, between its king and the one slider
/// that gives check, and the slider took it there: the piece is back in the defender's hand, as
/// when the interposition is judged to be futile.
///
/// Shape   `position` is the defender's turn, in check by one slider. With `promotes` the slider
///         promotes on `to`.
/// Errors  nothing when the slider cannot move so, or gives no check from there.
std::optional<Position> take_back(const Position& position, Square to, bool promotes);
/// Its `Position::board_key`, or nothing when the slider cannot move so; whether it may, and
/// whether it gives check, is not looked at.
std::optional<std::uint64_t> key_of_take_back(const Position& position, Square to, bool promotes);

/// Whether the defender, to move, is mated once futile interpositions are left out: it has no move
/// but drops between, each of which the slider takes back with such a mate again.
bool is_mated_by_convention(const Position& position);

}  // namespace yomi::shogi::mate
