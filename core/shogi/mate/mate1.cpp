#include "core/shogi/mate/mate1.hpp"

#include <algorithm>

#include "core/shogi/attacks.hpp"

namespace yomi::shogi::mate {
namespace {

bool has_flight(const Position& position) {
    const Color us = position.side_to_move();
    const Square king = position.king(us);
    const Bitboard occupancy = position.occupied() ^ Bitboard::of(king);
    for (const Square to : king_steps(king).without(position.pieces(us))) {
        if (!position.is_attacked(~us, to, occupancy)) return true;
    }
    return false;
}

/// Squares to which the king of the side not to move could step if it were in check now.
Bitboard open_flights(const Position& position, Square king) {
    const Color us = position.side_to_move();
    const Bitboard occupancy = position.occupied() ^ Bitboard::of(king);
    Bitboard flights;
    for (const Square to : king_steps(king).without(position.pieces(~us))) {
        if (!position.is_attacked(us, to, occupancy)) flights.set(to);
    }
    return flights;
}

/// Every square on which the dropped piece bears, were the board empty.
Bitboard reach_of_drop(Move drop, Color side) {
    const Square to = drop.to();
    switch (drop.dropped()) {
        case PieceType::lance:
            return lance_ray(side, to);
        case PieceType::bishop:
            return bishop_rays(to);
        case PieceType::rook:
            return rook_rays(to);
        default:
            return steps(side, drop.dropped(), to);
    }
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
    const Bitboard flights = open_flights(position, king);
    for (const Move move : checks) {
        // A drop takes away no flight but those that it bears on, and its own square.
        if (move.is_drop() &&
            flights.without(Bitboard::of(move.to())).without(reach_of_drop(move, us)).any()) {
            continue;
        }
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
