#include "core/shogi/eval/classic.hpp"

#include "core/shogi/eval/classic_counts.hpp"
#include "core/shogi/eval/classic_tables.hpp"
#include "core/shogi/eval/king_relative.hpp"

namespace yomi::shogi::eval {

namespace {

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

int king_place(Color side, Square king) noexcept {
    if (king == kNoSquare) return 0;
    const Square seen = side == Color::black ? king : rotate(king);
    return kClassicTables.king_place[static_cast<std::size_t>(seen)];
}

/// A piece in hand may land anywhere: what that is worth beyond its kind on the board.
int hand_bonus(Hand hand) noexcept {
    if (hand.empty()) return 0;
    int sum = 0;
    for (std::size_t kind = 1; kind < kClassicTables.hand.size(); ++kind) {
        const int count = hand.count(static_cast<PieceType>(kind));
        sum += kClassicTables.hand[kind][static_cast<std::size_t>(count)];
    }
    return sum;
}

int zone_sum(const ClassicCounts& counts) noexcept {
    int sum = 0;
    for (std::size_t i = 0; i < counts.zone_size; ++i)
        sum += kClassicTables.zone[counts.zone[i]];
    return sum;
}

int mobility_16(const ClassicCounts& counts) noexcept {
    const ClassicTables& t = kClassicTables;
    return t.lance_move_16 * counts.lance_moves + t.bishop_move_16 * counts.bishop_moves +
           t.rook_move_16 * counts.rook_moves + t.covered_once_16 * counts.covered_once +
           t.covered_twice_16 * counts.covered_twice;
}

int danger_16(const ClassicCounts& counts) noexcept {
    return kClassicTables.pressure_16 * counts.pressure +
           kClassicTables.drop_threat_16 * counts.drop_threat;
}

ClassicTerms terms(const Position& position, const std::array<int, 2>& sums) noexcept {
    const auto [black, white] = classic_counts(position);
    ClassicTerms t;
    t.material = position.material();
    t.king_relative = sums[0] + sums[1];
    t.king_place = king_place(Color::black, position.king(Color::black)) -
                   king_place(Color::white, position.king(Color::white));
    // Differences first: division rounds towards zero, so the terms stay exact mirror images.
    t.king_safety = zone_sum(black) - zone_sum(white) + (danger_16(white) - danger_16(black)) / 16;
    t.mobility = (mobility_16(black) - mobility_16(white)) / 16;
    t.hands = hand_bonus(position.hand(Color::black)) - hand_bonus(position.hand(Color::white));
    t.tempo =
        position.side_to_move() == Color::black ? kClassicTables.tempo : -kClassicTables.tempo;
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
