#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/shogi/mate/solver.hpp"

namespace yomi::shogi::mate {

/// Lengths as tsume composers count them, without futile interpositions (無駄合い).
///
/// A piece dropped between a slider and the king is futile when the slider may take it at once,
/// with check, and the mate then goes on within the length that it has without the interposition,
/// the taken piece not used: it is judged as if it went back to the defender. Moves of pieces from
/// the board into the line are never futile.
///
/// Threads one owner at a time.
/// Cost    a search limited by depth that only follows what the table proves to be mates; for
///         lengths of some twenty plies at most.
class Convention {
public:
    Convention(Solver& solver, std::size_t max_positions)
        : solver_(solver), max_positions_(max_positions) {}

    /// The length by convention of a mate that takes `raw` plies with every interposition counted;
    /// nothing when it is too large a question.
    std::optional<Length> length(Position& position, Length raw);
    /// The replies in `position` (the defender's turn) that are futile when the mate by convention
    /// takes `length` plies.
    std::vector<Move> futile_replies(Position& position, Length length);
    /// A line of `length` plies by convention, every defence the longest.
    std::vector<Move> line(Position& position, Length length);

private:
    bool attack(Position& position, Length limit);
    bool defend(Position& position, Length limit);
    bool defend_moves(Position& position, Length limit, std::vector<Move>& between_drops);
    bool is_futile(const Position& position, Square to, Length limit);
    bool enter();

    Solver& solver_;
    std::size_t max_positions_;
    std::size_t entered_ = 0;
    bool gave_up_ = false;
    struct Bounds {
        Length within = kNotProven;
        int not_within = -1;
    };
    std::unordered_map<std::uint64_t, Bounds> known_;
};

}  // namespace yomi::shogi::mate
