#include "tools/othello_train/fit.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/base/bits.hpp"
#include "core/base/hash.hpp"
#include "core/othello/eval/features.hpp"

namespace yomi::othello_train {
namespace {

namespace eval = othello::eval;
using eval::kHidden;
using othello::Board;
using Units = FloatWeights::Units;

/// A knot's own part is trusted this many times later than the part that all knots share.
constexpr float kKnotPrior = 4;
/// Of the hidden units: their part of the rate, and the counts they begin with.
constexpr float kHiddenRate = 0.3F;
constexpr float kHiddenPrior = 100;
constexpr float kBiasPrior = 300;
constexpr float kOutputPrior = 3000;
constexpr float kFirstBias = 0.2F;    ///< discs
constexpr float kFirstHidden = 0.1F;  ///< discs, the greatest
/// Of the first step size, what is left at the end.
constexpr double kLastRate = 0.02;
constexpr int kMostStored = 8000;  ///< in 1/32 disc

/// A weight and the sum of its squared gradients.
struct Cell {
    float weight = 0;
    float squares = 0;
};

/// The same for all hidden units.
struct HiddenCell {
    Units weight{};
    Units squares{};
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
        std::array<Cell, kCells> fresh;
        fresh.fill(Cell{0, prior * kKnotPrior});
        fresh[kShared].squares = prior;
        cells_.assign(slots_, fresh);
        hidden_.resize(static_cast<std::size_t>(eval::packing().hidden_slots()));
        for (std::size_t i = 0; i < eval::kFeatures; ++i) {
            centres_[i] = eval::kCentres[static_cast<std::size_t>(eval::features()[i].shape)];
        }
        bias_.squares.fill(kBiasPrior);
        for (HiddenCell& output : outputs_)
            output.squares.fill(kOutputPrior);
        for (HiddenCell& cell : hidden_)
            cell.squares.fill(kHiddenPrior);
        if (start.knots.empty()) {
            begin_units();
        } else {
            begin_from(start);
        }
    }

    float predict(const Sample& sample) {
        const Board& board = sample.board;
        const eval::Indices indices = eval::indices_of(board);
        const int empties = board.empties();
        place_ = place_of(empties);
        const std::uint64_t moves = othello::legal_moves(board);
        const std::uint64_t replies = othello::legal_moves(board.swapped());
        const auto& packing = eval::packing();
        std::array<int, eval::kOpenFeatures> open{};
        const auto add_open = [&](std::uint64_t squares, int times) {
            for (; squares != 0; squares &= squares - 1) {
                const auto square = static_cast<std::size_t>(lowest_bit(squares));
                for (std::size_t i = 0; i < open.size(); ++i)
                    open[i] += times * eval::feature_steps().open[square][i];
            }
        };
        add_open(moves, eval::kOpenMove);
        add_open(replies, eval::kOpenReply);
        for (std::size_t i = 0; i < eval::kFeatures; ++i) {
            const int index = indices.at[i] + (i < eval::kOpenFeatures ? open[i] : 0);
            touched_[i] = packing.slot_of[static_cast<std::size_t>(centres_[i] + index)];
        }
        std::size_t next = eval::kFeatures;
        for (const int entry : {eval::kBiasEntry,
                                eval::kMovesEntry + std::popcount(moves),
                                eval::kRepliesEntry + std::popcount(replies)}) {
            touched_[next++] = packing.slot(static_cast<std::size_t>(entry), empties);
        }
        float shared = 0;
        float low = 0;
        float high = 0;
        for (const std::int32_t slot : touched_) {
            const auto& cells = cells_[static_cast<std::size_t>(slot)];
            shared += cells[kShared].weight;
            low += cells[place_.low].weight;
            high += cells[place_.high].weight;
        }
        units_ = bias_.weight;
        for (std::size_t i = eval::kOpenFeatures; i < eval::kFeatures; ++i) {
            const HiddenCell& cell = hidden_of(touched_[i]);
            for (std::size_t unit = 0; unit < kHidden; ++unit)
                units_[unit] += cell.weight[unit];
        }
        float value = shared + low + (high - low) * place_.share;
        for (std::size_t unit = 0; unit < kHidden; ++unit)
            value += std::max(units_[unit], 0.F) * output(unit);
        return value;
    }

