#pragma once

#include <cstdint>
#include <vector>

#include "core/othello/eval/evaluator.hpp"
#include "tools/othello_train/labeller.hpp"
#include "tools/othello_train/samples.hpp"

namespace yomi::othello_train {

/// Which positions are drawn, and how they are labelled.
struct DrawOptions {
    int positions = 20'000;  ///< samples in a unit, at least
    int least_empties = 14;  ///< of the positions, uniform between the two
    int most_empties = 20;
    int least_random = 2;  ///< plies of random moves a game begins with, uniform between the two
    int most_random = 24;
    double most_noise = 6;  ///< discs: the greatest standard deviation of a game's judgement
    LabelOptions label;
};

/// The samples of one unit. Each search has a game of its own: random moves, then the best move by
/// the evaluation one ply ahead, to which each game adds errors of its own size, so that careful
/// and careless play, even and lopsided positions all are seen. The label, both `score` and
/// `expected`, is the value of a search; positions further along its line are samples as well.
///
/// Shape   the same seed, options and evaluation give the same samples; positions without a legal
///         move are left out.
/// Cost    about 0.05 ms a game and the search.
std::vector<Sample> draw_unit(std::uint64_t seed,
                              const DrawOptions& options,
                              const othello::eval::Evaluator& evaluator);

}  // namespace yomi::othello_train
