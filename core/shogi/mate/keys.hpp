#pragma once

#include <cstdint>

#include "core/shogi/mate/hands.hpp"
#include "core/shogi/position.hpp"
#include "core/shogi/zobrist.hpp"

namespace yomi::shogi::mate {

/// `Position::board_key` after `move`, without playing it.
inline std::uint64_t board_key_after(const Position& position, Move move) noexcept {
    std::uint64_t key = position.board_key() ^ zobrist::kWhiteToMove ^
                        zobrist::board(move.piece_after(), move.to());
    if (move.is_drop()) return key;
    key ^= zobrist::board(move.piece_before(), move.from());
    const Piece victim = position.piece_on(move.to());
    return victim == kNoPiece ? key : key ^ zobrist::board(victim, move.to());
}

/// The attacker's hand after `move` of the side to move.
inline Hand attacker_hand_after(const Position& position, Color attacker, Move move) noexcept {
    const Hand hand = position.hand(attacker);
    if (position.side_to_move() != attacker) return hand;
    return hand_after(hand, move, position.piece_on(move.to()));
}

}  // namespace yomi::shogi::mate
