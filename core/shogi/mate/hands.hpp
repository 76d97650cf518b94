#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "core/shogi/types.hpp"

namespace yomi::shogi::mate {

/// Arithmetic on the attacker's hand, field by field. On one board the two hands together never
/// change, so the attacker's hand alone tells positions of that board apart, and a larger hand of
/// the attacker is a smaller one of the defender.

constexpr PieceType hand_kind(int i) noexcept {
    return static_cast<PieceType>(i);
}

/// Both hands put together. The fields are wide enough for a whole set of pieces.
inline Hand sum(Hand a, Hand b) noexcept {
    return std::bit_cast<Hand>(a.bits() + b.bits());
}

inline Hand larger_of_each(Hand a, Hand b) noexcept {
    Hand result;
    for (int t = 1; t <= kHandKinds; ++t)
        result.set(hand_kind(t), std::max(a.count(hand_kind(t)), b.count(hand_kind(t))));
    return result;
}

inline Hand smaller_of_each(Hand a, Hand b) noexcept {
    Hand result;
    for (int t = 1; t <= kHandKinds; ++t)
        result.set(hand_kind(t), std::min(a.count(hand_kind(t)), b.count(hand_kind(t))));
    return result;
}

/// The hand of the side that makes `move` after it; `captured` is what stands on the destination.
inline Hand hand_after(Hand hand, Move move, Piece captured) noexcept {
    if (move.is_drop()) {
        hand.remove(move.dropped());
    } else if (captured != kNoPiece) {
        hand.add(unpromote(type_of(captured)));
    }
    return hand;
}

/// What the attacker must hold before `move` so that it holds `needed` after it.
inline Hand needed_before(Hand needed, Move move, Piece captured) noexcept {
    if (move.is_drop()) {
        needed.add(move.dropped());
    } else if (captured != kNoPiece) {
        const PieceType kind = unpromote(type_of(captured));
        if (needed.has(kind)) needed.remove(kind);
    }
    return needed;
}

/// What the attacker may hold at most before `move` so that it holds at most `allowed` after it.
inline Hand allowed_before(Hand allowed, Move move, Piece captured) noexcept {
    if (move.is_drop()) {
        allowed.add(move.dropped());
    } else if (captured != kNoPiece) {
        const PieceType kind = unpromote(type_of(captured));
        if (allowed.has(kind)) allowed.remove(kind);
    }
    return allowed;
}

}  // namespace yomi::shogi::mate
