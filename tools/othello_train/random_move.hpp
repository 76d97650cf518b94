#pragma once

#include <bit>
#include <cstdint>

#include "core/base/bits.hpp"
#include "core/base/hash.hpp"
#include "core/othello/board.hpp"
#include "core/othello/position.hpp"

namespace yomi::othello_train {

/// Uniform from 0 up to 1.
inline double uniform(SplitMix64& random) {
    return static_cast<double>(random() >> 11) * 0x1p-53;
}

/// Uniform from `least` to `most`.
inline int between(SplitMix64& random, int least, int most) {
    return least + static_cast<int>(random.below(static_cast<std::uint32_t>(most - least + 1)));
}

/// Nearly normal, standard deviation 1.
inline double noise(SplitMix64& random) {
    double sum = -6;
    for (int i = 0; i < 12; ++i)
        sum += uniform(random);
    return sum;
}

/// Plays a random move of `board`, after a pass if there must be one; false at the end of the game.
inline bool play_random(SplitMix64& random, othello::Board& board) {
    std::uint64_t legal = othello::legal_moves(board);
    if (legal == 0) {
        board = board.swapped();
        legal = othello::legal_moves(board);
        if (legal == 0) return false;
    }
    for (auto skip = random.below(static_cast<std::uint32_t>(std::popcount(legal))); skip > 0;
         --skip)
        legal &= legal - 1;
    const othello::Square square = lowest_bit(legal);
    board = othello::after_move(board, square, othello::flips(board, square));
    return true;
}

}  // namespace yomi::othello_train
