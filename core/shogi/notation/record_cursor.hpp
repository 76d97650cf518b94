#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/shogi/bitboard.hpp"
#include "core/shogi/notation/record.hpp"
#include "core/shogi/position.hpp"
#include "core/shogi/types.hpp"

namespace yomi::shogi {

/// A board that walks over a record's tree and judges its moves.
///
/// It plays whatever can be played with pieces, fouls too: the board follows without asking the
/// rules, and a `Position` goes along as long as all was legal. Behind a foul nothing is judged any
/// more.
///
/// Threads one owner; borrows nothing.
/// Cost    a step is two moves on two boards; `go_to` is as many steps as there are moves between.
class RecordCursor {
public:
    explicit RecordCursor(const Setup& root);

    [[nodiscard]] const Setup& setup() const noexcept { return setup_; }
    [[nodiscard]] Color side() const noexcept { return setup_.side_to_move; }
    [[nodiscard]] Piece piece_on(Square square) const noexcept {
        return setup_.board[static_cast<std::size_t>(square)];
    }
    [[nodiscard]] Bitboard occupied() const noexcept;
    /// The position by the rules, null at and behind a root or a move that they forbid.
    [[nodiscard]] const Position* position() const noexcept {
        return position_ && fouls_ == 0 ? &*position_ : nullptr;
    }
    /// Where the last move went, for 同; `kNoSquare` if there was none.
    [[nodiscard]] Square last_to() const noexcept {
        return played_.empty() ? root_last_to_ : played_.back().move.to();
    }
    /// What a diagram says the move before the root was.
    void set_root_last_to(Square square) noexcept { root_last_to_ = square; }
    [[nodiscard]] NodeIndex node() const noexcept { return node_; }
    [[nodiscard]] int plies() const noexcept { return static_cast<int>(played_.size()); }
    [[nodiscard]] Piece captured() const noexcept {
        return played_.empty() ? kNoPiece : played_.back().captured;
    }

    /// Why the pieces do not allow the move at all (none on the origin, none in hand, a drop on a
    /// piece); empty if it can be played, by the rules or not.
    [[nodiscard]] std::string why_unplayable(Move move) const;
    /// Why the rules forbid a playable move; empty if they do not, or if nobody can tell any more.
    [[nodiscard]] std::string why_illegal(Move move) const;
    [[nodiscard]] bool is_legal(Move move) const { return why_illegal(move).empty(); }

    /// Plays a playable move; `node` is the tree's node of it.
    void play(Move move, NodeIndex node);
    void take_back();
    /// Goes to a node of the tree by taking back and playing. An ending counts as the node above.
    void go_to(const MoveTree& tree, NodeIndex node);

private:
    struct Played {
        Move move;
        Piece captured = kNoPiece;
        NodeIndex before = MoveTree::kRoot;
        bool foul = false;
        bool took = false;  ///< the captured piece went to the mover's hand
    };

    Setup setup_;
    std::optional<Position> position_;
    std::vector<Played> played_;
    NodeIndex node_ = MoveTree::kRoot;
    Square root_last_to_ = kNoSquare;
    int fouls_ = 0;  ///< moves behind (and with) the first foul
};

}  // namespace yomi::shogi
