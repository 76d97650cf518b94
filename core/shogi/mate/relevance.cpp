#include "core/shogi/mate/relevance.hpp"

#include "core/shogi/attacks.hpp"
#include "core/shogi/mate/mate1.hpp"
#include "core/shogi/mate/reach.hpp"
#include "core/shogi/movegen.hpp"

namespace yomi::shogi::mate {

bool Relevance::build(Position& position, const MatingMove& mating_move, int steps) {
    attacker_ = position.side_to_move();
    known_ = false;
    blocks_ = meets_ = Bitboard();
    if (position.king(attacker_) != kNoSquare) return false;
    if (!walk(position, mating_move, steps)) return false;
    for (int t = 1; t <= kHandKinds; ++t) {
        Bitboard& all = matters_[static_cast<std::size_t>(t)] = blocks_;
        // Whence a piece of the defender reaches a square is where one of the attacker goes from
        // it.
        for (const Square square : meets_)
            all |= reach(attacker_, static_cast<PieceType>(t), square);
    }
    known_ = true;
    return true;
}

bool Relevance::walk(Position& position, const MatingMove& mating_move, int& steps) {
    if (--steps < 0) return false;
    const Move check = mating_move(position);
    if (!check || (check.is_drop() && check.dropped() == PieceType::pawn)) return false;
    blocks_.set(check.to());
    if (!check.is_drop()) blocks_ |= between(check.from(), check.to());
    position.do_move(check);
    note(position);
    MoveList replies;
    legal_moves(position, replies);
    bool whole = true;
    for (const Move reply : replies) {
        position.do_move(reply);
        whole = walk(position, mating_move, steps);
        position.undo_move();
        if (!whole) break;
    }
    position.undo_move();
    return whole;
}

/// After a check: its lines, the king's flights, where it can be met.
void Relevance::note(const Position& position) {
    const Square king = position.king(~attacker_);
    blocks_ |= king_steps(king);
    for (const Square checker : position.checkers()) {
        meets_.set(checker);
        meets_ |= between(king, checker);
    }
    for (const PieceType type : {PieceType::lance,
                                 PieceType::bishop,
                                 PieceType::rook,
                                 PieceType::horse,
                                 PieceType::dragon}) {
        for (const Square square : position.pieces(attacker_, type))
            blocks_ |= reach(attacker_, type, square);
    }
}

}  // namespace yomi::shogi::mate
