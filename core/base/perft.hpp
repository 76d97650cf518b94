#pragma once

#include <concepts>
#include <cstdint>
#include <utility>
#include <vector>

namespace yomi {

/// What a game must offer to have its move tree counted.
///
/// `moves(position)` gives a range of the legal moves, by value; `count_moves` is its length, but
/// may be faster than making the list (bulk counting at the last ply). `undo_move` takes back what
/// `do_move` did with the same move.
template <class R>
concept PerftRules = requires(typename R::Position& position, typename R::Move move) {
    { R::count_moves(position) } -> std::convertible_to<std::uint64_t>;
    {R::moves(position)};
    R::do_move(position, move);
    R::undo_move(position, move);
};

/// Number of move sequences of exactly `depth` plies: the acceptance test of every move generator.
///
/// Unit    leaves. `depth` 0 is 1.
/// Cost    exponential; the last ply is counted in bulk.
template <PerftRules R>
std::uint64_t perft(typename R::Position& position, int depth) {
    if (depth <= 0) return 1;
    if (depth == 1) return R::count_moves(position);
    std::uint64_t leaves = 0;
    for (const auto move : R::moves(position)) {
        R::do_move(position, move);
        leaves += perft<R>(position, depth - 1);
        R::undo_move(position, move);
    }
    return leaves;
}

/// The same per root move, in generation order: what one compares with another program to find a
/// fault.
template <PerftRules R>
std::vector<std::pair<typename R::Move, std::uint64_t>> perft_divide(typename R::Position& position,
                                                                     int depth) {
    std::vector<std::pair<typename R::Move, std::uint64_t>> table;
    if (depth <= 0) return table;
    for (const auto move : R::moves(position)) {
        R::do_move(position, move);
        table.emplace_back(move, perft<R>(position, depth - 1));
        R::undo_move(position, move);
    }
    return table;
}

}  // namespace yomi
