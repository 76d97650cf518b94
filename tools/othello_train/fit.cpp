#include "tools/othello_train/fit.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/base/hash.hpp"
#include "core/othello/eval/features.hpp"

namespace yomi::othello_train {
namespace {

namespace eval = othello::eval;
using othello::Board;

/// A knot's own part is trusted this many times later than the part that all knots share.
constexpr float kKnotPrior = 4;

/// A weight and the sum of its squared gradients.
struct Cell {
    float weight = 0;
    float squares = 0;
};

/// Where a number of empties lies between two knots.
struct Place {
    std::size_t low = 0;
    std::size_t high = 0;
    float share = 0;  ///< of `high`
};

Place place_of(int empties) {
    if (empties <= eval::kKnots.front()) return {};
    std::size_t high = 1;
    while (high + 1 < eval::kKnots.size() && eval::kKnots[high] < empties)
        ++high;
    const int span = eval::kKnots[high] - eval::kKnots[high - 1];
    const int over = std::min(empties, eval::kKnots[high]) - eval::kKnots[high - 1];
    return {high - 1, high, static_cast<float>(over) / static_cast<float>(span)};
}

class Fit {
public:
    Fit(const FitOptions& options, const FloatWeights& start)
        : options_(options), slots_(static_cast<std::size_t>(eval::packing().slots)) {
        const auto prior = static_cast<float>(options.prior);
        cells_.assign(eval::kKnots.size(), std::vector<Cell>(slots_, Cell{0, prior * kKnotPrior}));
        cells_.emplace_back(slots_, Cell{0, prior});
        for (std::size_t knot = 0; knot < start.size(); ++knot) {
            for (std::size_t slot = 0; slot < slots_; ++slot)
                cells_[knot][slot].weight = start[knot][slot];
        }
        for (std::size_t i = 0; i < eval::kFeatures; ++i) {
            centres_[i] = eval::kCentres[static_cast<std::size_t>(eval::features()[i].shape)];
        }
    }

    float predict(const Sample& sample) {
        const eval::Indices indices = eval::indices_of(sample.board);
        place_ = place_of(sample.board.empties());
        const auto& slot_of = eval::packing().slot_of;
        float low = 0;
        float high = 0;
        for (std::size_t i = 0; i < eval::kFeatures; ++i) {
            touched_[i] = slot_of[static_cast<std::size_t>(centres_[i] + indices.at[i])];
        }
        const auto moves = [](const Board& board) {
            return std::popcount(othello::legal_moves(board));
        };
        const int empties = sample.board.empties();
        std::size_t next = eval::kFeatures;
        for (const int entry : {eval::kBiasEntry,
                                eval::kMovesEntry + moves(sample.board),
                                eval::kRepliesEntry + moves(sample.board.swapped())}) {
            touched_[next++] = eval::packing().slot(static_cast<std::size_t>(entry), empties);
        }
        float shared = 0;
        for (const std::int32_t slot : touched_) {
            shared += cells_.back()[static_cast<std::size_t>(slot)].weight;
            low += cells_[place_.low][static_cast<std::size_t>(slot)].weight;
            high += cells_[place_.high][static_cast<std::size_t>(slot)].weight;
        }
        return shared + low + (high - low) * place_.share;
    }

    /// Takes a step against the error of the sample that `predict` just saw.
    void learn(float error, float rate) {
        if (options_.shared) step(cells_.back(), error, rate);
        step(cells_[place_.low], error * (1 - place_.share), rate);
        if (place_.share > 0) step(cells_[place_.high], error * place_.share, rate);
    }

    /// Multiplies each knot by the slope of the scores against the predictions near it.
    void calibrate(const Sample* begin, const Sample* end) {
        std::array<double, eval::kKnots.size()> products{};
        std::array<double, eval::kKnots.size()> squares{};
        for (const Sample* sample = begin; sample != end; ++sample) {
            const double value = predict(*sample);
            const double share = place_.share;
            products[place_.low] += (1 - share) * value * sample->score;
            squares[place_.low] += (1 - share) * value * value;
            products[place_.high] += share * value * sample->score;
            squares[place_.high] += share * value * value;
        }
        for (std::size_t knot = 0; knot < scales_.size(); ++knot) {
            if (squares[knot] > 0)
                scales_[knot] = static_cast<float>(products[knot] / squares[knot]);
        }
    }
    [[nodiscard]] const std::array<float, eval::kKnots.size()>& scales() const noexcept {
        return scales_;
    }

