#pragma once

#include <array>
#include <cstdint>

#include "core/shogi/eval/classic_tables.hpp"
#include "core/shogi/mailbox.hpp"
#include "core/shogi/types.hpp"

namespace yomi::shogi::eval {

inline const KingRelativeTables& king_relative_tables() noexcept {
    return kClassicTables.king_relative;
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
    const KingRelativeTables& tables = king_relative_tables();
    const PositionTable& table =
        owner == king_color ? tables.own_king[kind] : tables.enemy_king[kind];
    return owner == Color::black ? table[static_cast<std::size_t>(place)]
                                 : -table[static_cast<std::size_t>(mailbox::mirrored_index(place))];
}

}  // namespace yomi::shogi::eval
