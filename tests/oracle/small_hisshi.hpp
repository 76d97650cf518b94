#pragma once

#include <array>
#include <cstddef>

#include "core/base/hash.hpp"
#include "core/shogi/position.hpp"

namespace yomi::shogi::oracle {

/// A bare king near an edge, few pieces round it, short-range pieces in the attacker's hand: hisshi
/// are common and exhaustion does not take for ever.
inline Setup small_hisshi(SplitMix64& random) {
    constexpr std::array kNear{PieceType::pawn,
                               PieceType::lance,
                               PieceType::knight,
                               PieceType::silver,
                               PieceType::gold,
                               PieceType::pro_pawn,
                               PieceType::horse,
                               PieceType::dragon};
    constexpr std::array kHeld{PieceType::gold,
                               PieceType::silver,
                               PieceType::gold,
                               PieceType::knight,
                               PieceType::pawn,
                               PieceType::silver};
    while (true) {
        Setup setup;
        const auto put = [&](int file, int rank, Color side, PieceType kind) {
            if (file < 0 || file > 8 || rank < 0 || rank > 8) return;
            Piece& square = setup.board[static_cast<std::size_t>(make_square(file, rank))];
            if (square == kNoPiece) square = make_piece(side, kind);
        };
        const auto below = [&random](unsigned n) { return static_cast<int>(random.below(n)); };
        const int file = below(9);
        const int rank = below(2);
        put(file, rank, Color::white, PieceType::king);
        for (int i = below(5); i > 0; --i)
            put(file + below(5) - 2, rank + below(3) - 1, Color::white, kNear[random.below(5)]);
        for (int i = 1 + below(2); i > 0; --i)
            put(file + below(5) - 2, rank + 1 + below(3), Color::black, kNear[random.below(8)]);
        for (int i = 1 + below(3); i > 0; --i)
            setup.hands[0].add(kHeld[random.below(kHeld.size())]);
        if (random.below(3) == 0)
            setup.hands[1].add(static_cast<PieceType>(1 + random.below(kHandKinds)));
        if (random.below(3) == 0) put(below(9), 4 + below(5), Color::black, PieceType::king);
        if (Position::from_setup(setup)) return setup;
    }
}

}  // namespace yomi::shogi::oracle
