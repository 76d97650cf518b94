#pragma once

#include <cstdint>
#include <vector>

#include "core/base/result.hpp"
#include "tools/tune/game.hpp"
#include "tools/tune/regression.hpp"

namespace yomi::tune {

/// Which positions of the games are learned from.
struct SampleSetting {
    int score_limit = 1'500;      ///< centipawns: decided positions teach nothing
    int validation_percent = 10;  ///< of the games, never of the positions of one game
    std::uint64_t seed = 1;       ///< of the division
};

struct Samples {
    DataSet train;
    DataSet validation;
};

/// The quiet positions of the games: the side to move is not in check and the move that the search
/// chose takes nothing and promotes nothing.
///
/// Errors  an unreadable or illegal game, named by its number from 1; a game whose scores do not
/// fit
///         its moves.
Result<Samples> make_samples(const std::vector<Game>& games, const SampleSetting& setting);

}  // namespace yomi::tune
