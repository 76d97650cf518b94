#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/othello/eval/weights.hpp"
#include "tools/othello_train/samples.hpp"

namespace yomi::othello_train {

struct FitOptions {
    int epochs = 10;
    double rate = 0.6;            ///< at first; falls nearly to 0, in a line
    double prior = 60;            ///< sightings that an unseen entry is taken to have had
    double decay = 2e-7;          ///< share of a weight that each of its sightings takes away
    double expected_share = 0.8;  ///< of `Sample::expected` in the label; the rest is its score
    /// Discs; a label that is farther off counts as if it were so far off (Huber's loss).
    double most_error = 128;
    double held_out = 0.02;
    /// Whether the knots learn from each other: of use with few samples, wrong when only some knots
    /// have samples and the others are to stay as `start` has them.
    bool shared = true;
    /// Scales each knot so that the held-out game scores are met on average: few games and labels
    /// of an older evaluation make values that are too small.
    bool calibrate = false;
    std::uint64_t seed = 1;
};

/// Mean absolute errors in discs after an epoch.
struct FitReport {
    int epoch = 0;
    double train = 0;
    double held_out = 0;
    /// Held-out samples only, by number of empties; 0 where there are none.
    std::array<double, 61> by_empties{};
    /// What each knot was multiplied by; all 0 before the last epoch or without `calibrate`.
    std::array<float, othello::eval::kKnots.size()> scales{};
};

/// Weights in discs while they are being fitted.
struct FloatWeights {
    using Units = std::array<float, othello::eval::kHidden>;

    std::vector<std::vector<float>> knots;  ///< `knots x slots`; empty: nothing is known yet
    std::vector<Units> hidden;              ///< by slot from `packing().first_hidden()` on
    Units hidden_bias{};
    std::vector<Units> outputs;  ///< by knot
};

/// Fits the weights to the samples by stochastic gradient descent on the squared error, each weight
/// with a step of its own (AdaGrad with a prior count). Hidden units begin with small random
/// numbers; those of contents that no sample has end as 0.
///
/// Shape   the same samples in the same order, options and start give the same weights. `start`
///         may be empty. The last `held_out` share of the samples is not trained on.
/// Cost    about 5 microseconds for a sample and an epoch.
FloatWeights fit(std::vector<Sample> samples,
                 const FitOptions& options,
                 const FloatWeights& start,
                 const std::function<void(const FitReport&)>& report);

/// Rounded to 1/32 disc for the file.
othello::eval::Weights stored(const FloatWeights& weights);
FloatWeights restored(const othello::eval::Weights& weights);

}  // namespace yomi::othello_train
