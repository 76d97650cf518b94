#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "core/base/result.hpp"
#include "core/othello/book/back_up.hpp"
#include "core/othello/book/walk.hpp"

namespace yomi::othello::book {

struct MergeCount {
    std::size_t added = 0;
    std::size_t updated = 0;  ///< records whose leaf or given value was replaced
    std::size_t kept = 0;
};

/// Lays `other` over the book. Of two leaves the one of the deeper level wins, then the surer, then
/// the one that is there; a pinned value wins over all. Values are recomputed from all links.
Result<MergeCount> merge(Edit& edit, const Reader& other, const LeafError& error = {});

/// The first half of `merge`: values are not recomputed yet.
Result<MergeCount> overlay(Edit& edit, const Reader& other);

/// Copies what can be reached from `scope.root` within the scope into an empty book.
Result<Opening> subtree(const Reader& book, const Scope& scope, const LeafError& error = {});

/// Removes all that cannot be reached from `scope.root` within the scope. What the removed moves
/// were worth stays as leaves. Returns how many records went.
Result<std::size_t> prune(Edit& edit, const Scope& scope, const LeafError& error = {});

/// One record that two books do not agree on; empty: that book has no such record.
struct Difference {
    PositionKey key;
    std::optional<PositionInfo> left, right;
};
struct DiffCount {
    std::size_t equal = 0, changed = 0, only_left = 0, only_right = 0;
};
/// Compares two books record by record. `visit` gets each difference until it says false.
DiffCount diff(const Reader& left,
               const Reader& right,
               const std::function<bool(const Difference&)>& visit);

struct Statistics {
    std::size_t positions = 0;
    std::size_t passes = 0;    ///< positions whose side must pass
    std::size_t finished = 0;  ///< finished games
    std::size_t leaves = 0;    ///< positions with a leaf
    std::size_t ends = 0;      ///< positions without links
    std::size_t links = 0;
    std::size_t unknown = 0;                  ///< positions without a value
    std::array<std::size_t, 61> by_discs{};   ///< by discs placed since the start of a game
    std::array<std::size_t, 256> by_level{};  ///< by level of the position
    std::array<std::size_t, 8> by_source{};   ///< by `Source`
};
/// Counts everything. Cost  a look-up for each legal move of each record.
Statistics statistics(const Reader& book);

}  // namespace yomi::othello::book
