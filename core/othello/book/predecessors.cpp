#include <array>
#include <cstddef>

#include "core/othello/book/moves.hpp"

namespace yomi::othello::book {
namespace {

constexpr std::uint64_t kCentre = bit(27) | bit(28) | bit(35) | bit(36);

struct Direction {
    int file, rank;
};
constexpr std::array<Direction, 8> kDirections = {
    {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, -1}, {1, -1}, {-1, 1}}};

/// What one direction from the last disc may have turned over: the first 0, 1, ... of its own run,
/// the last disc of the run excepted, which held the other end.
struct Ray {
    std::array<std::uint64_t, 8> turned{};
    std::size_t choices = 1;  ///< `turned[0]` is "nothing"
};

/// False: the disc cannot have been placed last, because this direction would have turned over
/// discs that are still the other side's.
bool read_ray(const Board& board, Square from, Direction direction, Ray& ray) {
    int file = file_of(from) + direction.file;
    int rank = rank_of(from) + direction.rank;
    const auto inside = [&] { return file >= 0 && file < 8 && rank >= 0 && rank < 8; };
    std::uint64_t run = 0;
    bool others_first = false;
    for (; inside(); file += direction.file, rank += direction.rank) {
        const std::uint64_t square = bit(square_at(file, rank));
        if ((board.player & square) != 0) {
            if (run != 0) break;
            others_first = true;
            continue;
        }
        if ((board.opponent & square) == 0) break;
        if (others_first) return false;
        if (run != 0) ray.turned[ray.choices++] = run;
        run |= square;
    }
    return true;
}

void add_with_last(const Board& board, Square last, std::vector<Board>& out) {
    std::array<Ray, 8> rays{};
    for (std::size_t line = 0; line < 8; ++line) {
        if (!read_ray(board, last, kDirections[line], rays[line])) return;
    }
    // Counts through all combinations like an odometer.
    std::array<std::size_t, 8> choice{};
    for (;;) {
        std::size_t line = 0;
        while (line < 8 && ++choice[line] == rays[line].choices)
            choice[line++] = 0;
        if (line == 8) return;
        std::uint64_t turned = 0;
        for (std::size_t i = 0; i < 8; ++i)
            turned |= rays[i].turned[choice[i]];
        out.push_back(before_move(board, last, turned));
    }
}

}  // namespace

std::vector<Board> predecessors(const Board& board) {
    std::vector<Board> out;
    std::uint64_t lasts = board.opponent & ~kCentre;
    while (lasts != 0)
        add_with_last(board, pop_lowest_bit(lasts), out);
    if (must_pass(board.swapped())) out.push_back(board.swapped());
    return out;
}

}  // namespace yomi::othello::book
