#include "core/shogi/notation/record_cursor.hpp"

#include <algorithm>

#include "core/shogi/names.hpp"

namespace yomi::shogi {
namespace {

std::size_t at(Square square) {
    return static_cast<std::size_t>(square);
}
std::size_t at(Color color) {
    return static_cast<std::size_t>(index(color));
}

/// Most pieces of a kind that a packed hand can count.
int hand_room(PieceType kind) {
    switch (kind) {
        case PieceType::pawn:
            return 31;
        case PieceType::bishop:
        case PieceType::rook:
            return 3;
        default:
            return 7;
    }
}

}  // namespace

RecordCursor::RecordCursor(const Setup& root) : setup_(root) {
    if (auto position = Position::from_setup(root)) position_ = std::move(*position);
}

Bitboard RecordCursor::occupied() const noexcept {
    Bitboard set;
    for (int s = 0; s < kSquares; ++s) {
        if (setup_.board[static_cast<std::size_t>(s)] != kNoPiece)
            set |= Bitboard::of(static_cast<Square>(s));
    }
    return set;
}

std::string RecordCursor::why_unplayable(Move move) const {
    if (move.is_drop()) {
        const PieceType kind = move.dropped();
        const Color owner = color_of(move.piece_after());
        if (owner != side()) return "it is " + side_name(side()) + "'s turn to drop";
        if (!setup_.hands[at(owner)].has(kind))
            return side_name(owner) + " has no " + kind_name(kind) + " in hand";
        if (piece_on(move.to()) != kNoPiece)
            return "there is a piece on " + square_name(move.to()) + " already";
        return {};
    }
    const Piece piece = piece_on(move.from());
    if (piece == kNoPiece) return "there is no piece on " + square_name(move.from());
    if (piece != move.piece_before()) {
        return "the piece on " + square_name(move.from()) + " is " + side_name(color_of(piece)) +
               "'s " + kind_name(type_of(piece));
    }
    if (move.from() == move.to()) return "a move must leave its square";
    return {};
}

std::string RecordCursor::why_illegal(Move move) const {
    const Position* const now = position();
    if (now == nullptr || now->is_legal(move)) return {};
    return now->why_illegal(move);
}

void RecordCursor::play(Move move, NodeIndex node) {
    Played step{.move = move, .before = node_};
    const Color side = setup_.side_to_move;
    // Nobody can tell behind a foul, so nothing there is one; the board just follows.
    step.foul = position_.has_value() && (fouls_ > 0 || !position_->is_legal(move));
    if (step.foul) {
        ++fouls_;
    } else if (position_) {
        position_->do_move(move);
    }
    if (move.is_drop()) {
        setup_.hands[at(side)].remove(move.dropped());
    } else {
        step.captured = piece_on(move.to());
        setup_.board[at(move.from())] = kNoPiece;
        const PieceType kind = unpromote(type_of(step.captured));
        if (step.captured != kNoPiece && kind != PieceType::king &&
            setup_.hands[at(side)].count(kind) < hand_room(kind)) {
            setup_.hands[at(side)].add(kind);
            step.took = true;
        }
    }
    setup_.board[at(move.to())] = move.piece_after();
    setup_.side_to_move = ~side;
    ++setup_.ply;
    played_.push_back(step);
    node_ = node;
}

void RecordCursor::take_back() {
    const Played step = played_.back();
    played_.pop_back();
    const Color side = ~setup_.side_to_move;
    if (step.foul) {
        --fouls_;
    } else if (position_) {
        position_->undo_move();
    }
    setup_.board[at(step.move.to())] = step.captured;
    if (step.move.is_drop()) {
        setup_.hands[at(side)].add(step.move.dropped());
    } else {
        setup_.board[at(step.move.from())] = step.move.piece_before();
        if (step.took) setup_.hands[at(side)].remove(unpromote(type_of(step.captured)));
    }
    setup_.side_to_move = side;
    --setup_.ply;
    node_ = step.before;
}

void RecordCursor::go_to(const MoveTree& tree, NodeIndex node) {
    if (node != MoveTree::kRoot && !tree[node].move) node = tree[node].parent;
    std::vector<NodeIndex> ahead;
    while (tree[node].depth > tree[node_].depth) {
        ahead.push_back(node);
        node = tree[node].parent;
    }
    while (tree[node_].depth > tree[node].depth)
        take_back();
    while (node_ != node) {
        ahead.push_back(node);
        node = tree[node].parent;
        take_back();
    }
    for (auto step = ahead.rbegin(); step != ahead.rend(); ++step)
        play(tree[*step].move, *step);
}

}  // namespace yomi::shogi
