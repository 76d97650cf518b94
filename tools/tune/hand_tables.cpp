#include "tools/tune/hand_tables.hpp"

#include <algorithm>
#include <array>

namespace yomi::tune {

using namespace shogi;
using shogi::eval::ClassicTables;
using shogi::eval::KingRelativeTables;
using shogi::eval::kMostInHand;

namespace {

constexpr int abs_of(int v) noexcept {
    return v < 0 ? -v : v;
}

/// A bonus by distance in king steps: index 0 is distance 1; 0 beyond the list.
template <std::size_t N>
constexpr int by_distance(const std::array<int, N>& bonus, int distance) noexcept {
    return distance >= 1 && distance <= static_cast<int>(N)
               ? bonus[static_cast<std::size_t>(distance - 1)]
               : 0;
}

/// Place of a Black piece as Black's own king sees it: dx files, dy ranks, dy < 0 in front of the
/// king.
constexpr int own_king_value(PieceType type, int dx, int dy) noexcept {
    const int side = abs_of(dx);
    const int distance = std::max(side, abs_of(dy));
    switch (type) {
        case PieceType::pawn:
            // The roof of the castle; a pawn that has run ahead gives the king no shelter.
            if (side <= 1 && (dy == -1 || dy == -2)) return side == 0 ? 9 : 7;
            if (side == 2 && (dy == -1 || dy == -2)) return 3;
            return 0;
        case PieceType::lance:
            return side <= 1 && dy >= -1 ? 4 : 0;
        case PieceType::knight:
            return side <= 2 && dy >= -1 && distance <= 2 ? 6 : 0;
        case PieceType::silver:
            // Beside or ahead of the king it guards; behind it does nothing.
            return by_distance(std::array{17, 12, 5}, distance) - (dy > 0 ? 8 : 0);
        case PieceType::gold:
            return by_distance(std::array{24, 16, 7}, distance) - (dy > 0 ? 6 : 0);
        case PieceType::pro_pawn:
        case PieceType::pro_lance:
        case PieceType::pro_knight:
        case PieceType::pro_silver:
            return by_distance(std::array{12, 8, 3}, distance);
        case PieceType::bishop:
            return distance == 1 ? -4 : 0;
        case PieceType::rook:
            // "Keep king and rook apart": one attack must not hit both.
            if (side <= 1) return -22;
            if (side == 2) return -14;
            return std::min(side, 6) * 2 - 6;
        case PieceType::horse:
            // A horse at home is worth three generals.
            return by_distance(std::array{36, 34, 24, 12}, distance);
        case PieceType::dragon:
            return by_distance(std::array{10, 8, 4}, distance);
        default:
            return 0;
    }
}

/// Place of a Black piece as White's king sees it: dy > 0 is the side the king looks to.
constexpr int enemy_king_value(PieceType type, int dx, int dy) noexcept {
    const int side = abs_of(dx);
    const int distance = std::max(side, abs_of(dy));
    const bool ahead = dy > 0;
    switch (type) {
        case PieceType::pawn:
            if (side <= 1 && ahead && dy <= 2) return 18;
            if (side <= 2 && ahead && dy <= 3) return 8;
            return 0;
        case PieceType::lance:
            return side == 0 && ahead ? 14 : 0;
        case PieceType::knight:
            // Two ranks ahead on a neighbouring file is a check; a leap earlier prepares it.
            if (side <= 1 && (dy == 2 || dy == 3)) return 16;
            if (side <= 2 && ahead && dy <= 5) return 8;
            return 0;
        case PieceType::silver:
            return by_distance(std::array{28, 26, 16, 7}, distance) - (ahead ? 0 : 6);
        case PieceType::gold:
            // A gold attacks forwards: behind the enemy king it bites little.
            return by_distance(std::array{38, 30, 16, 6}, distance) - (dy < 0 ? 14 : 0);
        case PieceType::pro_pawn:
        case PieceType::pro_lance:
        case PieceType::pro_knight:
        case PieceType::pro_silver:
            return by_distance(std::array{44, 36, 22, 10}, distance) - (dy < 0 ? 8 : 0);
        case PieceType::bishop:
            return side == abs_of(dy) ? 12 : 0;
        case PieceType::rook:
            return (side == 0 ? 14 : 0) + (abs_of(dy) <= 1 ? 10 : 0);
        case PieceType::horse:
            return by_distance(std::array{40, 36, 26, 16, 8}, distance);
        case PieceType::dragon:
            return by_distance(std::array{44, 40, 28, 18, 10}, distance) +
                   (abs_of(dy) <= 1 ? 10 : 0);
        default:
            return 0;
    }
}

KingRelativeTables king_relative_by_hand() {
    KingRelativeTables tables;
    for (std::size_t kind = 0; kind < kPieceTypes; ++kind) {
        const auto type = static_cast<PieceType>(kind);
        for (int i = 0; i < mailbox::kRelations; ++i) {
            const mailbox::Relation r = mailbox::relation_of(i - mailbox::kSameSquare);
            const auto slot = static_cast<std::size_t>(i);
            tables.own_king[kind][slot] =
                static_cast<std::int16_t>(own_king_value(type, r.dx, r.dy));
            tables.enemy_king[kind][slot] =
                static_cast<std::int16_t>(enemy_king_value(type, r.dx, r.dy));
        }
    }
    return tables;
}

/// A king's own square: the farther from the centre files and the nearer to home the better, until
/// it enters the enemy camp.
int king_place_by_hand(Square seen) noexcept {
    constexpr std::array<int, 9> kByFile{16, 30, 17, 4, -12, 4, 17, 30, 16};
    constexpr std::array<int, 9> kByRank{-20, -30, -50, -90, -110, -90, -50, 0, 0};
    return kByFile[static_cast<std::size_t>(file_of(seen))] +
           kByRank[static_cast<std::size_t>(rank_of(seen))];
}

/// The first of a kind is worth most.
int hand_by_hand(PieceType kind, int count) noexcept {
    if (count == 0) return 0;
    if (kind == PieceType::pawn) return 16 + 3 * std::min(count - 1, 4);
    constexpr std::array<int, 8> kFirst{0, 16, 6, 8, 14, 24, 30, 20};
    return kFirst[static_cast<std::size_t>(index(kind))];
}

}  // namespace

ClassicTables hand_written_tables() {
    ClassicTables tables;
    tables.king_relative = king_relative_by_hand();
    for (int s = 0; s < kSquares; ++s) {
        tables.king_place[static_cast<std::size_t>(s)] =
            static_cast<std::int16_t>(king_place_by_hand(static_cast<Square>(s)));
    }
    for (std::size_t kind = 1; kind < tables.hand.size(); ++kind) {
        for (std::size_t count = 0; count <= kMostInHand; ++count) {
            tables.hand[kind][count] = static_cast<std::int16_t>(
                hand_by_hand(static_cast<PieceType>(kind), static_cast<int>(count)));
        }
    }
    tables.lance_move_16 = 16;
    tables.bishop_move_16 = 48;
    tables.rook_move_16 = 32;
    tables.covered_once_16 = 32;
    tables.covered_twice_16 = 16;
    tables.pressure_16 = 16;
    tables.drop_threat_16 = 16;
    tables.tempo = 14;
    return tables;
}

}  // namespace yomi::tune
