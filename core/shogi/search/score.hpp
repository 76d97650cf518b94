#pragma once

#include <cstdint>

namespace yomi::shogi {

/// A score as the outside sees it, always from the side to move: centipawns (pawn = 100) or mate in
/// plies. The search's internal numbers never leave it.
struct Score {
    enum class Kind : std::uint8_t { cp, mate };
    Kind kind = Kind::cp;
    /// cp: centipawns. mate: plies to the end, > 0 the side to move mates, < 0 it is mated, 0 it is
    /// mated already.
    int value = 0;

    static constexpr Score cp(int v) noexcept { return {Kind::cp, v}; }
    static constexpr Score mate(int plies) noexcept { return {Kind::mate, plies}; }
    friend constexpr bool operator==(Score, Score) noexcept = default;
};

enum class Bound : std::uint8_t { exact, lower, upper };

}  // namespace yomi::shogi
