#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/result.hpp"
#include "core/othello/eval/features.hpp"

namespace yomi::othello::eval {

/// The numbers of empties that have weights of their own; between two of them the evaluation
/// interpolates, beyond the ends it keeps the nearest.
inline constexpr std::array<int, 11> kKnots = {8, 12, 16, 20, 24, 28, 32, 36, 40, 46, 52};

/// Discs are stored in 1/32.
inline constexpr int kStoredUnit = 32;

/// Units between the shapes of discs and the value, which see what no sum of tables can: each adds
/// one number for every feature of those shapes and one of its own, and what is above 0 of it
/// counts as many times as its output says.
inline constexpr std::size_t kHidden = 16;
inline constexpr int kHiddenUnit = 64;   ///< what they add is stored in 1/64 disc
inline constexpr int kOutputUnit = 256;  ///< outputs are stored in 1/256
/// No sum of a unit leaves 16 bits in 1/256 disc: (46 x 172 + 256) x 4 < 32768.
inline constexpr int kMostHidden = 172;
inline constexpr int kMostHiddenBias = 256;
inline constexpr int kMostOutput = 4096;

/// Which entries share a weight: a shape that is its own mirror image has one weight for each pair
/// of mirrored contents, and so the evaluation is the same for all 8 images of a board.
struct Packing {
    /// `kEntries` numbers below `slots`, for even empties; -1 for an entry that no board has.
    std::vector<std::int32_t> slot_of;
    int slots = 0;
    std::array<int, kShapes + 1> begin{};  ///< first slot of each shape, then of the rest

    /// The weight of an entry on a board with so many empties.
    [[nodiscard]] std::int32_t slot(std::size_t entry, int empties) const noexcept {
        return slot_of[entry] + (entry >= kBiasEntry && empties % 2 != 0 ? kCountEntries : 0);
    }
    /// The first slot that the hidden units look at, and how many they do.
    [[nodiscard]] int first_hidden() const noexcept { return begin[kOpenShapes]; }
    [[nodiscard]] int hidden_slots() const noexcept { return begin[kShapes] - first_hidden(); }
};
const Packing& packing();

/// The weights as they are trained and shipped.
struct Weights {
    /// For each knot `packing().slots` weights, in 1/32 disc for the side to move.
    std::array<std::vector<std::int16_t>, kKnots.size()> knots;
    /// For each of `packing().hidden_slots()` what it adds to each unit, in 1/64 disc.
    std::vector<std::array<std::int16_t, kHidden>> hidden;
    std::array<std::int16_t, kHidden> hidden_bias{};  ///< likewise
    /// By knot: how many times a unit counts, in 1/256.
    std::array<std::array<std::int16_t, kHidden>, kKnots.size()> outputs{};

    friend bool operator==(const Weights&, const Weights&) = default;
};

/// The file of weights: "YOE3", the number of knots, the knots, the number of hidden units, then
/// the weights as differences to the knot before, the outputs likewise and what is hidden, packed
/// by an adaptive binary range coder; four bytes of check sum at the end.
std::vector<std::uint8_t> write_weights(const Weights& weights);

/// Errors  bad_value for another kind of file, another version, a truncated or damaged one.
Result<Weights> read_weights(std::span<const std::uint8_t> file);

}  // namespace yomi::othello::eval
