#include "tools/train/trainer.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <numbers>
#include <numeric>
#include <thread>

#include "core/base/hash.hpp"

namespace yomi::train {
namespace {

/// Parts of a batch, each with a gradient of its own; a fixed number, so that sums have one order.
constexpr std::size_t kParts = 4;

using Picks = std::span<const std::uint32_t>;

/// Calls `work(part)` for every part, on up to `threads` threads.
template <class Work>
void for_parts(int threads, const Work& work) {
    if (threads <= 1) {
        for (std::size_t part = 0; part < kParts; ++part)
            work(part);
        return;
    }
    std::atomic<std::size_t> next{0};
    const auto run = [&] {
        for (std::size_t part = next++; part < kParts; part = next++)
            work(part);
    };
    std::vector<std::jthread> crew;
    for (int i = 1; i < std::min<int>(threads, kParts); ++i)
        crew.emplace_back(run);
    run();
}

Picks part_of(Picks picks, std::size_t part) noexcept {
    const std::size_t begin = picks.size() * part / kParts;
    return picks.subspan(begin, picks.size() * (part + 1) / kParts - begin);
}

/// AdamW over the flat numbers of a model.
class Optimiser {
public:
    Optimiser(const Layout& layout, const FitSetting& setting)
        : layout_(layout), setting_(setting), first_(layout.size()), second_(layout.size()) {}

    void step(Model& model, const std::vector<float>& gradient, double rate) {
        ++steps_;
        const auto unbias_first = static_cast<float>(1 - std::pow(double{kFirst}, steps_));
        const auto unbias_second = static_cast<float>(1 - std::pow(double{kSecond}, steps_));
        const auto size = static_cast<float>(rate) / unbias_first;
        float* const numbers = model.numbers.data();
        const float* const slopes = gradient.data();
        for (std::size_t i = 0; i < model.numbers.size(); ++i) {
            const float slope = slopes[i];
            first_[i] += (1 - kFirst) * (slope - first_[i]);
            second_[i] += (1 - kSecond) * (slope * slope - second_[i]);
            numbers[i] -= size * first_[i] / (std::sqrt(second_[i] / unbias_second) + 1e-8F);
        }
        const auto keep = static_cast<float>(1 - rate * setting_.decay);
        for (std::size_t i = layout_.shared(); i < layout_.linear(); ++i)
            numbers[i] = std::clamp(numbers[i] * keep, -setting_.most_row, setting_.most_row);
        for (std::size_t i = layout_.output(); i < layout_.output_bias(); ++i)
            numbers[i] = std::clamp(numbers[i], -setting_.most_output, setting_.most_output);
    }

private:
    static constexpr float kFirst = 0.9F;
    static constexpr float kSecond = 0.999F;
    Layout layout_;
    const FitSetting& setting_;
    std::vector<float> first_;
    std::vector<float> second_;
    int steps_ = 0;
};

/// Gradients of one batch, part by part, and their mean.
class Batch {
public:
    Batch(const Layout& layout, int threads)
        : layout_(layout), threads_(threads), mean_(layout.size()) {
        for (std::size_t part = 0; part < kParts; ++part) {
            passes_.emplace_back(layout);
            gradients_.emplace_back(layout.size());
        }
    }

