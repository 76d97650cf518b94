#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/shogi/search/searcher.hpp"

namespace yomi::shogi::search {

/// Searches line `first` of one depth: a window round `previous` (the line's last score; nothing
/// for the whole range), widened until the score lies inside. `moves` from `first` on are sorted
/// best first, the lines before by score.
///
/// Returns false when the search was stopped in between; `moves` are then in no particular order.
bool search_line(Searcher& searcher,
                 std::vector<RootMove>& moves,
                 std::size_t first,
                 int depth,
                 std::optional<Value> previous);

}  // namespace yomi::shogi::search
