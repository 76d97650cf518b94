#pragma once

#include <array>
#include <cstdint>

#include "core/shogi/mailbox.hpp"
#include "core/shogi/types.hpp"

namespace yomi::shogi::eval {

/// What a piece is worth, beyond its material, by where it stands as seen from a king.
///
/// Unit    centipawns for the piece's owner, the owner being Black (White looks up the mirrored
///         index).
/// Shape   289 entries, index `144 + z - king_z` with z = 17x - y + 30 (mailbox.hpp).
/// Source  `position_table` of the KFEnd data structures text (2000); the values are our own.
using PositionTable = std::array<std::int16_t, mailbox::kRelations>;

/// The tables of every kind, one set for the owner's own king and one for the enemy king. Kings
/// have tables of zeros: their place is judged by itself.
struct KingRelativeTables {
    std::array<PositionTable, kPieceTypes> own_king{};
    std::array<PositionTable, kPieceTypes> enemy_king{};

    friend bool operator==(const KingRelativeTables&, const KingRelativeTables&) = default;
};

/// Who stands on a square beside a king.
enum class Holder : std::uint8_t { nobody, own, enemy };

/// Where a square beside a king lies (its own square is never asked for), who holds it, how often
/// the king's side bears on it without the king, and how often the other side does: 0, 1, 2 or
/// more.
///
/// Shape   index ((place * 3 + holder) * 3 + guards) * 3 + attackers, place = (dy + 1) * 2 + |dx|
///         with dy < 0 in front of the king.
inline constexpr std::size_t kZonePlaces = 6;
inline constexpr std::size_t kZoneStates = kZonePlaces * 27;
constexpr std::size_t zone_state(
    int dx, int dy, Holder holder, std::size_t guards, std::size_t attackers) noexcept {
    const auto place = static_cast<std::size_t>((dy + 1) * 2 + (dx < 0 ? -dx : dx));
    return ((place * 3 + static_cast<std::size_t>(holder)) * 3 + guards) * 3 + attackers;
}

/// Most pieces of one kind that a hand can hold (pawns).
inline constexpr std::size_t kMostInHand = 18;

/// Every number of the classic evaluation except material.
///
/// Unit    centipawns for the owner; names that end in `_16` count sixteenths of a centipawn.
struct ClassicTables {
    KingRelativeTables king_relative;
    std::array<std::int16_t, kSquares> king_place{};  ///< by Black's king's square
    /// By kind (pawn..gold) and count, beyond material.
    std::array<std::array<std::int16_t, kMostInHand + 1>, 8> hand{};
    std::array<std::int16_t, kZoneStates> zone{};  ///< squares round the owner's king
    std::int16_t lance_move_16 = 0;                ///< a square that a lance bears on
    std::int16_t bishop_move_16 = 0;               ///< a square that a bishop or horse can go to
    std::int16_t rook_move_16 = 0;                 ///< a square that a rook or dragon can go to
    std::int16_t covered_once_16 = 0;              ///< a square borne on at least once
    std::int16_t covered_twice_16 = 0;             ///< a square borne on at least twice
    std::int16_t pressure_16 = 0;     ///< a point of pressure on the other king (ClassicCounts)
    std::int16_t drop_threat_16 = 0;  ///< a point of drop threat on the other king
    std::int16_t tempo = 0;           ///< the right to move

    friend bool operator==(const ClassicTables&, const ClassicTables&) = default;
};

/// Constant-initialised: usable before main and from any thread. The definition is written by
/// `yomi-tune`.
extern const ClassicTables kClassicTables;

}  // namespace yomi::shogi::eval
