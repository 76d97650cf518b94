#pragma once

#include <cstdint>

#include "core/othello/board.hpp"

namespace yomi::othello {

/// One of the 8 images of the board, as three switches applied in this order:
/// bit 0 mirrors the files (a <-> h), bit 1 mirrors the ranks (1 <-> 8), bit 2 exchanges files and
/// ranks (a1-h8 diagonal stays).
using Symmetry = int;

inline constexpr int kSymmetries = 8;
inline constexpr Symmetry kIdentity = 0;
inline constexpr Symmetry kMirrorFiles = 1;
inline constexpr Symmetry kMirrorRanks = 2;
inline constexpr Symmetry kTranspose = 4;

constexpr std::uint64_t mirror_files(std::uint64_t word) noexcept {
    word = ((word >> 1) & 0x5555'5555'5555'5555) | ((word & 0x5555'5555'5555'5555) << 1);
    word = ((word >> 2) & 0x3333'3333'3333'3333) | ((word & 0x3333'3333'3333'3333) << 2);
    return ((word >> 4) & 0x0F0F'0F0F'0F0F'0F0F) | ((word & 0x0F0F'0F0F'0F0F'0F0F) << 4);
}

constexpr std::uint64_t mirror_ranks(std::uint64_t word) noexcept {
    word = ((word >> 8) & 0x00FF'00FF'00FF'00FF) | ((word & 0x00FF'00FF'00FF'00FF) << 8);
    word = ((word >> 16) & 0x0000'FFFF'0000'FFFF) | ((word & 0x0000'FFFF'0000'FFFF) << 16);
    return (word >> 32) | (word << 32);
}

/// Exchanges blocks of 1, 2 and 4 squares across the diagonal (delta swaps).
constexpr std::uint64_t transpose(std::uint64_t word) noexcept {
    std::uint64_t delta = (word ^ (word >> 7)) & 0x00AA'00AA'00AA'00AA;
    word ^= delta ^ (delta << 7);
    delta = (word ^ (word >> 14)) & 0x0000'CCCC'0000'CCCC;
    word ^= delta ^ (delta << 14);
    delta = (word ^ (word >> 28)) & 0x0000'0000'F0F0'F0F0;
    return word ^ delta ^ (delta << 28);
}

constexpr std::uint64_t apply(Symmetry symmetry, std::uint64_t word) noexcept {
    if ((symmetry & kMirrorFiles) != 0) word = mirror_files(word);
    if ((symmetry & kMirrorRanks) != 0) word = mirror_ranks(word);
    return (symmetry & kTranspose) != 0 ? transpose(word) : word;
}

constexpr Board apply(Symmetry symmetry, const Board& board) noexcept {
    return {apply(symmetry, board.player), apply(symmetry, board.opponent)};
}

/// Where a square goes; a pass stays a pass.
constexpr Square apply_to_square(Symmetry symmetry, Square square) noexcept {
    if (square == kPass) return kPass;
    int file = file_of(square);
    int rank = rank_of(square);
    if ((symmetry & kMirrorFiles) != 0) file = 7 - file;
    if ((symmetry & kMirrorRanks) != 0) rank = 7 - rank;
    return (symmetry & kTranspose) != 0 ? square_at(rank, file) : square_at(file, rank);
}

/// The symmetry that undoes `symmetry`. Only the two quarter turns differ from their inverse: past
/// the exchange a mirror of files is a mirror of ranks.
constexpr Symmetry inverse(Symmetry symmetry) noexcept {
    if ((symmetry & kTranspose) == 0) return symmetry;
    return kTranspose | ((symmetry & 1) << 1) | ((symmetry & 2) >> 1);
}

/// First `first`, then `second`.
constexpr Symmetry compose(Symmetry first, Symmetry second) noexcept {
    // The mirrors of `second` act behind the exchange of `first`, where files and ranks have
    // swapped.
    Symmetry mirrors = second & 3;
    if ((first & kTranspose) != 0) mirrors = ((mirrors & 1) << 1) | (mirrors >> 1);
    return (first ^ mirrors) ^ (second & kTranspose);
}

/// A position's representative among its 8 images, and the symmetry that leads to it.
struct CanonicalForm {
    Board board;
    Symmetry symmetry = kIdentity;  ///< board = apply(symmetry, original)

    friend constexpr bool operator==(const CanonicalForm&, const CanonicalForm&) noexcept = default;
};

/// The image with the smallest player word, then the smallest opponent word: the form that Edax's
/// and Egaroucid's books store.
///
/// Cost    about 22 ns (tests/bench/othello_bench). Sharing one exchange between four images by
/// hand was
///         no faster: the compiler finds it.
constexpr CanonicalForm canonical(const Board& board) noexcept {
    CanonicalForm best{board, kIdentity};
    for (Symmetry symmetry = 1; symmetry < kSymmetries; ++symmetry) {
        const Board image = apply(symmetry, board);
        if (image < best.board) best = {image, symmetry};
    }
    return best;
}

/// The key of the ES-Cube tutorial's book: 32-bit halves, `l` ranks 1-4, `h` ranks 5-8; the discs
/// of the side to move in `b*`, whatever their colour. For display and for its files only.
struct LegacyKey {
    std::uint32_t bl = 0;
    std::uint32_t bh = 0;
    std::uint32_t wl = 0;
    std::uint32_t wh = 0;

    friend constexpr bool operator==(const LegacyKey&, const LegacyKey&) noexcept = default;
};

/// The image that is smallest by (wh, wl, bh, bl), which is another one than `canonical` chooses.
constexpr LegacyKey legacy_key(const Board& board) noexcept {
    Board best = board;
    for (Symmetry symmetry = 1; symmetry < kSymmetries; ++symmetry) {
        const Board image = apply(symmetry, board);
        if (image.swapped() < best.swapped()) best = image;
    }
    return {.bl = static_cast<std::uint32_t>(best.player),
            .bh = static_cast<std::uint32_t>(best.player >> 32),
            .wl = static_cast<std::uint32_t>(best.opponent),
            .wh = static_cast<std::uint32_t>(best.opponent >> 32)};
}

}  // namespace yomi::othello
