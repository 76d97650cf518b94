#include "core/othello/stability.hpp"

#include <array>
#include <cstddef>

#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace yomi::othello {
namespace {

constexpr std::uint64_t kInner = 0x007E'7E7E'7E7E'7E00;
constexpr std::uint64_t kFileA = 0x0101'0101'0101'0101;

/// Squares of a line of 8 as a number in base 3, one digit a square: the player's 1, the other's 2.
constexpr std::array<std::uint16_t, 256> make_base3() noexcept {
    std::array<std::uint16_t, 256> table{};
    for (unsigned row = 0; row < 256; ++row) {
        unsigned value = 0;
        for (unsigned place = 8; place-- > 0;)
            value = 3 * value + (row >> place & 1);
        table[row] = static_cast<std::uint16_t>(value);
    }
    return table;
}
constexpr auto kBase3 = make_base3();
constexpr std::size_t kEdges = 6561;

/// The player's discs of an edge that stay whatever is placed on the edge, by `base3` index.
class EdgeTable {
public:
    EdgeTable() noexcept {
        for (unsigned player = 0; player < 256; ++player) {
            for (unsigned opponent = 0; opponent < 256; ++opponent) {
                if ((player & opponent) == 0) settle(player, opponent);
            }
        }
    }
    [[nodiscard]] unsigned stable(std::uint64_t player, std::uint64_t opponent) const noexcept {
        return stable_[index(player, opponent)];
    }

private:
    static std::size_t index(std::uint64_t player, std::uint64_t opponent) noexcept {
        return kBase3[player & 0xFF] + 2U * kBase3[opponent & 0xFF];
    }

    /// Discs turned over by a disc of `mover` on `place`.
    static unsigned flipped(unsigned mover, unsigned other, int place) noexcept {
        unsigned all = 0;
        for (const int step : {1, -1}) {
            unsigned run = 0;
            int at = place + step;
            for (; at >= 0 && at < 8 && (other >> at & 1) != 0; at += step)
                run |= 1U << at;
            if (at >= 0 && at < 8 && (mover >> at & 1) != 0) all |= run;
        }
        return all;
    }

    unsigned settle(unsigned player, unsigned opponent) noexcept {
        const std::size_t slot = index(player, opponent);
        if (known_[slot]) return stable_[slot];
        unsigned stay = player;
        for (int place = 0; place < 8 && stay != 0; ++place) {
            const unsigned here = 1U << place;
            if (((player | opponent) & here) != 0) continue;
            const unsigned mine = flipped(player, opponent, place);
            stay &= settle(player | mine | here, opponent & ~mine);
            const unsigned theirs = flipped(opponent, player, place);
            stay &= settle(player & ~theirs, opponent | theirs | here);
        }
        known_[slot] = true;
        stable_[slot] = static_cast<std::uint8_t>(stay);
        return stay;
    }

    std::array<std::uint8_t, kEdges> stable_{};
    std::array<bool, kEdges> known_{};
};

const EdgeTable& edge_table() noexcept {
    static const EdgeTable kTable;
    return kTable;
}

/// The bits of file a as a byte, rank 1 lowest.
constexpr std::uint64_t file_byte(std::uint64_t word) noexcept {
    return (word & kFileA) * 0x0102'0408'1020'4080 >> 56;
}
/// The inverse: bit 0 to a1, bit 7 to a8.
constexpr std::uint64_t byte_file(std::uint64_t byte) noexcept {
    constexpr std::uint64_t kSpread = 0x0020'4081;
    return ((byte & 0xF) * kSpread & 0x0101'0101) | ((byte >> 4) * kSpread & 0x0101'0101) << 32;
}

std::uint64_t stable_edges(const Board& board) noexcept {
    const EdgeTable& table = edge_table();
    const std::uint64_t player = board.player;
    const std::uint64_t opponent = board.opponent;
    const std::uint64_t north = table.stable(player, opponent);
    const std::uint64_t south = table.stable(player >> 56, opponent >> 56);
#ifdef __AVX2__
    const __m128i words =
        _mm_set_epi64x(static_cast<long long>(opponent), static_cast<long long>(player));
    const auto h = static_cast<unsigned>(_mm_movemask_epi8(words));
    const auto a = static_cast<unsigned>(_mm_movemask_epi8(_mm_slli_epi64(words, 7)));
    const std::uint64_t west = table.stable(a, a >> 8);
    const std::uint64_t east = table.stable(h, h >> 8);
#else
    const std::uint64_t west = table.stable(file_byte(player), file_byte(opponent));
    const std::uint64_t east = table.stable(file_byte(player >> 7), file_byte(opponent >> 7));
#endif
    return north | south << 56 | byte_file(west) | byte_file(east) << 7;
}

/// For each line direction and each of 1, 2, 4 steps: the squares from which that many steps up
/// (or down) leave the board, and so cannot be blocked.
struct Borders {
    alignas(32) std::array<std::array<std::uint64_t, 4>, 3> up;
    alignas(32) std::array<std::array<std::uint64_t, 4>, 3> down;
};

constexpr Borders make_borders() noexcept {
    constexpr std::array<std::array<int, 2>, 4> kDirections = {{{1, 0}, {0, 1}, {-1, 1}, {1, 1}}};
    Borders borders{};
    for (std::size_t line = 0; line < 4; ++line) {
        for (std::size_t power = 0; power < 3; ++power) {
            for (Square square = 0; square < 64; ++square) {
                for (const int sign : {1, -1}) {
                    const int steps = sign << power;
                    const int file = file_of(square) + steps * kDirections[line][0];
                    const int rank = rank_of(square) + steps * kDirections[line][1];
                    if (file >= 0 && file < 8 && rank >= 0 && rank < 8) continue;
                    (sign > 0 ? borders.up : borders.down)[power][line] |= bit(square);
                }
            }
        }
    }
    return borders;
}
constexpr Borders kBorders = make_borders();

}  // namespace

