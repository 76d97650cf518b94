#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/shogi/eval/nnue/psq_net.hpp"
#include "tools/train/samples.hpp"

namespace yomi::train {

/// Centipawns that an output of 1.0 is worth.
inline constexpr double kOutputScale = 600;

/// The numbers of a net while it is trained, as 32-bit floats in one row: what the optimiser sees.
///
/// Shape   bias [width], shared rows [inputs][width] (only with several buckets: what they have in
///         common), rows [bucket][inputs][width], linear [bucket][inputs], output [2][width],
///         output bias. A row at work is the shared one plus its bucket's.
struct Layout {
    int buckets = 1;
    int width = 64;

    [[nodiscard]] std::size_t units() const noexcept { return static_cast<std::size_t>(width); }
    [[nodiscard]] std::size_t inputs() const noexcept {
        return static_cast<std::size_t>(buckets) * shogi::eval::nnue::kPsqInputs;
    }
    [[nodiscard]] std::size_t bias() const noexcept { return 0; }
    [[nodiscard]] std::size_t shared() const noexcept { return units(); }
    [[nodiscard]] std::size_t rows() const noexcept {
        return shared() + (buckets > 1 ? shogi::eval::nnue::kPsqInputs * units() : 0);
    }
    [[nodiscard]] std::size_t linear() const noexcept { return rows() + inputs() * units(); }
    [[nodiscard]] std::size_t output() const noexcept { return linear() + inputs(); }
    [[nodiscard]] std::size_t output_bias() const noexcept { return output() + 2 * units(); }
    [[nodiscard]] std::size_t size() const noexcept { return output_bias() + 1; }
};

/// A net in floats.
struct Model {
    Layout layout;
    std::vector<float> numbers;  ///< `layout.size()` of them
};

/// Small random rows; the linear part counts material, the output adds nothing to it yet.
Model fresh_model(const Layout& layout, std::uint64_t seed);
/// A net of integers turned back.
Model model_of(const shogi::eval::nnue::PsqWeights& weights);

/// The rounded net, with the finest units whose sums cannot overflow.
/// Errors  bad_value: numbers too large for any.
Result<shogi::eval::nnue::PsqWeights> rounded(const Model& model);

/// What the float net says of a position, centipawns for the side to move: the slow plain twin.
double evaluate(const Model& model, const shogi::Position& position);

/// What is asked of a sample: the mover's expected result, 0..1.
struct Target {
    double scale = kOutputScale;  ///< centipawns: a score s counts 1 / (1 + exp(-s / scale))
    double result_share = 0;      ///< the rest is the score
    [[nodiscard]] float of(const Sample& sample) const noexcept;
};

/// Forward and backward over samples: numbers in, loss and gradient out.
///
/// Threads one owner; several share a model that nobody writes.
/// Cost    about 160 rows of `width` floats a sample with gradient, half without.
class Pass {
public:
    explicit Pass(const Layout& layout);

    /// Rows that are at work: call after every change of the model, before `run`.
    static void merge(const Model& model, std::vector<float>& working);

    /// Sum of squared errors over `samples` (picked by `picks`); with `gradient`, adds the gradient
    /// of that sum to it (as for `Model::numbers`, the shared rows left out).
    double run(const Model& model,
               std::span<const float> working,
               std::span<const Sample> samples,
               std::span<const std::uint32_t> picks,
               const Target& target,
               float* gradient);

private:
    Layout layout_;
    std::vector<float> units_;  ///< [2][width]
    std::vector<float> slopes_;
};

}  // namespace yomi::train
