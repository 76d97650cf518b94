// The lower part of the exact endgame: boards alone, moves sorted by what the opponent can answer,
// a small table of the thread.

#include <bit>
#include <utility>

#include "core/base/bits.hpp"
#include "core/othello/search/endgame_parameters.hpp"
#include "core/othello/search/tree_search.hpp"
#include "core/othello/stability.hpp"

namespace yomi::othello::search {
namespace {

constexpr std::uint64_t kCorners = 0x8100'0000'0000'0081;

/// A move with the board behind it.
struct Child {
    Board board;
    int rank;
    Square square;
};

}  // namespace

int TreeSearch::endgame(const Board& board, int alpha, int empties, unsigned odd) {
    if (empties <= kFewEmpties) return solve_few(board, alpha, odd, nodes_);
    count_node();
    if (stopped_) return alpha;
    if (alpha >= kStabilityFrom[static_cast<std::size_t>(empties)]) {
        const int bound = 64 - 2 * std::popcount(stable_discs(board.swapped()));
        if (bound <= alpha) return bound;
    }
    const std::uint64_t hash = hash_of(board);
    const bool shared = empties >= kSharedTableFrom;
    Slot& slot = local_[hash >> (64 - kLocalBits)];
    TableData known;
    Square hint = 64;
    if (shared) {
        if (table_.probe(board, hash, known)) {
            if (known.depth == empties && known.selectivity == kNoSelectivity) {
                if (known.lower > alpha) return known.lower;
                if (known.upper <= alpha) return known.upper;
            }
            hint = known.moves[0];
        }
    } else if (slot.board == board) {
        if (slot.lower > alpha) return slot.lower;
        if (slot.upper <= alpha) return slot.upper;
        hint = slot.move;
    }
    const std::uint64_t moves = legal_moves(board);
    if (moves == 0) {
        if (legal_moves(board.swapped()) == 0) return over_score(board.player, empties);
        return -endgame(board.swapped(), -alpha - 1, empties, odd);
    }
    Square best_move = 64;
    const std::uint64_t before = nodes_;
    const int best = endgame_children(board, alpha, empties, odd, moves, hint, best_move);
    if (stopped_) return best;
    if (shared) {
        table_.store(board,
                     hash,
                     empties,
                     kNoSelectivity,
                     nodes_ - before,
                     alpha,
                     alpha + 1,
                     best,
                     best_move);
    } else {
        if (slot.board != board) slot = Slot{.board = board};
        if (best > alpha) {
            slot.lower = static_cast<std::int8_t>(best);
        } else {
            slot.upper = static_cast<std::int8_t>(best);
        }
        slot.move = static_cast<std::uint8_t>(best_move);
    }
    return best;
}

int TreeSearch::endgame_children(const Board& board,
                                 int alpha,
                                 int empties,
                                 unsigned odd,
                                 std::uint64_t moves,
                                 Square hint,
                                 Square& best_move) {
    std::array<Child, 34> children;
    std::size_t count = 0;
    const std::uint64_t odd_squares = kQuarterMasks[odd];
    for (std::uint64_t rest = moves; rest != 0;) {
        const Square square = pop_lowest_bit(rest);
        Child& child = children[count];
        child.square = square;
        child.board = after_move(board, square, flips(board, square));
        if (child.board.player == 0) {  // nothing is left to the opponent
            best_move = square;
            return 64;
        }
        const std::uint64_t replies = legal_moves(child.board);
        child.rank = kMobilityRank * (std::popcount(replies) + std::popcount(replies & kCorners));
        if ((bit(square) & odd_squares) != 0) child.rank -= kParityRank;
        if (square == hint) child.rank -= 1 << 16;
        ++count;
    }
    int best = kNoScore;
    for (std::size_t i = 0; i < count; ++i) {
        std::size_t least = i;
        for (std::size_t j = i + 1; j < count; ++j) {
            if (children[j].rank < children[least].rank) least = j;
        }
        if (least != i) std::swap(children[i], children[least]);
        const Child& child = children[i];
        const int score =
            -endgame(child.board, -alpha - 1, empties - 1, odd ^ quarter_of(child.square));
        if (stopped_) return best;
        if (score > best) {
            best = score;
            best_move = child.square;
            if (score > alpha) return score;
        }
    }
    return best;
}

}  // namespace yomi::othello::search
