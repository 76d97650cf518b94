#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "core/shogi/attacks.hpp"
#include "core/shogi/bitboard.hpp"
#include "core/shogi/types.hpp"

namespace yomi::shogi {

/// How the current position relates to earlier ones of its game (and search line).
enum class Repetition : std::uint8_t {
    none,
    draw,  ///< the fourth occurrence, no perpetual check
    win,   ///< the fourth occurrence and the opponent gave check with every move of the cycle: the
           ///< side to move wins
    loss,  ///< likewise, but the side to move is the perpetual checker
};

/// Everything needed to ask of many moves of one position whether they give check.
struct CheckInfo {
    Square king =
        kNoSquare;  ///< the king of the side not to move, or kNoSquare: then nothing gives check
    /// [kind]: from where a piece of the side to move would bear on that king.
    std::array<Bitboard, kPieceTypes> squares{};
    /// Pieces of the side to move that stand between an own slider and that king.
    Bitboard discoverers;
};

/// A legal shogi position with its history. A value: copies are independent.
///
/// A Position always obeys the rules of `from_setup`. `do_move` trusts its caller: hand it legal
/// moves only (`legal_moves`, `is_legal`, or the notation readers).
///
/// Threads one owner at a time; const members may be called from several threads at once.
/// Cost    about 5 KB and 72 bytes a played move.
class Position {
public:
    static Position startpos();

    /// Checks a setup and makes it a position, or names the first breach:
    /// too many of a kind, two kings of one side, two unpromoted pawns of one side on a file, a
    /// piece that could never move, the side not to move in check, pawn/king counts. A missing king
    /// is allowed for one side only (tsume); `allow_missing_king = false` forbids that too. A side
    /// to move that is mated or has no move at all is a position like any other. Ply 0 is read
    /// as 1.
    ///
    /// Errors  illegal_position; `message` names the breach, the side, the kind and the file or
    /// square.
    static Result<Position> from_setup(const Setup& setup, bool allow_missing_king = true);
    [[nodiscard]] Setup setup() const;

    [[nodiscard]] Color side_to_move() const noexcept { return side_; }
    /// Number of the next move (SFEN's last field), counted on by `do_move`.
    [[nodiscard]] int ply() const noexcept { return ply_; }
    [[nodiscard]] Piece piece_on(Square square) const noexcept {
        return board_[static_cast<std::size_t>(square)];
    }
    [[nodiscard]] Hand hand(Color color) const noexcept {
        return hands_[static_cast<std::size_t>(index(color))];
    }
    /// Square of the king or `kNoSquare`.
    [[nodiscard]] Square king(Color color) const noexcept {
        return kings_[static_cast<std::size_t>(index(color))];
    }
    [[nodiscard]] const Bitboard& occupied() const noexcept { return occupied_; }
    [[nodiscard]] const Bitboard& pieces(Color color) const noexcept {
        return by_color_[static_cast<std::size_t>(index(color))];
    }
    /// Pieces of one kind, both sides.
    [[nodiscard]] const Bitboard& pieces(PieceType type) const noexcept {
        return by_type_[static_cast<std::size_t>(index(type))];
    }
    [[nodiscard]] Bitboard pieces(Color color, PieceType type) const noexcept {
        return pieces(color) & pieces(type);
    }
    /// Golds and the promoted kinds that move like one, both sides.
    [[nodiscard]] const Bitboard& gold_movers() const noexcept { return gold_movers_; }

    /// Zobrist word of board, hands and side to move.
    [[nodiscard]] std::uint64_t key() const noexcept { return top().board_key ^ top().hand_key; }
    /// The part of `key` made by board and side to move: equal for positions that differ in hands
    /// only.
    [[nodiscard]] std::uint64_t board_key() const noexcept { return top().board_key; }
    /// The part of `key` made by the two hands.
    [[nodiscard]] std::uint64_t hand_key() const noexcept { return top().hand_key; }
    /// Material, black minus white, pawn = 100, hands included (incremental).
    [[nodiscard]] int material() const noexcept { return top().material; }