    /// Sum of the losses; the mean gradient is then in `gradient()`.
    double run(const Model& model,
               std::span<const float> working,
               std::span<const Sample> samples,
               Picks picks,
               const Target& target) {
        std::array<double, kParts> losses{};
        for_parts(threads_, [&](std::size_t part) {
            std::fill(gradients_[part].begin(), gradients_[part].end(), 0.0F);
            losses[part] = passes_[part].run(
                model, working, samples, part_of(picks, part), target, gradients_[part].data());
        });
        const float share = 1 / static_cast<float>(picks.size());
        for (std::size_t i = 0; i < mean_.size(); ++i) {
            float sum = gradients_[0][i];
            for (std::size_t part = 1; part < kParts; ++part)
                sum += gradients_[part][i];
            mean_[i] = sum * share;
        }
        // The shared rows are part of every bucket's.
        if (layout_.buckets > 1) {
            const std::size_t size = layout_.rows() - layout_.shared();
            for (std::size_t b = 0; b < static_cast<std::size_t>(layout_.buckets); ++b) {
                for (std::size_t i = 0; i < size; ++i)
                    mean_[layout_.shared() + i] += mean_[layout_.rows() + b * size + i];
            }
        }
        return std::accumulate(losses.begin(), losses.end(), 0.0);
    }
    [[nodiscard]] const std::vector<float>& gradient() const noexcept { return mean_; }

private:
    Layout layout_;
    int threads_;
    std::vector<Pass> passes_;
    std::vector<std::vector<float>> gradients_;
    std::vector<float> mean_;
};

double rate_at(const FitSetting& setting, std::size_t step, std::size_t steps) {
    const double done = static_cast<double>(step) / static_cast<double>(steps);
    if (done < setting.warm_up) {
        return setting.rate * (static_cast<double>(step) + 1) /
               (setting.warm_up * static_cast<double>(steps) + 1);
    }
    const double way = (done - setting.warm_up) / (1 - setting.warm_up);
    const double least = setting.rate / 50;
    return least + (setting.rate - least) * (1 + std::cos(std::numbers::pi * way)) / 2;
}

}  // namespace

double loss_of(const Model& model,
               std::span<const Sample> samples,
               const Target& target,
               int threads) {
    if (samples.empty()) return 0;
    std::vector<float> working;
    Pass::merge(model, working);
    std::vector<std::uint32_t> picks(samples.size());
    std::iota(picks.begin(), picks.end(), 0U);
    std::array<double, kParts> losses{};
    for_parts(threads, [&](std::size_t part) {
        losses[part] =
            Pass(model.layout).run(model, working, samples, part_of(picks, part), target, nullptr);
    });
    return std::accumulate(losses.begin(), losses.end(), 0.0) / static_cast<double>(samples.size());
}

void fit(Model& model,
         std::span<const Sample> train,
         std::span<const Sample> held_out,
         const Target& target,
         const FitSetting& setting,
         const std::string& phase,
         const std::stop_token& stop,
         const std::function<void(const Epoch&)>& on_epoch) {
    Epoch epoch{.phase = phase};
    epoch.held_out_loss = loss_of(model, held_out, target, setting.threads);
    on_epoch(epoch);
    if (train.empty()) return;
    const auto batch = static_cast<std::size_t>(setting.batch);
    const std::size_t batches = (train.size() + batch - 1) / batch;
    const std::size_t steps = batches * static_cast<std::size_t>(setting.epochs);
    std::vector<std::uint32_t> order(train.size());
    std::iota(order.begin(), order.end(), 0U);
    SplitMix64 random(setting.seed);
    Optimiser optimiser(model.layout, setting);
    Batch work(model.layout, setting.threads);
    std::vector<float> working;
    Model best = model;
    double best_loss = epoch.held_out_loss;
    std::size_t step = 0;
    while (epoch.number < setting.epochs && !stop.stop_requested()) {
        ++epoch.number;
        for (std::size_t i = order.size() - 1; i > 0; --i)
            std::swap(order[i], order[random.below(static_cast<std::uint32_t>(i + 1))]);
        double loss = 0;
        std::size_t seen = 0;
        for (std::size_t b = 0; b < batches && !stop.stop_requested(); ++b) {
            const auto picks =
                Picks(order).subspan(b * batch, std::min(batch, order.size() - b * batch));
            Pass::merge(model, working);
            loss += work.run(model, working, train, picks, target);
            epoch.rate = rate_at(setting, step++, steps);
            optimiser.step(model, work.gradient(), epoch.rate);
            seen += picks.size();
        }
        epoch.samples += seen;
        epoch.train_loss = seen == 0 ? 0 : loss / static_cast<double>(seen);
        epoch.held_out_loss = loss_of(model, held_out, target, setting.threads);
        on_epoch(epoch);
        if (held_out.empty() || epoch.held_out_loss < best_loss) {
            best = model;
            best_loss = epoch.held_out_loss;
        }
    }
    model = std::move(best);
}

}  // namespace yomi::train
