#pragma once

#include <functional>
#include <limits>
#include <vector>

#include "core/othello/book/moves.hpp"

namespace yomi::othello::book {

/// How far from best play a part of a book may go.
struct Scope {
    Board root = kStartBoard;
    int max_plies = 60;                                   ///< discs placed behind the root
    int loss_per_move = std::numeric_limits<int>::max();  ///< discs
    int total_loss = std::numeric_limits<int>::max();     ///< discs, both sides together
};

/// A record that a walk meets.
struct Met {
    PositionKey key;
    PositionInfo info;
    int loss = 0;   ///< the least total loss of a way from the root
    int plies = 0;  ///< discs placed since the root
};

/// Records that can be reached from the root within a scope, in the order of play: by plies, then
/// loss, then key; a pass is in front of what follows it. Empty if the root is not in the book.
///
/// Cost    a look-up for each legal move of each record met.
std::vector<Met> walk(const Reader& book, const Scope& scope);

}  // namespace yomi::othello::book
