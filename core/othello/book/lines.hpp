#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/base/result.hpp"
#include "core/othello/book/back_up.hpp"
#include "core/othello/transcript.hpp"

namespace yomi::othello::book {

/// A line of play with the value of its last position.
struct ScoredLine {
    Position start = {};
    std::vector<Move> moves = {};   ///< passes included or not: forced ones are inserted
    std::optional<int> black = {};  ///< discs, from Black's view; empty: not known
    Source source = Source::line;
};

/// What a registration did.
struct Registered {
    std::size_t created = 0;           ///< records that are new
    std::vector<PositionKey> changed;  ///< new ones and those whose record differs now
};

/// Registers every position of a line and carries the value of its end up through all positions of
/// the book that lead there. The order in which lines come does not matter; an equal line again
/// changes nothing, with another score it updates.
///
/// Errors  out_of_range: a score beyond 64 discs; bad_value: one that contradicts the finished
///         board; illegal_move; quota_exceeded.
/// Source  mode 3 of the ES-Cube tutorial, whose first version depended on the order.
Result<Registered> register_line(Edit& edit, const ScoredLine& line, const LeafError& error = {});
/// Many lines with one back-up at the end: for imports.
Result<Registered> register_lines(Edit& edit,
                                  std::span<const ScoredLine> lines,
                                  const LeafError& error = {});

/// Registers or updates the value of one position by hand. With `pinned` it counts whatever stands
/// below.
Result<Registered> set_position(
    Edit& edit, const Board& board, int value, bool pinned, const LeafError& error = {});

/// Takes a record out. What its parents knew of the move becomes their leaf if it is better than
/// theirs, so no value is forgotten. Returns whether it was there.
Result<bool> remove_position(Edit& edit, const Board& board, const LeafError& error = {});

/// Makes `child`'s value the leaf of `parent`, unless a better one is there: before `child` goes.
void keep_as_leaf(Edit& edit, const PositionKey& parent, const PositionKey& child);

}  // namespace yomi::othello::book