    /// Pieces that give check to the side to move.
    [[nodiscard]] const Bitboard& checkers() const noexcept { return top().checkers; }
    [[nodiscard]] bool in_check() const noexcept { return top().checkers.any(); }
    /// How many of `color`'s latest moves in a row gave check, counted back from now.
    [[nodiscard]] int checks_in_a_row(Color color) const noexcept {
        return top().checks[static_cast<std::size_t>(index(color))];
    }
    /// Pieces of either side whose removal would open a ray onto the king of `color`.
    /// Cost    a load for the side to move; a scan of the few sliders in line for the other.
    [[nodiscard]] Bitboard blockers(Color king_color) const noexcept {
        return king_color == side_ ? top().blockers : scan_king(king_color).blockers;
    }
    /// Pieces of the side to move that may move only along their line to the own king.
    [[nodiscard]] Bitboard pinned() const noexcept { return top().blockers & pieces(side_); }
    /// Pieces of `by` that bear on `square` with the given occupancy.
    [[nodiscard]] Bitboard attackers(Color by,
                                     Square square,
                                     const Bitboard& occupancy) const noexcept;
    /// Whether there are any; cheaper than asking for all.
    [[nodiscard]] bool is_attacked(Color by,
                                   Square square,
                                   const Bitboard& occupancy) const noexcept;

    void do_move(Move move);
    void undo_move();
    /// Passes the turn. Not in check (a passing king could be taken).
    void do_null_move();
    void undo_null_move();
    /// The move that led here, or no move at the root (and after a null move).
    [[nodiscard]] Move last_move() const noexcept { return top().move; }
    /// What the last move captured, `kNoPiece` if nothing.
    [[nodiscard]] Piece captured() const noexcept { return top().captured; }
    /// Moves played since the setup.
    [[nodiscard]] int history_size() const noexcept { return static_cast<int>(states_.size()) - 1; }

    /// Whether `move` (any bits, e.g. from a hash table of another position) is legal here.
    [[nodiscard]] bool is_legal(Move move) const;
    /// Why an illegal move is illegal, for people; empty when it is legal.
    [[nodiscard]] std::string why_illegal(Move move) const;
    /// The full move that the low 16 bits of a move of this position stand for (see
    /// `Move::bits16`), for tables that keep only those. No promise of legality; no move when the
    /// bits fit nothing here.
    [[nodiscard]] Move move_from_bits16(std::uint16_t bits) const noexcept;
    /// Whether dropping a pawn on `to` would mate at once, which the rules forbid. `to` is empty
    /// and directly in front of the enemy king, and the side to move is not in check after the
    /// drop.
    [[nodiscard]] bool is_drop_pawn_mate(Square to) const;
    /// Whether a legal move gives check.
    [[nodiscard]] bool gives_check(Move move) const;
    /// The same for many moves: take the information once a position.
    [[nodiscard]] bool gives_check(Move move, const CheckInfo& info) const noexcept;
    [[nodiscard]] CheckInfo check_info() const noexcept;
    [[nodiscard]] bool is_capture(Move move) const noexcept {
        return !move.is_drop() && piece_on(move.to()) != kNoPiece;
    }

    /// Game-rule repetition over the whole history (four-fold; perpetual check).
    ///
    /// The cycle runs from the third-last to the present occurrence. When one side's moves in it
    /// were all checks, that side loses; when both sides' were, it is a draw. A null move ends the
    /// history that is looked at. Cost    one look-up when the position is new, else a walk back
    /// through the history.
    [[nodiscard]] Repetition repetition() const;
    /// Earlier occurrences of this position in the history (0 = new).
    [[nodiscard]] int occurrences_before() const;
    /// Search-side repetition: the position already occurred at most `plies_since_root` plies back
    /// (second occurrence inside the search line), or it is the fourth overall. Perpetual check is
    /// scored as by rule.
    [[nodiscard]] Repetition search_repetition(int plies_since_root) const;

