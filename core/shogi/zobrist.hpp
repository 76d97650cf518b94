#pragma once

#include <array>
#include <cstdint>

#include "core/shogi/types.hpp"

namespace yomi::shogi::zobrist {

/// Most pieces of one kind in a hand (18 pawns) plus the empty hand.
inline constexpr std::size_t kHandCounts = 19;

/// Words of SplitMix64 with a fixed seed, constant-initialised: keys are the same in every process,
/// so books and stored answers may hold them.
extern const std::array<std::array<std::uint64_t, kSquares>, kPieces> kBoard;
/// [side][kind][count]; the word of an empty hand is 0.
extern const std::array<std::array<std::array<std::uint64_t, kHandCounts>, kHandKinds + 1>, 2>
    kHand;
/// Set in the key when White is to move.
extern const std::uint64_t kWhiteToMove;

inline std::uint64_t board(Piece piece, Square s) noexcept {
    return kBoard[piece][s];
}
inline std::uint64_t hand(Color c, PieceType t, int count) noexcept {
    return kHand[static_cast<std::size_t>(index(c))][static_cast<std::size_t>(index(t))]
                [static_cast<std::size_t>(count)];
}

}  // namespace yomi::shogi::zobrist
