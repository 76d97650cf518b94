#pragma once

#include "core/shogi/mate/solver.hpp"
#include "core/shogi/mate/tsume.hpp"

namespace yomi::shogi::mate {

/// Fills the answer's tree from `position` (behind the page's first moves), whose mate takes
/// exactly `length` plies. Breadth first, so that a page shows the near moves; what has no room is
/// marked `more`.
void build_tree(Solver& solver,
                Position& position,
                Length length,
                const TsumeTreeRequest& request,
                TsumeAnswer& answer);

/// Looks for other moves of the attacker along `line`: the answer's, or a given solution.
void find_cooks(Solver& solver,
                Position& position,
                const std::vector<Move>& line,
                TsumeAnswer& answer);

/// Follows a given solution from `position`, whose mate takes at most `length` plies, and says
/// where it stops being right.
LineCheck check_line(Solver& solver,
                     Position& position,
                     Length length,
                     const std::vector<Move>& moves);

}  // namespace yomi::shogi::mate
