#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/othello/board.hpp"

namespace yomi::othello {

enum class Color : std::uint8_t { black, white };

constexpr Color other(Color color) noexcept {
    return color == Color::black ? Color::white : Color::black;
}

/// The word on the wire: "black" or "white".
constexpr std::string_view to_string(Color color) noexcept {
    return color == Color::black ? "black" : "white";
}

/// A placement with the discs that it turns over, or a pass. It carries all that undoing needs.
struct Move {
    Square square = kPass;
    std::uint64_t flips = 0;  ///< 0 exactly for a pass

    [[nodiscard]] constexpr bool is_pass() const noexcept { return square == kPass; }
    friend constexpr bool operator==(const Move&, const Move&) noexcept = default;
};

/// A board with its colours: whose turn it is and how many passes led here. A plain value.
struct Position {
    Board board = kStartBoard;
    Color side = Color::black;
    int passes = 0;  ///< passes played so far; 0 for a position that was set up

    [[nodiscard]] constexpr std::uint64_t black() const noexcept {
        return side == Color::black ? board.player : board.opponent;
    }
    [[nodiscard]] constexpr std::uint64_t white() const noexcept {
        return side == Color::black ? board.opponent : board.player;
    }
    [[nodiscard]] constexpr int empties() const noexcept { return board.empties(); }

    /// Plies since the start: discs placed and passes. Counts from 0.
    [[nodiscard]] constexpr int ply() const noexcept { return 60 - board.empties() + passes; }

    [[nodiscard]] std::uint64_t legal_moves() const noexcept { return othello::legal_moves(board); }
    /// The side to move has no move, but the other has.
    [[nodiscard]] bool must_pass() const noexcept {
        return legal_moves() == 0 && othello::legal_moves(board.swapped()) != 0;
    }
    [[nodiscard]] bool is_over() const noexcept { return othello::is_over(board); }

    /// The move that a disc on `square` (or `kPass`) is.
    ///
    /// Errors  illegal_move with the reason: the square is taken, nothing is turned over, a pass
    /// while
    ///         there are moves, the game is over. out_of_range for a number that is no square.
    [[nodiscard]] Result<Move> make_move(Square square) const;

    /// Plays a move that `make_move` or `moves` gave for this position.
    constexpr void do_move(const Move& move) noexcept {
        if (move.is_pass()) {
            board = board.swapped();
            ++passes;
        } else {
            board = after_move(board, move.square, move.flips);
        }
        side = other(side);
    }

    /// Takes the last move back.
    constexpr void undo_move(const Move& move) noexcept {
        if (move.is_pass()) {
            board = board.swapped();
            --passes;
        } else {
            board = before_move(board, move.square, move.flips);
        }
        side = other(side);
    }

    /// All placements in the order of their squares; empty when the side must pass or the game is
    /// over.
    [[nodiscard]] std::vector<Move> moves() const;

    friend constexpr bool operator==(const Position&, const Position&) noexcept = default;
};

}  // namespace yomi::othello
