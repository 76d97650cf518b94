// The lower part of the exact endgame: boards alone, moves sorted by what the opponent can answer,
// a small table of the thread.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "core/base/bits.hpp"
#include "core/othello/lanes.hpp"
#include "core/othello/search/endgame_parameters.hpp"
#include "core/othello/search/tree_search.hpp"
#include "core/othello/stability.hpp"

namespace yomi::othello::search {
namespace {

constexpr std::uint64_t kCorners = 0x8100'0000'0000'0081;

/// What a square weighs in the order of moves beside the replies: corners early, the squares
/// diagonally beside them late.
constexpr std::array<std::int8_t, 64> make_square_ranks() noexcept {
    constexpr std::uint64_t kBesideCorners = 0x0042'0000'0000'4200;
    std::array<std::int8_t, 64> ranks{};
    for (Square square = 0; square < 64; ++square) {
        std::int8_t& rank = ranks[static_cast<std::size_t>(square)];
        rank = kSquareRank;
        if ((kCorners & bit(square)) != 0) rank = 0;
        if ((kBesideCorners & bit(square)) != 0) rank = kSquareRank + kSquareRank / 2;
    }
    return ranks;
}
constexpr auto kSquareRanks = make_square_ranks();

/// Moves by rank, the least first, without sorting what nobody asks for.
class Ranks {
public:
    static constexpr std::size_t kMost = 40;
    static constexpr std::uint16_t kTaken = 0xFFFF;

