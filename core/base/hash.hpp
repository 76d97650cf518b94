#pragma once

#include <cstdint>

namespace yomi {

/// One step of SplitMix64 (Steele, Lea, Flood 2014): a fast, well-mixed, reproducible generator.
/// Used for Zobrist words and for every seeded random choice; never for secrets.
class SplitMix64 {
public:
    explicit constexpr SplitMix64(std::uint64_t seed) noexcept : state_(seed) {}

    constexpr std::uint64_t operator()() noexcept {
        state_ += 0x9E3779B97F4A7C15ULL;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        return z ^ (z >> 31);
    }

    /// Uniform in [0, bound) for bound > 0, by the high half of a product (the bias is below
    /// bound / 2^32).
    constexpr std::uint32_t below(std::uint32_t bound) noexcept {
        return static_cast<std::uint32_t>(((operator()() >> 32) * bound) >> 32);
    }

    // UniformRandomBitGenerator, so that std::shuffle takes it.
    using result_type = std::uint64_t;
    static constexpr result_type min() noexcept { return 0; }
    static constexpr result_type max() noexcept { return ~result_type{0}; }

private:
    std::uint64_t state_;
};

/// Mixes a word so that nearby inputs give unrelated outputs (the finaliser of SplitMix64).
constexpr std::uint64_t mix64(std::uint64_t x) noexcept {
    return SplitMix64(x)();
}

}  // namespace yomi
