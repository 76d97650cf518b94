#pragma once

#include <array>
#include <cassert>
#include <cstdint>

namespace yomi::shogi {

/// The two sides. Black (sente, ☗) moves first from the usual start and sits below, advancing to
/// rank a.
enum class Color : std::uint8_t { black = 0, white = 1 };

constexpr Color operator~(Color c) noexcept {
    return static_cast<Color>(static_cast<std::uint8_t>(c) ^ 1U);
}
constexpr int index(Color c) noexcept {
    return static_cast<int>(c);
}

/// A square as one number: `file * 9 + rank`, file 0..8 = files 1..9, rank 0..8 = ranks a..i.
/// A file is nine consecutive bits, so a lance's ray and a pawn's file are one shift away.
using Square = std::int8_t;
inline constexpr Square kNoSquare = -1;
inline constexpr int kSquares = 81;

constexpr Square make_square(int file, int rank) noexcept {
    return static_cast<Square>(file * 9 + rank);
}
constexpr int file_of(Square s) noexcept {
    return s / 9;
}
constexpr int rank_of(Square s) noexcept {
    return s % 9;
}
/// The same square seen from the other side of the board.
constexpr Square rotate(Square s) noexcept {
    return static_cast<Square>(80 - s);
}

/// Kinds of pieces. Promotion is +8; gold and king have no promoted form.
enum class PieceType : std::uint8_t {
    none = 0,
    pawn = 1,
    lance = 2,
    knight = 3,
    silver = 4,
    bishop = 5,
    rook = 6,
    gold = 7,
    king = 8,
    pro_pawn = 9,
    pro_lance = 10,
    pro_knight = 11,
    pro_silver = 12,
    horse = 13,
    dragon = 14,
};
inline constexpr int kPieceTypes = 15;
inline constexpr int kHandKinds = 7;  ///< pawn .. gold

constexpr int index(PieceType t) noexcept {
    return static_cast<int>(t);
}
constexpr bool is_promoted(PieceType t) noexcept {
    return index(t) > index(PieceType::king);
}
constexpr bool can_promote(PieceType t) noexcept {
    return index(t) >= index(PieceType::pawn) && index(t) <= index(PieceType::rook);
}
constexpr PieceType promote(PieceType t) noexcept {
    return static_cast<PieceType>(index(t) + 8);
}
/// The kind as it goes to a hand: promoted kinds turn back, gold and king stay.
constexpr PieceType unpromote(PieceType t) noexcept {
    return is_promoted(t) ? static_cast<PieceType>(index(t) - 8) : t;
}

/// A piece of one side: kind in bits 0-3, side in bit 4. 0 is the empty square.
using Piece = std::uint8_t;
inline constexpr Piece kNoPiece = 0;
inline constexpr int kPieces = 32;

constexpr Piece make_piece(Color c, PieceType t) noexcept {
    return static_cast<Piece>(index(t) | (index(c) << 4));
}
constexpr PieceType type_of(Piece p) noexcept {
    return static_cast<PieceType>(p & 15U);
}
constexpr Color color_of(Piece p) noexcept {
    return static_cast<Color>(p >> 4);
}

/// Pieces in one hand, packed so that the usual questions are one compare.
///
/// Shape   bits: pawn 0-4, lance 8-10, knight 12-14, silver 16-18, bishop 20-21, rook 24-25, gold
/// 28-30;
///         the bit above each field is always 0, which makes `covers` a subtraction and a mask.
class Hand {
public:
    constexpr Hand() noexcept = default;
    [[nodiscard]] constexpr int count(PieceType t) const noexcept {
        return static_cast<int>((bits_ >> shift(t)) & mask(t));
    }
    [[nodiscard]] constexpr bool has(PieceType t) const noexcept { return count(t) != 0; }
    [[nodiscard]] constexpr bool empty() const noexcept { return bits_ == 0; }
    constexpr void add(PieceType t) noexcept { bits_ += 1U << shift(t); }
    constexpr void remove(PieceType t) noexcept { bits_ -= 1U << shift(t); }
    constexpr void set(PieceType t, int n) noexcept {
        bits_ = (bits_ & ~(mask(t) << shift(t))) | (static_cast<std::uint32_t>(n) << shift(t));
    }
    [[nodiscard]] constexpr std::uint32_t bits() const noexcept { return bits_; }
    /// Whether this hand holds at least as many of every kind as `other` (hand dominance).
    [[nodiscard]] constexpr bool covers(Hand other) const noexcept {
        return ((bits_ - other.bits_) & kBorrow) == 0;
    }
    friend constexpr bool operator==(Hand, Hand) noexcept = default;

private:
    // One guard bit above each field: a borrow in the subtraction shows up there.
    static constexpr std::uint32_t kBorrow = 0x84488820U;
    static constexpr int shift(PieceType t) noexcept {
        constexpr std::array<int, 8> kShift{0, 0, 8, 12, 16, 20, 24, 28};
        return kShift[static_cast<std::size_t>(t)];
    }
    static constexpr std::uint32_t mask(PieceType t) noexcept {
        constexpr std::array<std::uint32_t, 8> kMask{0, 31, 7, 7, 7, 3, 3, 7};
        return kMask[static_cast<std::size_t>(t)];
    }
    std::uint32_t bits_ = 0;
};

/// A move in 32 bits; 0 is "no move".
///
/// Shape   bits 0-6 destination, 7-13 origin (or 81 + kind for a drop), 14 promotion, 15 drop,
///         16-20 the piece after the move (promoted if it promotes). The low 16 bits identify a
///         move within one position; the high bits spare the board look-up in move ordering.
class Move {
public:
    constexpr Move() noexcept = default;
    static constexpr Move from_bits(std::uint32_t bits) noexcept { return Move(bits); }
    /// `piece` is the mover before the move.
    static constexpr Move board(Square from, Square to, Piece piece, bool promotes) noexcept {
        const std::uint32_t after = promotes ? piece + 8U : piece;
        return Move(static_cast<std::uint32_t>(to) | static_cast<std::uint32_t>(from) << 7 |
                    (promotes ? 1U << 14 : 0U) | after << 16);
    }
    static constexpr Move drop(PieceType kind, Square to, Color side) noexcept {
        return Move(static_cast<std::uint32_t>(to) |
                    static_cast<std::uint32_t>(kSquares + index(kind)) << 7 | 1U << 15 |
                    static_cast<std::uint32_t>(make_piece(side, kind)) << 16);
    }

