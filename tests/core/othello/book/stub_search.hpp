#pragma once

#include "core/othello/book/learn.hpp"
#include "core/othello/book/moves.hpp"

namespace yomi::othello::book {

/// A made-up value of a position for its mover: the same for all images, -8..8.
inline int stub_value(const Board& board) {
    return static_cast<int>(hash_of(PositionKey::of(board)) % 17) - 8;
}

/// A search of one ply with the values above.
inline std::optional<Evaluation> stub_search(const Board& board,
                                             std::uint64_t allowed,
                                             int level,
                                             std::stop_token stop) {
    if (stop.stop_requested()) return std::nullopt;
    Evaluation best{.move = kPass, .value = -100, .depth = level, .confidence = 73};
    for_each_child(board, [&](Square square, const Board& child) {
        if (square == kPass || (allowed & bit(square)) == 0) return;
        const int value = is_over(child) ? -final_score(child) : -stub_value(child);
        if (value > best.value) {
            best.move = square;
            best.value = value;
        }
    });
    return best;
}

}  // namespace yomi::othello::book
