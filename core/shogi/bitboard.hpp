#pragma once

#include <bit>
#include <cassert>
#include <cstdint>
#include <iosfwd>
#include <string>

#include "core/shogi/types.hpp"

namespace yomi::shogi {

/// A set of squares.
///
/// Shape   two words: bits 0-62 of `lo` are files 1-7, bits 0-17 of `hi` are files 8-9. No file is
///         cut in two, so a step within a file is one shift of each word. Every other bit is 0.
/// Cost    16 bytes, all operations a few instructions; copies are free.
class Bitboard {
public:
    static constexpr int kLoSquares = 63;
    static constexpr std::uint64_t kLoMask = (1ULL << 63) - 1;
    static constexpr std::uint64_t kHiMask = (1ULL << 18) - 1;

    constexpr Bitboard() noexcept = default;
    /// The two words; bits outside the board must be 0.
    constexpr Bitboard(std::uint64_t lo, std::uint64_t hi) noexcept : lo_(lo), hi_(hi) {}

    static constexpr Bitboard all() noexcept { return {kLoMask, kHiMask}; }
    static constexpr Bitboard of(Square s) noexcept {
        return s < kLoSquares ? Bitboard(1ULL << s, 0) : Bitboard(0, 1ULL << (s - kLoSquares));
    }
    /// `file` 0..8.
    static constexpr Bitboard file(int file) noexcept {
        return file < 7 ? Bitboard(0x1FFULL << (file * 9), 0)
                        : Bitboard(0, 0x1FFULL << ((file - 7) * 9));
    }
    /// `rank` 0..8 (a..i).
    static constexpr Bitboard rank(int rank) noexcept {
        return {0x0040201008040201ULL << rank, 0x201ULL << rank};
    }

    [[nodiscard]] constexpr std::uint64_t lo() const noexcept { return lo_; }
    [[nodiscard]] constexpr std::uint64_t hi() const noexcept { return hi_; }

    [[nodiscard]] constexpr bool any() const noexcept { return (lo_ | hi_) != 0; }
    [[nodiscard]] constexpr bool none() const noexcept { return !any(); }
    [[nodiscard]] constexpr int count() const noexcept {
        return std::popcount(lo_) + std::popcount(hi_);
    }
    [[nodiscard]] constexpr bool more_than_one() const noexcept {
        // A word may lose its lowest bit twice only if it had two; two halves count as two as well.
        return (lo_ & (lo_ - 1)) != 0 || (hi_ & (hi_ - 1)) != 0 || (lo_ != 0 && hi_ != 0);
    }
    [[nodiscard]] constexpr bool test(Square s) const noexcept {
        return s < kLoSquares ? ((lo_ >> s) & 1U) != 0 : ((hi_ >> (s - kLoSquares)) & 1U) != 0;
    }
    [[nodiscard]] constexpr bool intersects(const Bitboard& other) const noexcept {
        return ((lo_ & other.lo_) | (hi_ & other.hi_)) != 0;
    }
    constexpr void set(Square s) noexcept { *this |= of(s); }
    constexpr void reset(Square s) noexcept { *this = without(of(s)); }

    /// The lowest square; the set must not be empty.
    [[nodiscard]] constexpr Square lowest() const noexcept {
        assert(any());
        return static_cast<Square>(lo_ != 0 ? std::countr_zero(lo_)
                                            : kLoSquares + std::countr_zero(hi_));
    }
    /// Removes the lowest square and returns it; the set must not be empty.
    constexpr Square pop_lowest() noexcept {
        assert(any());
        if (lo_ != 0) {
            const int s = std::countr_zero(lo_);
            lo_ &= lo_ - 1;
            return static_cast<Square>(s);
        }
        const int s = std::countr_zero(hi_);
        hi_ &= hi_ - 1;
        return static_cast<Square>(kLoSquares + s);
    }
    /// This set minus `other`.
    [[nodiscard]] constexpr Bitboard without(const Bitboard& other) const noexcept {
        return {lo_ & ~other.lo_, hi_ & ~other.hi_};
    }

