#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/hash.hpp"
#include "core/othello/position.hpp"

namespace yomi::othello::book {

/// A random game's moves, at most `plies`, forced passes included.
inline std::vector<Move> random_line(SplitMix64& random, std::size_t plies) {
    Position position;
    std::vector<Move> moves;
    while (moves.size() < plies && !position.is_over()) {
        const std::vector<Move> legal = position.moves();
        const Move move =
            legal.empty() ? Move{} : legal[random.below(static_cast<std::uint32_t>(legal.size()))];
        position.do_move(move);
        moves.push_back(move);
    }
    return moves;
}

}  // namespace yomi::othello::book
