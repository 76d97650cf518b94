#include "core/othello/eval/evaluator.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/hash.hpp"

namespace yomi::othello::eval {
namespace {

/// How a number of empties lies between two knots: `low` weighs `1 - share`, the next one `share`.
struct Between {
    std::size_t low;
    std::size_t high;
    int share;  ///< of `span`
    int span;
};

Between between_knots(int empties) noexcept {
    if (empties <= kKnots.front()) return {0, 0, 0, 1};
    if (empties >= kKnots.back()) return {kKnots.size() - 1, kKnots.size() - 1, 0, 1};
    std::size_t high = 1;
    while (kKnots[high] < empties)
        ++high;
    return {high - 1, high, empties - kKnots[high - 1], kKnots[high] - kKnots[high - 1]};
}

}  // namespace

Evaluator::Evaluator(const Weights& weights)
    : tables_(61 * kStride), hidden_(kShapeEntries - kOpenEntries) {
    const Packing& all = packing();
    constexpr int kScale = kFineUnit / kStoredUnit;
    std::vector<std::int16_t> mixed(static_cast<std::size_t>(all.slots));
    for (int empties = 0; empties <= 60; ++empties) {
        const Between at = between_knots(empties);
        const auto& low = weights.knots[at.low];
        const auto& high = weights.knots[at.high];
        for (std::size_t slot = 0; slot < mixed.size(); ++slot) {
            const int sum = low[slot] * (at.span - at.share) + high[slot] * at.share;
            const double value = static_cast<double>(kScale * sum) / at.span;
            mixed[slot] = static_cast<std::int16_t>(std::lround(std::clamp(value, -32e3, 32e3)));
        }
        std::int16_t* const table = tables_.data() + static_cast<std::size_t>(empties) * kStride;
        for (std::size_t entry = 0; entry < kEntries; ++entry) {
            const std::int32_t slot = all.slot(entry, empties);
            if (slot >= 0) table[entry] = mixed[static_cast<std::size_t>(slot)];
        }
        for (std::size_t unit = 0; unit < kHidden; ++unit) {
            const int sum = weights.outputs[at.low][unit] * (at.span - at.share) +
                            weights.outputs[at.high][unit] * at.share;
            const double output = static_cast<double>(sum) / at.span;
            outputs_[static_cast<std::size_t>(empties)][unit] = static_cast<std::int16_t>(
                std::lround(std::clamp<double>(output, -kMostOutput, kMostOutput)));
        }
    }
    constexpr int kInner = kHiddenFine / kHiddenUnit;
    for (std::size_t entry = kOpenEntries; entry < kShapeEntries; ++entry) {
        const auto& units =
            weights.hidden[static_cast<std::size_t>(all.slot_of[entry] - all.first_hidden())];
        for (std::size_t unit = 0; unit < kHidden; ++unit) {
            hidden_[entry - kOpenEntries][unit] = static_cast<std::int16_t>(
                kInner * std::clamp<int>(units[unit], -kMostHidden, kMostHidden));
        }
    }
    for (std::size_t unit = 0; unit < kHidden; ++unit) {
        hidden_bias_[unit] = static_cast<std::int16_t>(
            kInner * std::clamp<int>(weights.hidden_bias[unit], -kMostHiddenBias, kMostHiddenBias));
    }
    for (std::size_t i = 0; i < kFeatures; ++i)
        centres_[i] = kCentres[static_cast<std::size_t>(features()[i].shape)];
    centres_[kFeatures] = kBiasEntry;
    centres_[kFeatures + 1] = kEntries;
    const auto mark = [this](const auto& numbers) {
        for (const std::int16_t number : numbers)
            fingerprint_ = mix64(fingerprint_ ^ static_cast<std::uint16_t>(number));
    };
    for (const auto& knot : weights.knots)
        mark(knot);
    for (const auto& outputs : weights.outputs)
        mark(outputs);
    mark(weights.hidden_bias);
    for (const auto& units : weights.hidden)
        mark(units);
}

}  // namespace yomi::othello::eval
