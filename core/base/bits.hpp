#pragma once

#include <bit>
#include <cstdint>

namespace yomi {

/// Index of the lowest set bit; `word` must not be 0.
constexpr int lowest_bit(std::uint64_t word) noexcept {
    return std::countr_zero(word);
}

/// Index of the highest set bit; `word` must not be 0.
constexpr int highest_bit(std::uint64_t word) noexcept {
    return 63 - std::countl_zero(word);
}

/// Removes the lowest set bit and returns its index; `word` must not be 0.
constexpr int pop_lowest_bit(std::uint64_t& word) noexcept {
    const int index = std::countr_zero(word);
    word &= word - 1;
    return index;
}

constexpr bool more_than_one(std::uint64_t word) noexcept {
    return (word & (word - 1)) != 0;
}

}  // namespace yomi
