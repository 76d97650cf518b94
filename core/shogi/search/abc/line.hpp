#pragma once

#include <vector>

#include "core/shogi/search/abc/record.hpp"

namespace yomi::shogi::abc {

/// The line on which both strategies agree: MAX plays by the tree that holds, MIN by the one that
/// does not. Where one of them ends, the other goes on with the best that it knows.
std::vector<Move> principal_line(const Record& max, const Record& min);

/// The line along which a recorded tree takes its minimax value; for mates, where it ends.
std::vector<Move> value_line(const Record& record);

}  // namespace yomi::shogi::abc
