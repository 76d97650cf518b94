#include "core/base/sha256.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace yomi {
namespace {

using Words = std::array<std::uint32_t, 8>;

/// The first 32 bits of the fractional part of `root` of a prime, in exact integer arithmetic: the
/// constants are made here instead of being copied.
constexpr std::uint32_t fraction_of_root(std::uint64_t prime, int power) {
    // The greatest r with r^power <= prime * 2^(32 * power); its low 32 bits are the fraction.
    __extension__ using Wide = unsigned __int128;
    std::uint64_t low = 0;
    std::uint64_t high = std::uint64_t{20} << 32;
    while (high - low > 1) {
        const std::uint64_t middle = low + (high - low) / 2;
        // For cubes: r^3 <= p * 2^96 by r * r <= p * 2^96 / r, all rounded down, is too coarse;
        // split r^2 into high and low halves instead.
        const Wide square = static_cast<Wide>(middle) * middle;
        bool fits = false;
        if (power == 2) {
            fits = square <= static_cast<Wide>(prime) << 64;
        } else {
            const Wide low_part = (square & ~std::uint64_t{0}) * middle;
            const Wide high_part = (square >> 64) * middle + (low_part >> 64);
            const Wide bound = static_cast<Wide>(prime) << 32;
            fits = high_part < bound ||
                   (high_part == bound && static_cast<std::uint64_t>(low_part) == 0);
        }
        (fits ? low : high) = middle;
    }
    return static_cast<std::uint32_t>(low);
}

constexpr std::array<std::uint64_t, 64> primes() {
    std::array<std::uint64_t, 64> found{};
    std::size_t count = 0;
    for (std::uint64_t n = 2; count < found.size(); ++n) {
        bool prime = true;
        for (std::size_t i = 0; i < count && prime; ++i)
            prime = n % found[i] != 0;
        if (prime) found[count++] = n;
    }
    return found;
}

constexpr Words kStart = [] {
    Words words{};
    for (std::size_t i = 0; i < words.size(); ++i)
        words[i] = fraction_of_root(primes()[i], 2);
    return words;
}();

constexpr std::array<std::uint32_t, 64> kRound = [] {
    std::array<std::uint32_t, 64> words{};
    const auto p = primes();
    for (std::size_t i = 0; i < words.size(); ++i)
        words[i] = fraction_of_root(p[i], 3);
    return words;
}();

void mix(Words& state, const std::byte* block) noexcept {
    std::array<std::uint32_t, 64> w;
    for (std::size_t i = 0; i < 16; ++i) {
        w[i] = 0;
        for (std::size_t b = 0; b < 4; ++b)
            w[i] = w[i] << 8 | static_cast<std::uint32_t>(block[4 * i + b]);
    }
    for (std::size_t i = 16; i < 64; ++i) {
        const std::uint32_t a = w[i - 15];
        const std::uint32_t b = w[i - 2];
        w[i] = w[i - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ (a >> 3)) + w[i - 7] +
               (std::rotr(b, 17) ^ std::rotr(b, 19) ^ (b >> 10));
    }
    Words s = state;
    for (std::size_t i = 0; i < 64; ++i) {
        const std::uint32_t choose = (s[4] & s[5]) ^ (~s[4] & s[6]);
        const std::uint32_t majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
        const std::uint32_t one = s[7] +
                                  (std::rotr(s[4], 6) ^ std::rotr(s[4], 11) ^ std::rotr(s[4], 25)) +
                                  choose + kRound[i] + w[i];
        const std::uint32_t two =
            (std::rotr(s[0], 2) ^ std::rotr(s[0], 13) ^ std::rotr(s[0], 22)) + majority;
        std::rotate(s.begin(), s.end() - 1, s.end());
        s[4] += one;
        s[0] = one + two;
    }
    for (std::size_t i = 0; i < 8; ++i)
        state[i] += s[i];
}

}  // namespace

std::array<std::byte, 32> sha256(std::span<const std::byte> bytes) noexcept {
    Words state = kStart;
    std::size_t at = 0;
    for (; at + 64 <= bytes.size(); at += 64)
        mix(state, bytes.data() + at);
    std::array<std::byte, 128> tail{};
    const std::size_t left = bytes.size() - at;
    if (left > 0) std::memcpy(tail.data(), bytes.data() + at, left);
    tail[left] = std::byte{0x80};
    const std::size_t size = left < 56 ? 64 : 128;
    const std::uint64_t bits = std::uint64_t{bytes.size()} * 8;
    for (std::size_t i = 0; i < 8; ++i)
        tail[size - 1 - i] = static_cast<std::byte>((bits >> (8 * i)) & 255U);
    for (std::size_t i = 0; i < size; i += 64)
        mix(state, tail.data() + i);
    std::array<std::byte, 32> digest;
    for (std::size_t i = 0; i < digest.size(); ++i)
        digest[i] = static_cast<std::byte>((state[i / 4] >> (24 - 8 * (i % 4))) & 255U);
    return digest;
}

std::string to_hex(const std::array<std::byte, 32>& digest) {
    constexpr const char* kDigits = "0123456789abcdef";
    std::string text;
    for (const std::byte b : digest) {
        text += kDigits[static_cast<unsigned>(b) >> 4];
        text += kDigits[static_cast<unsigned>(b) & 15U];
    }
    return text;
}

}  // namespace yomi
