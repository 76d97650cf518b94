#pragma once

#include <array>

#include "core/shogi/bitboard.hpp"
#include "core/shogi/position.hpp"

namespace yomi::shogi::search {

/// What can be said for a quiet move of one position before anything has been learned about it: it
/// saves a piece that the enemy would gain by taking, it attacks a dearer piece, it comes near the
/// enemy's king. A node whose moves have no history yet is ordered by this alone.
///
/// Unit    the scale of the histories (`kHistoryLimit`).
/// Threads one owner. The position must not change.
/// Cost    an attack set for every enemy piece and a few attacker queries to make, one attack set a
/// move.
class QuietSense {
public:
    explicit QuietSense(const Position& position) noexcept;

    [[nodiscard]] int bonus(Move move) noexcept;

    /// Own pieces, pawns and king left out, that an enemy piece takes with gain: they are not
    /// defended, or the taker is cheaper.
    [[nodiscard]] const Bitboard& loose() const noexcept { return loose_; }

    /// Squares that enemy pieces bear on.
    [[nodiscard]] const Bitboard& reached() const noexcept { return reached_; }

private:
    /// Enemy pieces that are worth more than one of ours of `kind`, the king left out.
    const Bitboard& prey(PieceType kind) noexcept;

    const Position& position_;
    Color side_;
    Bitboard loose_;
    Bitboard reached_;
    Bitboard feared_;     ///< squares that enemy pawns attack
    Bitboard near_king_;  ///< at most two squares from the enemy's king
    std::array<Bitboard, kPieceTypes> prey_;
    std::array<bool, kPieceTypes> prey_known_{};
};

}  // namespace yomi::shogi::search
