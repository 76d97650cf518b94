#include "tools/tune/regression.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>
#include <numeric>

#include "core/base/hash.hpp"

namespace yomi::tune {
namespace {

double won(double value, double scale) noexcept {
    return 1 / (1 + std::exp(-value / scale));
}

double target_of(const DataSet& data, std::size_t i, const Model& model) noexcept {
    return model.result_share * data.result(i) +
           (1 - model.result_share) * won(data.score(i), model.scale);
}

/// -t log p - (1 - t) log(1 - p) with p = won(value), without the overflow of the plain form.
double cross_entropy(double value, double target, double scale) noexcept {
    const double x = value / scale;
    return std::max(x, 0.0) - x * target + std::log1p(std::exp(-std::abs(x)));
}

const std::vector<float>& units() {
    static const std::vector<float> all = [] {
        std::vector<float> list(weight_count());
        for (std::size_t i = 0; i < list.size(); ++i)
            list[i] = unit_of(i);
        return list;
    }();
    return all;
}

/// Adds the derivative of position `i`'s loss to `gradient`.
void add_gradient(const DataSet& data,
                  std::size_t i,
                  const Weights& weights,
                  const Model& model,
                  Weights& gradient) {
    const double error = won(value_of(data, i, weights), model.scale) - target_of(data, i, model);
    const std::vector<float>& unit = units();
    for (const Feature f : data.features(i))
        gradient[f.weight] += error / model.scale * f.count * static_cast<double>(unit[f.weight]);
}

void shuffle(std::vector<std::size_t>& order, SplitMix64& random) {
    for (std::size_t i = order.size(); i > 1; --i)
        std::swap(order[i - 1], order[random.below(static_cast<std::uint32_t>(i))]);
}

/// Adam's moving averages.
class Adam {
public:
    explicit Adam(std::size_t size) : mean_(size, 0.0), square_(size, 0.0) {}

    void step(Weights& weights, const Weights& gradient, double rate) {
        constexpr double kMeanDecay = 0.9;
        constexpr double kSquareDecay = 0.999;
        ++steps_;
        const double mean_share = 1 - std::pow(kMeanDecay, steps_);
        const double square_share = 1 - std::pow(kSquareDecay, steps_);
        for (std::size_t i = 0; i < weights.size(); ++i) {
            mean_[i] = kMeanDecay * mean_[i] + (1 - kMeanDecay) * gradient[i];
            square_[i] = kSquareDecay * square_[i] + (1 - kSquareDecay) * gradient[i] * gradient[i];
            weights[i] -=
                rate * (mean_[i] / mean_share) / (std::sqrt(square_[i] / square_share) + 1e-9);
        }
    }

private:
    Weights mean_;
    Weights square_;
    int steps_ = 0;
};

}  // namespace

void DataSet::add(std::span<const Feature> features, float base, float result, float score) {
    features_.insert(features_.end(), features.begin(), features.end());
    start_.push_back(features_.size());
    base_.push_back(base);
    result_.push_back(result);
    score_.push_back(score);
}

double value_of(const DataSet& data, std::size_t i, const Weights& weights) {
    const std::vector<float>& unit = units();
    double value = data.base(i);
    for (const Feature f : data.features(i))
        value += weights[f.weight] * f.count * static_cast<double>(unit[f.weight]);
    return value;
}

double loss_of(const DataSet& data, const Weights& weights, const Model& model) {
    double sum = 0;
    for (std::size_t i = 0; i < data.size(); ++i)
        sum += cross_entropy(value_of(data, i, weights), target_of(data, i, model), model.scale);
    return sum / static_cast<double>(std::max<std::size_t>(data.size(), 1));
}

Weights gradient_of(const DataSet& data, const Weights& weights, const Model& model) {
    Weights gradient(weights.size(), 0.0);
    for (std::size_t i = 0; i < data.size(); ++i)
        add_gradient(data, i, weights, model, gradient);
    for (double& g : gradient)
        g /= static_cast<double>(std::max<std::size_t>(data.size(), 1));
    return gradient;
}

double fit_scale(const DataSet& data, const Weights& weights) {
    std::vector<double> values(data.size());
    for (std::size_t i = 0; i < data.size(); ++i)
        values[i] = value_of(data, i, weights);
    const auto loss = [&](double scale) {
        double sum = 0;
        for (std::size_t i = 0; i < data.size(); ++i)
            sum += cross_entropy(values[i], data.result(i), scale);
        return sum;
    };
    constexpr double kGolden = 1 / std::numbers::phi;
    double low = 50;
    double high = 2'000;
    double left = high - kGolden * (high - low);
    double right = low + kGolden * (high - low);
    double left_loss = loss(left);
    double right_loss = loss(right);
    while (high - low > 0.5) {
        if (left_loss < right_loss) {
            high = std::exchange(right, left);
            right_loss = left_loss;
            left = high - kGolden * (high - low);
            left_loss = loss(left);
        } else {
            low = std::exchange(left, right);
            left_loss = right_loss;
            right = low + kGolden * (high - low);
            right_loss = loss(right);
        }
    }
    return (low + high) / 2;
}

Weights fit(const DataSet& train,
            const DataSet& validation,
            const Weights& start,
            const FitSetting& setting,
            const std::function<void(const Epoch&)>& report) {
    assert(start.size() == weight_count() && setting.batch > 0);
    Weights weights = start;
    Weights best = start;
    double best_loss = loss_of(validation, start, setting.model);
    report({0, loss_of(train, start, setting.model), best_loss});

    Adam adam(weights.size());
    SplitMix64 random(setting.seed);
    std::vector<std::size_t> order(train.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const std::size_t batches = (order.size() + setting.batch - 1) / setting.batch;
    const auto all_steps = static_cast<double>(batches) * setting.epochs;
    double done = 0;
    Weights gradient(weights.size());
    for (int epoch = 1; epoch <= setting.epochs; ++epoch) {
        shuffle(order, random);
        for (std::size_t at = 0; at < order.size(); at += setting.batch, ++done) {
            const std::size_t end = std::min(at + setting.batch, order.size());
            std::fill(gradient.begin(), gradient.end(), 0.0);
            for (std::size_t i = at; i < end; ++i)
                add_gradient(train, order[i], weights, setting.model, gradient);
            for (std::size_t w = 0; w < weights.size(); ++w) {
                gradient[w] = gradient[w] / static_cast<double>(end - at) +
                              setting.pull * (weights[w] - start[w]);
            }
            adam.step(weights,
                      gradient,
                      setting.rate * 0.5 * (1 + std::cos(std::numbers::pi * done / all_steps)));
        }
        const double loss = loss_of(validation, weights, setting.model);
        report({epoch, loss_of(train, weights, setting.model), loss});
        if (loss < best_loss) {
            best_loss = loss;
            best = weights;
        }
    }
    return best;
}

}  // namespace yomi::tune
