#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace yomi::othello::search {

/// How far a cut must lie outside the window, in standard deviations, for each selectivity; the
/// last never cuts.
inline constexpr std::array<double, 6> kProbCutWidth = {1.1, 1.5, 2.0, 2.6, 3.3, 0.0};

/// The chance in percent that a value lies within that many standard deviations.
inline constexpr std::array<int, 6> kConfidence = {73, 87, 95, 98, 99, 100};

/// Standard deviation of (deep - shallow) search values: a plane in the two depths and the
/// empties, bent by its square.
///
/// Unit    discs. `depth` = `empties` is an exact endgame.
/// Source  chosen by hand beside the evaluation's error; a fit to our own searches is to replace
/// it, and
///         until then the percentages of `kConfidence` are nominal.
struct ErrorModel {
    double constant = 0;
    double empties = 0;
    double depth = 0;
    double shallow = 0;
    double least = 1.0;

    [[nodiscard]] double deviation(int empties_left, int deep, int low) const noexcept {
        const double value = constant + empties * empties_left + depth * deep + shallow * low;
        return value > least ? value : least;
    }
};

/// Midgame searches, and searches to the end of the game (where the deep value is exact and the
/// shallow one is not).
inline constexpr ErrorModel kMidgameError = {3.4, 0.0, 0.10, -0.20, 1.0};
inline constexpr ErrorModel kEndgameError = {4.6, 0.0, 0.14, -0.35, 2.0};

/// Depth of the search that guesses what `depth` plies will say: about half, of the same parity.
constexpr int guessing_depth(int depth, bool to_the_end) noexcept {
    int shallow = to_the_end ? depth / 4 * 2 - 2 + (depth & 1) : depth / 4 * 2 + (depth & 1);
    if (shallow < 0) shallow = depth & 1;
    return shallow;
}

}  // namespace yomi::othello::search
