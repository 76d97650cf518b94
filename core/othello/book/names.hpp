#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "core/othello/position.hpp"

namespace yomi::othello::book {

/// What players call a position of the opening.
struct OpeningName {
    std::string_view english;
    std::string_view japanese;  ///< empty: not known
    std::string_view moves;     ///< one line that leads there
};

/// The name of exactly this position, in whatever orientation and with whatever colours; null if it
/// has none. Cost  one look-up by the canonical image.
const OpeningName* name_of(const Board& board);

/// The last name that a game went through: what its opening is called. Null if none.
const OpeningName* name_of_game(const Position& start, std::span<const Move> moves);

/// Positions that have a name.
std::size_t opening_names() noexcept;

}  // namespace yomi::othello::book
