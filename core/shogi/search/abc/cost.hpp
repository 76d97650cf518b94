#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

namespace yomi::shogi::abc {

/// A price of a move or a budget of one side, in quarter-plies; 4 are one ply or one conspirator.
using Quarters = int;
inline constexpr Quarters kOne = 4;
/// A budget that no line uses up.
inline constexpr Quarters kUnbounded = 30'000;

/// What a move costs the side that makes it, when that side has so many other good moves.
enum class CostMode : std::uint8_t {
    exact,    ///< one for each alternative: the theorem of the certificate holds to the letter
    log,      ///< log2(1 + alternatives), between 1/4 and 2: for games with eighty moves
    uniform,  ///< one always, and both budgets count: plain fixed depth of 2 D plies
};
inline constexpr std::array<CostMode, 3> kCostModes{
    CostMode::exact, CostMode::log, CostMode::uniform};

/// "exact", "log", "uniform".
constexpr std::string_view to_string(CostMode mode) noexcept {
    switch (mode) {
        case CostMode::exact:
            return "exact";
        case CostMode::log:
            return "log";
        case CostMode::uniform:
            return "uniform";
    }
    return "log";
}
constexpr std::optional<CostMode> cost_mode_of(std::string_view name) noexcept {
    for (const CostMode mode : kCostModes) {
        if (to_string(mode) == name) return mode;
    }
    return std::nullopt;
}

struct Options {
    CostMode cost = CostMode::uniform;
    /// A sibling is an alternative when its estimate is at most so much on the wrong side of the
    /// threshold; centipawns. More counts more moves: shallower and bolder.
    int margin = 0;
    /// Least price of a move, with `log`.
    Quarters floor = 1;
    /// Longest line, plies. Forced moves cost nothing, so something else has to end a line.
    int cap = 64;
    /// Width of the bracket in which a value counts as found; centipawns, >= 1.
    int resolution = 1;
    /// Whether the hash answers. Otherwise it only keeps estimates, so that answers, trees and
    /// certificates are the same with and without it.
    bool hash_answers = true;

    friend bool operator==(const Options&, const Options&) = default;
};

/// Price of a move beside `alternatives` others.
constexpr Quarters price(CostMode mode, int alternatives) noexcept {
    // 4 log2(1 + n), rounded, between a quarter and two plies.
    constexpr std::array<Quarters, 3> kFew{1, 4, 6};
    switch (mode) {
        case CostMode::exact:
            return alternatives < kUnbounded / kOne ? alternatives * kOne : kUnbounded;
        case CostMode::log:
            return alternatives < 3 ? kFew[static_cast<std::size_t>(alternatives)] : 8;
        case CostMode::uniform:
            return kOne;
    }
    return kOne;
}

/// From how many alternatives on more of them change nothing for a side with `left`.
///
/// Counting costs evaluations, so it stops here. A budget at or below zero is spent, by however
/// much.
constexpr int enough_alternatives(CostMode mode, Quarters left) noexcept {
    switch (mode) {
        case CostMode::exact:
            return left >= kUnbounded / 2 ? std::numeric_limits<int>::max()
                                          : (left + kOne - 1) / kOne;
        case CostMode::log: {
            // The first count whose price spends it all; beyond three the price stays.
            int count = 0;
            while (count < 3 && price(mode, count) < left)
                ++count;
            return count;
        }
        case CostMode::uniform:
            return 0;
    }
    return 0;
}

/// Whether what a recorded tree shows beyond the threshold asked is taken as an answer, too.
///
/// Not where a number of conspirators is promised: they were counted for that threshold.
constexpr bool takes_bounds(CostMode mode) noexcept {
    return mode != CostMode::exact;
}

/// What the two sides may still spend.
struct Budgets {
    Quarters max = 0;
    Quarters min = 0;

    [[nodiscard]] constexpr Quarters of(bool max_side) const noexcept {
        return max_side ? max : min;
    }
    /// After the side that moves has paid.
    [[nodiscard]] constexpr Budgets less(bool max_side, Quarters paid) const noexcept {
        return max_side ? Budgets{max - paid, min} : Budgets{max, min - paid};
    }
    friend constexpr bool operator==(const Budgets&, const Budgets&) = default;
};

}  // namespace yomi::shogi::abc
