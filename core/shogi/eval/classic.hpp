#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/shogi/eval/kind.hpp"
#include "core/shogi/position.hpp"

namespace yomi::shogi::eval {

/// The classic evaluation, term by term.
///
/// Unit    centipawns (pawn = 100), Black minus White; the terms sum to `total()` exactly, and a
/// position
///         turned round with colours swapped has every term negated.
struct ClassicTerms {
    int material = 0;       ///< pieces on the board and in hand
    int king_relative = 0;  ///< where pieces stand as seen from both kings (position_table)
    int king_place = 0;     ///< the kings' own squares: castled, exposed, entering
    int king_safety = 0;    ///< attacked, undefended and open squares round the kings
    int mobility = 0;       ///< moves of sliders and squares under control
    int hands = 0;          ///< what a piece in hand is worth beyond its material
    int tempo = 0;          ///< the right to move

    [[nodiscard]] int total() const noexcept {
        return material + king_relative + king_place + king_safety + mobility + hands + tempo;
    }
    friend bool operator==(const ClassicTerms&, const ClassicTerms&) = default;
};

/// Hand-written evaluation: material, king-relative tables, king safety, mobility, hands.
///
/// The king-relative sums follow the position move by move: call `reset` once, then `do_move`
/// before and `undo_move` after each move of the position. Null moves need no call.
///
/// Threads one owner.
/// Cost    `do_move` about eight look-ups (a king's move re-adds one half: 40 look-ups); `evaluate`
/// one
///         pass over the pieces.
/// Source  seed structures of KFEnd (2000): incremental material, king-relative static evaluation.
class Classic {
public:
    void reset(const Position& position, Kind kind = Kind::classic);
    /// `before` is the position in which `move` is about to be played.
    void do_move(const Position& before, Move move);
    void undo_move() noexcept { sums_.pop_back(); }

    /// From the side to move's view. Of kind classic: `explain(position).total()` for Black; of
    /// kind material: its first term alone.
    [[nodiscard]] int evaluate(const Position& position) const noexcept;
    [[nodiscard]] ClassicTerms explain(const Position& position) const noexcept;

    /// Evaluates a position from nothing: the slow twin of the incremental path, and what the API
    /// shows.
    static ClassicTerms explain_fresh(const Position& position);

private:
    /// Sum over all pieces, Black minus White, as seen from each king; 0 for a missing king.
    using Sums = std::array<int, 2>;
    std::vector<Sums> sums_;
    Kind kind_ = Kind::classic;
};

}  // namespace yomi::shogi::eval
