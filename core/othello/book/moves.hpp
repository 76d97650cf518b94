#pragma once

#include <cstdint>
#include <vector>

#include "core/base/bits.hpp"
#include "core/othello/book/reader.hpp"

namespace yomi::othello::book {

/// Calls `f(square, child)` for each legal move, or once with `kPass` when the side to move must
/// pass. Nothing for a finished game.
template <class F>
void for_each_child(const Board& board, F f) {
    std::uint64_t legal = legal_moves(board);
    if (legal == 0) {
        if (legal_moves(board.swapped()) != 0) f(kPass, board.swapped());
        return;
    }
    while (legal != 0) {
        const Square square = pop_lowest_bit(legal);
        f(square, after_move(board, square, flips(board, square)));
    }
}

inline bool must_pass(const Board& board) noexcept {
    return legal_moves(board) == 0 && legal_moves(board.swapped()) != 0;
}

/// The board after a legal move or a forced pass.
inline Board child_of(const Board& board, Square square) noexcept {
    return square == kPass ? board.swapped() : after_move(board, square, flips(board, square));
}

/// Whether `square` is a legal move of this board, the pass included.
inline bool is_legal(const Board& board, Square square) noexcept {
    if (square == kPass) return must_pass(board);
    return square >= 0 && square < 64 && (legal_moves(board) & bit(square)) != 0;
}

/// A move whose position is in the book.
struct Link {
    Square move = kPass;
    PositionKey child;
    PositionInfo info;  ///< of the child, its mover's view
    [[nodiscard]] int value() const noexcept { return -info.value; }
    [[nodiscard]] bool known() const noexcept { return info.known(); }
};

/// The links of a position in the order of their squares, in the frame of `board`. Symmetric moves
/// lead to one record, so their values are equal.
inline std::vector<Link> links_of(const Reader& book, const Board& board) {
    std::vector<Link> links;
    for_each_child(board, [&](Square square, const Board& child) {
        const PositionKey key = PositionKey::of(child);
        if (const auto info = book.find(key)) links.push_back({square, key, *info});
    });
    return links;
}

/// The order in which values flow: a position after all that its moves lead to. Moves lead to fewer
/// empties; a pass keeps them, and never follows a pass.
struct FlowOrder {
    int empties;
    bool pass;
    static FlowOrder of(const Board& board) noexcept { return {board.empties(), must_pass(board)}; }
    friend constexpr auto operator<=>(const FlowOrder&, const FlowOrder&) noexcept = default;
};

/// Every board from which one legal move or forced pass leads to `board`, in no promised order.
/// Each is legal by itself: the move turns over exactly what it must.
///
/// Cost    a few microseconds in the opening, up to milliseconds with a full board: one board for
///         each combination of what a disc may have turned over along its lines. A book finds its
///         parents this way and needs no table of them.
std::vector<Board> predecessors(const Board& board);

}  // namespace yomi::othello::book
