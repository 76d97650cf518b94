#pragma once

// Reproducible random positions for the randomised comparisons.

#include <vector>

#include "core/base/hash.hpp"
#include "core/shogi/movegen.hpp"
#include "core/shogi/position.hpp"

namespace yomi::shogi::oracle {

/// Plays up to `plies` random legal moves; captures and drops come often enough by themselves.
inline std::vector<Move> play_randomly(Position& position, SplitMix64& random, int plies) {
    std::vector<Move> played;
    for (int i = 0; i < plies; ++i) {
        MoveList list;
        legal_moves(position, list);
        if (list.empty()) break;
        const Move move = list[random.below(static_cast<std::uint32_t>(list.size()))];
        position.do_move(move);
        played.push_back(move);
    }
    return played;
}

/// A legal setup with pieces thrown anywhere: the odd corners that games never reach.
/// `hand_percent` of the pieces go to hands; `no_black_king` leaves Black without one, as in tsume.
inline Setup random_setup(SplitMix64& random, unsigned hand_percent, bool no_black_king = false) {
    constexpr std::array<int, 8> kSet{0, 18, 4, 4, 4, 2, 2, 4};
    while (true) {
        Setup setup;
        const auto free_square = [&] {
            while (true) {
                const auto s = static_cast<Square>(random.below(kSquares));
                if (setup.board[static_cast<std::size_t>(s)] == kNoPiece) return s;
            }
        };
        const auto side = [&] { return random.below(2) == 0 ? Color::black : Color::white; };
        for (const Color c : {Color::black, Color::white}) {
            if (no_black_king && c == Color::black) continue;
            setup.board[static_cast<std::size_t>(free_square())] = make_piece(c, PieceType::king);
        }
        const unsigned used_percent = 20 + random.below(81);
        for (int t = 1; t <= kHandKinds; ++t) {
            const auto kind = static_cast<PieceType>(t);
            for (int n = 0; n < kSet[static_cast<std::size_t>(t)]; ++n) {
                if (random.below(100) >= used_percent) continue;
                const Color c = side();
                if (random.below(100) < hand_percent) {
                    setup.hands[static_cast<std::size_t>(index(c))].add(kind);
                    continue;
                }
                const bool promoted = can_promote(kind) && random.below(3) == 0;
                const PieceType type = promoted ? promote(kind) : kind;
                setup.board[static_cast<std::size_t>(free_square())] = make_piece(c, type);
            }
        }
        setup.side_to_move = side();
        setup.ply = 1 + static_cast<int>(random.below(300));
        if (Position::from_setup(setup)) return setup;
        // Most throws break nifu, dead squares or leave the idle king in check: mend the cheap
        // ones, keep the rest.
        for (int s = 0; s < kSquares; ++s) {
            Piece& piece = setup.board[static_cast<std::size_t>(s)];
            if (type_of(piece) == PieceType::pawn || type_of(piece) == PieceType::lance ||
                type_of(piece) == PieceType::knight) {
                piece = make_piece(color_of(piece), promote(type_of(piece)));
            }
        }
        if (Position::from_setup(setup)) return setup;
        setup.side_to_move = ~setup.side_to_move;
        if (Position::from_setup(setup)) return setup;
    }
}

}  // namespace yomi::shogi::oracle
