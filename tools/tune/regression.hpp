#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "tools/tune/weights.hpp"

namespace yomi::tune {

/// Positions with what became of them, packed for one pass after the other.
class DataSet {
public:
    /// `base` is what counts beside the features (material), `result` in 0..1, both Black's view;
    /// `score` is what a search said, centipawns.
    void add(std::span<const Feature> features, float base, float result, float score);

    [[nodiscard]] std::size_t size() const noexcept { return base_.size(); }
    [[nodiscard]] std::span<const Feature> features(std::size_t i) const noexcept {
        return std::span(features_).subspan(start_[i], start_[i + 1] - start_[i]);
    }
    [[nodiscard]] float base(std::size_t i) const noexcept { return base_[i]; }
    [[nodiscard]] float result(std::size_t i) const noexcept { return result_[i]; }
    [[nodiscard]] float score(std::size_t i) const noexcept { return score_[i]; }

private:
    std::vector<Feature> features_;
    std::vector<std::size_t> start_{0};
    std::vector<float> base_;
    std::vector<float> result_;
    std::vector<float> score_;
};

/// The model: a position that is worth `v` centipawns is won with 1 / (1 + exp(-v / scale)).
///
/// What it should say is `result_share` parts the game's result and the rest what the search's
/// score says through the same curve.
struct Model {
    double scale = 400;
    double result_share = 0.5;
};

/// What the evaluation with `weights` says of position `i`, centipawns.
double value_of(const DataSet& data, std::size_t i, const Weights& weights);

/// Mean cross entropy (nats) over `data`.
double loss_of(const DataSet& data, const Weights& weights, const Model& model);
/// Derivative of `loss_of` with respect to each weight.
Weights gradient_of(const DataSet& data, const Weights& weights, const Model& model);

/// The scale (centipawns) under which `weights` explain the results best, 50..2,000: golden
/// section.
double fit_scale(const DataSet& data, const Weights& weights);

struct FitSetting {
    Model model;
    int epochs = 10;
    std::size_t batch = 4'096;
    double rate = 1.0;  ///< Adam's first step, units of the weights; falls to nothing as a cosine
    /// Half this times the squared distance from the start is added to the loss. A centipawn moves
    /// a mean loss by about a millionth, so useful pulls are tiny.
    double pull = 1e-8;
    std::uint64_t seed = 1;  ///< of the order of positions
};

struct Epoch {
    int number = 0;
    double train_loss = 0;
    double validation_loss = 0;
};

/// Logistic regression by Adam from `start`. The weights of the epoch with the lowest validation
/// loss, the start included.
///
/// The same data and setting give the same weights.
/// Source  Adam: Kingma & Ba (2014). Fitting an evaluation to results: Österlund's "Texel tuning".
Weights fit(const DataSet& train,
            const DataSet& validation,
            const Weights& start,
            const FitSetting& setting,
            const std::function<void(const Epoch&)>& report);

}  // namespace yomi::tune