namespace portable {

std::uint64_t stable_discs(const Board& board) noexcept {
    const std::uint64_t occupied = board.occupied();
    std::array<std::uint64_t, 4> full{};
    std::uint64_t all_full = ~std::uint64_t{0};
    for (std::size_t line = 0; line < 4; ++line) {
        // A square's line is full when the squares up and down to the border are taken: 1 + 2 + 4
        // steps.
        std::uint64_t above = occupied;
        std::uint64_t below = occupied;
        for (std::size_t power = 0; power < 3; ++power) {
            const int shift = kSteps[line] << power;
            // Shifts of 64 or more do not occur: 4 * 9 = 36.
            above &= (above >> shift) | kBorders.up[power][line];
            below &= (below << shift) | kBorders.down[power][line];
        }
        full[line] = above & below;
        all_full &= full[line];
    }
    const std::uint64_t inner = board.player & kInner;
    std::uint64_t stable = stable_edges(board) | (all_full & board.player);
    for (std::uint64_t before = 0; stable != before;) {
        before = stable;
        std::uint64_t next = inner;
        for (std::size_t line = 0; line < 4; ++line)
            next &= (stable << kSteps[line]) | (stable >> kSteps[line]) | full[line];
        stable |= next;
    }
    return stable;
}

}  // namespace portable

#ifdef __AVX2__

std::uint64_t stable_discs(const Board& board) noexcept {
    const __m256i step = _mm256_set_epi64x(9, 7, 8, 1);
    const __m256i occupied = _mm256_set1_epi64x(static_cast<long long>(board.occupied()));
    __m256i above = occupied;
    __m256i below = occupied;
    __m256i shift = step;
    for (std::size_t power = 0; power < 3; ++power) {
        const auto* up = reinterpret_cast<const __m256i*>(kBorders.up[power].data());
        const auto* down = reinterpret_cast<const __m256i*>(kBorders.down[power].data());
        above = _mm256_and_si256(
            above, _mm256_or_si256(_mm256_srlv_epi64(above, shift), _mm256_load_si256(up)));
        below = _mm256_and_si256(
            below, _mm256_or_si256(_mm256_sllv_epi64(below, shift), _mm256_load_si256(down)));
        shift = _mm256_add_epi64(shift, shift);
    }
    const __m256i full = _mm256_and_si256(above, below);
    // All four lanes hold the conjunction, so that the rounds below stay in vector registers.
    const auto in_all = [](__m256i lanes) noexcept {
        const __m256i pairs = _mm256_and_si256(lanes, _mm256_shuffle_epi32(lanes, 0x4E));
        return _mm256_and_si256(pairs, _mm256_permute2x128_si256(pairs, pairs, 0x01));
    };
    const __m256i player = _mm256_set1_epi64x(static_cast<long long>(board.player));
    const __m256i inner = _mm256_and_si256(player, _mm256_set1_epi64x(kInner));
    __m256i stable =
        _mm256_or_si256(_mm256_set1_epi64x(static_cast<long long>(stable_edges(board))),
                        _mm256_and_si256(in_all(full), player));
    for (;;) {
        const __m256i beside =
            _mm256_or_si256(_mm256_sllv_epi64(stable, step), _mm256_srlv_epi64(stable, step));
        const __m256i next = _mm256_and_si256(in_all(_mm256_or_si256(beside, full)), inner);
        if (_mm256_testc_si256(stable, next) != 0) break;
        stable = _mm256_or_si256(stable, next);
    }
    return static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm256_castsi256_si128(stable)));
}

#else

std::uint64_t stable_discs(const Board& board) noexcept {
    return portable::stable_discs(board);
}

#endif

}  // namespace yomi::othello
