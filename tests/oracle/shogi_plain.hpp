#pragma once

// The rules of shogi written as plainly as possible: a board of 81 cells, steps as (file, rank)
// pairs, legality by playing the move and looking whether the king can be taken. Shares with the
// product only the types `Setup` and `Move`; slow on purpose.

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>
#include <vector>

#include "core/shogi/types.hpp"

namespace yomi::shogi::oracle {

struct Delta {
    int file;
    int rank;
};

/// Steps of a kind as Black (rank a is -1), and directions in which it slides.
struct Gait {
    std::vector<Delta> steps;
    std::vector<Delta> slides;
};

inline Gait gait(PieceType t) {
    const std::vector<Delta> gold{{0, -1}, {1, -1}, {-1, -1}, {1, 0}, {-1, 0}, {0, 1}};
    const std::vector<Delta> straight{{0, -1}, {0, 1}, {1, 0}, {-1, 0}};
    const std::vector<Delta> diagonal{{1, -1}, {-1, -1}, {1, 1}, {-1, 1}};
    switch (t) {
        case PieceType::pawn:
            return {{{0, -1}}, {}};
        case PieceType::lance:
            return {{}, {{0, -1}}};
        case PieceType::knight:
            return {{{1, -2}, {-1, -2}}, {}};
        case PieceType::silver:
            return {{{0, -1}, {1, -1}, {-1, -1}, {1, 1}, {-1, 1}}, {}};
        case PieceType::bishop:
            return {{}, diagonal};
        case PieceType::rook:
            return {{}, straight};
        case PieceType::horse:
            return {straight, diagonal};
        case PieceType::dragon:
            return {diagonal, straight};
        case PieceType::king: {
            std::vector<Delta> all = straight;
            all.insert(all.end(), diagonal.begin(), diagonal.end());
            return {all, {}};
        }
        case PieceType::none:
            return {};
        default:
            return {gold, {}};
    }
}

inline const Gait& gait_of(PieceType t) {
    static const std::array<Gait, kPieceTypes> table = [] {
        std::array<Gait, kPieceTypes> made;
        for (int i = 0; i < kPieceTypes; ++i)
            made[static_cast<std::size_t>(i)] = gait(static_cast<PieceType>(i));
        return made;
    }();
    return table[static_cast<std::size_t>(index(t))];
}

inline Piece at(const Setup& setup, int square) {
    return setup.board[static_cast<std::size_t>(square)];
}

/// Squares that the piece on `from` bears on, own pieces included.
inline std::vector<Square> reach(const Setup& setup, Square from) {
    std::vector<Square> found;
    const Piece piece = at(setup, from);
    const int sign = color_of(piece) == Color::black ? 1 : -1;
    const Gait& g = gait_of(type_of(piece));
    const auto inside = [](int file, int rank) {
        return file >= 0 && file < 9 && rank >= 0 && rank < 9;
    };
    for (const Delta d : g.steps) {
        const int file = file_of(from) + sign * d.file;
        const int rank = rank_of(from) + sign * d.rank;
        if (inside(file, rank)) found.push_back(make_square(file, rank));
    }
    for (const Delta d : g.slides) {
        int file = file_of(from) + sign * d.file;
        int rank = rank_of(from) + sign * d.rank;
        while (inside(file, rank)) {
            const Square s = make_square(file, rank);
            found.push_back(s);
            if (at(setup, s) != kNoPiece) break;
            file += sign * d.file;
            rank += sign * d.rank;
        }
    }
    return found;
}

inline Square king_square(const Setup& setup, Color c) {
    for (int s = 0; s < kSquares; ++s) {
        if (at(setup, s) == make_piece(c, PieceType::king)) return static_cast<Square>(s);
    }
    return kNoSquare;
}

/// Pieces of `by` that bear on `target`, ascending.
inline std::vector<Square> attackers(const Setup& setup, Color by, Square target) {
    std::vector<Square> found;
    for (int s = 0; s < kSquares; ++s) {
        if (at(setup, s) == kNoPiece || color_of(at(setup, s)) != by) continue;
        const auto squares = reach(setup, static_cast<Square>(s));
        if (std::find(squares.begin(), squares.end(), target) != squares.end())
            found.push_back(static_cast<Square>(s));
    }
    return found;
}

inline bool in_check(const Setup& setup, Color c) {
    const Square king = king_square(setup, c);
    return king != kNoSquare && !attackers(setup, ~c, king).empty();
}

/// Pieces whose removal would let a piece of the other side, that does not bear on the king now,
/// bear on it.
inline std::vector<Square> blockers(const Setup& setup, Color king_color) {
    std::vector<Square> found;
    const Square king = king_square(setup, king_color);
    if (king == kNoSquare) return found;
    const auto before = attackers(setup, ~king_color, king);
    for (int s = 0; s < kSquares; ++s) {
        if (s == king || at(setup, s) == kNoPiece) continue;
        Setup without = setup;
        without.board[static_cast<std::size_t>(s)] = kNoPiece;
        for (const Square a : attackers(without, ~king_color, king)) {
            if (std::find(before.begin(), before.end(), a) == before.end()) {
                found.push_back(static_cast<Square>(s));
                break;
            }
        }
    }
    return found;
}

inline Setup play(Setup setup, Move move) {
    const Color us = setup.side_to_move;
    Hand& hand = setup.hands[static_cast<std::size_t>(index(us))];
    const auto to = static_cast<std::size_t>(move.to());
    if (move.is_drop()) {
        hand.remove(move.dropped());
        setup.board[to] = make_piece(us, move.dropped());
    } else {
        const auto from = static_cast<std::size_t>(move.from());
        const Piece piece = setup.board[from];
        if (setup.board[to] != kNoPiece) hand.add(unpromote(type_of(setup.board[to])));
        setup.board[to] = move.is_promotion() ? make_piece(us, promote(type_of(piece))) : piece;
        setup.board[from] = kNoPiece;
    }
    setup.side_to_move = ~us;
    ++setup.ply;
    return setup;
}

/// 0 = the farthest rank of `c`.
inline int depth_of(Color c, Square s) {
    return c == Color::black ? rank_of(s) : 8 - rank_of(s);
}

/// Whether an unpromoted piece would still have a move somewhere ahead.
inline bool could_move(Color c, PieceType t, Square s) {
    if (t == PieceType::pawn || t == PieceType::lance) return depth_of(c, s) >= 1;
    if (t == PieceType::knight) return depth_of(c, s) >= 2;
    return true;
}

inline std::vector<Move> pseudo_legal(const Setup& setup) {
    std::vector<Move> moves;
    const Color us = setup.side_to_move;
    for (int i = 0; i < kSquares; ++i) {
        const auto from = static_cast<Square>(i);
        const Piece piece = at(setup, i);
        if (piece == kNoPiece || color_of(piece) != us) continue;
        const PieceType type = type_of(piece);
        for (const Square to : reach(setup, from)) {
            const Piece target = at(setup, to);
            if (target != kNoPiece && color_of(target) == us) continue;
            const bool zone = depth_of(us, from) < 3 || depth_of(us, to) < 3;
            if (can_promote(type) && zone) moves.push_back(Move::board(from, to, piece, true));
            if (is_promoted(type) || could_move(us, type, to))
                moves.push_back(Move::board(from, to, piece, false));
        }
    }
    const Hand hand = setup.hands[static_cast<std::size_t>(index(us))];
    for (int t = 1; t <= kHandKinds; ++t) {
        const auto kind = static_cast<PieceType>(t);
        if (!hand.has(kind)) continue;
        for (int i = 0; i < kSquares; ++i) {
            const auto to = static_cast<Square>(i);
            if (at(setup, i) != kNoPiece || !could_move(us, kind, to)) continue;
            bool nifu = false;
            for (int rank = 0; kind == PieceType::pawn && rank < 9; ++rank) {
                nifu = nifu ||
                       at(setup, make_square(file_of(to), rank)) == make_piece(us, PieceType::pawn);
            }
            if (!nifu) moves.push_back(Move::drop(kind, to, us));
        }
    }
    return moves;
}

/// Every legal move. `drop_pawn_mate_rule` is off only inside the question whether a pawn drop
/// mates.
inline std::vector<Move> legal(const Setup& setup, bool drop_pawn_mate_rule = true) {
    std::vector<Move> moves;
    const Color us = setup.side_to_move;
    for (const Move move : pseudo_legal(setup)) {
        const Setup after = play(setup, move);
        if (in_check(after, us)) continue;
        if (drop_pawn_mate_rule && move.is_drop() && move.dropped() == PieceType::pawn &&
            in_check(after, ~us) && legal(after, false).empty()) {
            continue;
        }
        moves.push_back(move);
    }
    return moves;
}

}  // namespace yomi::shogi::oracle
