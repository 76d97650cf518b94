#pragma once

#include <cstdint>
#include <vector>

#include "core/othello/eval/evaluator.hpp"
#include "tools/othello_train/labeller.hpp"
#include "tools/othello_train/samples.hpp"

namespace yomi::othello_train {

/// How careful games are played, and which of their positions are labelled.
struct CarefulOptions {
    int positions = 20'000;  ///< samples in a unit, at least
    int least_empties = 18;  ///< of the positions, 7 or more; games end there
    int most_empties = 36;
    int share_percent = 50;          ///< of the positions between the two that are labelled
    int aside_percent = 0;           ///< of those that are moved by a random move before
    int least_opening = 6;           ///< plies of the opening, uniform between the two
    int most_opening = 12;           ///< plies
    double opening_temperature = 4;  ///< discs
    int most_lead = 12;              ///< discs that a side may be ahead by after the opening
    int play_depth = 3;              ///< plies of the searches that games are played by
    /// Evenly spread by player from `play_depth` to this; below it: the same for all. Who looks
    /// farther gets positions that are better than they look.
    int most_play_depth = 0;
    double least_temperature = 0.3;  ///< discs, of the most careful side
    double most_temperature = 3;     ///< discs, of the least careful one
    /// Discs, the strength of the strongest likings for kinds of squares and for turning few or
    /// many discs over: people have habits that no search would give them. Evenly spread by player.
    double habits = 0;
    LabelOptions label;
};

/// The samples of one unit, from games as people play them: moves are drawn by what a search thinks
/// of them, one that is `temperature` discs worse 1/e as often. Each side of a game has a
/// temperature of its own, evenly spread on a logarithmic scale, so that strong and weak players
/// meet and good openings turn out lost; the opening, whose own temperature is higher, is drawn
/// again when it leaves a side too far ahead.
///
/// Shape   the same seed, options and evaluation give the same samples; positions without a legal
///         move are left out.
/// Cost    at depth 3 about 1 ms a game, and the labels.
std::vector<Sample> careful_unit(std::uint64_t seed,
                                 const CarefulOptions& options,
                                 const othello::eval::Evaluator& evaluator);

}  // namespace yomi::othello_train
