#include "core/othello/search/few_empties.hpp"

#include <cassert>

#include "core/base/bits.hpp"
#include "core/othello/last_flip.hpp"
#include "core/othello/stability.hpp"

namespace yomi::othello::search {
namespace {

constexpr bool may_flip(std::uint64_t opponent, Square square) noexcept {
    return (kNeighbours[static_cast<std::size_t>(square)] & opponent) != 0;
}

/// One empty square. The board after the move is never made.
int solve_1(std::uint64_t player, int alpha, Square square) noexcept {
    const int base = 2 * std::popcount(player) - 62;  // the player gets the square
    const int mine = last_flips_doubled(player, square);
    if (mine != 0) return base + mine;
    // Whatever follows gives at most `base`, which is all that a caller who needs more must know.
    if (base <= alpha) return base;
    const int theirs = last_flips_doubled(~player & ~bit(square), square);
    if (theirs != 0) return base - 2 - theirs;
    return base > 0 ? base : base - 2;  // nobody moves: the square is the winner's
}

int solve_2(const Board& board, int alpha, Square a, Square b, std::uint64_t& nodes) noexcept {
    ++nodes;
    int best = kNoScore;
    if (may_flip(board.opponent, a)) {
        if (const std::uint64_t flipped = flips(board, a)) {
            ++nodes;
            best = -solve_1(board.opponent ^ flipped, -alpha - 1, b);
            if (best > alpha) return best;
        }
    }
    if (may_flip(board.opponent, b)) {
        if (const std::uint64_t flipped = flips(board, b)) {
            ++nodes;
            const int score = -solve_1(board.opponent ^ flipped, -alpha - 1, a);
            return score > best ? score : best;
        }
    }
    if (best != kNoScore) return best;

    // The other side's turn, with the same window turned round.
    const Board other = board.swapped();
    int worst = -kNoScore;
    if (may_flip(other.opponent, a)) {
        if (const std::uint64_t flipped = flips(other, a)) {
            ++nodes;
            worst = solve_1(other.opponent ^ flipped, alpha, b);
            if (worst <= alpha) return worst;
        }
    }
    if (may_flip(other.opponent, b)) {
        if (const std::uint64_t flipped = flips(other, b)) {
            ++nodes;
            const int score = solve_1(other.opponent ^ flipped, alpha, a);
            return score < worst ? score : worst;
        }
    }
    return worst != -kNoScore ? worst : over_score(board.player, 2);
}

int solve_3(const Board& board,
            int alpha,
            std::array<Square, 3> squares,
            bool passed,
            std::uint64_t& nodes) noexcept {
    ++nodes;
    // A square alone in its quarter comes first.
    const unsigned q0 = quarter_of(squares[0]);
    const unsigned q1 = quarter_of(squares[1]);
    const unsigned q2 = quarter_of(squares[2]);
    if (q0 == q1) {
        if (q1 != q2) squares = {squares[2], squares[0], squares[1]};
    } else if (q0 == q2) {
        squares = {squares[1], squares[0], squares[2]};
    }
    int best = kNoScore;
    for (std::size_t i = 0; i < 3; ++i) {
        const Square square = squares[i];
        if (!may_flip(board.opponent, square)) continue;
        const std::uint64_t flipped = flips(board, square);
        if (flipped == 0) continue;
        const Square b = squares[i == 0 ? 1 : 0];
        const Square c = squares[i == 2 ? 1 : 2];
        const int score = -solve_2(after_move(board, square, flipped), -alpha - 1, b, c, nodes);
        if (score > alpha) return score;
        if (score > best) best = score;
    }
    if (best != kNoScore) return best;
    if (passed) return over_score(board.player, 3);
    return -solve_3(board.swapped(), -alpha - 1, squares, true, nodes);
}

int solve_4(const Board& board, int alpha, bool passed, std::uint64_t& nodes) noexcept {
    ++nodes;
    if (alpha >= kStabilityFrom[4]) {
        const int bound = 64 - 2 * std::popcount(stable_discs(board.swapped()));
        if (bound <= alpha) return bound;
    }
    const std::uint64_t empty = board.empty();
    const std::uint64_t odd = kQuarterMasks[odd_quarters(empty)];
    std::array<Square, 4> squares{};
    std::size_t count = 0;
    for (std::uint64_t rest = empty & odd; rest != 0;)
        squares[count++] = pop_lowest_bit(rest);
    for (std::uint64_t rest = empty & ~odd; rest != 0;)
        squares[count++] = pop_lowest_bit(rest);
    assert(count == 4);
    // 1 + 3: all are in odd quarters; the one that is alone goes first.
    if ((empty & odd) == empty) {
        for (std::size_t i = 1; i < 4; ++i) {
            const unsigned quarter = quarter_of(squares[i]);
            if (std::popcount(empty & kQuarterMasks[quarter]) == 1)
                std::swap(squares[0], squares[i]);
        }
    }
    int best = kNoScore;
    for (std::size_t i = 0; i < 4; ++i) {
        const Square square = squares[i];
        if (!may_flip(board.opponent, square)) continue;
        const std::uint64_t flipped = flips(board, square);
        if (flipped == 0) continue;
        const std::array<Square, 3> rest = {
            squares[i == 0 ? 1 : 0], squares[i <= 1 ? 2 : 1], squares[i == 3 ? 2 : 3]};
        const int score =
            -solve_3(after_move(board, square, flipped), -alpha - 1, rest, false, nodes);
        if (score > alpha) return score;
        if (score > best) best = score;
    }
    if (best != kNoScore) return best;
    if (passed) return over_score(board.player, 4);
    return -solve_4(board.swapped(), -alpha - 1, true, nodes);
}

/// Five and six empties: legal moves as a mask, odd quarters first.
int solve_mask(
    const Board& board, int alpha, unsigned odd, int empties, std::uint64_t& nodes) noexcept {
    ++nodes;
    if (alpha >= kStabilityFrom[static_cast<std::size_t>(empties)]) {
        const int bound = 64 - 2 * std::popcount(stable_discs(board.swapped()));
        if (bound <= alpha) return bound;
    }
    const std::uint64_t moves = legal_moves(board);
    if (moves == 0) {
        if (legal_moves(board.swapped()) == 0) return over_score(board.player, empties);
        return -solve_mask(board.swapped(), -alpha - 1, odd, empties, nodes);
    }
    int best = kNoScore;
    const std::uint64_t first = moves & kQuarterMasks[odd];
    for (std::uint64_t part : {first, moves & ~first}) {
        while (part != 0) {
            const Square square = pop_lowest_bit(part);
            const Board child = after_move(board, square, flips(board, square));
            const int score =
                empties == 5 ? -solve_4(child, -alpha - 1, false, nodes)
                             : -solve_mask(child, -alpha - 1, odd ^ quarter_of(square), 5, nodes);
            if (score > alpha) return score;
            if (score > best) best = score;
        }
    }
    return best;
}

}  // namespace

int solve_few(const Board& board, int alpha, std::uint64_t& nodes) noexcept {
    return solve_few(board, alpha, odd_quarters(board.empty()), nodes);
}

int solve_few(const Board& board, int alpha, unsigned odd, std::uint64_t& nodes) noexcept {
    std::uint64_t empty = board.empty();
    switch (std::popcount(empty)) {
        case 0:
            ++nodes;
            return over_score(board.player, 0);
        case 1:
            ++nodes;
            return solve_1(board.player, alpha, lowest_bit(empty));
        case 2: {
            const Square a = pop_lowest_bit(empty);
            return solve_2(board, alpha, a, lowest_bit(empty), nodes);
        }
        case 3: {
            const Square a = pop_lowest_bit(empty);
            const Square b = pop_lowest_bit(empty);
            return solve_3(board, alpha, {a, b, lowest_bit(empty)}, false, nodes);
        }
        case 4:
            return solve_4(board, alpha, false, nodes);
        default:
            return solve_mask(board, alpha, odd, std::popcount(empty), nodes);
    }
}

}  // namespace yomi::othello::search
