#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/othello/eval/evaluator.hpp"
#include "tools/othello_train/samples.hpp"

namespace yomi::othello_train {

/// How positions that stand already get better labels: by a search that looks further than the
/// games did.
struct RelabelOptions {
    int depth = 8;          ///< plies of the search
    int selectivity = 1;    ///< of the search, as in `kConfidence`: 0 (73 %) to 5 (everything)
    int solve_from = 14;    ///< empties from which the label is exact
    int aside_percent = 0;  ///< of the positions, each replaced by one a random move later
    std::size_t hash_bytes = std::size_t{4} << 20;
};

/// The samples with new labels. Solved ones stay as they are; of the others `expected` becomes the
/// value of a full search of `depth` plies, and `score` stays what the game came to. A position
/// replaced by a random move has no game, so its score is the value too, and one that was the
/// last of its game is left out.
///
/// Shape   the same samples, seed, options and evaluation give the same labels.
/// Cost    see README.md.
std::vector<Sample> relabel_unit(const std::vector<Sample>& samples,
                                 std::uint64_t seed,
                                 const RelabelOptions& options,
                                 const othello::eval::Evaluator* evaluator);

}  // namespace yomi::othello_train
