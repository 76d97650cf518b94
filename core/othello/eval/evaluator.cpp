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

Evaluator::Evaluator(const Weights& weights) : tables_(61 * kStride) {
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
        for (std::size_t entry = 0; entry < kEntries; ++entry)
            table[entry] = mixed[static_cast<std::size_t>(all.slot(entry, empties))];
    }
    for (std::size_t i = 0; i < kFeatures; ++i)
        centres_[i] = kCentres[static_cast<std::size_t>(features()[i].shape)];
    centres_[kFeatures] = kBiasEntry;
    centres_[kFeatures + 1] = kEntries;
    for (const auto& knot : weights.knots) {
        for (const std::int16_t weight : knot)
            fingerprint_ = mix64(fingerprint_ ^ static_cast<std::uint16_t>(weight));
    }
}

}  // namespace yomi::othello::eval