    /// Recomputes every incremental field from the board and compares; returns the first
    /// difference, or empty. Slow: for tests and debug asserts.
    [[nodiscard]] std::string validate() const;

private:
    /// What one move changes and `undo_move` cannot recompute for nothing.
    struct State {
        std::uint64_t board_key = 0;
        std::uint64_t hand_key = 0;
        Bitboard checkers;  ///< of the side to move's king
        Bitboard blockers;  ///< of the side to move's king
        std::int32_t material = 0;
        Move move;
        std::array<std::uint16_t, 2> checks{};  ///< [side] latest moves in a row that gave check
        std::uint16_t since_null = 0;           ///< plies since the setup or the last null move
        Piece captured = kNoPiece;
    };
    static_assert(sizeof(State) == 64);

    /// Sliders that look at a king: with nothing or with exactly one piece between.
    struct KingScan {
        Bitboard checkers;
        Bitboard blockers;
    };

    /// Positions of the history counted by 11 bits of their keys: a count of 1 proves that a
    /// position is new without a look at the history, however long that is.
    static constexpr std::size_t kSeenSlots = 2048;

    Position() = default;

    [[nodiscard]] const State& top() const noexcept { return states_.back(); }
    [[nodiscard]] std::size_t seen_slot() const noexcept {
        return static_cast<std::size_t>(key() >> 20) % kSeenSlots;
    }
    template <Color King>
    [[nodiscard]] KingScan scan_king_of(Square king) const noexcept;
    [[nodiscard]] KingScan scan_king(Color king_color) const noexcept;
    template <Color Us>
    void do_move_as(Move move);
    template <Color Us>
    void undo_move_as();
    void put(Piece piece, Square s) noexcept;
    [[nodiscard]] Repetition classify_cycle(int plies) const noexcept;
    [[nodiscard]] std::string why_not_drop(Move move) const;
    [[nodiscard]] std::string why_not_board_move(Move move) const;
    [[nodiscard]] std::string why_not_safe(Move move) const;
    [[nodiscard]] bool is_pseudo_legal(Move move) const noexcept;

    std::array<Bitboard, kPieceTypes> by_type_{};
    std::array<Bitboard, 2> by_color_{};
    Bitboard occupied_;
    Bitboard gold_movers_;
    std::array<Hand, 2> hands_{};
    std::array<Square, 2> kings_{kNoSquare, kNoSquare};
    Color side_ = Color::black;
    int ply_ = 1;
    std::vector<State> states_;
    std::array<Piece, kSquares> board_{};
    std::array<std::uint16_t, kSeenSlots> seen_{};
};

/// Whether `by` attacks `square`; the hot path of king moves, so it lives here. With a constant
/// `by` the compiler folds the table rows.
inline bool Position::is_attacked(Color by, Square s, const Bitboard& occupancy) const noexcept {
    // A piece of `by` bears on s exactly when the other side's piece of that kind on s would bear
    // on it.
    const Color back = ~by;
    const Bitboard& own = pieces(by);
    const Bitboard diagonal = pieces(PieceType::bishop) | pieces(PieceType::horse);
    const Bitboard straight = pieces(PieceType::rook) | pieces(PieceType::dragon);
    const Bitboard near = (steps(back, PieceType::pawn, s) & pieces(PieceType::pawn)) |
                          (steps(back, PieceType::knight, s) & pieces(PieceType::knight)) |
                          (steps(back, PieceType::silver, s) & pieces(PieceType::silver)) |
                          (steps(back, PieceType::gold, s) & gold_movers_) |
                          (king_steps(s) & (pieces(PieceType::king) | pieces(PieceType::horse) |
                                            pieces(PieceType::dragon)));
    if (near.intersects(own)) return true;
    if ((bishop_rays(s) & diagonal).intersects(own) &&
        (bishop_attacks(s, occupancy) & diagonal).intersects(own)) {
        return true;
    }
    const Bitboard far =
        (rook_rays(s) & straight) | (lance_ray(back, s) & pieces(PieceType::lance));
    if (!far.intersects(own)) return false;
    const Bitboard along_file = file_attacks(s, occupancy);
    const Bitboard along_rank = line_attacks<Axis::rank>(s, occupancy);
    return ((along_file & lance_ray(back, s) & pieces(PieceType::lance)) |
            ((along_file | along_rank) & straight))
        .intersects(own);
}

}  // namespace yomi::shogi
