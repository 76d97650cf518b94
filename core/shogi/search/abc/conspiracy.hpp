#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/shogi/search/abc/record.hpp"

namespace yomi::shogi::abc {

/// How many leaf evaluations must be wrong; `kProved` when no number of them suffices.
using Conspirators = std::uint32_t;
inline constexpr Conspirators kProved = std::numeric_limits<Conspirators>::max();

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
/// A leaf counts 1, a node that the rules end counts as proved; what a table answered is a leaf,
/// so the numbers are never too great.
/// Cost    one pass over the tree a threshold, and 8 bytes a node while it runs.
std::vector<Conspiracy> conspiracy_curve(const Record& record, std::span<const Value> thresholds);

/// Minimax value of the recorded tree with the estimates of its leaves.
Value recorded_value(const Record& record);

}  // namespace yomi::shogi::abc
