#pragma once

#include <array>
#include <string>

#include "tools/match/match.hpp"

namespace yomi::match {

/// One line for the terminal: pairs, wins, draws, losses, pentanomial, Elo, LOS, LLR.
std::string progress_line(const MatchProgress& progress, std::uint64_t pairs);

/// The end of a match as a table for people and scripts.
std::string final_report(const MatchSetting& setting, const MatchOutcome& outcome);

}  // namespace yomi::match
