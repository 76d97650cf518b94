#pragma once

#include <array>
#include <cstddef>

#include "core/shogi/position.hpp"

namespace yomi::shogi::mate {

/// A mate in one or three plies: the attacker's moves and the reply that the search met last.
struct ShortMate {
    std::array<Move, 3> line{};
    std::size_t length = 0;  ///< 0: none found, 1 or 3

    explicit operator bool() const noexcept { return length != 0; }
};

/// The shortest mate of the side to move of at most three plies.
///
/// Shape   `position` is the same before and after; it is played on in between. A check that makes
///         a position the fourth time is left out: the game ends there.
/// Cost    every check, every reply to it and a look for a mate after each; a check is given up at
///         the first reply that holds, and a check that leaves more than `kMostReplies` replies at
///         once, so that a hand full of drops cannot make a node dear.
/// Errors  none; a mate that begins with such a check is not seen.
ShortMate mate_in_three(Position& position);

}  // namespace yomi::shogi::mate
