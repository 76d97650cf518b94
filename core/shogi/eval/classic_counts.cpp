#include "core/shogi/eval/classic_counts.hpp"

#include <algorithm>

#include "core/shogi/attacks.hpp"
#include "core/shogi/eval/classic_tables.hpp"

namespace yomi::shogi::eval {

static_assert(kZoneStates <= 256, "ClassicCounts keeps a state in a byte");

namespace {

/// What one side bears on: squares hit at least once, at least twice, and without its king's help.
struct Coverage {
    Bitboard once;
    Bitboard twice;
    Bitboard once_without_king;
    Bitboard twice_without_king;
    ClassicCounts counts;

    void add(const Bitboard& squares) noexcept {
        twice |= once & squares;
        once |= squares;
    }
};

template <Color Side>
Coverage coverage(const Position& position) noexcept {
    Coverage c;
    const Bitboard& occupied = position.occupied();
    const Bitboard own = position.pieces(Side);
    const Bitboard pawns = position.pieces(Side, PieceType::pawn);
    const Bitboard lances = position.pieces(Side, PieceType::lance);
    const Bitboard diagonal =
        position.pieces(Side, PieceType::bishop) | position.pieces(Side, PieceType::horse);
    const Bitboard straight =
        position.pieces(Side, PieceType::rook) | position.pieces(Side, PieceType::dragon);

    // Pawns of one side never share a square ahead, so all of them step at once.
    c.add(step_forward<Side>(pawns));
    for (const Square s : lances) {
        const Bitboard moves = lance_attacks(Side, s, occupied);
        c.counts.lance_moves += moves.count();
        c.add(moves);
    }
    for (const Square s : diagonal) {
        Bitboard moves = bishop_attacks(s, occupied);
        if (is_promoted(type_of(position.piece_on(s)))) moves |= king_steps(s);
        c.counts.bishop_moves += moves.without(own).count();
        c.add(moves);
    }
    for (const Square s : straight) {
        Bitboard moves = rook_attacks(s, occupied);
        if (is_promoted(type_of(position.piece_on(s)))) moves |= king_steps(s);
        c.counts.rook_moves += moves.without(own).count();
        c.add(moves);
    }
    const Square king = position.king(Side);
    Bitboard steppers = own.without(pawns | lances | diagonal | straight);
    if (king != kNoSquare) steppers.reset(king);
    for (const Square s : steppers)
        c.add(steps(position.piece_on(s), s));
    c.once_without_king = c.once;
    c.twice_without_king = c.twice;
    if (king != kNoSquare) c.add(king_steps(king));
    c.counts.covered_once = c.once.count();
    c.counts.covered_twice = c.twice.count();
    return c;
}

/// How much harm the pieces in a hand can do to an exposed king.
int drop_power(Hand hand) noexcept {
    return 5 * std::min(hand.count(PieceType::rook), 2) +
           3 * std::min(hand.count(PieceType::bishop), 2) +
           5 * std::min(hand.count(PieceType::gold), 3) +
           4 * std::min(hand.count(PieceType::silver), 3) +
           2 * std::min(hand.count(PieceType::knight), 2) +
           std::min(hand.count(PieceType::lance), 2) + std::min(hand.count(PieceType::pawn), 2);
}

/// Counts what bears on the king of `side`: pressure, drop threat, and each square beside it.
void count_danger(const Position& position,
                  Color side,
                  Coverage& guard,
                  const Coverage& attack) noexcept {
    const Square king = position.king(side);
    if (king == kNoSquare) return;
    ClassicCounts& counts = guard.counts;
    const Bitboard zone = king_steps(king);
    const int hits = (zone & attack.once).count();
    const int unguarded = (zone & attack.once).without(guard.once_without_king).count();
    const int doubled = (zone & attack.twice).count();
    // Squares where an enemy piece could be dropped beside the king and only the king could answer.
    const int holes = zone.without(position.occupied() | guard.once_without_king).count();
    const int escapes = zone.without(position.pieces(side) | attack.once).count();
    const int hand = drop_power(position.hand(~side));

    const int pressure = 4 * hits + 6 * unguarded + 4 * doubled + std::max(0, 4 - escapes) * 2;
    counts.pressure = std::min(pressure * pressure / 12, 600);
    counts.drop_threat = std::min(hand * (2 * holes + unguarded * 3) / 3, 400);

    const int forward = side == Color::black ? 1 : -1;
    for (const Square s : zone) {
        const Piece piece = position.piece_on(s);
        const Holder holder = piece == kNoPiece         ? Holder::nobody
                              : color_of(piece) == side ? Holder::own
                                                        : Holder::enemy;
        const auto guards = static_cast<std::size_t>(guard.once_without_king.test(s)) +
                            static_cast<std::size_t>(guard.twice_without_king.test(s));
        const auto attackers = static_cast<std::size_t>(attack.once.test(s)) +
                               static_cast<std::size_t>(attack.twice.test(s));
        const std::size_t state = zone_state(file_of(s) - file_of(king),
                                             (rank_of(s) - rank_of(king)) * forward,
                                             holder,
                                             guards,
                                             attackers);
        counts.zone[counts.zone_size++] = static_cast<std::uint8_t>(state);
    }
}

}  // namespace

std::array<ClassicCounts, 2> classic_counts(const Position& position) noexcept {
    Coverage black = coverage<Color::black>(position);
    Coverage white = coverage<Color::white>(position);
    count_danger(position, Color::black, black, white);
    count_danger(position, Color::white, white, black);
    return {black.counts, white.counts};
}

}  // namespace yomi::shogi::eval
