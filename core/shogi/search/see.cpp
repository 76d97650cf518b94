#include "core/shogi/search/see.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "core/shogi/attacks.hpp"

namespace yomi::shogi::search {

namespace {

/// Kinds from the cheapest to lose to the dearest, the king last.
constexpr std::array<PieceType, 14> cheapest_first() {
    std::array<PieceType, 14> order{};
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = static_cast<PieceType>(i + 1);
    std::sort(order.begin(), order.end(), [](PieceType a, PieceType b) {
        return exchange_worth(make_piece(Color::black, a)) <
               exchange_worth(make_piece(Color::black, b));
    });
    return order;
}
constexpr std::array<PieceType, 14> kCheapestFirst = cheapest_first();
static_assert(kCheapestFirst.front() == PieceType::pawn &&
              kCheapestFirst.back() == PieceType::king);

Square highest(const Bitboard& set) noexcept {
    const int s =
        set.hi() != 0 ? 126 - std::countl_zero(set.hi()) : 63 - std::countl_zero(set.lo());
    return static_cast<Square>(s);
}

/// Sliders that see `target` past `gone`, a square that has just become empty.
Bitboard uncovered(const Position& position,
                   Square target,
                   Square gone,
                   const Bitboard& occupied) noexcept {
    const auto of = [&position](PieceType t) {
        return position.pieces(Color::black, t) | position.pieces(Color::white, t);
    };
    switch (direction(target, gone)) {
        case Direction::north:
        case Direction::south: {
            // A black lance looks north, so it reaches the target from the south of it.
            const Bitboard lances =
                (position.pieces(Color::black, PieceType::lance) & ray(Direction::south, target)) |
                (position.pieces(Color::white, PieceType::lance) & ray(Direction::north, target));
            return file_attacks(target, occupied) &
                   (lances | of(PieceType::rook) | of(PieceType::dragon));
        }
        case Direction::east:
        case Direction::west:
            return line_attacks<Axis::rank>(target, occupied) &
                   (of(PieceType::rook) | of(PieceType::dragon));
        case Direction::north_east:
        case Direction::south_east:
        case Direction::north_west:
        case Direction::south_west:
            return bishop_attacks(target, occupied) &
                   (of(PieceType::bishop) | of(PieceType::horse));
        case Direction::none:
            return {};
    }
    return {};
}

}  // namespace

bool see_ge(const Position& position, Move move, int threshold) noexcept {
    const Square target = move.to();
    // `balance` is what the side that has just taken is ahead of what it needs.
    int balance = material_gain(position, move) - threshold;
    if (balance < 0) return false;
    balance = exchange_worth(move.piece_after()) - balance;
    if (balance <= 0) return true;

    Bitboard occupied = position.occupied();
    if (!move.is_drop()) occupied.reset(move.from());
    occupied.set(target);
    Color side = position.side_to_move();
    Bitboard attackers = position.attackers(~side, target, occupied);
    if (attackers.none()) return true;  // most moves: nothing takes the piece
    attackers |= position.attackers(side, target, occupied);
    bool mover_ahead = true;
    while (true) {
        side = ~side;
        attackers &= occupied;
        const Bitboard mine = attackers & position.pieces(side);
        if (mine.none()) break;
        mover_ahead = !mover_ahead;
        for (const PieceType type : kCheapestFirst) {
            const Bitboard candidates = mine & position.pieces(side, type);
            if (candidates.none()) continue;
            if (type == PieceType::king) {
                // The king may not step into an attack: then this capture does not happen.
                return (attackers & position.pieces(~side)).any() ? !mover_ahead : mover_ahead;
            }
            // Which of two alike goes first must not depend on the colours.
            const Square from = side == Color::black ? candidates.lowest() : highest(candidates);
            balance = exchange_worth(make_piece(side, type)) - balance;
            // Even if this piece is lost at once, the taker has what it needs.
            if (balance < (mover_ahead ? 1 : 0)) return mover_ahead;
            occupied.reset(from);
            attackers |= uncovered(position, target, from, occupied);
            break;
        }
    }
    return mover_ahead;
}

}  // namespace yomi::shogi::search
