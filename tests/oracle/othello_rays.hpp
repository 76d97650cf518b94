#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/base/hash.hpp"
#include "core/othello/position.hpp"

/// The rules of Othello written the slow, plain way: 64 cells and a walk along eight rays. It
/// shares nothing with core/othello but the type it is compared through.
namespace yomi::oracle {

struct Cells {
    std::array<char, 64> at{};  // 'P' the side to move, 'O' the other, '-' empty
};

inline Cells cells_of(const othello::Board& board) {
    Cells cells;
    for (int i = 0; i < 64; ++i) {
        const bool player = (board.player >> i & 1) != 0;
        const bool opponent = (board.opponent >> i & 1) != 0;
        cells.at[static_cast<std::size_t>(i)] = player ? 'P' : opponent ? 'O' : '-';
    }
    return cells;
}

inline std::vector<int> flipped_by(const Cells& cells, int square) {
    std::vector<int> flipped;
    if (cells.at[static_cast<std::size_t>(square)] != '-') return flipped;
    for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
            if (dx == 0 && dy == 0) continue;
            std::vector<int> run;
            int x = square % 8 + dx;
            int y = square / 8 + dy;
            while (x >= 0 && x < 8 && y >= 0 && y < 8 &&
                   cells.at[static_cast<std::size_t>(y * 8 + x)] == 'O') {
                run.push_back(y * 8 + x);
                x += dx;
                y += dy;
            }
            const bool closed = x >= 0 && x < 8 && y >= 0 && y < 8 &&
                                cells.at[static_cast<std::size_t>(y * 8 + x)] == 'P';
            if (closed) flipped.insert(flipped.end(), run.begin(), run.end());
        }
    }
    return flipped;
}

inline std::uint64_t flips(const othello::Board& board, int square) {
    std::uint64_t word = 0;
    for (const int flipped : flipped_by(cells_of(board), square))
        word |= std::uint64_t{1} << flipped;
    return word;
}

inline std::uint64_t legal_moves(const othello::Board& board) {
    const Cells cells = cells_of(board);
    std::uint64_t word = 0;
    for (int square = 0; square < 64; ++square) {
        if (!flipped_by(cells, square).empty()) word |= std::uint64_t{1} << square;
    }
    return word;
}

/// Two disjoint random words: boards that no game reaches, with every run length on every line.
inline othello::Board random_board(SplitMix64& random) {
    const std::uint64_t occupied = random() | random();
    const std::uint64_t player = random() & (random() | random());
    return {occupied & player, occupied & ~player};
}

}  // namespace yomi::oracle
