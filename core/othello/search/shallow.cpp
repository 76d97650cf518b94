// The last plies above the evaluation: no table, no ProbCut.

#include <algorithm>
#include <bit>

#include "core/base/bits.hpp"
#include "core/othello/search/tree_search.hpp"

namespace yomi::othello::search {

int TreeSearch::one_ply(const Node& node, int alpha, int beta, int empties) {
    ++nodes_;
    std::uint64_t legal = legal_moves(node.board);
    if (legal == 0) {
        if (legal_moves(node.board.swapped()) == 0) return over_score(node.board.player, empties);
        return -one_ply(passed(node), -beta, -alpha, empties);
    }
    int best = kNoScore;
    while (legal != 0) {
        const Square square = pop_lowest_bit(legal);
        const std::uint64_t flipped = flips(node.board, square);
        if (flipped == node.board.opponent) return 64;
        ++nodes_;
        const Node child = child_of(node, square, flipped);
        const int score =
            empties == 1 ? -over_score(child.board.player, 0) : -evaluate(child, empties - 1);
        if (score > best) {
            best = score;
            if (score >= beta) break;
        }
    }
    return best;
}

int TreeSearch::shallow(const Node& node, int alpha, int beta, int depth, int empties) {
    if (empties == 0) return over_score(node.board.player, 0);
    if (depth == 0) {
        ++nodes_;
        return evaluate(node, empties);
    }
    if (depth == 1) return one_ply(node, alpha, beta, empties);
    count_node();
    if (stopped_) return alpha;
    std::uint64_t legal = legal_moves(node.board);
    if (legal == 0) {
        if (legal_moves(node.board.swapped()) == 0) return over_score(node.board.player, empties);
        return -shallow(passed(node), -beta, -alpha, depth, empties);
    }
    Moves moves;
    if (list_moves(node.board, legal, moves)) return 64;
    // Few replies first: cheaper than an evaluation and nearly as good at this depth.
    if (moves.size > 1) {
        for (std::size_t i = 0; i < moves.size; ++i) {
            Move& move = moves.list[i];
            move.rank =
                std::popcount(legal_moves(after_move(node.board, move.square, move.flipped)));
        }
    }
    int best = kNoScore;
    for (std::size_t i = 0; i < moves.size; ++i) {
        const Move& move = moves.pick(i);
        const Node child = child_of(node, move.square, move.flipped);
        const int score = -shallow(child, -beta, -std::max(alpha, best), depth - 1, empties - 1);
        if (score > best) {
            best = score;
            if (score >= beta) break;
        }
    }
    return best;
}

}  // namespace yomi::othello::search
