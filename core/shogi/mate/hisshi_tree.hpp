#pragma once

#include "core/shogi/mate/hisshi_search.hpp"

namespace yomi::shogi::mate {

/// How the replies of one position of the defender are met.
struct ReplyCount {
    std::size_t replies = 0;
    std::size_t by_replay = 0;
    std::size_t by_search = 0;
    Length longest = 0;              ///< plies of the longest mate, as far as known
    Move longest_reply;              ///< that lasts so long
    std::vector<Move> longest_line;  ///< the mate against it, if its moves are known
    std::vector<Move> escapes;       ///< leave no mate: proven
    std::size_t open = 0;            ///< not known
};

/// Asks of every reply whether the mate after a pass, played again, meets it, and if not whether
/// the attacker wins in `moves` moves (0: a mate). Defender to move.
ReplyCount count_replies(HisshiSearch& search, Position& position, int moves);

/// Fills the answer's tree, breadth first: the keys of the answer with all that follows them, or
/// the replies when the defender is to move. What has no room is marked `more`.
void build_hisshi_tree(HisshiSearch& search,
                       Position& position,
                       std::size_t max_moves,
                       HisshiAnswer& answer);

/// From a position of the attacker that is won: the shortest attack known against the longest
/// defence, up to the move that brings hisshi.
std::vector<Move> hisshi_line(HisshiSearch& search, Position& position);

}  // namespace yomi::shogi::mate
