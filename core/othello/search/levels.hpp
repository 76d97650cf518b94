#pragma once

#include <vector>

#include "core/othello/search/probcut.hpp"
#include "core/othello/search/table.hpp"

namespace yomi::othello::search {

/// One pass of iterative deepening. `depth` = empties reads to the end of the game.
struct Stage {
    int depth = 0;
    int selectivity = kNoSelectivity;

    friend bool operator==(const Stage&, const Stage&) = default;
};

inline constexpr int kMostLevel = 60;

/// Empties from which a level solves the game exactly: twice the level up to 10, then slowly to 24
/// at level 24; from there on level n solves n empties, as users expect of "level 40".
constexpr int solved_from(int level) noexcept {
    if (level <= 10) return 2 * level;
    if (level <= 24) return 20 + (level - 10) * 4 / 14;
    return level;
}

/// What a level promises with so many empties: the depth of its last pass and how sure it is.
/// Below the exact range come ranges at 98 % and 87 %, then `level` plies at 73 %.
constexpr Stage goal_of_level(int level, int empties) noexcept {
    const int solved = solved_from(level);
    if (empties <= solved) return {empties, kNoSelectivity};
    if (empties <= solved + 2) return {empties, 3};
    if (empties <= solved + 5) return {empties, 1};
    return {level < empties ? level : empties, 0};
}

/// The passes that lead to a goal: depth by depth at 73 %, then, when the goal is the end of the
/// game, the whole rest at rising certainty. The last one is the goal.
std::vector<Stage> stages_to(const Stage& goal, int empties);

}  // namespace yomi::othello::search
