#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#ifdef __AVX2__
#include <immintrin.h>
#endif

#include "core/base/bits.hpp"
#include "core/othello/board.hpp"

namespace yomi::othello::eval {

/// The shapes that the evaluation looks at. Each lies on the board in all its different images
/// under the 8 symmetries, and all images of a shape share one table.
enum class Shape : std::uint8_t {
    corner_3x3,
    edge_2x,     ///< an edge and the two X squares beside its corners
    corner_2x5,  ///< two ranks by five files from a corner; eight images
    line_2,
    line_3,
    line_4,
    triangle,  ///< the ten squares nearest to a corner: a1-d1, a2-c2, a3-b3, a4
    diagonal_8,
    diagonal_7,
    diagonal_6,
    diagonal_5,
};
inline constexpr std::size_t kShapes = 11;

/// Squares of the first image, in the order of the digits, lowest digit first.
struct ShapeSquares {
    std::array<std::int8_t, 10> squares;
    int size;
};

inline constexpr std::array<ShapeSquares, kShapes> kShapeSquares = {{
    {{0, 1, 2, 8, 9, 10, 16, 17, 18}, 9},
    {{9, 0, 1, 2, 3, 4, 5, 6, 7, 14}, 10},
    {{0, 1, 2, 3, 4, 8, 9, 10, 11, 12}, 10},
    {{8, 9, 10, 11, 12, 13, 14, 15}, 8},
    {{16, 17, 18, 19, 20, 21, 22, 23}, 8},
    {{24, 25, 26, 27, 28, 29, 30, 31}, 8},
    {{0, 1, 2, 3, 8, 9, 10, 16, 17, 24}, 10},
    {{0, 9, 18, 27, 36, 45, 54, 63}, 8},
    {{1, 10, 19, 28, 37, 46, 55}, 7},
    {{2, 11, 20, 29, 38, 47}, 6},
    {{3, 12, 21, 30, 39}, 5},
}};

inline constexpr std::array<int, 11> kPowers3 = {
    1, 3, 9, 27, 81, 243, 729, 2187, 6561, 19683, 59049};

/// Entries of all tables of one phase, and where each shape's entry of the empty shape lies.
constexpr std::array<int, kShapes> make_centres() noexcept {
    std::array<int, kShapes> centres{};
    int begin = 0;
    for (std::size_t shape = 0; shape < kShapes; ++shape) {
        const int entries = kPowers3[static_cast<std::size_t>(kShapeSquares[shape].size)];
        centres[shape] = begin + entries / 2;
        begin += entries;
    }
    return centres;
}
inline constexpr std::array<int, kShapes> kCentres = make_centres();
inline constexpr int kShapeEntries = 226'233;
/// The constant of a phase follows the shapes' entries.
inline constexpr int kBiasEntry = kShapeEntries;
/// Then one entry for each number of moves of the side to move, and of the other side.
inline constexpr int kMostMoves = 33;
inline constexpr int kMovesEntry = kBiasEntry + 1;
inline constexpr int kRepliesEntry = kMovesEntry + kMostMoves + 1;
inline constexpr int kEntries = kRepliesEntry + kMostMoves + 1;
/// The entries that are of no shape. They have other weights when the number of empties is odd:
/// whoever has the last move gains by it.
inline constexpr int kCountEntries = kEntries - kBiasEntry;

inline constexpr std::size_t kFeatures = 46;
/// Rounded up to three registers of 16; the spare features are always 0 and read the constant and
/// an entry that is 0.
inline constexpr std::size_t kFeatureSlots = 48;

/// An image of a shape on the board.
struct Feature {
    Shape shape;
    std::array<std::int8_t, 10> squares;
    int size;
};

/// The features in the order of the slots: by shape, then by the symmetry that first makes the
/// image.
const std::array<Feature, kFeatures>& features() noexcept;

/// For each square, what a disc of the player there adds to each feature's index.
struct FeatureSteps {
    alignas(32) std::array<std::array<std::int16_t, kFeatureSlots>, 64> of;
};
const FeatureSteps& feature_steps() noexcept;

/// The board as the evaluation sees it: one number for each feature, in balanced base 3: +1 the
/// side to move, -1 the other side, 0 empty. The other side's view is the negative.
struct alignas(32) Indices {
    std::array<std::int16_t, kFeatureSlots> at{};

    friend bool operator==(const Indices&, const Indices&) noexcept = default;
};

/// The indices of a board from nothing. Cost about 200 ns.
Indices indices_of(const Board& board) noexcept;

namespace portable {

inline void after_move(const FeatureSteps& steps,
                       const Indices& before,
                       Square square,
                       std::uint64_t flipped,
                       Indices& after) noexcept {
    std::array<std::uint16_t, kFeatureSlots> sum{};
    // Sums wrap at 16 bits on the way; the result fits again.
    for (std::uint64_t rest = flipped; rest != 0;) {
        const auto& row = steps.of[static_cast<std::size_t>(pop_lowest_bit(rest))];
        for (std::size_t i = 0; i < kFeatureSlots; ++i)
            sum[i] = static_cast<std::uint16_t>(sum[i] + static_cast<std::uint16_t>(row[i]));
    }
    const auto& placed = steps.of[static_cast<std::size_t>(square)];
    for (std::size_t i = 0; i < kFeatureSlots; ++i) {
        const int value = before.at[i] + placed[i] + 2 * sum[i];
        after.at[i] = static_cast<std::int16_t>(static_cast<std::uint16_t>(-value));
    }
}

}  // namespace portable

/// The indices after a move, seen by the other side.
///
/// Cost    three vector operations for each disc turned over. `after` may be `before`.
inline void after_move(const FeatureSteps& steps,
                       const Indices& before,
                       Square square,
                       std::uint64_t flipped,
                       Indices& after) noexcept {
#ifdef __AVX2__
    const auto load = [](const std::int16_t* from) noexcept {
        return _mm256_load_si256(reinterpret_cast<const __m256i*>(from));
    };
    __m256i a = _mm256_setzero_si256();
    __m256i b = a;
    __m256i c = a;
    for (std::uint64_t rest = flipped; rest != 0;) {
        const std::int16_t* row = steps.of[static_cast<std::size_t>(pop_lowest_bit(rest))].data();
        a = _mm256_add_epi16(a, load(row));
        b = _mm256_add_epi16(b, load(row + 16));
        c = _mm256_add_epi16(c, load(row + 32));
    }
    const std::int16_t* placed = steps.of[static_cast<std::size_t>(square)].data();
    const std::int16_t* old = before.at.data();
    const auto step = [&](__m256i sum, std::size_t at) noexcept {
        const __m256i now = _mm256_add_epi16(_mm256_add_epi16(load(old + at), load(placed + at)),
                                             _mm256_add_epi16(sum, sum));
        _mm256_store_si256(reinterpret_cast<__m256i*>(after.at.data() + at),
                           _mm256_sub_epi16(_mm256_setzero_si256(), now));
    };
    step(a, 0);
    step(b, 16);
    step(c, 32);
#else
    portable::after_move(steps, before, square, flipped, after);
#endif
}

/// The indices after a pass.
inline void after_pass(const Indices& before, Indices& after) noexcept {
    for (std::size_t i = 0; i < kFeatureSlots; ++i)
        after.at[i] = static_cast<std::int16_t>(-before.at[i]);
}

}  // namespace yomi::othello::eval
