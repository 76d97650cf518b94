#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>

#include "tools/tune/game.hpp"

namespace yomi::tune {

/// How the games for the tuner are made.
struct SelfPlaySetting {
    std::uint64_t seed = 1;
    int games = 100;
    std::uint64_t nodes = 1'000;  ///< of every search
    int min_plies = 4;            ///< random plies before the search plays
    int max_plies = 14;
    int window = 250;     ///< centipawns: openings that the first search finds worse are dropped
    int decided = 2'000;  ///< centipawns: a game on which both sides agree for four plies is over
    int longest = 256;    ///< plies: a longer game is a draw
    std::optional<std::uint64_t> seconds = {};  ///< start no game after this long
};

/// Plays the search against itself from random openings and hands over each finished game.
///
/// The games depend on the setting and the search alone; `seconds` only says how many there are.
///
/// Threads `stop` from any thread; a game under way is dropped.
/// Cost    about 100 searches a game.
void play_games(const SelfPlaySetting& setting,
                const std::stop_token& stop,
                const std::function<void(const Game&)>& take);

}  // namespace yomi::tune
