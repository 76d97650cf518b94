#pragma once

#include "core/shogi/eval/piece_value.hpp"
#include "core/shogi/position.hpp"

namespace yomi::shogi::search {

/// What the owner loses when `piece` is taken: it leaves the board and joins the enemy's hand.
/// Centipawns; a king outweighs everything.
constexpr int exchange_worth(Piece piece) noexcept {
    return type_of(piece) == PieceType::king ? 10'000 : capture_value(type_of(piece));
}

/// Material that `move` gains at once: what it takes and what its promotion adds. Centipawns.
inline int material_gain(const Position& position, Move move) noexcept {
    int gain = 0;
    if (!move.is_drop()) {
        const Piece victim = position.piece_on(move.to());
        if (victim != kNoPiece) gain += exchange_worth(victim);
        if (move.is_promotion()) gain += promotion_value(type_of(move.piece_before()));
    }
    return gain;
}

/// Static exchange evaluation: whether the captures that follow `move` on its square leave the
/// mover with at least `threshold` centipawns, both sides taking with their cheapest piece and
/// stopping when they like.
///
/// Shape   `move` is legal in `position` and the side to move is not being asked about pins: a
/// pinned
///         piece takes part. A king takes only what is not defended. Recaptures do not promote and
///         nothing is dropped in between; pieces behind the taker join in.
/// Cost    one attacker query and one line query per capture.
bool see_ge(const Position& position, Move move, int threshold) noexcept;

}  // namespace yomi::shogi::search
