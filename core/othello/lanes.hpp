#pragma once

#include <cstdint>

#include "core/othello/board.hpp"

namespace yomi::othello {

/// A board in the form in which a search plays move after move: with AVX2 both words stay in one
/// vector register, so that flips need no way through the integer registers. Without, it is a
/// `Board`. The operations are those of `Board` by other names; both forms give the same.
#ifdef __AVX2__

struct LaneBoard {
    __m128i words;  ///< lane 0: the player, lane 1: the opponent
};
/// The discs that a move turns over, in both lanes.
struct LaneFlips {
    __m128i words;

    [[nodiscard]] bool none() const noexcept { return _mm_testz_si128(words, words) != 0; }
    [[nodiscard]] std::uint64_t mask() const noexcept {
        return static_cast<std::uint64_t>(_mm_cvtsi128_si64(words));
    }
};

inline LaneBoard to_lanes(const Board& board) noexcept {
    return {_mm_set_epi64x(static_cast<long long>(board.opponent),
                           static_cast<long long>(board.player))};
}
inline std::uint64_t player_of(const LaneBoard& board) noexcept {
    return static_cast<std::uint64_t>(_mm_cvtsi128_si64(board.words));
}
inline std::uint64_t opponent_of(const LaneBoard& board) noexcept {
    return static_cast<std::uint64_t>(_mm_extract_epi64(board.words, 1));
}
inline Board to_board(const LaneBoard& board) noexcept {
    return {player_of(board), opponent_of(board)};
}
inline LaneBoard swapped(const LaneBoard& board) noexcept {
    return {_mm_shuffle_epi32(board.words, 0x4E)};
}

inline LaneFlips lane_flips(const LaneBoard& board, Square square) noexcept {
    const __m256i player = _mm256_broadcastq_epi64(board.words);
    const __m256i opponent = _mm256_permute4x64_epi64(_mm256_castsi128_si256(board.words), 0x55);
    const __m256i lines = avx2::flips_by_line(player, opponent, square);
    const __m128i halves =
        _mm_or_si128(_mm256_castsi256_si128(lines), _mm256_extracti128_si256(lines, 1));
    return {_mm_or_si128(halves, _mm_shuffle_epi32(halves, 0x4E))};
}

inline LaneBoard after_move(const LaneBoard& board, Square square, LaneFlips flipped) noexcept {
    const __m128i placed = _mm_cvtsi64_si128(static_cast<long long>(bit(square)));
    const __m128i moved = _mm_xor_si128(board.words, _mm_or_si128(flipped.words, placed));
    return {_mm_shuffle_epi32(moved, 0x4E)};
}

/// The player's moves; squares that are taken may be among them.
inline std::uint64_t lane_moves(const LaneBoard& board) noexcept {
    const __m256i player = _mm256_broadcastq_epi64(board.words);
    const __m256i opponent = _mm256_permute4x64_epi64(_mm256_castsi128_si256(board.words), 0x55);
    return avx2::any_lane(avx2::moves_by_line(player, opponent));
}

#else

using LaneBoard = Board;
struct LaneFlips {
    std::uint64_t word;

    [[nodiscard]] bool none() const noexcept { return word == 0; }
    [[nodiscard]] std::uint64_t mask() const noexcept { return word; }
};
inline LaneBoard to_lanes(const Board& board) noexcept {
    return board;
}
inline Board to_board(const LaneBoard& board) noexcept {
    return board;
}
inline std::uint64_t player_of(const LaneBoard& board) noexcept {
    return board.player;
}
inline std::uint64_t opponent_of(const LaneBoard& board) noexcept {
    return board.opponent;
}
inline LaneBoard swapped(const LaneBoard& board) noexcept {
    return board.swapped();
}
inline LaneFlips lane_flips(const LaneBoard& board, Square square) noexcept {
    return {flips(board, square)};
}
inline std::uint64_t lane_moves(const LaneBoard& board) noexcept {
    return legal_moves(board);
}
inline LaneBoard after_move(const LaneBoard& board, Square square, LaneFlips flipped) noexcept {
    return after_move(board, square, flipped.word);
}

#endif

}  // namespace yomi::othello
