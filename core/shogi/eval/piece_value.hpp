#pragma once

#include <array>

#include "core/shogi/types.hpp"

namespace yomi::shogi {

/// What a piece is worth on the board, the king excepted.
///
/// Unit    centipawns (pawn = 100). Hands count at the unpromoted value.
/// Source  own round figures in the usual proportions of computer shogi (gold about five pawns, a
/// promoted
///         pawn a little more than a gold); a tuned evaluator brings its own.
inline constexpr std::array<int, kPieceTypes> kPieceValue{
    0,    // none
    100,  // pawn
    270,  // lance
    300,  // knight
    430,  // silver
    650,  // bishop
    740,  // rook
    510,  // gold
    0,    // king
    610,  // pro_pawn
    560,  // pro_lance
    580,  // pro_knight
    570,  // pro_silver
    950,  // horse
    1090  // dragon
};

constexpr int piece_value(PieceType t) noexcept {
    return kPieceValue[static_cast<std::size_t>(index(t))];
}

/// Material swing of capturing a piece of kind `t`: it leaves one side's board and joins the
/// other's hand.
constexpr int capture_value(PieceType t) noexcept {
    return piece_value(t) + piece_value(unpromote(t));
}

/// Material gained by promoting; 0 for kinds that cannot.
constexpr int promotion_value(PieceType t) noexcept {
    return can_promote(t) ? piece_value(promote(t)) - piece_value(t) : 0;
}

}  // namespace yomi::shogi
