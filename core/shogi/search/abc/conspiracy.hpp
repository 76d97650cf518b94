#pragma once

#include <span>
#include <vector>

#include "core/shogi/search/abc/record.hpp"

namespace yomi::shogi::abc {

/// The conspiracy numbers of a value at one threshold.
///
/// With the values "mate" and "no mate" they are the disproof and the proof number of df-pn.
struct Conspiracy {
    Conspirators lower = 0;  ///< L: fewest leaves that must change for the value to fall below it
    Conspirators upper = 0;  ///< U: fewest leaves that must change for the value to reach it

    friend bool operator==(const Conspiracy&, const Conspiracy&) = default;
};

/// L and U of the root at each threshold (MAX's view, any order), over the recorded tree.
///
/// A leaf counts 1, a node that the rules end counts as proved; what a table answered counts as
/// many as the tree that was searched for that answer, at its own threshold, so the numbers are
/// never too great.
/// Cost    one pass over the tree a threshold, and 8 bytes a node while it runs.
std::vector<Conspiracy> conspiracy_curve(const Record& record, std::span<const Value> thresholds);

/// L and U of every node at one threshold, by node index.
std::vector<Conspiracy> conspiracy_numbers(const Record& record, Value g);

/// Minimax value of the recorded tree with the estimates of its leaves.
Value recorded_value(const Record& record);
/// The same of every node, by node index.
std::vector<Value> recorded_values(const Record& record);

}  // namespace yomi::shogi::abc
