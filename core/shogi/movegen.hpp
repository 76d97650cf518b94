#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/shogi/position.hpp"

namespace yomi::shogi {

/// A fixed-capacity list of moves, meant for the stack.
///
/// Shape   room for 593 moves and a few more; pushing beyond is a defect.
/// Cost    nothing to make: the 2.4 KB are not written before moves are. Orderings keep their keys
/// beside it.
class MoveList {
public:
    MoveList() noexcept {
    }  // NOLINT(modernize-use-equals-default): `= default` would zero the array
    MoveList(const MoveList& other) noexcept : size_(other.size_) { copy_from(other); }
    MoveList& operator=(const MoveList& other) noexcept {
        if (this != &other) {
            size_ = other.size_;
            copy_from(other);
        }
        return *this;
    }
    MoveList(MoveList&& other) noexcept : MoveList(static_cast<const MoveList&>(other)) {}
    MoveList& operator=(MoveList&& other) noexcept {
        return *this = static_cast<const MoveList&>(other);
    }
    ~MoveList() = default;

    void push(Move move) noexcept {
        assert(size_ < kCapacity);
        moves_[size_++] = move;
    }
    [[nodiscard]] const Move* begin() const noexcept { return moves_; }
    [[nodiscard]] const Move* end() const noexcept { return moves_ + size_; }
    [[nodiscard]] Move* begin() noexcept { return moves_; }
    [[nodiscard]] Move* end() noexcept { return moves_ + size_; }
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
    static constexpr std::size_t kCapacity = kMaxMoves + 7;
    void copy_from(const MoveList& other) noexcept {
        for (std::size_t i = 0; i < other.size_; ++i)
            moves_[i] = other.moves_[i];
    }
    // In a union nothing is initialised: only the first size_ moves are ever read.
    union {
        Move moves_[kCapacity];
    };
    std::size_t size_ = 0;
};
static_assert(std::is_trivially_destructible_v<Move>);

/// Every legal move, non-promotions of pawn, lance, bishop and rook included. No legality test is
/// left to the caller.
void legal_moves(const Position& position, MoveList& list);
/// How many there are, without writing them down where that is possible.
std::uint64_t count_legal_moves(const Position& position);
/// Legal captures (their non-promotions too) and every promotion of a pawn: what quiescence looks
/// at. Only when not in check.
void capture_moves(const Position& position, MoveList& list);
/// The legal moves that `capture_moves` leaves out. Only when not in check.
void quiet_moves(const Position& position, MoveList& list);
/// Legal moves that give check (used by the mate solvers).
void checking_moves(const Position& position, MoveList& list);

/// For `perft<>` (core/base/perft.hpp).
struct Rules {
    using Position = shogi::Position;
    using Move = shogi::Move;
    static std::uint64_t count_moves(const Position& position) {
        return count_legal_moves(position);
    }
    static MoveList moves(const Position& position) {
        MoveList list;
        legal_moves(position, list);
        return list;
    }
    static void do_move(Position& position, Move move) { position.do_move(move); }
    static void undo_move(Position& position, Move) { position.undo_move(); }
};

}  // namespace yomi::shogi
