#pragma once

#include <string>

#include "core/shogi/position.hpp"

namespace yomi::shogi {

/// A move as Japanese game records write it: "☗７六歩(77)", "☖同　銀(31)", "☗４二金打",
/// "☗２二角成(88)", "☖３三桂不成(45)". UTF-8.
///
/// Shape   side mark, destination (full-width file, kanji rank, or 同 and an ideographic space when
/// the
///         previous move went there), the piece before the move, 成 or, where promotion was
///         possible and declined, 不成, 打 for a drop, the origin in ASCII parentheses for a board
///         move. `move` is legal in `position`.
std::string to_japanese(const Position& position, Move move);

/// A move in the western notation of Hosking with the origin always written, hence never ambiguous:
/// "P7g-7f", "B8hx2b+", "P*5e", "+R2b-3b", "N4ex3c=" (promotion declined). ASCII.
///
/// Shape   `move` is legal in `position`.
std::string to_english(const Position& position, Move move);

}  // namespace yomi::shogi
