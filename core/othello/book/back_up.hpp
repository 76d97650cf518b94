#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/base/result.hpp"
#include "core/othello/book/edit.hpp"
#include "core/othello/book/moves.hpp"

namespace yomi::othello::book {

/// How far a searched value is taken to be off, in discs: Edax's header fields of the same names.
struct LeafError {
    int midgame = 2;  ///< a search that does not reach the end
    int endcut = 1;   ///< one that reaches the end with cuts that are guesses
};

/// What a record should say now: value, bounds and counts of lines from its links, its leaf and
/// what was given. A leaf whose move has become a link is dropped.
///
/// Rules   A finished game has its final score. A pinned value stays. Else the value is the best of
///         the known links and the leaf; without any, what was given. Counts: those of the links
///         with wins and losses exchanged, and one line for the leaf, or for a record without links
///         and leaf; symmetric moves count each (as in Edax's books).
/// Cost    one look-up a legal move.
PositionInfo backed_up(const Reader& book,
                       const PositionKey& key,
                       PositionInfo info,
                       const LeafError& error = {});

/// Carries changes to every position above, to a fixed point: the result does not depend on the
/// order in which lines came. `touched` are the records that were set; all are recomputed.
///
/// Returns the keys whose records differ now from before the call, in the order of the flow.
/// Cost    for each changed record `predecessors` and a look-up for each of them.
Result<std::vector<PositionKey>> propagate(Edit& edit,
                                           std::span<const PositionKey> touched,
                                           const LeafError& error = {});

/// The same for all records at once: one sweep in the order of the flow. Cheaper than `propagate`
/// when a good part of the book has changed. Returns how many records changed.
Result<std::size_t> back_up_all(Edit& edit, const LeafError& error = {});
/// The same, but bounds stay where value and counts do: what another program wrote is kept.
Result<std::size_t> back_up_values(Edit& edit, const LeafError& error = {});

}  // namespace yomi::othello::book
