#pragma once

#include <cstdint>

#include "core/base/hash.hpp"
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

/// Names the way to a position: mixes in each move with its depth.
inline std::uint64_t path_key_after(std::uint64_t path_key,
                                    Move move,
                                    std::uint16_t depth) noexcept {
    return path_key ^ mix64(move.bits16() | static_cast<std::uint64_t>(depth) << 16);
}

/// The attacker's hand after `move` of the side to move.
inline Hand attacker_hand_after(const Position& position, Color attacker, Move move) noexcept {
    const Hand hand = position.hand(attacker);
    if (position.side_to_move() != attacker) return hand;
    return hand_after(hand, move, position.piece_on(move.to()));
}

}  // namespace yomi::shogi::mate
