#include "core/othello/search/levels.hpp"

#include <algorithm>

namespace yomi::othello::search {

std::vector<Stage> stages_to(const Stage& goal, int empties) {
    std::vector<Stage> stages;
    const bool to_end = goal.depth >= empties;
    // Reading to the end finds its own order below this many empties; more preparation costs more
    // than it saves.
    constexpr int kAtOnce = 12;
    constexpr int kRest = 10;
    const int last_depth = !to_end              ? goal.depth - (goal.selectivity == 0 ? 1 : 0)
                           : empties <= kAtOnce ? 0
                                                : empties - kRest;
    for (int depth = 1; depth <= last_depth; ++depth)
        stages.push_back({depth, 0});
    if (to_end && empties >= 16) {
        // Not every certainty pays for itself on the way.
        for (const int selectivity : {0, 2}) {
            if (selectivity < goal.selectivity) stages.push_back({empties, selectivity});
        }
    }
    stages.push_back({std::min(goal.depth, empties), goal.selectivity});
    return stages;
}

}  // namespace yomi::othello::search
