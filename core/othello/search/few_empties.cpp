#include "core/othello/search/few_empties.hpp"

#include <cassert>

#include "core/base/bits.hpp"
#include "core/othello/lanes.hpp"
#include "core/othello/last_flip.hpp"
#include "core/othello/stability.hpp"

namespace yomi::othello::search {
namespace {

constexpr bool may_flip(std::uint64_t opponent, Square square) noexcept {
    return (kNeighbours[static_cast<std::size_t>(square)] & opponent) != 0;
}

/// One empty square. The board after the move is never made.
[[gnu::always_inline]] inline int solve_1(std::uint64_t player, int alpha, Square square) noexcept {
    const int base = 2 * std::popcount(player) - 62;  // the player gets the square
    const int mine = last_flips_doubled(player, square);
    // Without a move whatever follows gives at most `base`, which is all that a caller who needs
    // more must know.
    if (static_cast<unsigned>(mine != 0) | static_cast<unsigned>(base <= alpha)) return base + mine;
    const int theirs = last_flips_doubled(~player & ~bit(square), square);
    if (theirs != 0) return base - 2 - theirs;
    return base > 0 ? base : base - 2;  // nobody moves: the square is the winner's
}

int solve_2(const LaneBoard& board, int alpha, Square a, Square b, std::uint64_t& nodes) noexcept {
    ++nodes;
    const std::uint64_t opponent = opponent_of(board);
    int best = kNoScore;
    if (may_flip(opponent, a)) {
        if (const std::uint64_t flipped = lane_flips(board, a).mask()) {
            ++nodes;
            best = -solve_1(opponent ^ flipped, -alpha - 1, b);
            if (best > alpha) return best;
        }
    }
    if (may_flip(opponent, b)) {
        if (const std::uint64_t flipped = lane_flips(board, b).mask()) {
            ++nodes;
            const int score = -solve_1(opponent ^ flipped, -alpha - 1, a);
            return score > best ? score : best;
        }
    }
    if (best != kNoScore) return best;

    // The other side's turn, with the same window turned round.
    const LaneBoard other = swapped(board);
    const std::uint64_t player = player_of(board);
    int worst = -kNoScore;
    if (may_flip(player, a)) {
        if (const std::uint64_t flipped = lane_flips(other, a).mask()) {
            ++nodes;
            worst = solve_1(player ^ flipped, alpha, b);
            if (worst <= alpha) return worst;
        }
    }
    if (may_flip(player, b)) {
        if (const std::uint64_t flipped = lane_flips(other, b).mask()) {
            ++nodes;
            const int score = solve_1(player ^ flipped, alpha, a);
            return score < worst ? score : worst;
        }
    }
    return worst != -kNoScore ? worst : over_score(player, 2);
}

/// Squares in the order in which they are tried, one a byte, the first lowest.
using Squares = std::uint32_t;

constexpr Square square_at_place(Squares squares, int place) noexcept {
    return static_cast<Square>(squares >> (8 * place) & 63);
}

int solve_3(const LaneBoard& board,
            int alpha,
            Squares squares,
            bool passed,
            std::uint64_t& nodes) noexcept {
    ++nodes;
    const Square a = square_at_place(squares, 0);
    const Square b = square_at_place(squares, 1);
    const Square c = square_at_place(squares, 2);
    const std::uint64_t opponent = opponent_of(board);
    int best = kNoScore;
    if (may_flip(opponent, a)) {
        const LaneFlips flipped = lane_flips(board, a);
        if (!flipped.none()) {
            best = -solve_2(after_move(board, a, flipped), -alpha - 1, b, c, nodes);
            if (best > alpha) return best;
        }
    }
    if (may_flip(opponent, b)) {
        const LaneFlips flipped = lane_flips(board, b);
        if (!flipped.none()) {
            const int score = -solve_2(after_move(board, b, flipped), -alpha - 1, a, c, nodes);
            if (score > alpha) return score;
            if (score > best) best = score;
        }
    }
    if (may_flip(opponent, c)) {
        const LaneFlips flipped = lane_flips(board, c);
        if (!flipped.none()) {
            const int score = -solve_2(after_move(board, c, flipped), -alpha - 1, a, b, nodes);
            if (score > best) best = score;
        }
    }
    if (best != kNoScore) return best;
    if (passed) return over_score(player_of(board), 3);
    return -solve_3(swapped(board), -alpha - 1, squares, true, nodes);
}

/// The quarter of each of four squares as two bits, the first square's lowest.
constexpr unsigned quarters_of(Squares squares) noexcept {
    const Squares ones = squares >> 2 & 0x0101'0101;  // files e to h
    const Squares twos = squares >> 4 & 0x0202'0202;  // ranks 5 to 8
    return ((ones | twos) * 0x0104'1040U) >> 24;
}

/// By the quarters of four squares in rising order: the places of the square that is tried first,
/// second, ... and of the three that are left to try after it, one a byte.
struct alignas(16) Orders {
    std::array<std::array<std::uint8_t, 4>, 4> at;
};

constexpr std::array<Orders, 256> make_orders() noexcept {
    std::array<Orders, 256> all{};
    for (unsigned index = 0; index < 256; ++index) {
        std::array<unsigned, 4> quarter{};
        std::array<unsigned, 4> count{};
        for (unsigned i = 0; i < 4; ++i) {
            quarter[i] = index >> (2 * i) & 3;
            ++count[quarter[i]];
        }
        // Alone in its quarter before one of three, then quarters with an even number.
        std::array<std::uint8_t, 4> order{};
        std::size_t size = 0;
        for (const unsigned wanted : {1U, 3U, 2U, 4U}) {
            for (unsigned i = 0; i < 4; ++i) {
                if (count[quarter[i]] == wanted) order[size++] = static_cast<std::uint8_t>(i);
            }
        }
        for (std::size_t first = 0; first < 4; ++first) {
            std::array<std::uint8_t, 4>& to = all[index].at[first];
            to[0] = order[first];
            --count[quarter[order[first]]];
            // Of the three left, one that is alone comes first.
            size = 1;
            for (const bool alone : {true, false}) {
                for (std::size_t i = 0; i < 4; ++i) {
                    if (i != first && (count[quarter[order[i]]] == 1) == alone)
                        to[size++] = order[i];
                }
            }
            ++count[quarter[order[first]]];
        }
    }
    return all;
}
constexpr std::array<Orders, 256> kOrders = make_orders();

/// The squares in the order in which they are tried, each followed by what is left after it.
std::array<Squares, 4> in_orders(Squares squares, const Orders& orders) noexcept {
    std::array<Squares, 4> lists;
#ifdef __AVX2__
    const __m128i places = _mm_load_si128(reinterpret_cast<const __m128i*>(&orders));
    const __m128i all = _mm_shuffle_epi8(_mm_cvtsi32_si128(static_cast<int>(squares)), places);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(lists.data()), all);
#else
    for (std::size_t i = 0; i < 4; ++i) {
        lists[i] = 0;
        for (std::size_t j = 0; j < 4; ++j)
            lists[i] |= (squares >> (8 * orders.at[i][j]) & 63) << (8 * j);
    }
#endif
    return lists;
}

int solve_4(const LaneBoard& board,
            std::uint64_t empty,
            int alpha,
            bool passed,
            std::uint64_t& nodes) noexcept {
    ++nodes;
    if (stability_may_cut(opponent_of(board), alpha, 4)) {
        const int bound = 64 - 2 * std::popcount(stable_discs(to_board(swapped(board))));
        if (bound <= alpha) return bound;
    }
    Squares squares = static_cast<Squares>(pop_lowest_bit(empty));
    squares |= static_cast<Squares>(pop_lowest_bit(empty)) << 8;
    squares |= static_cast<Squares>(pop_lowest_bit(empty)) << 16;
    squares |= static_cast<Squares>(lowest_bit(empty)) << 24;
    const std::array<Squares, 4> lists = in_orders(squares, kOrders[quarters_of(squares)]);
    const std::uint64_t opponent = opponent_of(board);
    int best = kNoScore;
    for (const Squares list : lists) {
        const Square square = square_at_place(list, 0);
        if (!may_flip(opponent, square)) continue;
        const LaneFlips flipped = lane_flips(board, square);
        if (flipped.none()) continue;
        const int score =
            -solve_3(after_move(board, square, flipped), -alpha - 1, list >> 8, false, nodes);
        if (score > alpha) return score;
        if (score > best) best = score;
    }
    if (best != kNoScore) return best;
    if (passed) return over_score(player_of(board), 4);
    return -solve_4(swapped(board), ~(opponent | player_of(board)), -alpha - 1, true, nodes);
}

}  // namespace

int solve_five(const LaneBoard& board,
               std::uint64_t empty,
               std::uint64_t moves,
               int alpha,
               unsigned odd,
               std::uint64_t& nodes) noexcept {
    ++nodes;
    if (stability_may_cut(opponent_of(board), alpha, 5)) {
        const int bound = 64 - 2 * std::popcount(stable_discs(to_board(swapped(board))));
        if (bound <= alpha) return bound;
    }
    if (moves == 0) {
        const LaneBoard other = swapped(board);
        const std::uint64_t theirs = lane_moves(other) & empty;
        if (theirs == 0) return over_score(player_of(board), 5);
        return -solve_five(other, empty, theirs, -alpha - 1, odd, nodes);
    }
    int best = kNoScore;
    const std::uint64_t first = moves & kQuarterMasks[odd];
    for (std::uint64_t part : {first, moves & ~first}) {
        while (part != 0) {
            const Square square = pop_lowest_bit(part);
            const LaneBoard child = after_move(board, square, lane_flips(board, square));
            const int score = -solve_4(child, empty & ~bit(square), -alpha - 1, false, nodes);
            if (score > alpha) return score;
            if (score > best) best = score;
        }
    }
    return best;
}

int solve_few(const Board& board, int alpha, std::uint64_t& nodes) noexcept {
    return solve_few(board, alpha, odd_quarters(board.empty()), nodes);
}

int solve_few(const Board& board, int alpha, unsigned odd, std::uint64_t& nodes) noexcept {
    const std::uint64_t empty = board.empty();
    std::uint64_t rest = empty;
    const LaneBoard lanes = to_lanes(board);
    switch (std::popcount(empty)) {
        case 0:
            ++nodes;
            return over_score(board.player, 0);
        case 1:
            ++nodes;
            return solve_1(board.player, alpha, lowest_bit(empty));
        case 2: {
            const Square a = pop_lowest_bit(rest);
            return solve_2(lanes, alpha, a, lowest_bit(rest), nodes);
        }
        case 3: {
            Squares squares = static_cast<Squares>(pop_lowest_bit(rest));
            squares |= static_cast<Squares>(pop_lowest_bit(rest)) << 8;
            squares |= static_cast<Squares>(lowest_bit(rest)) << 16;
            return solve_3(lanes, alpha, squares, false, nodes);
        }
        case 4:
            return solve_4(lanes, empty, alpha, false, nodes);
        default:
            return solve_five(lanes, empty, legal_moves(board), alpha, odd, nodes);
    }
}

}  // namespace yomi::othello::search
