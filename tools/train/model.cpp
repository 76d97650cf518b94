#include "tools/train/model.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <functional>

#include "core/base/hash.hpp"
#include "core/shogi/eval/piece_value.hpp"

namespace yomi::train {
namespace {

namespace nnue = shogi::eval::nnue;
using nnue::kPsqInputs;
using nnue::PsqInput;
using shogi::Color;
using shogi::PieceType;

constexpr std::size_t kInputs = kPsqInputs;

/// What White sees where Black sees an input.
constexpr auto kOtherSide = [] {
    std::array<PsqInput, kPsqInputs> other{};
    for (int i = 0; i < kPsqInputs; ++i) {
        int seen = 0;
        if (i < nnue::kPsqHands) {
            const int owner = i / nnue::kPsqSide;
            const int in_side = i % nnue::kPsqSide;
            const int square = in_side % shogi::kSquares;
            seen = (1 - owner) * nnue::kPsqSide + in_side - square + (80 - square);
        } else {
            const int hand = i - nnue::kPsqHands;
            seen = nnue::kPsqHands + (hand + nnue::kPsqHandSide) % (2 * nnue::kPsqHandSide);
        }
        other[static_cast<std::size_t>(i)] = static_cast<PsqInput>(seen);
    }
    return other;
}();

/// The rows of a sample as one side sees them: bucket and input in one number.
struct Seen {
    std::array<std::uint32_t, nnue::kPsqMost> rows;
    std::size_t count = 0;
};

Seen seen_by(const Sample& sample, Color side, int buckets) noexcept {
    const auto view =
        nnue::psq_view(side, sample.kings[static_cast<std::size_t>(index(side))], buckets);
    const auto first = static_cast<std::uint32_t>(view.bucket * kPsqInputs);
    Seen seen;
    seen.count = sample.count;
    for (std::size_t i = 0; i < seen.count; ++i) {
        PsqInput input = sample.inputs[i];
        if (side == Color::white) input = kOtherSide[input];
        if (view.mirrored) input = nnue::kPsqMirror[input];
        seen.rows[i] = first + input;
    }
    return seen;
}

/// Material of an input for the side that sees it, centipawns.
int material_of(std::size_t input) noexcept {
    if (input < static_cast<std::size_t>(nnue::kPsqHands)) {
        const auto kind = static_cast<PieceType>(input % nnue::kPsqSide / shogi::kSquares + 1);
        const int value = shogi::piece_value(kind);
        return input < static_cast<std::size_t>(nnue::kPsqSide) ? value : -value;
    }
    for (int t = 1; t <= shogi::kHandKinds; ++t) {
        const auto type = static_cast<PieceType>(t);
        for (int nth = 0; nth < 18; ++nth) {
            constexpr std::array<int, 8> kMost{0, 18, 4, 4, 4, 2, 2, 4};
            if (nth >= kMost[static_cast<std::size_t>(t)]) break;
            if (input == nnue::psq_hand(Color::black, Color::black, type, nth))
                return shogi::piece_value(type);
            if (input == nnue::psq_hand(Color::black, Color::white, type, nth))
                return -shogi::piece_value(type);
        }
    }
    return 0;
}

void add(float* __restrict to, const float* __restrict row, std::size_t width) noexcept {
    for (std::size_t i = 0; i < width; ++i)
        to[i] += row[i];
}

}  // namespace

Model fresh_model(const Layout& layout, std::uint64_t seed) {
    Model model{.layout = layout, .numbers = std::vector<float>(layout.size())};
    SplitMix64 random(seed);
    const auto uniform = [&random](float bound) {
        return bound * (2 * static_cast<float>(random() >> 40) / static_cast<float>(1 << 24) - 1);
    };
    float* const n = model.numbers.data();
    for (std::size_t i = 0; i < layout.units(); ++i)
        n[layout.bias() + i] = 0.2F + uniform(0.1F);
    // Where buckets share a row, their own parts begin at zero.
    const std::size_t first = layout.buckets > 1 ? layout.shared() : layout.rows();
    for (std::size_t i = 0; i < kInputs * layout.units(); ++i)
        n[first + i] = uniform(0.08F);
    for (std::size_t i = 0; i < layout.inputs(); ++i) {
        n[layout.linear() + i] = static_cast<float>(material_of(i % kInputs) / kOutputScale);
    }
    for (std::size_t i = 0; i < layout.units(); ++i) {
        // What is good for one side is bad for the other: the output begins antisymmetric.
        const float weight = uniform(0.05F);
        n[layout.output() + i] = weight;
        n[layout.output() + layout.units() + i] = -weight;
    }
    return model;
}

Model model_of(const nnue::PsqWeights& w) {
    Model model{.layout = {.buckets = w.buckets, .width = w.width}, .numbers = {}};
    model.numbers.resize(model.layout.size());
    const Layout& l = model.layout;
    float* const n = model.numbers.data();
    const double unit = std::ldexp(1.0, -w.unit_shift);
    const double output = std::ldexp(w.output_scale / kOutputScale, -w.output_shift);
    const double linear = 1 / (64 * kOutputScale);
    for (std::size_t i = 0; i < w.bias.size(); ++i)
        n[l.bias() + i] = static_cast<float>(w.bias[i] * unit);
    for (std::size_t i = 0; i < w.rows.size(); ++i)
        n[l.rows() + i] = static_cast<float>(w.rows[i] * unit);
    for (std::size_t i = 0; i < w.linear.size(); ++i)
        n[l.linear() + i] = static_cast<float>(w.linear[i] * linear);
    for (std::size_t i = 0; i < w.output.size(); ++i)
        n[l.output() + i] = static_cast<float>(w.output[i] * output);
    n[l.output_bias()] = static_cast<float>(w.output_bias * linear);
    return model;
}

Result<nnue::PsqWeights> rounded(const Model& model) {
    const Layout& l = model.layout;
    const float* const n = model.numbers.data();
    std::vector<float> rows;
    Pass::merge(model, rows);
    const auto round = [](double value) { return static_cast<std::int64_t>(std::llround(value)); };
    nnue::PsqWeights w{
        .buckets = l.buckets, .width = l.width, .output_scale = static_cast<int>(kOutputScale)};
    w.linear.resize(l.inputs());
    for (std::size_t i = 0; i < l.inputs(); ++i)
        w.linear[i] = static_cast<std::int32_t>(round(n[l.linear() + i] * kOutputScale * 64));
    w.output_bias = static_cast<std::int32_t>(round(n[l.output_bias()] * kOutputScale * 64));
    w.bias.resize(l.units());
    w.rows.resize(rows.size());
    w.output.resize(2 * l.units());
    const auto fill = [&round](const float* from, std::vector<std::int16_t>& to, int shift) {
        for (std::size_t i = 0; i < to.size(); ++i) {
            const std::int64_t value = round(std::ldexp(double{from[i]}, shift));
            if (std::abs(value) > 32'767) return false;
            to[i] = static_cast<std::int16_t>(value);
        }
        return true;
    };
    double outputs = 0;
    double greatest = 0;
    for (std::size_t i = 0; i < 2 * l.units(); ++i) {
        outputs += std::abs(n[l.output() + i]);
        greatest = std::max(greatest, double{std::abs(n[l.output() + i])});
    }
    // A little air for what rounding adds.
    int shift = 14;
    while (shift > 0 && (std::ldexp(outputs + 0.1, shift) * 16'384 > 2'147'000'000 ||
                         std::ldexp(greatest, shift) > 32'767)) {
        --shift;
    }
    w.output_shift = shift;
    if (!fill(n + l.output(), w.output, shift))
        return fail(ErrorCode::bad_value, "an output weight is too large");
    for (w.unit_shift = 13; w.unit_shift >= 6; --w.unit_shift) {
        if (!fill(n + l.bias(), w.bias, w.unit_shift) || !fill(rows.data(), w.rows, w.unit_shift))
            continue;
        if (const auto net = nnue::PsqNet::make(w)) return w;
    }
    const auto net = nnue::PsqNet::make(w);
    return fail(net ? Error{.code = ErrorCode::bad_value, .message = "the rows are too large"}
                    : net.error());
}

double evaluate(const Model& model, const shogi::Position& position) {
    const Sample sample = sample_of(position);
    const Layout& l = model.layout;
    const float* const n = model.numbers.data();
    double total = n[l.output_bias()];
    for (const Color side : {sample.mover, ~sample.mover}) {
        const Seen seen = seen_by(sample, side, l.buckets);
        const std::size_t half = side == sample.mover ? 0 : 1;
        for (std::size_t unit = 0; unit < l.units(); ++unit) {
            double sum = n[l.bias() + unit];
            for (std::size_t i = 0; i < seen.count; ++i) {
                sum += n[l.rows() + seen.rows[i] * l.units() + unit];
                if (l.buckets > 1) sum += n[l.shared() + seen.rows[i] % kInputs * l.units() + unit];
            }
            const double clipped = std::clamp(sum, 0.0, 1.0);
            total += clipped * clipped * n[l.output() + half * l.units() + unit];
        }
        for (std::size_t i = 0; i < seen.count; ++i)
            total += (half == 0 ? 0.5 : -0.5) * n[l.linear() + seen.rows[i]];
    }
    return total * kOutputScale;
}

float Target::of(const Sample& sample) const noexcept {
    const double expected = 1 / (1 + std::exp(-sample.score / scale));
    return static_cast<float>((1 - result_share) * expected +
                              result_share * (sample.result + 1) / 2.0);
}

Pass::Pass(const Layout& layout)
    : layout_(layout), units_(2 * layout.units()), slopes_(2 * layout.units()) {}

void Pass::merge(const Model& model, std::vector<float>& working) {
    const Layout& l = model.layout;
    const float* const n = model.numbers.data();
    working.assign(n + l.rows(), n + l.linear());
    if (l.buckets == 1) return;
    const std::size_t size = kInputs * l.units();
    for (std::size_t bucket = 0; bucket < static_cast<std::size_t>(l.buckets); ++bucket)
        add(working.data() + bucket * size, n + l.shared(), size);
}

double Pass::run(const Model& model,
                 std::span<const float> working,
                 std::span<const Sample> samples,
                 std::span<const std::uint32_t> picks,
                 const Target& target,
                 float* gradient) {
    const Layout& l = layout_;
    const std::size_t width = l.units();
    const float* const n = model.numbers.data();
    const float* const output = n + l.output();
    const auto steepness = static_cast<float>(kOutputScale / target.scale);
    double loss = 0;
    for (const std::uint32_t pick : picks) {
        const Sample& sample = samples[pick];
        const std::array<Seen, 2> seen{seen_by(sample, sample.mover, l.buckets),
                                       seen_by(sample, ~sample.mover, l.buckets)};
        float total = n[l.output_bias()];
        for (std::size_t half = 0; half < 2; ++half) {
            float* const units = units_.data() + half * width;
            std::copy_n(n + l.bias(), width, units);
            float linear = 0;
            for (std::size_t i = 0; i < seen[half].count; ++i) {
                add(units, working.data() + seen[half].rows[i] * width, width);
                linear += n[l.linear() + seen[half].rows[i]];
            }
            total += half == 0 ? linear / 2 : -linear / 2;
        }
        // Eight partial sums, which the compiler keeps in one vector.
        std::array<float, 8> parts{};
        for (std::size_t i = 0; i < 2 * width; i += 8) {
            for (std::size_t k = 0; k < 8; ++k) {
                const float clipped = std::clamp(units_[i + k], 0.0F, 1.0F);
                parts[k] += clipped * clipped * output[i + k];
            }
        }
        for (const float part : parts)
            total += part;
        const float expected = 1 / (1 + std::exp(-total * steepness));
        const float error = expected - target.of(sample);
        loss += double{error} * error;
        if (gradient == nullptr) continue;

        const float push = 2 * error * expected * (1 - expected) * steepness;
        gradient[l.output_bias()] += push;
        float* const output_slope = gradient + l.output();
        for (std::size_t i = 0; i < 2 * width; ++i) {
            const float unit = units_[i];
            const float clipped = std::clamp(unit, 0.0F, 1.0F);
            output_slope[i] += push * clipped * clipped;
            slopes_[i] = unit > 0 && unit < 1 ? push * output[i] * 2 * clipped : 0.0F;
        }
        for (std::size_t half = 0; half < 2; ++half) {
            const float* const slope = slopes_.data() + half * width;
            add(gradient + l.bias(), slope, width);
            const float linear = half == 0 ? push / 2 : -push / 2;
            for (std::size_t i = 0; i < seen[half].count; ++i) {
                add(gradient + l.rows() + seen[half].rows[i] * width, slope, width);
                gradient[l.linear() + seen[half].rows[i]] += linear;
            }
        }
    }
    return loss;
}

}  // namespace yomi::train
