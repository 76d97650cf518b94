#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/shogi/types.hpp"

namespace yomi::shogi::eval::nnue {

/// The number of a piece where it is, as one side sees it: the row of a net's first layer.
///
/// Shape   0 stands for a piece that the game lacks (handicap); 1..89 pieces in hand, one number
/// for
///         each piece of a kind (the third pawn in hand is pawn base + 2); 90..1,547 pieces on the
///         board, plane by plane; 1,548..1,709 the kings, used by K-P only. Promoted pawns, lances,
///         knights and silvers share the gold's plane.
/// Source  the layout of the public "nn.bin" files for shogi.
using PieceNumber = std::uint16_t;

inline constexpr PieceNumber kMissingPiece = 0;
inline constexpr int kBoardBase = 90;
inline constexpr int kPieceNumbers = kBoardBase + 18 * kSquares;           // 1,548
inline constexpr int kKingAndPieceNumbers = kPieceNumbers + 2 * kSquares;  // 1,710
inline constexpr int kHalfKpRows = kSquares * kPieceNumbers;               // 125,388
inline constexpr int kPieces38 = 38;  ///< pieces of a full set, kings left out

/// The square as `perspective` sees it.
constexpr int seen_by(Color perspective, Square s) noexcept {
    return perspective == Color::black ? s : 80 - s;
}

/// A king's plane is no plane of `board_number`.
constexpr int plane_of(PieceType type) noexcept {
    switch (type) {
        case PieceType::pawn:
            return 0;
        case PieceType::lance:
            return 1;
        case PieceType::knight:
            return 2;
        case PieceType::silver:
            return 3;
        case PieceType::bishop:
            return 5;
        case PieceType::horse:
            return 6;
        case PieceType::rook:
            return 7;
        case PieceType::dragon:
            return 8;
        default:
            return 4;  // gold and what moves like it
    }
}

/// Of a piece on the board that is no king.
constexpr PieceNumber board_number(Color perspective, Piece piece, Square s) noexcept {
    const int other = color_of(piece) == perspective ? 0 : kSquares;
    return static_cast<PieceNumber>(kBoardBase + 2 * kSquares * plane_of(type_of(piece)) + other +
                                    seen_by(perspective, s));
}

/// Of `owner`'s king.
constexpr PieceNumber king_number(Color perspective, Color owner, Square s) noexcept {
    return static_cast<PieceNumber>(kPieceNumbers + (owner == perspective ? 0 : kSquares) +
                                    seen_by(perspective, s));
}

/// Of the piece of kind `type` that is the `nth` (0, 1, ...) of its kind in `owner`'s hand.
constexpr PieceNumber hand_number(Color perspective,
                                  Color owner,
                                  PieceType type,
                                  int nth) noexcept {
    struct Bases {
        int own;
        int other;
    };
    // [kind]: none, pawn, lance, knight, silver, bishop, rook, gold.
    constexpr std::array<Bases, 8> kBases{
        {{0, 0}, {1, 20}, {39, 44}, {49, 54}, {59, 64}, {79, 82}, {85, 88}, {69, 74}}};
    const Bases& bases = kBases[static_cast<std::size_t>(type)];
    return static_cast<PieceNumber>((owner == perspective ? bases.own : bases.other) + nth);
}

}  // namespace yomi::shogi::eval::nnue
