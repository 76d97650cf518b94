#pragma once

#include <string>
#include <vector>

#include "core/shogi/search/alpha_beta.hpp"

namespace yomi::usi {

/// The `info` lines of one report: one per line of play, best first, `pv` last.
///
/// `multipv` numbers are written when `with_multipv` is set; a GUI that asked for one line wants
/// none.
std::vector<std::string> info_lines(const shogi::AnalysisProgress& progress, bool with_multipv);

/// `cp 31`, `mate 5`, `mate -4`.
std::string score_text(shogi::Score score);

}  // namespace yomi::usi
