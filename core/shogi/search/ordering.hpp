#pragma once

#include <array>
#include <cstdint>

#include "core/shogi/movegen.hpp"
#include "core/shogi/position.hpp"
#include "core/shogi/search/history.hpp"

namespace yomi::shogi::search {

/// A capture or a pawn's promotion: what `capture_moves` lists and quiescence looks at.
inline bool is_tactical(const Position& position, Move move) noexcept {
    return position.is_capture(move) ||
           (move.is_promotion() && type_of(move.piece_before()) == PieceType::pawn);
}

/// The bits of a move with its squares as `side` sees them; its own inverse.
constexpr std::uint32_t seen_by_mover(Move move, Color side) noexcept {
    if (side == Color::black) return move.bits();
    // Both squares are at most 80: a subtraction field by field borrows nothing.
    constexpr std::uint32_t kBoth = 80U | 80U << 7;
    const std::uint32_t low = move.is_drop() ? 127U : (1U << 14) - 1;
    return (move.bits() & ~low) | ((kBoth & low) - (move.bits() & low));
}

/// What the picker may lean on at one node. Pointers are borrowed; rows may be null.
struct OrderingHints {
    Move table_move;
    std::array<Move, 2> killers{};
    Move counter;
    std::array<const ContinuationRow*, 3>
        continuation{};                 ///< answers to the move 1, 2 and 4 plies back
    const CheckInfo* checks = nullptr;  ///< of the node, where it is known
    int depth = 0;
};

/// Hands out the legal moves of a node one by one, the likeliest cut-off first, and generates as
/// late as it can.
///
/// Order   table move; captures and pawn promotions that do not lose material, by gain and history;
/// killers
///         and counter move; quiet moves by history and `QuietSense`; losing captures; quiet moves
///         that hang their piece. In check: table move, then all evasions by gain and history.
///         Quiescence: table move if tactical, then tactical moves.
/// Shape   every legal move exactly once (main search); tactical moves exactly once (quiescence).
/// Threads one owner; the position must be back at the node whenever `next` is called.
class MovePicker {
public:
    enum class Kind : std::uint8_t { main, quiescence };

    MovePicker(const Position& position,
               Histories& histories,
               const OrderingHints& hints,
               Kind kind);

    /// The next move, or no move at the end.
    Move next();

    /// From now on only quiet moves that give check are handed out: a late quiet move rarely cuts
    /// off, but a check may mate.
    void skip_quiets() noexcept { skip_quiets_ = true; }
    /// Whether the last move handed out is known to lose no material (`see_ge` with 0).
    [[nodiscard]] bool is_safe() const noexcept { return safe_; }

private:
    enum class Stage : std::uint8_t {
        table,
        evasions_init,
        evasions,
        captures_init,
        captures,
        killers,
        quiets_init,
        quiets,
        checks_init,
        checks,
        bad_captures,
        bad_quiets,
        done,
    };

    /// A move under its score: keys compare as (score, move bits as the mover sees the board), so
    /// equal scores have one fixed order, the same for both colours.
    using Key = std::uint64_t;
    [[nodiscard]] Key make_key(int score, Move move) const noexcept {
        constexpr std::int64_t kOffset = std::int64_t{1} << 31;
        return static_cast<Key>(score + kOffset) << 32 | seen_by_mover(move, side_);
    }
    [[nodiscard]] Move move_of(Key key) const noexcept {
        const Move move = Move::from_bits(static_cast<std::uint32_t>(key));
        return Move::from_bits(seen_by_mover(move, side_));
    }

    void score_captures();
    void score_quiets();
    void score_evasions();
    [[nodiscard]] int quiet_score(Move move);
    Move pick_best();
    /// The next quiet move. Moves with a good record are sorted at once, the many without when
    /// their turn comes, because most nodes end before.
    Move next_quiet();
    [[nodiscard]] bool is_hint(Move move) const noexcept;
    [[nodiscard]] bool gives_check(Move move) const noexcept;
    [[nodiscard]] bool hangs(Move move) const noexcept;
    Move next_killer();
    /// Leaves in `keys_` the checks among the quiet moves not handed out yet, best first.
    void collect_checks();

    const Position& position_;
    Histories& histories_;
    OrderingHints hints_;
    Kind kind_;
    Color side_;
    Stage stage_ = Stage::table;
    bool safe_ = false;
    bool skip_quiets_ = false;
    std::uint8_t killer_index_ = 0;
    std::size_t cursor_ = 0;
    std::size_t count_ = 0;   ///< keys of the present stage
    std::size_t sorted_ = 0;  ///< quiet keys sorted so far
    std::size_t bad_cursor_ = 0;
    bool quiets_known_ = false;
    Bitboard reached_;  ///< squares that the enemy bears on, once quiet moves are known
    MoveList moves_;
    MoveList bad_captures_;
    MoveList bad_quiets_;
    std::array<Key, kMaxMoves + 7> keys_;  // not initialised: only the first count_ are read
};

}  // namespace yomi::shogi::search
