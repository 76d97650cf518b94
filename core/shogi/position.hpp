#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "core/shogi/bitboard.hpp"
#include "core/shogi/types.hpp"

namespace yomi::shogi {

/// How the current position relates to earlier ones of its game (and search line).
enum class Repetition : std::uint8_t {
    none,
    draw,           ///< the fourth occurrence, no perpetual check
    win,            ///< the fourth occurrence and the opponent gave check with every move of the cycle: the side to move wins
    loss,           ///< likewise, but the side to move is the perpetual checker
};

/// A legal shogi position with its history. A value: copies are independent.
///
/// A Position always obeys the rules of `from_setup`. `do_move` trusts its caller: hand it legal moves
/// only (`legal_moves`, `is_legal`, or the notation readers).
class Position {
public:
    static Position startpos();

    /// Checks a setup and makes it a position, or names the first breach:
    /// too many of a kind, two kings of one side, two unpromoted pawns of one side on a file, a piece that
    /// could never move, the side not to move in check, pawn/king counts. A missing king is allowed
    /// for one side only (tsume); `allow_missing_king = false` forbids that too.
    static Result<Position> from_setup(const Setup& setup, bool allow_missing_king = true);
    [[nodiscard]] Setup setup() const;

    [[nodiscard]] Color side_to_move() const noexcept;
    /// Number of the next move (SFEN's last field), counted on by `do_move`.
    [[nodiscard]] int ply() const noexcept;
    [[nodiscard]] Piece piece_on(Square square) const noexcept;
    [[nodiscard]] Hand hand(Color color) const noexcept;
    /// Square of the king or `kNoSquare`.
    [[nodiscard]] Square king(Color color) const noexcept;
    [[nodiscard]] const Bitboard& occupied() const noexcept;
    [[nodiscard]] const Bitboard& pieces(Color color) const noexcept;
    [[nodiscard]] Bitboard pieces(Color color, PieceType type) const noexcept;

    /// Zobrist word of board, hands and side to move.
    [[nodiscard]] std::uint64_t key() const noexcept;
    /// Material, black minus white, pawn = 100, hands included (incremental).
    [[nodiscard]] int material() const noexcept;

    [[nodiscard]] const Bitboard& checkers() const noexcept;
    [[nodiscard]] bool in_check() const noexcept;
    /// Pieces of either side whose removal would open a ray onto the king of `color`.
    [[nodiscard]] const Bitboard& blockers(Color king_color) const noexcept;
    /// Pieces of `by` that bear on `square` with the given occupancy.
    [[nodiscard]] Bitboard attackers(Color by, Square square, const Bitboard& occupancy) const noexcept;

    void do_move(Move move);
    void undo_move();
    void do_null_move();
    void undo_null_move();
    /// The move that led here, or no move at the root (and after a null move).
    [[nodiscard]] Move last_move() const noexcept;
    /// What the last move captured, `kNoPiece` if nothing.
    [[nodiscard]] Piece captured() const noexcept;
    /// Moves played since the setup.
    [[nodiscard]] int history_size() const noexcept;

    /// Whether `move` (any bits, e.g. from a hash table of another position) is legal here.
    [[nodiscard]] bool is_legal(Move move) const;
    /// Why an illegal move is illegal, for people; empty when it is legal.
    [[nodiscard]] std::string why_illegal(Move move) const;
    [[nodiscard]] bool gives_check(Move move) const;
    [[nodiscard]] bool is_capture(Move move) const noexcept { return !move.is_drop() && piece_on(move.to()) != kNoPiece; }

    /// Game-rule repetition over the whole history (four-fold; perpetual check).
    [[nodiscard]] Repetition repetition() const;
    /// Earlier occurrences of this position in the history (0 = new).
    [[nodiscard]] int occurrences_before() const;
    /// Search-side repetition: the position already occurred at or after `ply_from_root` plies back
    /// (second occurrence inside the search line), or it is the fourth overall. Perpetual check is scored as by rule.
    [[nodiscard]] Repetition search_repetition(int plies_since_root) const;

    /// Recomputes every incremental field from the board and compares; returns the first difference, or
    /// empty. Slow: for tests and debug asserts.
    [[nodiscard]] std::string validate() const;
};

}  // namespace yomi::shogi
