#pragma once

#include "core/shogi/position.hpp"

namespace yomi::match {

/// Whether the side to move may declare a win by the 27-point rule: what `bestmove win` claims.
///
/// All of: its king is in the promotion zone; it is not in check; at least 10 other pieces of it
/// stand in the zone; these and its hand are worth 28 points for Black, 27 for White (rook and
/// bishop, promoted or not, 5, others 1). Source  CSA computer shogi championship rules, entering
/// king, 27-point rule.
bool may_declare_27(const shogi::Position& position);

}  // namespace yomi::match
