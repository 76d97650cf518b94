#include "core/othello/eval/features.hpp"

#include <algorithm>
#include <cassert>

#include "core/othello/symmetry.hpp"

namespace yomi::othello::eval {
namespace {

std::array<Feature, kFeatures> make_features() noexcept {
    std::array<Feature, kFeatures> all{};
    std::size_t count = 0;
    for (std::size_t shape = 0; shape < kShapes; ++shape) {
        const ShapeSquares& first = kShapeSquares[shape];
        std::array<std::uint64_t, kSymmetries> seen{};
        for (Symmetry symmetry = 0; symmetry < kSymmetries; ++symmetry) {
            Feature feature{static_cast<Shape>(shape), {}, first.size};
            std::uint64_t mask = 0;
            for (std::size_t i = 0; i < static_cast<std::size_t>(first.size); ++i) {
                feature.squares[i] =
                    static_cast<std::int8_t>(apply_to_square(symmetry, first.squares[i]));
                mask |= bit(feature.squares[i]);
            }
            if (std::find(seen.begin(), seen.end(), mask) != seen.end()) continue;
            seen[static_cast<std::size_t>(symmetry)] = mask;
            assert(count < kFeatures);
            all[count++] = feature;
        }
    }
    assert(count == kFeatures);
    assert(all[kOpenFeatures - 1].shape < Shape::corner_3x3 &&
           all[kOpenFeatures].shape == Shape::corner_3x3);
    return all;
}

FeatureSteps make_steps() noexcept {
    FeatureSteps steps{};
    for (std::size_t i = 0; i < kFeatures; ++i) {
        const Feature& feature = features()[i];
        for (std::size_t digit = 0; digit < static_cast<std::size_t>(feature.size); ++digit) {
            const auto square = static_cast<std::size_t>(feature.squares[digit]);
            const auto shape = static_cast<std::size_t>(feature.shape);
            const int weight = digit_weight(shape, static_cast<int>(digit));
            const bool open = shape < kOpenShapes;
            steps.of[square][i] = static_cast<std::int16_t>(weight * (open ? kOpenDisc : 1));
            if (open) steps.open[square][i] = static_cast<std::int16_t>(weight);
        }
    }
    return steps;
}

}  // namespace

const std::array<Feature, kFeatures>& features() noexcept {
    static const std::array<Feature, kFeatures> kAll = make_features();
    return kAll;
}

const FeatureSteps& feature_steps() noexcept {
    static const FeatureSteps kSteps = make_steps();
    return kSteps;
}

Indices indices_of(const Board& board) noexcept {
    const FeatureSteps& steps = feature_steps();
    std::array<int, kFeatureSlots> sum{};
    for (std::uint64_t rest = board.player; rest != 0;) {
        const auto& row = steps.of[static_cast<std::size_t>(pop_lowest_bit(rest))];
        for (std::size_t i = 0; i < kFeatureSlots; ++i)
            sum[i] += row[i];
    }
    for (std::uint64_t rest = board.opponent; rest != 0;) {
        const auto& row = steps.of[static_cast<std::size_t>(pop_lowest_bit(rest))];
        for (std::size_t i = 0; i < kFeatureSlots; ++i)
            sum[i] -= row[i];
    }
    Indices indices;
    for (std::size_t i = 0; i < kFeatureSlots; ++i)
        indices.at[i] = static_cast<std::int16_t>(sum[i]);
    return indices;
}

}  // namespace yomi::othello::eval
