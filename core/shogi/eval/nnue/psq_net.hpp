#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "core/shogi/eval/nnue/net.hpp"
#include "core/shogi/eval/nnue/psq_features.hpp"

namespace yomi::shogi::eval::nnue {

/// The numbers of one of the project's own nets, as its file holds them
/// (docs/formats/shogi-net.md).
///
/// One hidden layer of `width` units a side, squared clipped activations, one output; beside it a
/// linear part (one number an input), which holds at least the material.
///
/// Shape   `rows` [bucket][input][width], `linear` [bucket][input]; `output` [2][width]: of the
///         side to move, of the other.
/// Unit    1.0 of a unit is 2^unit_shift in `bias` and `rows`; an output weight of 1.0, worth
///         `output_scale` centipawns, is 2^output_shift in `output`. `linear` and `output_bias` are
///         in 1/64 centipawns; of `linear` the difference of the two sides' sums counts half.
struct PsqWeights {
    int buckets = 1;
    int width = 0;  ///< a multiple of 16, 16..512
    int unit_shift = 0;
    int output_shift = 0;
    int output_scale = 600;
    int winrate_scale = 600;  ///< centipawns: a score s wins 1 / (1 + exp(-s / winrate_scale))
    /// Where the net comes from: lines of "key value".
    std::string provenance = {};
    std::vector<std::int16_t> bias = {};
    std::vector<std::int16_t> rows = {};
    std::vector<std::int32_t> linear = {};
    std::vector<std::int16_t> output = {};
    std::int32_t output_bias = 0;

    friend bool operator==(const PsqWeights&, const PsqWeights&) = default;
};

/// The first eight bytes of a file of this kind.
inline constexpr std::array<char, 8> kPsqMagic{'Y', 'O', 'M', 'I', 'S', 'N', 'E', 'T'};

/// Whether `bytes` begin like a file of this kind.
[[nodiscard]] bool is_psq_file(std::span<const std::byte> bytes) noexcept;

/// A net of the project's own kind. Immutable once made.
///
/// Errors  bad_value with the reason: another version, sizes out of range, a file too short or too
///         long, a checksum that does not fit, numbers with which a sum could overflow.
/// Threads any number of readers.
class PsqNet {
public:
    static Result<std::shared_ptr<const PsqNet>> make(PsqWeights weights);
    static Result<std::shared_ptr<const PsqNet>> parse(std::span<const std::byte> bytes);
    /// Reads a file; the message of an error begins with the path.
    static Result<std::shared_ptr<const PsqNet>> read(const std::filesystem::path& path);

    [[nodiscard]] const PsqWeights& weights() const noexcept { return weights_; }
    [[nodiscard]] std::vector<std::byte> encode() const;
    /// Such as "PSQ 5x2344-64x2-1".
    [[nodiscard]] std::string name() const;
    /// Of the file, in hexadecimal.
    [[nodiscard]] const std::string& digest() const noexcept { return digest_; }
    /// A word that changes with any byte of the file.
    [[nodiscard]] std::uint64_t hash() const noexcept { return hash_; }

    [[nodiscard]] int width() const noexcept { return weights_.width; }
    [[nodiscard]] const std::int16_t* bias() const noexcept { return bias_.data(); }
    /// 32-byte aligned, like `bias`.
    [[nodiscard]] const std::int16_t* row(int bucket, PsqInput input) const noexcept {
        return rows_.data() + (static_cast<std::size_t>(bucket) * kPsqInputs + input) *
                                  static_cast<std::size_t>(weights_.width);
    }
    [[nodiscard]] std::int32_t linear(int bucket, PsqInput input) const noexcept {
        return weights_.linear[static_cast<std::size_t>(bucket) * kPsqInputs + input];
    }
    [[nodiscard]] const std::int16_t* output() const noexcept { return output_.data(); }

private:
    PsqNet() = default;

    PsqWeights weights_;
    Weights<std::int16_t> bias_;
    Weights<std::int16_t> rows_;
    Weights<std::int16_t> output_;
    std::string digest_;
    std::uint64_t hash_ = 0;
};

}  // namespace yomi::shogi::eval::nnue
