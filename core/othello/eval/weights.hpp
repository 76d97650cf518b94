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

/// Which entries share a weight: a shape that is its own mirror image has one weight for each pair
/// of mirrored contents, and so the evaluation is the same for all 8 images of a board.
struct Packing {
    std::vector<std::int32_t> slot_of;  ///< `kEntries` numbers below `slots`, for even empties
    int slots = 0;
    std::array<int, kShapes + 1> begin{};  ///< first slot of each shape, then of the rest

    /// The weight of an entry on a board with so many empties.
    [[nodiscard]] std::int32_t slot(std::size_t entry, int empties) const noexcept {
        return slot_of[entry] + (entry >= kBiasEntry && empties % 2 != 0 ? kCountEntries : 0);
    }
};
const Packing& packing();

/// The weights as they are trained and shipped.
struct Weights {
    /// For each knot `packing().slots` weights, in 1/32 disc for the side to move.
    std::array<std::vector<std::int16_t>, kKnots.size()> knots;

    friend bool operator==(const Weights&, const Weights&) = default;
};

/// The file of weights: "YOE2", the number of knots, the knots, then the weights as differences
/// to the knot before, packed by an adaptive binary range coder; four bytes of check sum at the
/// end.
std::vector<std::uint8_t> write_weights(const Weights& weights);

/// Errors  bad_value for another kind of file, another version, a truncated or damaged one.
Result<Weights> read_weights(std::span<const std::uint8_t> file);

}  // namespace yomi::othello::eval