    [[nodiscard]] FloatWeights weights() const {
        FloatWeights result(eval::kKnots.size());
        for (std::size_t knot = 0; knot < result.size(); ++knot) {
            for (std::size_t slot = 0; slot < slots_; ++slot)
                result[knot].push_back(scales_[knot] *
                                       (cells_.back()[slot].weight + cells_[knot][slot].weight));
        }
        return result;
    }

private:
    void step(std::vector<Cell>& cells, float gradient, float rate) {
        // Errors are near 8 discs: dividing by that keeps `prior` a count of sightings.
        const float square = gradient * gradient / 64;
        const float keep = 1 - static_cast<float>(options_.decay);
        for (const std::int32_t slot : touched_) {
            Cell& cell = cells[static_cast<std::size_t>(slot)];
            cell.squares += square;
            cell.weight = cell.weight * keep + rate * gradient / std::sqrt(cell.squares);
        }
    }

    FitOptions options_;
    std::size_t slots_;
    /// What each knot adds, and last what all knots share: few games must serve all phases.
    std::vector<std::vector<Cell>> cells_;
    std::array<int, eval::kFeatures> centres_{};
    std::array<std::int32_t, eval::kFeatures + 3> touched_{};
    Place place_;
    std::array<float, eval::kKnots.size()> scales_ = [] {
        std::array<float, eval::kKnots.size()> ones{};
        ones.fill(1);
        return ones;
    }();
};

}  // namespace

FloatWeights fit(std::vector<Sample> samples,
                 const FitOptions& options,
                 const FloatWeights& start,
                 const std::function<void(const FitReport&)>& report) {
    Fit model(options, start);
    const auto held =
        static_cast<std::size_t>(static_cast<double>(samples.size()) * options.held_out);
    const std::size_t count = samples.size() - held;
    const auto share = static_cast<float>(options.expected_share);
    SplitMix64 random(options.seed);
    for (int epoch = 0; epoch < options.epochs; ++epoch) {
        std::shuffle(samples.begin(), samples.begin() + static_cast<std::ptrdiff_t>(count), random);
        const double passed = static_cast<double>(epoch) / options.epochs;
        const auto rate = static_cast<float>(options.rate * (1 - 0.9 * passed) / 8);
        FitReport result{.epoch = epoch + 1};
        std::array<int, 61> counts{};
        for (std::size_t i = 0; i < samples.size(); ++i) {
            const Sample& sample = samples[i];
            const float label = static_cast<float>(sample.score) * (1 - share) +
                                static_cast<float>(sample.expected) / 128 * share;
            const float error = label - model.predict(sample);
            if (i < count) {
                result.train += std::abs(error);
                model.learn(error, rate);
            } else {
                const auto empties = static_cast<std::size_t>(sample.board.empties());
                result.held_out += std::abs(error);
                result.by_empties[empties] += std::abs(error);
                ++counts[empties];
            }
        }
        for (std::size_t empties = 0; empties < counts.size(); ++empties)
            result.by_empties[empties] /= std::max(1, counts[empties]);
        result.train /= static_cast<double>(count);
        if (held > 0) result.held_out /= static_cast<double>(held);
        if (options.calibrate && epoch + 1 == options.epochs && held > 0) {
            model.calibrate(samples.data() + count, samples.data() + samples.size());
            result.scales = model.scales();
        }
        report(result);
    }
    return model.weights();
}

othello::eval::Weights stored(const FloatWeights& weights) {
    othello::eval::Weights result;
    for (std::size_t knot = 0; knot < weights.size(); ++knot) {
        for (const float weight : weights[knot]) {
            const float scaled = std::clamp(weight * eval::kStoredUnit, -8000.F, 8000.F);
            result.knots[knot].push_back(static_cast<std::int16_t>(std::lround(scaled)));
        }
    }
    return result;
}

FloatWeights restored(const othello::eval::Weights& weights) {
    FloatWeights result;
    for (const auto& knot : weights.knots) {
        std::vector<float> values;
        for (const std::int16_t weight : knot)
            values.push_back(static_cast<float>(weight) / eval::kStoredUnit);
        result.push_back(std::move(values));
    }
    return result;
}

}  // namespace yomi::othello_train
