#pragma once

#include <string>

#include "core/shogi/position.hpp"

namespace yomi::shogi {

/// A move as Japanese game records (KI2) and newspapers write it: "☗７六歩", "☖同　銀",
/// "☗４二金右", "☗２二角成", "☖３三桂不成", "☗５二金打". UTF-8.
///
/// Shape   side mark, destination (full-width file, kanji rank, or 同 and an ideographic space when
///         the previous move went there), the piece before the move; which of several pieces by
///         右 左 直 上 寄 引, or 打 for a drop that a piece on the board could be taken for; 成 or,
///         where promotion was possible and declined, 不成. `move` is legal in `position`.
/// Source  日本将棋連盟 「棋譜の表記方法」; see `direction_words`.
std::string to_japanese(const Position& position, Move move);

/// A move in the western notation of Hosking with the origin always written, hence never ambiguous:
/// "P7g-7f", "B8hx2b+", "P*5e", "+R2b-3b", "N4ex3c=" (promotion declined). ASCII.
///
/// Shape   `move` is legal in `position`.
std::string to_english(const Position& position, Move move);

}  // namespace yomi::shogi
