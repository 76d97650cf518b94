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
/// empties, never below `least`.
///
/// Unit    discs. `depth` = `empties` is an exact endgame.
/// Source  `yomi-othello-train probcut` on self-play positions, see the models below.
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

/// Midgame searches: fitted to 3,400 pairs of depths up to 10 with 17 to 56 empties. Held out, 76,
/// 88, 96, 99 and 99.5 % of 850 pairs lay within the five widths.
inline constexpr ErrorModel kMidgameError = {4.852, -0.0705, 0.2143, -0.4063, 1.0};
/// Searches to the end of the game, where the deep value is exact and the shallow one is not:
/// fitted to 1,760 pairs with 14 to 19 empties; held out, of 440 pairs, 74, 86, 96, 98 and 99.8 %.
inline constexpr ErrorModel kEndgameError = {3.847, 0.0, 0.1366, -0.3411, 1.0};

/// Depth of the search that guesses what `depth` plies will say: about half, of the same parity.
constexpr int guessing_depth(int depth, bool to_the_end) noexcept {
    int shallow = to_the_end ? depth / 4 * 2 - 2 + (depth & 1) : depth / 4 * 2 + (depth & 1);
    if (shallow < 0) shallow = depth & 1;
    return shallow;
}

}  // namespace yomi::othello::search
