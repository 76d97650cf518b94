#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/othello/eval/evaluator.hpp"
#include "core/othello/search/probcut.hpp"
#include "tools/othello_train/samples.hpp"

namespace yomi::othello_train {

/// How far a shallow search was from a deep one of the same position.
struct ValuePair {
    int empties = 0;
    int deep = 0;           ///< plies; `empties`: solved
    int shallow = 0;        ///< plies
    double difference = 0;  ///< deep - shallow, discs
};

struct ProbCutOptions {
    int positions = 600;    ///< for the midgame
    int solved = 300;       ///< for the end of the game
    int depth = 10;         ///< deepest search that is not to the end
    int least_solved = 14;  ///< empties of the positions that are solved
    int most_solved = 20;
    std::uint64_t seed = 1;
    std::size_t hash_bytes = std::size_t{64} << 20;
};

/// Values of one position that ProbCut would compare: midgame and to the end.
struct ProbCutPairs {
    std::vector<ValuePair> midgame;
    std::vector<ValuePair> endgame;
};

/// Searches positions drawn from `samples`, without any guess, to all depths up to `depth`, and
/// others with few enough empties also to the end of the game.
///
/// Shape   the same samples, options and evaluation give the same pairs; fewer where the samples
///         hold too few positions of the kind.
/// Cost    about 30 ms a position.
ProbCutPairs measure_probcut(const std::vector<Sample>& samples,
                             const othello::eval::Evaluator& evaluator,
                             const ProbCutOptions& options);

/// The plane of the deviation: mean absolute differences times sqrt(pi / 2), which is the standard
/// deviation of a normal error and is not carried away by single great ones; least squares, each
/// pair weighted by the variance of the first fit. `least` is 1 disc.
othello::search::ErrorModel fit_error_model(const std::vector<ValuePair>& pairs);

/// The share of pairs that lie within `kProbCutWidth` deviations of the model, by selectivity.
std::array<double, 5> hit_rates(const std::vector<ValuePair>& pairs,
                                const othello::search::ErrorModel& model);

}  // namespace yomi::othello_train
