#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "tools/match/game.hpp"
#include "tools/match/results.hpp"
#include "tools/match/statistics.hpp"

namespace yomi::match {

/// A match of engine A against engine B.
struct MatchSetting {
    std::array<EngineSetting, 2> engines;
    std::vector<std::string> openings;
    std::uint64_t pairs = 100;  ///< at most; each is one opening played twice with colours swapped
    int concurrency = 1;        ///< games at a time, each with two engine processes
    int max_plies = 320;
    Adjudication adjudication;
    std::optional<SprtSetting> sprt;
    std::uint64_t shuffle_seed = 0;  ///< order of the openings; 0: as in the file
    std::filesystem::path results;
    std::filesystem::path games;
    bool resume = false;
};

/// All that decides a game's course, in one line: a resumed match must have the same.
std::string describe(const MatchSetting& setting);

/// How it stands, after each finished pair.
struct MatchProgress {
    const Standing& standing;
    std::optional<SprtState> sprt;
};

struct MatchOutcome {
    Standing standing;
    std::optional<SprtState> sprt;
    bool interrupted = false;  ///< `stop` was raised before the end
};

/// Plays the match. Each of `concurrency` workers owns two engines and takes pair after pair; an
/// engine that failed is started again for the next game. An accepted hypothesis ends the match;
/// games under way are then abandoned and not counted.
///
/// Errors  an engine that cannot be started, a results file that cannot be used or written.
/// Threads `progress` is called from workers, one call at a time.
Result<MatchOutcome> play_match(const MatchSetting& setting,
                                const std::stop_token& stop,
                                const std::function<void(const MatchProgress&)>& progress);

}  // namespace yomi::match