    [[nodiscard]] constexpr Square to() const noexcept { return static_cast<Square>(bits_ & 127U); }
    /// Origin square; only for moves that are not drops.
    [[nodiscard]] constexpr Square from() const noexcept {
        return static_cast<Square>((bits_ >> 7) & 127U);
    }
    [[nodiscard]] constexpr bool is_drop() const noexcept { return (bits_ & (1U << 15)) != 0; }
    [[nodiscard]] constexpr bool is_promotion() const noexcept { return (bits_ & (1U << 14)) != 0; }
    [[nodiscard]] constexpr PieceType dropped() const noexcept {
        return static_cast<PieceType>(((bits_ >> 7) & 127U) - kSquares);
    }
    /// The piece as it stands on `to()` after the move.
    [[nodiscard]] constexpr Piece piece_after() const noexcept {
        return static_cast<Piece>((bits_ >> 16) & 31U);
    }
    /// The piece before the move (a promotion undone).
    [[nodiscard]] constexpr Piece piece_before() const noexcept {
        return static_cast<Piece>(piece_after() - (is_promotion() ? 8U : 0U));
    }
    [[nodiscard]] constexpr std::uint32_t bits() const noexcept { return bits_; }
    [[nodiscard]] constexpr std::uint16_t bits16() const noexcept {
        return static_cast<std::uint16_t>(bits_);
    }
    constexpr explicit operator bool() const noexcept { return bits_ != 0; }
    friend constexpr bool operator==(Move, Move) noexcept = default;

private:
    explicit constexpr Move(std::uint32_t bits) noexcept : bits_(bits) {}
    std::uint32_t bits_ = 0;
};
inline constexpr Move kNoMove{};

/// The most legal moves that a position can have (proved by construction in the literature: 593).
inline constexpr int kMaxMoves = 593;

/// A board that nobody has checked: anything that can be written down. Only `Position::from_setup`
/// turns it into a `Position`.
struct Setup {
    std::array<Piece, kSquares> board{};
    std::array<Hand, 2> hands{};
    Color side_to_move = Color::black;
    int ply = 1;  ///< number of the next move, as in SFEN

    friend bool operator==(const Setup&, const Setup&) = default;
};

}  // namespace yomi::shogi
