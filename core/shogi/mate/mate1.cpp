#include "core/shogi/mate/mate1.hpp"

#include <algorithm>

#include "core/shogi/attacks.hpp"
#include "core/shogi/mate/reach.hpp"

namespace yomi::shogi::mate {
namespace {

/// Up to so many pieces are faster looked at one by one than the flights are.
constexpr int kFewPieces = 6;

/// Squares to which the king of `side` could step, were it its turn.
Bitboard open_flights(const Position& position, Color side) {
    const Color by = ~side;
    const Square king = position.king(side);
    const Bitboard occupancy = position.occupied() ^ Bitboard::of(king);
    Bitboard flights = king_steps(king).without(position.pieces(side));
    const Bitboard& pieces = position.pieces(by);
    if (pieces.count() <= kFewPieces) {
        for (const Square from : pieces)
            flights = flights.without(attacks(position.piece_on(from), from, occupancy));
        return flights;
    }
    Bitboard open;
    for (const Square to : flights) {
        if (!position.is_attacked(by, to, occupancy)) open.set(to);
    }
    return open;
}

bool has_flight(const Position& position) {
    const Color us = position.side_to_move();
    if (position.pieces(~us).count() <= kFewPieces) return open_flights(position, us).any();
    const Square king = position.king(us);
    const Bitboard occupancy = position.occupied() ^ Bitboard::of(king);
    for (const Square to : king_steps(king).without(position.pieces(us))) {
        if (!position.is_attacked(~us, to, occupancy)) return true;
    }
    return false;
}

/// Pieces that bear along lines.
Bitboard sliders(const Position& position, Color side) {
    return position.pieces(side) &
           (position.pieces(PieceType::lance) | position.pieces(PieceType::bishop) |
            position.pieces(PieceType::rook) | position.pieces(PieceType::horse) |
            position.pieces(PieceType::dragon));
}

/// Whether some of `flights` surely stays open after `move`: it is neither the square that `move`
/// goes to nor one that the piece bears on from there, and none of `lines`, the own sliders, looks
/// through the square that is left.
bool leaves_flight(const Position& position,
                   Move move,
                   const Bitboard& flights,
                   const Bitboard& lines) {
    const Color us = position.side_to_move();
    const Piece piece = move.piece_after();
    const Bitboard covered = reach(us, type_of(piece), move.to()) | Bitboard::of(move.to());
    if (flights.without(covered).none()) return false;
    if (move.is_drop() || lines.none()) return true;
    const Bitboard others = lines.without(Bitboard::of(move.from()));
    if (others.none()) return true;
    return (position.attackers(us, move.from(), position.occupied()) & others).none();
}

/// Whether the king can simply take the piece that `move` puts beside it.
bool is_loose(const Position& position, Move move, Square king) {
    const Square to = move.to();
    if (!king_steps(king).test(to)) return false;
    const Color us = position.side_to_move();
    Bitboard occupancy = position.occupied() | Bitboard::of(to);
    Bitboard own = ~Bitboard::of(to);
    if (!move.is_drop()) {
        occupancy.reset(move.from());
        own.reset(move.from());
    }
    occupancy.reset(king);
    return !(position.attackers(us, to, occupancy) & own).any();
}

}  // namespace

bool is_mated(const Position& position) {
    return !has_flight(position) && count_legal_moves(position) == 0;
}

bool has_board_move(const Position& position) {
    if (has_flight(position)) return true;
    MoveList moves;
    legal_moves(position, moves);
    return std::any_of(moves.begin(), moves.end(), [](Move move) { return !move.is_drop(); });
}

Move mate_in_one(Position& position, const MoveList& checks) {
    const Color us = position.side_to_move();
    const Square king = position.king(~us);
    if (checks.empty()) return kNoMove;
    const Bitboard flights = open_flights(position, ~us);
    const Bitboard lines = sliders(position, us);
    for (const Move move : checks) {
        if (leaves_flight(position, move, flights, lines)) continue;
        if (is_loose(position, move, king)) continue;
        position.do_move(move);
        const bool mated = is_mated(position);
        position.undo_move();
        if (mated) return move;
    }
    return kNoMove;
}

Move mate_in_one(Position& position) {
    MoveList checks;
    checking_moves(position, checks);
    return mate_in_one(position, checks);
}

}  // namespace yomi::shogi::mate
