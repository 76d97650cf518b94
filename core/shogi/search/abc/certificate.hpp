#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/shogi/search/abc/abc.hpp"
#include "core/shogi/search/abc/shogi_tree.hpp"
#include "core/shogi/search/abc/value_search.hpp"
#include "core/shogi/search/value.hpp"

namespace yomi::shogi::abc {

/// Nodes that counting the alternatives along a line may take.
inline constexpr std::uint64_t kCountingNodes = 20'000;

/// A bound as the outside sees it; one beyond every mate is the shortest mate there is.
constexpr Score bound_score(Value v) noexcept {
    return search::to_score(std::clamp(v, -search::kMate, search::kMate - 1));
}

/// What a bracket that was found says.
struct Finding {
    Value value = 0;
    std::vector<Move> line = {};
};
Finding finding_of(const Bracket& bracket);

/// The certificate of a bracket from its two trees as they are.
Certificate certificate_of(const Bracket& bracket, const Finding& finding, const Options& options);
/// The same after every move beside the line has been estimated. `tree` is at the root.
/// Cost    an estimate for each legal move of each position of the line, within the tree's limits.
Certificate count_fully(ShogiTree& tree, const Bracket& bracket, const Options& options);
/// A proved mate: no number of evaluations overturns it.
Certificate certificate_of_mate(const Line& line);

/// The answer for a game that is over.
AnalysisAnswer finished_game(const Position& root, GameStatus status, const RuleSet& rules);

}  // namespace yomi::shogi::abc