    /// Takes a step against the error of the sample that `predict` just saw.
    void learn(float error, float rate) {
        if (options_.shared) step(kShared, error, rate);
        learn_units(error, rate * kHiddenRate);
        step(place_.low, error * (1 - place_.share), rate);
        if (place_.share > 0) step(place_.high, error * place_.share, rate);
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
        FloatWeights result;
        result.knots.resize(eval::kKnots.size());
        result.outputs.resize(eval::kKnots.size());
        for (std::size_t knot = 0; knot < result.knots.size(); ++knot) {
            for (const auto& cells : cells_)
                result.knots[knot].push_back(scales_[knot] *
                                             (cells[kShared].weight + cells[knot].weight));
            // The random outputs of a knot that no sample came near mean nothing.
            const HiddenCell& outputs = outputs_[knot];
            if (!given_ && outputs.squares[0] + outputs.squares[1] == 2 * kOutputPrior) continue;
            for (std::size_t unit = 0; unit < kHidden; ++unit)
                result.outputs[knot][unit] = scales_[knot] * outputs.weight[unit];
        }
        result.hidden_bias = bias_.weight;
        for (const HiddenCell& cell : hidden_) {
            result.hidden.push_back(cell.weight);
            for (std::size_t unit = 0; unit < kHidden; ++unit) {
                if (!given_ && cell.squares[unit] == kHiddenPrior) result.hidden.back()[unit] = 0;
            }
        }
        return result;
    }

private:
    static constexpr std::size_t kShared = eval::kKnots.size();
    static constexpr std::size_t kCells = kShared + 1;

    void begin_units() {
        SplitMix64 random(options_.seed);
        for (HiddenCell& cell : hidden_) {
            for (float& weight : cell.weight) {
                const auto uniform = static_cast<float>(random() >> 40) * 0x1p-24F;
                weight = (2 * uniform - 1) * kFirstHidden;
            }
        }
        bias_.weight.fill(kFirstBias);
        for (HiddenCell& output : outputs_) {
            for (std::size_t unit = 0; unit < kHidden; ++unit)
                output.weight[unit] = unit % 2 == 0 ? -1.F : 1.F;
        }
    }

    void begin_from(const FloatWeights& start) {
        given_ = true;
        for (std::size_t knot = 0; knot < start.knots.size(); ++knot) {
            for (std::size_t slot = 0; slot < slots_; ++slot)
                cells_[slot][knot].weight = start.knots[knot][slot];
            outputs_[knot].weight = start.outputs[knot];
        }
        bias_.weight = start.hidden_bias;
        for (std::size_t slot = 0; slot < hidden_.size(); ++slot)
            hidden_[slot].weight = start.hidden[slot];
    }

    HiddenCell& hidden_of(std::int32_t slot) {
        return hidden_[static_cast<std::size_t>(slot - eval::packing().first_hidden())];
    }

    /// How many times a unit counts at the place of the last sample.
    [[nodiscard]] float output(std::size_t unit) const {
        const float low = outputs_[place_.low].weight[unit];
        return low + (outputs_[place_.high].weight[unit] - low) * place_.share;
    }

    void step(std::size_t knot, float gradient, float rate) {
        // Errors are near 8 discs: dividing by that keeps `prior` a count of sightings.
        const float square = gradient * gradient / 64;
        const float keep = 1 - static_cast<float>(options_.decay);
        for (const std::int32_t slot : touched_) {
            Cell& cell = cells_[static_cast<std::size_t>(slot)][knot];
            cell.squares += square;
            cell.weight = cell.weight * keep + rate * gradient / std::sqrt(cell.squares);
        }
    }

    void learn_units(float error, float rate) {
        Units gradients{};
        for (std::size_t unit = 0; unit < kHidden; ++unit) {
            if (units_[unit] <= 0) continue;
            gradients[unit] = error * output(unit);
            for (const bool high : {false, true}) {
                HiddenCell& outputs = outputs_[high ? place_.high : place_.low];
                const float share = high ? place_.share : 1 - place_.share;
                step_unit(outputs, unit, error * units_[unit] * share, rate);
            }
            step_unit(bias_, unit, gradients[unit], rate);
        }
        for (std::size_t i = eval::kOpenFeatures; i < eval::kFeatures; ++i) {
            HiddenCell& cell = hidden_of(touched_[i]);
            for (std::size_t unit = 0; unit < kHidden; ++unit)
                step_unit(cell, unit, gradients[unit], rate);
        }
    }

    static void step_unit(HiddenCell& cell, std::size_t unit, float gradient, float rate) {
        cell.squares[unit] += gradient * gradient / 64;
        cell.weight[unit] += rate * gradient / std::sqrt(cell.squares[unit]);
    }

