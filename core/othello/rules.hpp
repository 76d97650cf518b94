#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/othello/position.hpp"

namespace yomi::othello {

/// Up to 33 moves without an allocation: perft spends its time in making lists.
///
/// Source  33 is the proved maximum of legal moves in a position.
template <class M>
class MoveList {
public:
    constexpr void push_back(const M& move) noexcept { moves_[size_++] = move; }
    [[nodiscard]] constexpr const M* begin() const noexcept { return moves_; }
    [[nodiscard]] constexpr const M* end() const noexcept { return moves_ + size_; }
    [[nodiscard]] constexpr std::size_t size() const noexcept { return size_; }

private:
    M moves_[34] = {};
    std::size_t size_ = 0;
};

/// `PerftRules` in which a pass is a ply, the classical count. A finished game passes for ever, so
/// it stays one leaf at every greater depth.
struct Rules {
    using Position = othello::Position;
    using Move = othello::Move;

    static std::uint64_t count_moves(const Position& position) noexcept {
        const std::uint64_t legal = position.legal_moves();
        return legal == 0 ? 1 : static_cast<std::uint64_t>(std::popcount(legal));
    }

    static MoveList<Move> moves(const Position& position) noexcept {
        MoveList<Move> list;
        std::uint64_t legal = position.legal_moves();
        if (legal == 0) list.push_back(Move{});
        while (legal != 0) {
            const Square square = pop_lowest_bit(legal);
            list.push_back(Move{.square = square, .flips = flips(position.board, square)});
        }
        return list;
    }

    static void do_move(Position& position, const Move& move) noexcept { position.do_move(move); }
    static void undo_move(Position& position, const Move& move) noexcept {
        position.undo_move(move);
    }
};

/// `PerftRules` in which depth counts discs placed: a forced pass comes free with the next
/// placement.
struct PlacementRules {
    using Position = othello::Position;

    struct Move {
        othello::Move move;
        bool after_pass = false;
    };

    static std::uint64_t count_moves(const Position& position) noexcept {
        std::uint64_t legal = position.legal_moves();
        if (legal == 0) legal = othello::legal_moves(position.board.swapped());
        return legal == 0 ? 1 : static_cast<std::uint64_t>(std::popcount(legal));
    }

    static MoveList<Move> moves(const Position& position) noexcept {
        Position mover = position;
        const bool after_pass = position.must_pass();
        if (after_pass) mover.do_move(othello::Move{});
        MoveList<Move> list;
        for (const othello::Move& move : Rules::moves(mover)) {
            list.push_back(Move{.move = move, .after_pass = after_pass});
        }
        return list;
    }

    static void do_move(Position& position, const Move& move) noexcept {
        if (move.after_pass) position.do_move(othello::Move{});
        position.do_move(move.move);
    }
    static void undo_move(Position& position, const Move& move) noexcept {
        position.undo_move(move.move);
        if (move.after_pass) position.undo_move(othello::Move{});
    }
};

}  // namespace yomi::othello
