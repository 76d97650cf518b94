#pragma once

#include <array>
#include <cstdint>

#include "core/shogi/position.hpp"

namespace yomi::shogi::eval {

/// What the classic evaluation counts for one side; `ClassicTables` say what a count is worth. The
/// tuner reads the same counts, so that what it fits is what the search uses.
struct ClassicCounts {
    int lance_moves = 0;    ///< squares that lances bear on
    int bishop_moves = 0;   ///< squares that bishops and horses can go to
    int rook_moves = 0;     ///< squares that rooks and dragons can go to
    int covered_once = 0;   ///< squares borne on at least once
    int covered_twice = 0;  ///< squares borne on at least twice
    /// Attack on this side's king, 0..600: it grows with the square of hits, because one attacker
    /// is nothing and three are an attack.
    int pressure = 0;
    int drop_threat = 0;  ///< what the other hand can do to this side's king, 0..400
    /// `zone_state` of each square round this side's king.
    std::array<std::uint8_t, 8> zone{};
    std::size_t zone_size = 0;
};

/// The counts of Black and of White. A side without a king has no pressure, threat or zone.
/// Cost    one pass over the pieces.
std::array<ClassicCounts, 2> classic_counts(const Position& position) noexcept;

}  // namespace yomi::shogi::eval