    constexpr Bitboard& operator&=(const Bitboard& b) noexcept {
        lo_ &= b.lo_;
        hi_ &= b.hi_;
        return *this;
    }
    constexpr Bitboard& operator|=(const Bitboard& b) noexcept {
        lo_ |= b.lo_;
        hi_ |= b.hi_;
        return *this;
    }
    constexpr Bitboard& operator^=(const Bitboard& b) noexcept {
        lo_ ^= b.lo_;
        hi_ ^= b.hi_;
        return *this;
    }
    friend constexpr Bitboard operator&(Bitboard a, const Bitboard& b) noexcept { return a &= b; }
    friend constexpr Bitboard operator|(Bitboard a, const Bitboard& b) noexcept { return a |= b; }
    friend constexpr Bitboard operator^(Bitboard a, const Bitboard& b) noexcept { return a ^= b; }
    constexpr Bitboard operator~() const noexcept { return {~lo_ & kLoMask, ~hi_ & kHiMask}; }
    friend constexpr bool operator==(const Bitboard&, const Bitboard&) noexcept = default;

    /// Iteration in ascending square order: `for (const Square s : set)`.
    class Iterator {
    public:
        constexpr Iterator(std::uint64_t lo, std::uint64_t hi) noexcept : lo_(lo), hi_(hi) {}
        constexpr Square operator*() const noexcept { return Bitboard(lo_, hi_).lowest(); }
        constexpr Iterator& operator++() noexcept {
            if (lo_ != 0) {
                lo_ &= lo_ - 1;
            } else {
                hi_ &= hi_ - 1;
            }
            return *this;
        }
        friend constexpr bool operator==(const Iterator&, const Iterator&) noexcept = default;

    private:
        std::uint64_t lo_;
        std::uint64_t hi_;
    };
    [[nodiscard]] constexpr Iterator begin() const noexcept { return {lo_, hi_}; }
    [[nodiscard]] constexpr Iterator end() const noexcept { return {0, 0}; }

private:
    std::uint64_t lo_ = 0;
    std::uint64_t hi_ = 0;
};
static_assert(sizeof(Bitboard) == 16);

/// Nine lines of nine, file 9 on the left and rank a on top as on a printed board; `*` is a member.
std::string to_string(const Bitboard& set);
std::ostream& operator<<(std::ostream& out, const Bitboard& set);

/// Squares one step towards `side`'s far end (rank a for Black); what leaves the board is dropped.
template <Color Side>
constexpr Bitboard step_forward(const Bitboard& set) noexcept {
    if constexpr (Side == Color::black) {
        const Bitboard rest = set.without(Bitboard::rank(0));
        return {rest.lo() >> 1, rest.hi() >> 1};
    } else {
        const Bitboard rest = set.without(Bitboard::rank(8));
        return {rest.lo() << 1, rest.hi() << 1};
    }
}

/// The rank (0..8) that is `side`'s n-th counted from its far end, n = 0 the farthest.
constexpr int far_rank(Color side, int n) noexcept {
    return side == Color::black ? n : 8 - n;
}

/// The three farthest ranks of `side`, where pieces promote.
constexpr Bitboard promotion_zone(Color side) noexcept {
    return Bitboard::rank(far_rank(side, 0)) | Bitboard::rank(far_rank(side, 1)) |
           Bitboard::rank(far_rank(side, 2));
}

/// Squares where an unpromoted `type` of `side` still has a move.
constexpr Bitboard living_squares(Color side, PieceType type) noexcept {
    Bitboard dead;
    if (type == PieceType::pawn || type == PieceType::lance || type == PieceType::knight) {
        dead |= Bitboard::rank(far_rank(side, 0));
    }
    if (type == PieceType::knight) dead |= Bitboard::rank(far_rank(side, 1));
    return ~dead;
}

/// Whole files that hold no square of `pawns`.
///
/// `pawns` has at most one square a file (nifu): then 2^8 minus the file's nine bits keeps bit 8
/// only when the file is empty, and no borrow leaves a file.
constexpr Bitboard files_without(const Bitboard& pawns) noexcept {
    constexpr Bitboard kTop = Bitboard::rank(8);
    const std::uint64_t lo = (kTop.lo() - pawns.lo()) & kTop.lo();
    const std::uint64_t hi = (kTop.hi() - pawns.hi()) & kTop.hi();
    return {lo | (lo - (lo >> 8)), hi | (hi - (hi >> 8))};
}

}  // namespace yomi::shogi
