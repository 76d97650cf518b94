#include "core/shogi/eval/classic.hpp"

#include <algorithm>

#include "core/shogi/attacks.hpp"
#include "core/shogi/eval/king_relative.hpp"

namespace yomi::shogi::eval {

namespace {

constexpr int kTempo = 14;

/// What one side bears on: squares hit at least once, at least twice, and without its king's help.
struct Coverage {
    Bitboard once;
    Bitboard twice;
    Bitboard without_king;
    int slider_moves = 0;  ///< weighted, centipawns

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
        c.slider_moves += moves.count();
        c.add(moves);
    }
    for (const Square s : diagonal) {
        Bitboard moves = bishop_attacks(s, occupied);
        if (is_promoted(type_of(position.piece_on(s)))) moves |= king_steps(s);
        c.slider_moves += 3 * moves.without(own).count();
        c.add(moves);
    }
    for (const Square s : straight) {
        Bitboard moves = rook_attacks(s, occupied);
        if (is_promoted(type_of(position.piece_on(s)))) moves |= king_steps(s);
        c.slider_moves += 2 * moves.without(own).count();
        c.add(moves);
    }
    const Square king = position.king(Side);
    Bitboard steppers = own.without(pawns | lances | diagonal | straight);
    if (king != kNoSquare) steppers.reset(king);
    for (const Square s : steppers)
        c.add(steps(position.piece_on(s), s));
    c.without_king = c.once;
    if (king != kNoSquare) c.add(king_steps(king));
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

/// Danger of the king of `side`, in centipawns, 0 or more.
int king_danger(const Position& position,
                Color side,
                const Coverage& guard,
                const Coverage& attack) noexcept {
    const Square king = position.king(side);
    if (king == kNoSquare) return 0;
    const Bitboard zone = king_steps(king);
    const Bitboard hit = zone & attack.once;
    const int hits = hit.count();
    const int unguarded = hit.without(guard.without_king).count();
    const int doubled = (zone & attack.twice).count();
    // Squares where an enemy piece could be dropped beside the king and only the king could answer.
    const int holes = zone.without(position.occupied() | guard.without_king).count();
    const int escapes = zone.without(position.pieces(side) | attack.once).count();
    const int hand = drop_power(position.hand(~side));

    const int pressure = 4 * hits + 6 * unguarded + 4 * doubled + std::max(0, 4 - escapes) * 2;
    // Pressure grows with its square: one attacker is nothing, three are an attack.
    const int attack_part = std::min(pressure * pressure / 12, 600);
    const int drop_part = hand * (2 * holes + unguarded * 3) / 3;
    return attack_part + std::min(drop_part, 400);
}

/// A king's own square: the farther from the centre files and the nearer to home the better, until
/// it enters the enemy camp.
int king_place(Color side, Square king) noexcept {
    if (king == kNoSquare) return 0;
    const Square seen = side == Color::black ? king : rotate(king);
    constexpr std::array<int, 9> kByFile{14, 30, 20, 4, -12, -2, 14, 30, 18};
    constexpr std::array<int, 9> kByRank{-20, -30, -50, -90, -110, -90, -50, 0, 0};
    return kByFile[static_cast<std::size_t>(file_of(seen))] +
           kByRank[static_cast<std::size_t>(rank_of(seen))];
}

/// A piece in hand may land anywhere: worth a little more than its kind on the board, the first of
/// a kind most.
int hand_bonus(Hand hand) noexcept {
    int sum = 0;
    if (hand.has(PieceType::pawn)) sum += 16 + 3 * std::min(hand.count(PieceType::pawn) - 1, 4);
    if (hand.has(PieceType::lance)) sum += 6;
    if (hand.has(PieceType::knight)) sum += 8;
    if (hand.has(PieceType::silver)) sum += 14;
    if (hand.has(PieceType::gold)) sum += 20;
    if (hand.has(PieceType::bishop)) sum += 24;
    if (hand.has(PieceType::rook)) sum += 30;
    return sum;
}

std::array<int, 2> fresh_sums(const Position& position) {
    std::array<int, 2> sums{};
    for (const Color c : {Color::black, Color::white}) {
        const Square king = position.king(c);
        if (king == kNoSquare) continue;
        for (const Square s : position.occupied()) {
            sums[static_cast<std::size_t>(index(c))] +=
                king_relative(position.piece_on(s), s, c, king);
        }
    }
    return sums;
}

ClassicTerms terms(const Position& position, const std::array<int, 2>& sums) noexcept {
    const Coverage black = coverage<Color::black>(position);
    const Coverage white = coverage<Color::white>(position);
    ClassicTerms t;
    t.material = position.material();
    t.king_relative = sums[0] + sums[1];
    t.king_place = king_place(Color::black, position.king(Color::black)) -
                   king_place(Color::white, position.king(Color::white));
    t.king_safety = king_danger(position, Color::white, white, black) -
                    king_danger(position, Color::black, black, white);
    t.mobility = black.slider_moves + 2 * black.once.count() + black.twice.count() -
                 white.slider_moves - 2 * white.once.count() - white.twice.count();
    t.hands = hand_bonus(position.hand(Color::black)) - hand_bonus(position.hand(Color::white));
    t.tempo = position.side_to_move() == Color::black ? kTempo : -kTempo;
    return t;
}

}  // namespace

void Classic::reset(const Position& position, Kind kind) {
    kind_ = kind;
    sums_.clear();
    sums_.reserve(256);
    sums_.push_back(fresh_sums(position));
}

void Classic::do_move(const Position& before, Move move) {
    Sums sums = sums_.back();
    const Square to = move.to();
    const Piece captured = move.is_drop() ? kNoPiece : before.piece_on(to);
    const bool king_moves = type_of(move.piece_after()) == PieceType::king;
    for (const Color c : {Color::black, Color::white}) {
        int& sum = sums[static_cast<std::size_t>(index(c))];
        const Square king = before.king(c);
        if (king == kNoSquare) continue;
        if (king_moves && c == before.side_to_move()) {
            // Every relation to this king changes; the other king's half goes the usual way.
            sum = 0;
            for (const Square s : before.occupied()) {
                if (s != king && s != to) sum += king_relative(before.piece_on(s), s, c, to);
            }
            continue;
        }
        sum += king_relative(move.piece_after(), to, c, king);
        if (!move.is_drop()) sum -= king_relative(move.piece_before(), move.from(), c, king);
        if (captured != kNoPiece) sum -= king_relative(captured, to, c, king);
    }
    sums_.push_back(sums);
}

int Classic::evaluate(const Position& position) const noexcept {
    const int total = kind_ == Kind::material ? position.material() : explain(position).total();
    return position.side_to_move() == Color::black ? total : -total;
}

ClassicTerms Classic::explain(const Position& position) const noexcept {
    return terms(position, sums_.back());
}

ClassicTerms Classic::explain_fresh(const Position& position) {
    return terms(position, fresh_sums(position));
}

}  // namespace yomi::shogi::eval
