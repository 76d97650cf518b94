#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/othello/board.hpp"
#include "core/othello/lanes.hpp"

namespace yomi::othello::search {

/// Below every score.
inline constexpr int kNoScore = -127;

/// Squares beside a square, diagonals included: a placement needs one of the opponent's there.
constexpr std::array<std::uint64_t, 64> make_neighbours() noexcept {
    std::array<std::uint64_t, 64> masks{};
    for (Square square = 0; square < 64; ++square) {
        for (Square other = 0; other < 64; ++other) {
            const int dx = file_of(other) - file_of(square);
            const int dy = rank_of(other) - rank_of(square);
            if (other != square && dx >= -1 && dx <= 1 && dy >= -1 && dy <= 1)
                masks[static_cast<std::size_t>(square)] |= bit(other);
        }
    }
    return masks;
}
inline constexpr auto kNeighbours = make_neighbours();

/// The four quarters of the board. Whoever plays last into a region gains there, so moves into
/// quarters with an odd number of empties come first.
inline constexpr std::array<std::uint64_t, 4> kQuarters = {
    0x0000'0000'0F0F'0F0F, 0x0000'0000'F0F0'F0F0, 0x0F0F'0F0F'0000'0000, 0xF0F0'F0F0'0000'0000};

/// 1, 2, 4 or 8: the quarter of a square.
constexpr unsigned quarter_of(Square square) noexcept {
    return 1U << ((file_of(square) >> 2) | (rank_of(square) >> 2) << 1);
}

/// The quarters with an odd number of empties as four bits.
constexpr unsigned odd_quarters(std::uint64_t empty) noexcept {
    unsigned odd = 0;
    for (std::size_t quarter = 0; quarter < 4; ++quarter)
        odd |= static_cast<unsigned>(std::popcount(empty & kQuarters[quarter]) & 1) << quarter;
    return odd;
}

/// The squares of the quarters named by four bits.
constexpr std::array<std::uint64_t, 16> make_quarter_masks() noexcept {
    std::array<std::uint64_t, 16> masks{};
    for (std::size_t set = 0; set < 16; ++set) {
        for (std::size_t quarter = 0; quarter < 4; ++quarter) {
            if ((set >> quarter & 1) != 0) masks[set] |= kQuarters[quarter];
        }
    }
    return masks;
}
inline constexpr auto kQuarterMasks = make_quarter_masks();

/// Opponents with this many stable discs are rare unless the player stands this badly: below these
/// values of alpha, by empties, the bound by stable discs is not worth computing.
inline constexpr std::array<std::int8_t, 64> kStabilityFrom = [] {
    std::array<std::int8_t, 64> from{};
    for (std::size_t empties = 0; empties < from.size(); ++empties) {
        const int value = -2 + 2 * static_cast<int>(empties);
        from[empties] = static_cast<std::int8_t>(value < 62 ? value : 62);
    }
    return from;
}();

/// Whether the bound by stable discs is worth computing: alpha is high enough, and the opponent has
/// as many discs as it takes.
constexpr bool stability_may_cut(std::uint64_t opponent, int alpha, int empties) noexcept {
    return alpha >= kStabilityFrom[static_cast<std::size_t>(empties)] &&
           64 - 2 * std::popcount(opponent) <= alpha;
}

/// The final score of a board with `empties` squares left on which nobody can move.
///
/// Unit    discs for the player, empties to the winner.
inline int over_score(std::uint64_t player, int empties) noexcept {
    const int difference = 2 * std::popcount(player) - 64 + empties;
    if (difference == 0) return 0;
    return difference > 0 ? difference + empties : difference - empties;
}

/// Is the exact score of a board with at most `kFewEmpties` empties above `alpha`?
///
/// Shape   fail-soft: an answer > alpha is a lower bound of the score, one <= alpha an upper bound.
///         `alpha` -65..64. A pass or a finished game at the root is fine.
/// Unit    discs for the side to move. `nodes` is increased by the positions entered.
/// Threads pure. No move list and no table: squares are tried in the order of parity.
int solve_few(const Board& board, int alpha, std::uint64_t& nodes) noexcept;
/// The same when the caller keeps `odd_quarters` of the empties.
int solve_few(const Board& board, int alpha, unsigned odd, std::uint64_t& nodes) noexcept;
inline constexpr int kFewEmpties = 5;
/// The same with five empties for a caller who has the board in lanes, its empties and its moves.
int solve_five(const LaneBoard& board,
               std::uint64_t empty,
               std::uint64_t moves,
               int alpha,
               unsigned odd,
               std::uint64_t& nodes) noexcept;

}  // namespace yomi::othello::search
