#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.hpp"

namespace yomi::othello {

/// A square as its row-major index: a1 = 0, b1 = 1 ... h1 = 7, a2 = 8 ... h8 = 63. The same index
/// is the bit number in every bitboard of this room (the bit order of Edax).
using Square = int;

/// The move number of a pass, as book files have it.
inline constexpr Square kPass = 64;

constexpr std::uint64_t bit(Square square) noexcept {
    return std::uint64_t{1} << square;
}
constexpr Square square_at(int file, int rank) noexcept {
    return rank * 8 + file;
}
constexpr int file_of(Square square) noexcept {
    return square & 7;
}
constexpr int rank_of(Square square) noexcept {
    return square >> 3;
}

/// "f5" in lower case; "pass" for `kPass`.
inline std::string to_string(Square square) {
    if (square == kPass) return "pass";
    return {static_cast<char>('a' + file_of(square)), static_cast<char>('1' + rank_of(square))};
}

/// Reads "f5" or "F5". Errors: bad_notation.
inline Result<Square> parse_square(std::string_view text) {
    if (text.size() == 2) {
        const int file = (text[0] | 0x20) - 'a';
        const int rank = text[1] - '1';
        if (file >= 0 && file < 8 && rank >= 0 && rank < 8) return square_at(file, rank);
    }
    return fail_at(ErrorCode::bad_notation, "a square is a letter a..h and a digit 1..8", 1, text);
}

}  // namespace yomi::othello
