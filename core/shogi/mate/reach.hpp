#pragma once

#include "core/shogi/attacks.hpp"

namespace yomi::shogi::mate {

/// Every square on which a piece that stands on `square` bears, were the board empty.
inline Bitboard reach(Color side, PieceType kind, Square square) noexcept {
    Bitboard all = steps(side, kind, square);
    if (kind == PieceType::lance) all |= lance_ray(side, square);
    if (kind == PieceType::bishop || kind == PieceType::horse) all |= bishop_rays(square);
    if (kind == PieceType::rook || kind == PieceType::dragon) all |= rook_rays(square);
    return all;
}

}  // namespace yomi::shogi::mate
