#pragma once

#include <cstdint>

#include "core/othello/board.hpp"

namespace yomi::othello {

/// Discs of `board.player` that no play can ever turn over again: a lower bound, as a mask.
///
/// An edge disc is stable if no sequence of placements on that edge, legal or not, turns it over;
/// an inner disc is stable if on each of its four lines the line is full or a neighbour is stable.
///
/// Cost    about 15 ns with AVX2. Threads pure; the edge table is built at first use.
std::uint64_t stable_discs(const Board& board) noexcept;

namespace portable {
/// The same in plain C++.
std::uint64_t stable_discs(const Board& board) noexcept;
}  // namespace portable

}  // namespace yomi::othello