    FitOptions options_;
    std::size_t slots_;
    /// By slot what each knot adds, and last what all knots share: few games must serve all phases.
    std::vector<std::array<Cell, kCells>> cells_;
    std::vector<HiddenCell> hidden_;
    HiddenCell bias_;
    std::array<HiddenCell, eval::kKnots.size()> outputs_;
    bool given_ = false;  ///< whether the fit began from weights
    std::array<int, eval::kFeatures> centres_{};
    std::array<std::int32_t, eval::kFeatures + 3> touched_{};
    Units units_{};  ///< of the last sample, before what is below 0 is cut
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
    const auto most_error = static_cast<float>(options.most_error);
    SplitMix64 random(options.seed);
    for (int epoch = 0; epoch < options.epochs; ++epoch) {
        std::shuffle(samples.begin(), samples.begin() + static_cast<std::ptrdiff_t>(count), random);
        FitReport result{.epoch = epoch + 1};
        std::array<int, 61> counts{};
        for (std::size_t i = 0; i < samples.size(); ++i) {
            const Sample& sample = samples[i];
            const float label = static_cast<float>(sample.score) * (1 - share) +
                                static_cast<float>(sample.expected) / 128 * share;
            const float error = label - model.predict(sample);
            if (i < count) {
                result.train += std::abs(error);
                const double passed =
                    (epoch + static_cast<double>(i) / static_cast<double>(count)) / options.epochs;
                const double rate = options.rate * (1 - (1 - kLastRate) * passed) / 8;
                model.learn(std::clamp(error, -most_error, most_error), static_cast<float>(rate));
            } else {
                const auto empties = static_cast<std::size_t>(sample.board.empties());
                result.held_out += std::abs(error);
                result.by_empties[empties] += std::abs(error);
                ++counts[empties];
            }
        }
        for (std::size_t empties = 0; empties < counts.size(); ++empties)
            result.by_empties[empties] /= std::max(1, counts[empties]);
        if (count > 0) result.train /= static_cast<double>(count);
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
    const auto whole = [](float value, int unit, int most) {
        const float scaled = std::clamp(
            value * static_cast<float>(unit), static_cast<float>(-most), static_cast<float>(most));
        return static_cast<std::int16_t>(std::lround(scaled));
    };
    othello::eval::Weights result;
    for (std::size_t knot = 0; knot < weights.knots.size(); ++knot) {
        for (const float weight : weights.knots[knot])
            result.knots[knot].push_back(whole(weight, eval::kStoredUnit, kMostStored));
    }
    result.hidden.resize(weights.hidden.size());
    for (std::size_t unit = 0; unit < kHidden; ++unit) {
        for (std::size_t knot = 0; knot < weights.outputs.size(); ++knot)
            result.outputs[knot][unit] =
                whole(weights.outputs[knot][unit], eval::kOutputUnit, eval::kMostOutput);
        result.hidden_bias[unit] =
            whole(weights.hidden_bias[unit], eval::kHiddenUnit, eval::kMostHiddenBias);
        for (std::size_t slot = 0; slot < weights.hidden.size(); ++slot)
            result.hidden[slot][unit] =
                whole(weights.hidden[slot][unit], eval::kHiddenUnit, eval::kMostHidden);
    }
    return result;
}

FloatWeights restored(const othello::eval::Weights& weights) {
    const auto discs = [](std::int16_t value, int unit) {
        return static_cast<float>(value) / static_cast<float>(unit);
    };
    FloatWeights result;
    for (const auto& knot : weights.knots) {
        std::vector<float> values;
        for (const std::int16_t weight : knot)
            values.push_back(discs(weight, eval::kStoredUnit));
        result.knots.push_back(std::move(values));
    }
    result.outputs.resize(weights.outputs.size());
    result.hidden.resize(weights.hidden.size());
    for (std::size_t unit = 0; unit < kHidden; ++unit) {
        for (std::size_t knot = 0; knot < weights.outputs.size(); ++knot)
            result.outputs[knot][unit] = discs(weights.outputs[knot][unit], eval::kOutputUnit);
        result.hidden_bias[unit] = discs(weights.hidden_bias[unit], eval::kHiddenUnit);
        for (std::size_t slot = 0; slot < weights.hidden.size(); ++slot)
            result.hidden[slot][unit] = discs(weights.hidden[slot][unit], eval::kHiddenUnit);
    }
    return result;
}

}  // namespace yomi::othello_train
