#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/base/hash.hpp"
#include "core/shogi/types.hpp"

/// Slow, plain play by how pieces move and nothing else: no check, no two-pawn rule, no dead
/// squares, only kings are never taken. It owes nothing to the tables of the product, works on bare
/// coordinates, and reaches boards that a legal game never does. The twin of everything that only
/// follows moves.
namespace yomi::shogi::oracle {

struct Step {
    int dx;  ///< files, positive towards file 9
    int dy;  ///< ranks, positive towards rank i
};

/// How a kind moves, for Black.
struct LooseGait {
    std::vector<Step> steps;
    std::vector<Step> slides;
};

inline LooseGait loose_gait_of(PieceType type) {
    const std::vector<Step> gold{{0, -1}, {-1, -1}, {1, -1}, {-1, 0}, {1, 0}, {0, 1}};
    const std::vector<Step> straight{{0, -1}, {0, 1}, {-1, 0}, {1, 0}};
    const std::vector<Step> slanted{{-1, -1}, {1, -1}, {-1, 1}, {1, 1}};
    switch (type) {
        case PieceType::pawn:
            return {{{0, -1}}, {}};
        case PieceType::lance:
            return {{}, {{0, -1}}};
        case PieceType::knight:
            return {{{-1, -2}, {1, -2}}, {}};
        case PieceType::silver:
            return {{{0, -1}, {-1, -1}, {1, -1}, {-1, 1}, {1, 1}}, {}};
        case PieceType::bishop:
            return {{}, slanted};
        case PieceType::rook:
            return {{}, straight};
        case PieceType::horse:
            return {straight, slanted};
        case PieceType::dragon:
            return {slanted, straight};
        case PieceType::king:
            return {{{0, -1}, {0, 1}, {-1, 0}, {1, 0}, {-1, -1}, {1, -1}, {-1, 1}, {1, 1}}, {}};
        case PieceType::none:
            return {};
        default:
            return {gold, {}};
    }
}

inline bool inside(int x, int y) {
    return x >= 0 && x < 9 && y >= 0 && y < 9;
}

/// Calls `visit(target, step, is_slide)` for each square that the piece on `from` bears on, own
/// pieces and the first blocker of a ray included. `step` is as seen from Black's side of the
/// board.
template <class Visit>
void for_each_effect(const Setup& setup, Square from, Visit&& visit) {
    const Piece piece = setup.board[static_cast<std::size_t>(from)];
    const int forward = color_of(piece) == Color::black ? 1 : -1;
    const LooseGait gait = loose_gait_of(type_of(piece));
    for (const Step& s : gait.steps) {
        const int x = file_of(from) + s.dx * forward;
        const int y = rank_of(from) + s.dy * forward;
        if (inside(x, y)) visit(make_square(x, y), Step{s.dx * forward, s.dy * forward}, false);
    }
    for (const Step& s : gait.slides) {
        int x = file_of(from) + s.dx * forward;
        int y = rank_of(from) + s.dy * forward;
        while (inside(x, y)) {
            visit(make_square(x, y), Step{s.dx * forward, s.dy * forward}, true);
            if (setup.board[static_cast<std::size_t>(make_square(x, y))] != kNoPiece) break;
            x += s.dx * forward;
            y += s.dy * forward;
        }
    }
}

/// Every move that the gaits allow to the side to move.
inline std::vector<Move> loose_moves(const Setup& setup) {
    std::vector<Move> moves;
    const Color us = setup.side_to_move;
    const auto in_zone = [us](Square s) {
        return us == Color::black ? rank_of(s) < 3 : rank_of(s) > 5;
    };
    for (int s = 0; s < kSquares; ++s) {
        const auto from = static_cast<Square>(s);
        const Piece piece = setup.board[static_cast<std::size_t>(s)];
        if (piece == kNoPiece) {
            for (int k = 1; k <= kHandKinds; ++k) {
                const auto kind = static_cast<PieceType>(k);
                if (setup.hands[static_cast<std::size_t>(index(us))].has(kind)) {
                    moves.push_back(Move::drop(kind, from, us));
                }
            }
            continue;
        }
        if (color_of(piece) != us) continue;
        for_each_effect(setup, from, [&](Square to, Step, bool) {
            const Piece target = setup.board[static_cast<std::size_t>(to)];
            if (target != kNoPiece &&
                (color_of(target) == us || type_of(target) == PieceType::king)) {
                return;
            }
            moves.push_back(Move::board(from, to, piece, false));
            if (can_promote(type_of(piece)) && (in_zone(from) || in_zone(to))) {
                moves.push_back(Move::board(from, to, piece, true));
            }
        });
    }
    return moves;
}

/// Plays a move on a bare setup.
inline void play(Setup& setup, Move move) {
    Hand& hand = setup.hands[static_cast<std::size_t>(index(setup.side_to_move))];
    Piece& target = setup.board[static_cast<std::size_t>(move.to())];
    if (move.is_drop()) {
        hand.remove(move.dropped());
    } else {
        if (target != kNoPiece) hand.add(unpromote(type_of(target)));
        setup.board[static_cast<std::size_t>(move.from())] = kNoPiece;
    }
    target = move.piece_after();
    setup.side_to_move = ~setup.side_to_move;
    ++setup.ply;
}

/// A move picked at random, captures, promotions and drops more often than their number would have
/// it, so that a game of 200 plies sees every kind of change. `kNoMove` if there is none.
inline Move random_move(const Setup& setup, SplitMix64& random) {
    const std::vector<Move> moves = loose_moves(setup);
    if (moves.empty()) return kNoMove;
    Move move = moves[random.below(static_cast<std::uint32_t>(moves.size()))];
    for (int again = 0; again < 3; ++again) {
        const bool lively =
            move.is_promotion() || setup.board[static_cast<std::size_t>(move.to())] != kNoPiece;
        if (lively) break;
        move = moves[random.below(static_cast<std::uint32_t>(moves.size()))];
    }
    return move;
}

/// The usual start.
inline Setup start_setup() {
    Setup setup;
    const std::array<PieceType, 9> back{PieceType::lance,
                                        PieceType::knight,
                                        PieceType::silver,
                                        PieceType::gold,
                                        PieceType::king,
                                        PieceType::gold,
                                        PieceType::silver,
                                        PieceType::knight,
                                        PieceType::lance};
    const auto put = [&setup](int file, int rank, Color color, PieceType type) {
        setup.board[static_cast<std::size_t>(make_square(file - 1, rank - 1))] =
            make_piece(color, type);
    };
    for (int file = 1; file <= 9; ++file) {
        put(file, 9, Color::black, back[static_cast<std::size_t>(file - 1)]);
        put(file, 1, Color::white, back[static_cast<std::size_t>(file - 1)]);
        put(file, 7, Color::black, PieceType::pawn);
        put(file, 3, Color::white, PieceType::pawn);
    }
    put(8, 8, Color::black, PieceType::bishop);
    put(2, 8, Color::black, PieceType::rook);
    put(2, 2, Color::white, PieceType::bishop);
    put(8, 2, Color::white, PieceType::rook);
    return setup;
}

/// A board thrown together: each piece of a set lands on a square, in a hand or in the box, either
/// way up, promoted or not. Only the kings keep their owners.
inline Setup random_setup(SplitMix64& random) {
    Setup setup;
    const std::array<int, 9> count{0, 18, 4, 4, 4, 2, 2, 4, 2};
    for (int k = 1; k <= index(PieceType::king); ++k) {
        for (int i = 0; i < count[static_cast<std::size_t>(k)]; ++i) {
            auto type = static_cast<PieceType>(k);
            const bool is_king = type == PieceType::king;
            const auto color =
                static_cast<Color>(is_king ? static_cast<std::uint32_t>(i) : random.below(2));
            const std::uint32_t fate = random.below(10);
            if (fate == 0) continue;
            if (fate < 3 && !is_king) {
                setup.hands[static_cast<std::size_t>(index(color))].add(type);
                continue;
            }
            if (can_promote(type) && random.below(3) == 0) type = promote(type);
            Piece* square = nullptr;
            do {
                square = &setup.board[random.below(kSquares)];
            } while (*square != kNoPiece);
            *square = make_piece(color, type);
        }
    }
    setup.side_to_move = static_cast<Color>(random.below(2));
    return setup;
}

}  // namespace yomi::shogi::oracle
