#include "core/shogi/search/quiet_sense.hpp"

#include <algorithm>
#include <cstdlib>

#include "core/shogi/attacks.hpp"
#include "core/shogi/search/see.hpp"

namespace yomi::shogi::search {

namespace {

constexpr int kSaves = 8'000;
constexpr int kAttacks = 8'000;
constexpr int kComesNear = 6'000;
constexpr int kNear = 2;  ///< squares from the king

std::array<Bitboard, kSquares> make_zones() {
    std::array<Bitboard, kSquares> zones;
    for (int king = 0; king < kSquares; ++king) {
        for (int square = 0; square < kSquares; ++square) {
            const auto a = static_cast<Square>(king);
            const auto b = static_cast<Square>(square);
            if (std::abs(file_of(a) - file_of(b)) <= kNear &&
                std::abs(rank_of(a) - rank_of(b)) <= kNear) {
                zones[static_cast<std::size_t>(king)].set(b);
            }
        }
    }
    return zones;
}

const Bitboard& zone_of(Square king) {
    static const auto kZones = make_zones();
    return kZones[static_cast<std::size_t>(king)];
}

}  // namespace

QuietSense::QuietSense(const Position& position) noexcept
    : position_(position), side_(position.side_to_move()) {
    const Color enemy = ~side_;
    const Bitboard& occupied = position.occupied();
    for (const Square s : position.pieces(enemy, PieceType::pawn))
        feared_ |= steps(enemy, PieceType::pawn, s);
    reached_ = feared_;
    for (const Square s : position.pieces(enemy).without(position.pieces(PieceType::pawn)))
        reached_ |= attacks(position.piece_on(s), s, occupied);
    if (const Square king = position.king(enemy); king != kNoSquare) near_king_ = zone_of(king);
    for (const Square s : position.pieces(side_) & reached_) {
        const Piece piece = position.piece_on(s);
        if (type_of(piece) == PieceType::king || type_of(piece) == PieceType::pawn) continue;
        int cheapest = exchange_worth(piece);
        for (const Square taker : position.attackers(enemy, s, occupied))
            cheapest = std::min(cheapest, exchange_worth(position.piece_on(taker)));
        if (cheapest < exchange_worth(piece) || !position.is_attacked(side_, s, occupied))
            loose_.set(s);
    }
}

const Bitboard& QuietSense::prey(PieceType kind) noexcept {
    const auto slot = static_cast<std::size_t>(kind);
    if (!prey_known_[slot]) {
        prey_known_[slot] = true;
        const int own = exchange_worth(make_piece(side_, kind));
        for (int t = 1; t < kPieceTypes; ++t) {
            const auto type = static_cast<PieceType>(t);
            if (type != PieceType::king && exchange_worth(make_piece(~side_, type)) > own)
                prey_[slot] |= position_.pieces(~side_, type);
        }
    }
    return prey_[slot];
}

int QuietSense::bonus(Move move) noexcept {
    const Piece piece = move.piece_after();
    const bool pawn = type_of(piece) == PieceType::pawn;
    int sum = 0;
    if (!move.is_drop() && loose_.test(move.from())) sum += kSaves;
    // A piece that a pawn takes next attacks nothing for long.
    if ((pawn || !feared_.test(move.to())) &&
        attacks(piece, move.to(), position_.occupied()).intersects(prey(type_of(piece)))) {
        sum += kAttacks;
    }
    if (!pawn && near_king_.test(move.to())) sum += kComesNear;
    return sum;
}

}  // namespace yomi::shogi::search
