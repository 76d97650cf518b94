#pragma once

#include <algorithm>
#include <cstdint>

#include "core/base/bits.hpp"
#include "core/base/hash.hpp"
#include "core/othello/board.hpp"
#include "core/othello/rules.hpp"

/// The value of an Othello position by plain alpha-beta to the end: no order, no table, no bounds
/// but the window's; plain C++ kernels. It shares nothing with core/othello/search.
namespace yomi::oracle {

inline int minimax(const othello::Board& board, int alpha, int beta) {
    std::uint64_t moves = othello::portable::legal_moves(board);
    if (moves == 0) {
        if (othello::portable::legal_moves(board.swapped()) == 0)
            return othello::final_score(board);
        return -minimax(board.swapped(), -beta, -alpha);
    }
    int best = -65;
    while (moves != 0 && best < beta) {
        const int square = pop_lowest_bit(moves);
        const auto child =
            othello::after_move(board, square, othello::portable::flips(board, square));
        best = std::max(best, -minimax(child, -beta, -std::max(alpha, best)));
    }
    return best;
}

/// The squares of all moves that reach `score`, which must be the position's value.
inline std::uint64_t best_moves(const othello::Board& board, int score) {
    std::uint64_t best = 0;
    for (std::uint64_t moves = othello::portable::legal_moves(board); moves != 0;) {
        const int square = pop_lowest_bit(moves);
        const auto child =
            othello::after_move(board, square, othello::portable::flips(board, square));
        if (-minimax(child, -score, -(score - 1)) >= score) best |= othello::bit(square);
    }
    return best;
}

/// A position with `empties` empties or fewer by random play from the start; one that is over
/// earlier comes out as it is.
inline othello::Position random_position(SplitMix64& random, int empties) {
    othello::Position position;
    while (!position.is_over() && position.empties() > empties) {
        const auto moves = othello::Rules::moves(position);
        position.do_move(moves.begin()[random.below(static_cast<std::uint32_t>(moves.size()))]);
    }
    return position;
}

/// A board filled at random, `empties` squares left: what play hardly reaches.
inline othello::Board random_fill(SplitMix64& random, int empties, std::uint32_t player_percent) {
    othello::Board board{.player = 0, .opponent = 0};
    std::uint64_t empty = 0;
    while (std::popcount(empty) < empties)
        empty |= othello::bit(static_cast<int>(random.below(64)));
    for (int square = 0; square < 64; ++square) {
        if ((empty >> square & 1) != 0) continue;
        (random.below(100) < player_percent ? board.player : board.opponent) |=
            othello::bit(square);
    }
    return board;
}

}  // namespace yomi::oracle