    void set(std::size_t index, int rank) noexcept {
        ranks_[index] = static_cast<std::uint16_t>(rank);
    }
    /// Fills up to a multiple of 8 what `count` moves leave.
    void end(std::size_t count) noexcept {
        for (std::size_t i = count; i % 8 != 0; ++i)
            ranks_[i] = kTaken;
        size_ = (count + 7) / 8 * 8;
    }
    /// The index of the least rank (the first of equals); it is not given again.
    std::size_t take() noexcept {
        std::size_t least = 0;
#ifdef __AVX2__
        int best = kTaken + 1;
        for (std::size_t i = 0; i < size_; i += 8) {
            const __m128i part = _mm_load_si128(reinterpret_cast<const __m128i*>(&ranks_[i]));
            const int found = _mm_cvtsi128_si32(_mm_minpos_epu16(part));
            if ((found & 0xFFFF) >= best) continue;
            best = found & 0xFFFF;
            least = i + static_cast<std::size_t>(found >> 16);
        }
#else
        for (std::size_t i = 1; i < size_; ++i) {
            if (ranks_[i] < ranks_[least]) least = i;
        }
#endif
        ranks_[least] = kTaken;
        return least;
    }

private:
    alignas(16) std::array<std::uint16_t, kMost> ranks_;
    std::size_t size_ = 0;
};

}  // namespace

int TreeSearch::endgame(const Board& board, int alpha, int empties, unsigned odd) {
    if (empties <= kFewEmpties) return solve_few(board, alpha, odd, nodes_);
    if (empties < kSharedTableFrom)
        return local_endgame(
            to_lanes(board), board.empty(), legal_moves(board), alpha, empties, odd);
    count_node();
    if (stopped_) return alpha;
    const std::uint64_t hash = hash_of(board);
    table_.prefetch(hash);
    if (stability_may_cut(board.opponent, alpha, empties)) {
        const int bound = 64 - 2 * std::popcount(stable_discs(board.swapped()));
        if (bound <= alpha) return bound;
    }
    const std::uint64_t moves = legal_moves(board);
    TableData known;
    Square hint = 64;
    if (table_.probe(board, hash, known)) {
        if (known.depth == empties && known.selectivity == kNoSelectivity) {
            if (known.lower > alpha) return known.lower;
            if (known.upper <= alpha) return known.upper;
        }
        hint = known.moves[0];
    }
    if (moves == 0) {
        if (legal_moves(board.swapped()) == 0) return over_score(board.player, empties);
        return -endgame(board.swapped(), -alpha - 1, empties, odd);
    }
    Square best_move = 64;
    const std::uint64_t before = nodes_;
    const int best = endgame_children(
        to_lanes(board), board.empty(), alpha, empties, odd, moves, hint, best_move);
    if (stopped_) return best;
    table_.store(
        board, hash, empties, kNoSelectivity, nodes_ - before, alpha, alpha + 1, best, best_move);
    return best;
}

int TreeSearch::local_endgame(const LaneBoard& lanes,
                              std::uint64_t empty,
                              std::uint64_t moves,
                              int alpha,
                              int empties,
                              unsigned odd) {
    count_node();
    if (stopped_) return alpha;
    const Board board = to_board(lanes);
    Slot& slot =
        local_[(board.player * 0x9E37'79B9'7F4A'7C15 + board.opponent * 0xBF58'476D'1CE4'E5B9) >>
               (64 - kLocalBits)];
    if (stability_may_cut(board.opponent, alpha, empties)) {
        const int bound = 64 - 2 * std::popcount(stable_discs(board.swapped()));
        if (bound <= alpha) return bound;
    }
    Square hint = 64;
    const bool same = slot.board == board;
    if (same) {
        if (slot.lower > alpha) return slot.lower;
        if (slot.upper <= alpha) return slot.upper;
        hint = slot.move;
    }
    if (moves == 0) {
        const LaneBoard other = swapped(lanes);
        const std::uint64_t theirs = lane_moves(other) & empty;
        if (theirs == 0) return over_score(board.player, empties);
        return -local_endgame(other, empty, theirs, -alpha - 1, empties, odd);
    }
    Square best_move = 64;
    const int best = endgame_children(lanes, empty, alpha, empties, odd, moves, hint, best_move);
    if (stopped_) return best;
    // The subtree may have put another position here meanwhile.
    const bool kept = slot.board == board;
    const auto score = static_cast<std::int8_t>(best);
    slot.board = board;
    if (best > alpha) {
        slot.lower = score;
        if (!kept) slot.upper = 64;
    } else {
        slot.upper = score;
        if (!kept) slot.lower = -64;
    }
    slot.move = static_cast<std::uint8_t>(best_move);
    return best;
}

int TreeSearch::endgame_children(const LaneBoard& lanes,
                                 std::uint64_t empty,
                                 int alpha,
                                 int empties,
                                 unsigned odd,
                                 std::uint64_t moves,
                                 Square hint,
                                 Square& best_move) {
    const std::uint64_t odd_squares = kQuarterMasks[odd];
    std::array<LaneBoard, 34> children;
    std::array<std::uint64_t, 34> replies_to;
    std::array<std::uint8_t, 34> squares;
    Ranks ranks;
    std::size_t count = 0;
    for (std::uint64_t rest = moves; rest != 0; ++count) {
        const Square square = pop_lowest_bit(rest);
        const LaneBoard child = after_move(lanes, square, lane_flips(lanes, square));
        const std::uint64_t replies = lane_moves(child) & empty & ~bit(square);
        if (replies == 0 && player_of(child) == 0) {  // nothing is left to the opponent
            best_move = square;
            return 64;
        }
        children[count] = child;
        replies_to[count] = replies;
        squares[count] = static_cast<std::uint8_t>(square);
        int rank = kMobilityRank * (std::popcount(replies) + std::popcount(replies & kCorners));
        rank += (bit(square) & odd_squares) != 0 ? 0 : kParityRank;
        rank += kSquareRanks[static_cast<std::size_t>(square)];
        ranks.set(count, square == hint ? 0 : rank + 1);
    }
    ranks.end(count);
    int best = kNoScore;
    for (; count != 0; --count) {
        const std::size_t index = ranks.take();
        const Square square = squares[index];
        const std::uint64_t rest = empty & ~bit(square);
        const unsigned odd_after = odd ^ quarter_of(square);
        int score = 0;
        if (empties == kFewEmpties + 1) {
            score = -solve_five(
                children[index], rest, replies_to[index], -alpha - 1, odd_after, nodes_);
        } else if (empties <= kSharedTableFrom) {
            score = -local_endgame(
                children[index], rest, replies_to[index], -alpha - 1, empties - 1, odd_after);
            if (stopped_) return best;
        } else {
            score = -endgame(to_board(children[index]), -alpha - 1, empties - 1, odd_after);
            if (stopped_) return best;
        }
        if (score > best) {
            best = score;
            best_move = square;
            if (score > alpha) return score;
        }
    }
    return best;
}

}  // namespace yomi::othello::search
