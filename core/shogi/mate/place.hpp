#pragma once

#include <cstddef>
#include <cstdint>

#include "core/base/hash.hpp"
#include "core/shogi/mate/keys.hpp"
#include "core/shogi/position.hpp"

namespace yomi::shogi::mate {

/// A position as far as mates of one attacker go: two hands together never change on a board.
struct PlaceKey {
    std::uint64_t board_key;
    std::uint32_t hand;
    friend bool operator==(const PlaceKey&, const PlaceKey&) = default;
};
struct PlaceHash {
    std::size_t operator()(const PlaceKey& key) const noexcept {
        return static_cast<std::size_t>(key.board_key ^ mix64(key.hand));
    }
};
inline PlaceKey place_of(const Position& position, Color attacker) noexcept {
    return {position.board_key(), position.hand(attacker).bits()};
}
inline PlaceKey place_after(const Position& position, Color attacker, Move move) noexcept {
    return {board_key_after(position, move), attacker_hand_after(position, attacker, move).bits()};
}

}  // namespace yomi::shogi::mate
