#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/othello/book/back_up.hpp"

namespace yomi::othello::book {

/// What a sound book obeys. Each has a stable word for the wire.
enum class Rule : std::uint8_t {
    discs,            ///< no square has two discs, the four centre squares are taken
    canonical,        ///< the key is the canonical image
    value_range,      ///< values are -64..64 or unknown
    leaf_legal,       ///< the leaf's move is legal
    leaf_not_linked,  ///< the leaf's move does not lead to a record
    leaf_missing,     ///< a record whose moves are not all links has a leaf, or a given value
    value,            ///< the value is the best of links and leaf, or what was given
    bounds,           ///< lower <= value <= upper
    counts,           ///< the counts of lines are the sums of those below
    pass_missing,     ///< a pass between two records is a record itself
    finished,         ///< a finished game has its final score and no leaf
    value_unknown,    ///< every record has a value
};
inline constexpr std::size_t kRules = 12;
std::string_view to_string(Rule rule) noexcept;
std::string_view explain(Rule rule) noexcept;

struct Breach {
    Rule rule;
    PositionKey key;
    bool repairable = true;  ///< without a search
};

/// What `verify` found.
struct Verdict {
    std::size_t records = 0;
    std::array<std::size_t, kRules> broken{};
    [[nodiscard]] std::size_t total() const noexcept;
    /// Of the rules that a book must obey to be consistent; what only a search can complete
    /// (`leaf_missing`, `value_unknown`) does not count.
    [[nodiscard]] std::size_t unsound() const noexcept;
};

/// Shows every breach of every rule until `visit` says false.
Verdict verify(const Reader& book,
               const std::function<bool(const Breach&)>& visit,
               const LeafError& error = {});

/// Repairs what needs no search: records without sense go, keys become canonical, false leaves are
/// dropped, missing passes are made, values are recomputed. Returns the records changed, made or
/// removed.
Result<std::size_t> fix(Edit& edit, const LeafError& error = {});

/// Makes the records of passes that stand between two records of the book.
/// Returns how many.
Result<std::size_t> add_passes(Edit& edit);

}  // namespace yomi::othello::book
