#pragma once

#include <array>
#include <cstdint>

#include "core/shogi/mailbox.hpp"
#include "core/shogi/types.hpp"

namespace yomi::shogi::eval {

/// What a piece is worth, beyond its material, by where it stands as seen from a king.
///
/// Unit    centipawns for the piece's owner, the owner being Black (White looks up the mirrored
/// index). Shape   289 entries, index `144 + z - king_z` with z = 17x - y + 30 (mailbox.hpp).
/// Source  `position_table` of the KFEnd data structures text (2000); the values are our own.
using PositionTable = std::array<std::int16_t, mailbox::kRelations>;

/// The tables of every kind, one set for the owner's own king and one for the enemy king. Kings
/// have tables of zeros: their place is judged by itself.
struct KingRelativeTables {
    std::array<PositionTable, kPieceTypes> own_king;
    std::array<PositionTable, kPieceTypes> enemy_king;
};
/// Constant-initialised: usable before main and from any thread.
extern const KingRelativeTables kKingRelativeTables;
inline const KingRelativeTables& king_relative_tables() noexcept {
    return kKingRelativeTables;
}

/// One look-up: the worth for Black (White's pieces count negative) of `piece` on `square` as the
/// king of `king_color` on `king_square` sees it.
inline int king_relative(Piece piece,
                         Square square,
                         Color king_color,
                         Square king_square) noexcept {
    const Color owner = color_of(piece);
    const auto kind = static_cast<std::size_t>(index(type_of(piece)));
    const int place =
        mailbox::king_relative_index(mailbox::cell_of(square), mailbox::cell_of(king_square));
    const PositionTable& table = owner == king_color ? kKingRelativeTables.own_king[kind]
                                                     : kKingRelativeTables.enemy_king[kind];
    return owner == Color::black ? table[static_cast<std::size_t>(place)]
                                 : -table[static_cast<std::size_t>(mailbox::mirrored_index(place))];
}

}  // namespace yomi::shogi::eval
