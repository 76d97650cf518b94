#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <string>
#include <type_traits>

#include "core/base/bits.hpp"
#include "core/base/result.hpp"
#include "core/shogi/mailbox.hpp"
#include "core/shogi/types.hpp"

namespace yomi::shogi {

/// Which squares each side bears on, kept up to date move by move.
///
/// Near effects are single steps: every move of pawn, knight, silver, gold, king and the small
/// promoted pieces, and the king-like steps of horse and dragon. Far effects are the sliding rays
/// of lance, bishop, rook, horse and dragon, from the adjacent square up to and including the first
/// piece of either side. Own pieces count as borne upon (protected). For each far effect a bit
/// names the direction in which it arrives; a side has at most one slider behind each direction, so
/// the bits of a square are as many as its far count, and walking back against a bit finds the
/// slider.
///
/// Shape   81 squares; counts 0..10 near and 0..8 far per side. Held as 221 mailbox words of 64
/// bits:
///         byte 0 piece (0xFF off the board), 1-2 near, 3-4 far, 5-6 direction bits, Black's first;
///         byte 7 is 0. Rays and steps run onto the cells around the board without a check; what
///         gathers there is a function of the board as well, so equal boards are equal values.
/// Errors  `from_setup` only. `do_move` trusts its caller; it knows no rules and would follow any
/// piece. Threads a value; one owner at a time. Cost    a move and its undoing: the mover's own
/// rays and steps twice, plus every ray that crosses its
///         two squares (tests/bench/effect_bench.cpp). Reading: one load.
/// Source  Arioka, "KFEnd: data structures" (2000): near and far counts, far directions as bits.
class EffectBoard {
public:
    /// The empty board.
    EffectBoard() noexcept;

    /// The effects of a board, from nothing. Hands and side to move do not matter.
    /// Errors  illegal_position when a square holds a code that is no piece; the message names the
    /// square.
    static Result<EffectBoard> from_setup(const Setup& setup);

    // ---- reading -------------------------------------------------------------------------------

    [[nodiscard]] int near(Color by, Square square) const noexcept {
        return byte(square, kNearShift, by);
    }
    [[nodiscard]] int far(Color by, Square square) const noexcept {
        return byte(square, kFarShift, by);
    }
    [[nodiscard]] int total(Color by, Square square) const noexcept {
        return near(by, square) + far(by, square);
    }
    /// The directions in which far effects of `by` arrive: bits as `mailbox::direction_bit`.
    [[nodiscard]] std::uint8_t far_directions(Color by, Square square) const noexcept {
        return static_cast<std::uint8_t>(byte(square, kDirectionShift, by));
    }
    [[nodiscard]] Piece piece_on(Square square) const noexcept {
        return static_cast<Piece>(cells_[static_cast<std::size_t>(mailbox::cell_of(square))] &
                                  0xFFU);
    }

    /// The slider of `by` whose ray arrives on `square` in `direction`, or `kNoSquare` if there is
    /// none. Cost: walks back to it.
    [[nodiscard]] Square slider_behind(Color by, Square square, Direction direction) const noexcept;
    /// Calls `visit(Square slider, Direction)` for each far effect of `by` on `square`.
    template <class Visit>
    void for_each_slider(Color by, Square square, Visit&& visit) const {
        std::uint64_t bits = far_directions(by, square);
        while (bits != 0) {
            const auto direction = static_cast<Direction>(pop_lowest_bit(bits));
            visit(slider_behind(by, square, direction), direction);
        }
    }

    /// One number for each of the 81 squares, in the order of `Square`.
    using Map = std::array<std::uint8_t, kSquares>;
    [[nodiscard]] Map near_map(Color by) const noexcept { return map(kNearShift, by); }
    [[nodiscard]] Map far_map(Color by) const noexcept { return map(kFarShift, by); }
    [[nodiscard]] Map direction_map(Color by) const noexcept { return map(kDirectionShift, by); }

    // ---- changing ------------------------------------------------------------------------------

    /// Puts a piece on an empty square: rays that crossed it end there from now on.
    void put(Piece piece, Square square) noexcept;
    /// Takes the piece off a square and returns it: rays that ended there run on.
    Piece lift(Square square) noexcept;

    /// Plays a move and returns what it captured (`kNoPiece` if nothing): `undo_move` needs it.
    Piece do_move(Move move) noexcept;
    /// Takes back the move played last.
    void undo_move(Move move, Piece captured) noexcept;

    friend bool operator==(const EffectBoard&, const EffectBoard&) = default;

private:
    static constexpr int kNearShift = 8;
    static constexpr int kFarShift = 24;
    static constexpr int kDirectionShift = 40;
    static constexpr std::uint64_t kPieceMask = 0xFF;

    [[nodiscard]] int byte(Square square, int shift, Color by) const noexcept {
        const std::uint64_t word = cells_[static_cast<std::size_t>(mailbox::cell_of(square))];
        return static_cast<int>((word >> (shift + 8 * index(by))) & 0xFFU);
    }
    [[nodiscard]] Map map(int shift, Color by) const noexcept;

    [[nodiscard]] bool is_empty(int z) const noexcept {
        return (cells_[static_cast<std::size_t>(z)] & kPieceMask) == 0;
    }
    void set_piece(int z, Piece piece) noexcept {
        std::uint64_t& word = cells_[static_cast<std::size_t>(z)];
        word = (word & ~kPieceMask) | piece;
    }
    void add_ray(int z, int step, std::uint64_t delta) noexcept;
    void add_effects_of(Piece piece, int z, bool remove) noexcept;
    void change_crossing_rays(int z, bool cut) noexcept;

    std::array<std::uint64_t, mailbox::kCells> cells_;
};
static_assert(sizeof(EffectBoard) == 1768);
static_assert(std::is_trivially_copyable_v<EffectBoard>);

}  // namespace yomi::shogi
