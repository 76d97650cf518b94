#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "tools/train/model.hpp"
#include "tools/train/samples.hpp"

namespace yomi::train {

/// How a net is fitted.
struct FitSetting {
    int epochs = 10;
    int batch = 4'096;
    double rate = 2e-3;        ///< greatest step; warmed up, then down a cosine to a fiftieth
    double decay = 0.01;       ///< of the hidden rows, per unit of rate (AdamW)
    double warm_up = 0.02;     ///< share of all steps
    float most_row = 1.0F;     ///< clip of the hidden rows
    float most_output = 2.0F;  ///< clip of the output weights
    int threads = 1;
    std::uint64_t seed = 1;  ///< of the order of the samples
};

/// After each epoch; number 0 is the start.
struct Epoch {
    std::string phase;
    int number = 0;
    std::uint64_t samples = 0;  ///< seen in this phase so far
    double rate = 0;
    double train_loss = 0;  ///< mean squared error while learning
    double held_out_loss = 0;
};

/// Fits `model` by AdamW on the mean squared error of expected results; leaves the numbers of the
/// epoch that was best on `held_out` (of the last one when that is empty).
///
/// The numbers depend on the arguments alone, however many threads there are: every batch is cut
/// into the same parts, whose gradients are added in order.
///
/// Threads `stop` from any thread: ends after the batch under way, with what was best so far.
/// Cost    at width 64 about 3 us a sample and core; a gradient a part.
void fit(Model& model,
         std::span<const Sample> train,
         std::span<const Sample> held_out,
         const Target& target,
         const FitSetting& setting,
         const std::string& phase,
         const std::stop_token& stop,
         const std::function<void(const Epoch&)>& on_epoch);

/// Mean squared error over all samples.
double loss_of(const Model& model,
               std::span<const Sample> samples,
               const Target& target,
               int threads = 1);

/// The curve as comma-separated values with a head line.
std::string to_csv(const std::vector<Epoch>& curve);
/// The curve as a picture: both losses over the epochs of all phases.
std::string to_svg(const std::vector<Epoch>& curve, const std::string& title);

}  // namespace yomi::train
