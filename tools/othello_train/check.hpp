#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "core/othello/eval/evaluator.hpp"
#include "core/othello/search/table.hpp"
#include "tools/othello_train/samples.hpp"

namespace yomi::othello_train {

/// Positions with exact scores: OBF lines with "exact N", the theoretical scores of a WTHOR file
/// (each game at the number of empties that the file names), or the solved samples of a folder of
/// units.
///
/// Errors  not_found: no such file, or no solved position in it; what the readers say.
Result<std::vector<Sample>> solved_positions(const std::filesystem::path& path);

/// How far an evaluation is from exact scores, in discs.
struct ErrorSummary {
    int positions = 0;
    double absolute = 0;   ///< mean absolute error
    double mean = 0;       ///< of value - score
    double deviation = 0;  ///< root mean square
    double slope = 0;   ///< of the line through 0 from values to scores: 1 when the scale is right
    double spread = 0;  ///< mean absolute score
};

/// Static values for `depth` 0, else those of a search of so many plies.
ErrorSummary measure(const othello::eval::Evaluator& evaluator,
                     const std::vector<Sample>& positions,
                     int depth,
                     int selectivity = othello::search::kNoSelectivity);

}  // namespace yomi::othello_train
