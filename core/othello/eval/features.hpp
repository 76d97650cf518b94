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
///
/// An open shape also tells of its empty squares who may move there: what is about to happen. The
/// others see discs alone, and feed the hidden units as well.
enum class Shape : std::uint8_t {
    open_corner,        ///< a1, b1, c1, a2, b2
    open_edge,          ///< b1, c1, d1, c2, d2
    open_edge_middle,   ///< c1, d1, e1, d2, e2
    open_inner_corner,  ///< b2, c2, d2, c3, d3
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
inline constexpr std::size_t kShapes = 15;
inline constexpr std::size_t kOpenShapes = 4;

/// Squares of the first image, in the order of the digits, lowest digit first.
struct ShapeSquares {
    std::array<std::int8_t, 10> squares;
    int size;
};

inline constexpr std::array<ShapeSquares, kShapes> kShapeSquares = {{
    {{0, 1, 2, 8, 9}, 5},
    {{1, 2, 3, 10, 11}, 5},
    {{2, 3, 4, 11, 12}, 5},
    {{9, 10, 11, 18, 19}, 5},
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

/// Digits of a shape lie around 0. Of discs alone: +1 the side to move, -1 the other side, 0
/// empty, in base 3. Of open shapes +3, -3 and, on an empty square, the sum of +1 where the side to
/// move may move and -2 where the other side may, in base 7; +2 stands for nothing.
constexpr int digit_base(std::size_t shape) noexcept {
    return shape < kOpenShapes ? 7 : 3;
}
inline constexpr int kOpenDisc = 3;
inline constexpr int kOpenMove = 1;
inline constexpr int kOpenReply = -2;

/// The weight of a digit.
constexpr int digit_weight(std::size_t shape, int digit) noexcept {
    int weight = 1;
    for (int i = 0; i < digit; ++i)
        weight *= digit_base(shape);
    return weight;
}
constexpr int entries_of(std::size_t shape) noexcept {
    return digit_weight(shape, kShapeSquares[shape].size);
}

/// Where each shape's entry of the empty shape lies among the entries of one phase.
constexpr std::array<int, kShapes> make_centres() noexcept {
    std::array<int, kShapes> centres{};
    int begin = 0;
    for (std::size_t shape = 0; shape < kShapes; ++shape) {
        centres[shape] = begin + entries_of(shape) / 2;
        begin += entries_of(shape);
    }
    return centres;
}
inline constexpr std::array<int, kShapes> kCentres = make_centres();
inline constexpr int kOpenEntries = kCentres[kOpenShapes] - entries_of(kOpenShapes) / 2;
inline constexpr int kShapeEntries = kCentres[kShapes - 1] + entries_of(kShapes - 1) / 2 + 1;
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

inline constexpr std::size_t kOpenFeatures = 32;  ///< they come first
inline constexpr std::size_t kFeatures = kOpenFeatures + 46;
/// Rounded up to five registers of 16; the spare features are always 0 and read the constant and
/// an entry that is 0.
inline constexpr std::size_t kFeatureSlots = 80;

/// An image of a shape on the board.
struct Feature {
    Shape shape;
    std::array<std::int8_t, 10> squares;
    int size;
};

/// The features in the order of the slots: by shape, then by the symmetry that first makes the
/// image.
const std::array<Feature, kFeatures>& features() noexcept;

/// What a square adds to each feature's index.
struct FeatureSteps {
    /// A disc of the player; one of the opponent takes as much away.
    alignas(32) std::array<std::array<std::int16_t, kFeatureSlots>, 64> of;
    /// `kOpenMove` times this where the player may move, `kOpenReply` times where the opponent may.
    alignas(32) std::array<std::array<std::int16_t, kOpenFeatures>, 64> open;
};
const FeatureSteps& feature_steps() noexcept;

/// The discs of the board as the evaluation sees them: one number for each feature, without what
/// open shapes know of moves. The other side's view is the negative. Aligned as far as any
/// allocator does: the standard library's sorting buffers know of no more.
struct alignas(16) Indices {
    std::array<std::int16_t, kFeatureSlots> at{};

    friend bool operator==(const Indices&, const Indices&) noexcept = default;
};
static_assert(alignof(Indices) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);

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
/// Cost    five vector operations for each disc turned over. `after` may be `before`.
inline void after_move(const FeatureSteps& steps,
                       const Indices& before,
                       Square square,
                       std::uint64_t flipped,
                       Indices& after) noexcept {
#ifdef __AVX2__
    const auto load = [](const std::int16_t* from) noexcept {
        return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
    };
    constexpr std::size_t kRegisters = kFeatureSlots / 16;
    __m256i sums[kRegisters] = {};  // NOLINT(*-c-arrays): std::array drops the type's alignment
    for (std::uint64_t rest = flipped; rest != 0;) {
        const std::int16_t* row = steps.of[static_cast<std::size_t>(pop_lowest_bit(rest))].data();
        for (std::size_t i = 0; i < kRegisters; ++i)
            sums[i] = _mm256_add_epi16(sums[i], load(row + 16 * i));
    }
    const std::int16_t* placed = steps.of[static_cast<std::size_t>(square)].data();
    const std::int16_t* old = before.at.data();
    for (std::size_t i = 0; i < kRegisters; ++i) {
        const __m256i now =
            _mm256_add_epi16(_mm256_add_epi16(load(old + 16 * i), load(placed + 16 * i)),
                             _mm256_add_epi16(sums[i], sums[i]));
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(after.at.data() + 16 * i),
                            _mm256_sub_epi16(_mm256_setzero_si256(), now));
    }
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
