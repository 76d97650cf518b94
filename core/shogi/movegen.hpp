#pragma once

#include <array>
#include <cstdint>

#include "core/shogi/position.hpp"

namespace yomi::shogi {

/// A fixed-capacity list of moves on the stack, with an ordering key beside each (seed row 19).
class MoveList {
public:
    void push(Move move) noexcept { moves_[size_++] = move; }
    [[nodiscard]] const Move* begin() const noexcept { return moves_.data(); }
    [[nodiscard]] const Move* end() const noexcept { return moves_.data() + size_; }
    [[nodiscard]] Move* begin() noexcept { return moves_.data(); }
    [[nodiscard]] Move* end() noexcept { return moves_.data() + size_; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
    Move operator[](std::size_t i) const noexcept { return moves_[i]; }
    void resize(std::size_t size) noexcept { size_ = size; }  ///< shrink only
    [[nodiscard]] bool contains(Move move) const noexcept {
        for (const Move m : *this) {
            if (m == move) return true;
        }
        return false;
    }

private:
    std::array<Move, kMaxMoves + 7> moves_;  // not initialised: only the first size_ are ever read
    std::size_t size_ = 0;
};

/// Every legal move, non-promotions of pawn, lance, bishop and rook included. No legality test is left to the caller.
void legal_moves(const Position& position, MoveList& list);
/// How many there are, without writing them down where that is possible.
std::uint64_t count_legal_moves(const Position& position);
/// Legal captures and promotions of pawns: what quiescence looks at. Only when not in check.
void capture_moves(const Position& position, MoveList& list);
/// The legal moves that `capture_moves` leaves out. Only when not in check.
void quiet_moves(const Position& position, MoveList& list);
/// Legal moves that give check (used by the mate solvers).
void checking_moves(const Position& position, MoveList& list);

/// For `perft<>` (core/base/perft.hpp).
struct Rules {
    using Position = shogi::Position;
    using Move = shogi::Move;
    static std::uint64_t count_moves(const Position& position) { return count_legal_moves(position); }
    static MoveList moves(const Position& position) {
        MoveList list;
        legal_moves(position, list);
        return list;
    }
    static void do_move(Position& position, Move move) { position.do_move(move); }
    static void undo_move(Position& position, Move) { position.undo_move(); }
};

}  // namespace yomi::shogi
