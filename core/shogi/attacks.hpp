#pragma once

#include <array>
#include <bit>
#include <cstdint>

#if defined(__BMI2__)
#include <immintrin.h>
#endif

#include "core/shogi/bitboard.hpp"
#include "core/shogi/types.hpp"

namespace yomi::shogi {

/// The eight directions of a ray, so numbered that `d ^ 7` is the opposite one and the first four
/// run towards lower squares. "north" is rank a, "east" is file 1.
enum class Direction : std::uint8_t {
    north = 0,       ///< square - 1
    north_east = 1,  ///< square - 10
    east = 2,        ///< square - 9
    south_east = 3,  ///< square - 8
    north_west = 4,  ///< square + 8
    west = 5,        ///< square + 9
    south_west = 6,  ///< square + 10
    south = 7,       ///< square + 1
    none = 8,        ///< two squares on no common line
};
constexpr int index(Direction d) noexcept {
    return static_cast<int>(d);
}
constexpr Direction opposite(Direction d) noexcept {
    return static_cast<Direction>(static_cast<std::uint8_t>(d) ^ 7U);
}

/// The lines through a square that are not its file.
enum class Axis : std::uint8_t { rank = 0, diagonal = 1, antidiagonal = 2 };

namespace tables {

/// One line through one square, ready for bit gathering.
struct Line {
    std::uint64_t lo;        ///< the line's squares in the low word
    std::uint64_t hi;        ///< and in the high word
    std::uint32_t lo_count;  ///< how many of them are in the low word
    std::uint32_t place;  ///< 0..8: which square of the line, counted from the lowest, this one is
};

/// Constant-initialised: usable before main and from any thread.
extern const std::array<std::array<Bitboard, kSquares>, kPieces> kSteps;
extern const std::array<std::array<Bitboard, kSquares>, 9> kRays;
extern const std::array<std::array<Direction, kSquares>, kSquares> kDirections;
extern const std::array<Bitboard, kSquares> kBishopRays;
extern const std::array<Bitboard, kSquares> kRookRays;
extern const std::array<std::array<Line, kSquares>, 3> kLines;
extern const std::array<std::array<std::uint16_t, 128>, 9> kLineAttacks;
/// Shift that brings a square's file to bits 0-8 of its word.
extern const std::array<std::uint8_t, kSquares> kFileShift;
extern const std::array<std::uint8_t, kSquares> kRankOf;

}  // namespace tables

/// The one-step moves of `piece`: everything for a stepper, the king-like steps for horse and
/// dragon, nothing for lance, bishop and rook.
inline const Bitboard& steps(Piece piece, Square s) noexcept {
    return tables::kSteps[piece][s];
}
inline const Bitboard& steps(Color c, PieceType t, Square s) noexcept {
    return tables::kSteps[make_piece(c, t)][s];
}
inline const Bitboard& king_steps(Square s) noexcept {
    return steps(Color::black, PieceType::king, s);
}

/// Squares from `s` (excluded) to the edge. Direction::none gives the empty set.
inline const Bitboard& ray(Direction d, Square s) noexcept {
    return tables::kRays[static_cast<std::size_t>(index(d))][s];
}
inline const Bitboard& bishop_rays(Square s) noexcept {
    return tables::kBishopRays[s];
}
inline const Bitboard& rook_rays(Square s) noexcept {
    return tables::kRookRays[s];
}
/// A lance's moves on an empty board.
inline const Bitboard& lance_ray(Color c, Square s) noexcept {
    return ray(c == Color::black ? Direction::north : Direction::south, s);
}

/// The direction that leads from `a` to `b`, or none.
inline Direction direction(Square a, Square b) noexcept {
    return tables::kDirections[a][b];
}

/// Squares strictly between two squares of one line; empty when they share none.
inline Bitboard between(Square a, Square b) noexcept {
    const Direction d = direction(a, b);
    if (d == Direction::none) return {};
    return ray(d, a) & ray(opposite(d), b);
}

/// The whole line through two squares of one line, edge to edge; empty when they share none.
inline Bitboard line(Square a, Square b) noexcept {
    const Direction d = direction(a, b);
    if (d == Direction::none) return {};
    return ray(d, a) | ray(opposite(d), a) | Bitboard::of(a);
}

/// Whether the three squares lie on one line.
inline bool aligned(Square a, Square b, Square c) noexcept {
    const Direction d = direction(a, b);
    const Direction e = direction(a, c);
    return d != Direction::none && (d == e || d == opposite(e));
}

/// Slider moves along the file of `s`, both ways, first blocker included.
inline Bitboard file_attacks(Square s, const Bitboard& occupancy) noexcept {
    const bool low = s < Bitboard::kLoSquares;
    const int shift = tables::kFileShift[s];
    const std::uint64_t nine = (low ? occupancy.lo() : occupancy.hi()) >> shift;
    const std::uint64_t found =
        static_cast<std::uint64_t>(tables::kLineAttacks[tables::kRankOf[s]][(nine >> 1) & 127U])
        << shift;
    return low ? Bitboard(found, 0) : Bitboard(0, found);
}

/// Slider moves along another line of `s`, without bit gathering: the subtraction trick on the
/// whole board as one number, (o - 2s) for the ray upwards and the same on the byte-reversed board
/// for the ray downwards. Neighbours on these lines are at least 8 bits apart, so reversing bytes
/// alone reverses their order. Source  "o^(o-2r)" and hyperbola quintessence of the chess
/// programming literature, carried to 81 squares.
template <Axis A>
inline Bitboard line_attacks_plain(Square s, const Bitboard& occupancy) noexcept {
    const auto& l = tables::kLines[static_cast<std::size_t>(A)][s];
    const Bitboard self = Bitboard::of(s);
    const auto subtract_twice =
        [](std::uint64_t lo, std::uint64_t hi, std::uint64_t slo, std::uint64_t shi) {
            const std::uint64_t twice_lo = slo << 1;
            const std::uint64_t twice_hi = shi << 1 | slo >> 63;
            const std::uint64_t borrow = lo < twice_lo ? 1 : 0;
            return std::array<std::uint64_t, 2>{lo - twice_lo, hi - twice_hi - borrow};
        };
    const std::uint64_t lo = occupancy.lo() & l.lo;
    const std::uint64_t hi = occupancy.hi() & l.hi;
    const auto up = subtract_twice(lo, hi, self.lo(), self.hi());
    const auto down = subtract_twice(__builtin_bswap64(hi),
                                     __builtin_bswap64(lo),
                                     __builtin_bswap64(self.hi()),
                                     __builtin_bswap64(self.lo()));
    return {(up[0] ^ __builtin_bswap64(down[1])) & l.lo,
            (up[1] ^ __builtin_bswap64(down[0])) & l.hi};
}

/// Slider moves along one line of `s`, first blocker included on both sides.
///
/// Cost    with BMI2: the line's occupancy is gathered into 9 bits, looked up in one 2.3 KB table
/// that all
///         lines of all squares share, and scattered back; no table grows with the board.
template <Axis A>
inline Bitboard line_attacks(Square s, const Bitboard& occupancy) noexcept {
#if defined(__BMI2__)
    const auto& l = tables::kLines[static_cast<std::size_t>(A)][s];
    const std::uint64_t nine = _pext_u64(occupancy.lo(), l.lo) | _pext_u64(occupancy.hi(), l.hi)
                                                                     << l.lo_count;
    const std::uint64_t found = tables::kLineAttacks[l.place][(nine >> 1) & 127U];
    return {_pdep_u64(found, l.lo), _pdep_u64(found >> l.lo_count, l.hi)};
#else
    return line_attacks_plain<A>(s, occupancy);
#endif
}

inline Bitboard lance_attacks(Color c, Square s, const Bitboard& occupancy) noexcept {
    return file_attacks(s, occupancy) & lance_ray(c, s);
}
inline Bitboard bishop_attacks(Square s, const Bitboard& occupancy) noexcept {
    return line_attacks<Axis::diagonal>(s, occupancy) |
           line_attacks<Axis::antidiagonal>(s, occupancy);
}
inline Bitboard rook_attacks(Square s, const Bitboard& occupancy) noexcept {
    return line_attacks<Axis::rank>(s, occupancy) | file_attacks(s, occupancy);
}
inline Bitboard horse_attacks(Square s, const Bitboard& occupancy) noexcept {
    return bishop_attacks(s, occupancy) | king_steps(s);
}
inline Bitboard dragon_attacks(Square s, const Bitboard& occupancy) noexcept {
    return rook_attacks(s, occupancy) | king_steps(s);
}

/// Everything `piece` on `s` bears on, own pieces included.
inline Bitboard attacks(Piece piece, Square s, const Bitboard& occupancy) noexcept {
    switch (type_of(piece)) {
        case PieceType::lance:
            return lance_attacks(color_of(piece), s, occupancy);
        case PieceType::bishop:
            return bishop_attacks(s, occupancy);
        case PieceType::rook:
            return rook_attacks(s, occupancy);
        case PieceType::horse:
            return horse_attacks(s, occupancy);
        case PieceType::dragon:
            return dragon_attacks(s, occupancy);
        default:
            return steps(piece, s);
    }
}

/// Kinds that move like a gold.
constexpr bool moves_like_gold(PieceType t) noexcept {
    return t == PieceType::gold || (t >= PieceType::pro_pawn && t <= PieceType::pro_silver);
}

}  // namespace yomi::shogi
