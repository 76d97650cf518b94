#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/othello/eval/evaluator.hpp"
#include "tools/othello_train/samples.hpp"

namespace yomi::othello_train {

/// How games are made: random plies for variety, then play by a shallow search, then the truth.
struct SelfPlayOptions {
    int games = 500;       ///< a unit
    int least_random = 8;  ///< plies of random moves, uniform between the two
    int most_random = 26;
    int depth = 4;        ///< plies of the search that plays on
    int solve_from = 16;  ///< empties from which the rest is solved exactly
    double lambda = 0.9;  ///< weight of the rest of the game against the next search
    std::size_t hash_bytes = std::size_t{16} << 20;
};

/// The samples of one unit: every position behind the random plies with the score that the game
/// came to, and from `solve_from` on also a random other move at every fourth ply, solved by
/// itself, so that lopsided positions are seen as well.
///
/// Shape   the same seed, options and evaluation give the same samples. `evaluator` may be null.
std::vector<Sample> play_unit(std::uint64_t seed,
                              const SelfPlayOptions& options,
                              const othello::eval::Evaluator* evaluator);

}  // namespace yomi::othello_train
