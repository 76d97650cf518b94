#pragma once

#include <array>
#include <functional>

#include "core/shogi/bitboard.hpp"
#include "core/shogi/position.hpp"

namespace yomi::shogi::mate {

/// Where a piece that the defender drops can matter to one mate; elsewhere the same checks mate
/// against the same replies, or fewer.
///
/// A dropped piece matters where it stands in the way of a check or of a line of the attacker,
/// takes a flight (a pawn's drop may mate only otherwise), or can move to a square on which a check
/// is met. Nothing is said with a king of the attacker on the board, or when a pawn is dropped in
/// the mate.
///
/// Threads one owner at a time.
/// Source  relevance of replies to a threat: Thomsen (2000), lambda search; here as a set of
/// squares.
class Relevance {
public:
    /// The attacker's next move in a position of the mate; no move: not known.
    using MatingMove = std::function<Move(Position&)>;

    /// Walks the mate of `position` (the attacker's turn), at most `steps` positions. False:
    /// nothing is known, and everything matters.
    bool build(Position& position, const MatingMove& mating_move, int steps);
    /// Whether the mate is as good as ever after `reply` to the threat.
    [[nodiscard]] bool ignores(Move reply) const noexcept {
        return known_ && reply.is_drop() &&
               !matters_[static_cast<std::size_t>(reply.dropped())].test(reply.to());
    }

private:
    bool walk(Position& position, const MatingMove& mating_move, int& steps);
    void note(const Position& position);

    Color attacker_ = Color::black;
    bool known_ = false;
    Bitboard blocks_;  ///< where any piece matters
    Bitboard meets_;   ///< where a check can be met
    std::array<Bitboard, kHandKinds + 1> matters_{};
};

}  // namespace yomi::shogi::mate
