#include "core/shogi/position.hpp"

#include "core/shogi/eval/piece_value.hpp"
#include "core/shogi/zobrist.hpp"

namespace yomi::shogi {

Setup Position::setup() const {
    Setup setup;
    setup.board = board_;
    setup.hands = hands_;
    setup.side_to_move = side_;
    setup.ply = ply_;
    return setup;
}

Bitboard Position::attackers(Color by, Square s, const Bitboard& occupancy) const noexcept {
    const Color back = ~by;
    const Bitboard diagonal = pieces(PieceType::bishop) | pieces(PieceType::horse);
    const Bitboard straight = pieces(PieceType::rook) | pieces(PieceType::dragon);
    const Bitboard along_file = file_attacks(s, occupancy);
    const Bitboard along_rank = line_attacks<Axis::rank>(s, occupancy);
    const Bitboard found =
        (steps(back, PieceType::pawn, s) & pieces(PieceType::pawn)) |
        (steps(back, PieceType::knight, s) & pieces(PieceType::knight)) |
        (steps(back, PieceType::silver, s) & pieces(PieceType::silver)) |
        (steps(back, PieceType::gold, s) & gold_movers_) |
        (king_steps(s) &
         (pieces(PieceType::king) | pieces(PieceType::horse) | pieces(PieceType::dragon))) |
        (bishop_attacks(s, occupancy) & diagonal) | ((along_file | along_rank) & straight) |
        (along_file & lance_ray(back, s) & pieces(PieceType::lance));
    return found & pieces(by);
}

template <Color King>
Position::KingScan Position::scan_king_of(Square king) const noexcept {
    const Bitboard snipers =
        ((bishop_rays(king) & (pieces(PieceType::bishop) | pieces(PieceType::horse))) |
         (rook_rays(king) & (pieces(PieceType::rook) | pieces(PieceType::dragon))) |
         (lance_ray(King, king) & pieces(PieceType::lance))) &
        pieces(~King);
    KingScan scan;
    for (const Square sniper : snipers) {
        const Bitboard inner = between(king, sniper) & occupied_;
        if (inner.none()) {
            scan.checkers.set(sniper);
        } else if (!inner.more_than_one()) {
            scan.blockers |= inner;
        }
    }
    return scan;
}

Position::KingScan Position::scan_king(Color king_color) const noexcept {
    const Square square = king(king_color);
    if (square == kNoSquare) return {};
    return king_color == Color::black ? scan_king_of<Color::black>(square)
                                      : scan_king_of<Color::white>(square);
}

template <Color Us>
void Position::do_move_as(Move move) {
    constexpr Color kThem = ~Us;
    constexpr auto kUs = static_cast<std::size_t>(index(Us));
    constexpr auto kThemIndex = static_cast<std::size_t>(index(kThem));
    // Written where it stays: built on the stack and copied, its small stores would stall the wide
    // loads of the copy.
    State& next = states_.emplace_back();
    const State& before = *(&next - 1);
    next.board_key = before.board_key ^ zobrist::kWhiteToMove;
    next.hand_key = before.hand_key;
    next.material = before.material;
    next.move = move;
    next.since_null = static_cast<std::uint16_t>(before.since_null + 1);

    const Square to = move.to();
    const Piece piece = move.piece_after();
    const PieceType type = type_of(piece);
    const Bitboard to_set = Bitboard::of(to);
    constexpr int kSign = Us == Color::black ? 1 : -1;
    Hand& hand = hands_[kUs];
    if (move.is_drop()) {
        const int left = hand.count(type) - 1;
        next.hand_key ^= zobrist::hand(Us, type, left + 1) ^ zobrist::hand(Us, type, left);
        hand.remove(type);
    } else {
        const Square from = move.from();
        const Piece moved = board_[static_cast<std::size_t>(from)];
        assert(moved == move.piece_before());
        const PieceType moved_type = type_of(moved);
        const Bitboard from_set = Bitboard::of(from);
        const Piece victim = board_[static_cast<std::size_t>(to)];
        if (victim != kNoPiece) {
            const PieceType victim_type = type_of(victim);
            by_type_[static_cast<std::size_t>(index(victim_type))] ^= to_set;
            by_color_[kThemIndex] ^= to_set;
            occupied_ ^= to_set;
            if (moves_like_gold(victim_type)) gold_movers_ ^= to_set;
            const PieceType kind = unpromote(victim_type);
            const int had = hand.count(kind);
            next.board_key ^= zobrist::board(victim, to);
            next.hand_key ^= zobrist::hand(Us, kind, had) ^ zobrist::hand(Us, kind, had + 1);
            hand.add(kind);
            next.material += kSign * capture_value(victim_type);
            next.captured = victim;
        }
        by_type_[static_cast<std::size_t>(index(moved_type))] ^= from_set;
        by_color_[kUs] ^= from_set;
        occupied_ ^= from_set;
        if (moves_like_gold(moved_type)) gold_movers_ ^= from_set;
        board_[static_cast<std::size_t>(from)] = kNoPiece;
        next.board_key ^= zobrist::board(moved, from);
        if (move.is_promotion()) next.material += kSign * promotion_value(moved_type);
        if (type == PieceType::king) kings_[kUs] = to;
    }
    by_type_[static_cast<std::size_t>(index(type))] ^= to_set;
    by_color_[kUs] ^= to_set;
    occupied_ ^= to_set;
    if (moves_like_gold(type)) gold_movers_ ^= to_set;
    board_[static_cast<std::size_t>(to)] = piece;
    next.board_key ^= zobrist::board(piece, to);

    const Square their_king = kings_[kThemIndex];
    if (their_king != kNoSquare) {
        // Only the moved piece can give a step check; slider checks, direct or discovered, come
        // with the scan.
        const KingScan scan = scan_king_of<kThem>(their_king);
        next.blockers = scan.blockers;
        next.checkers = scan.checkers;
        if (steps(piece, to).test(their_king)) next.checkers |= to_set;
    }
    next.checks[kThemIndex] = before.checks[kThemIndex];
    next.checks[kUs] =
        next.checkers.any() ? static_cast<std::uint16_t>(before.checks[kUs] + 1) : std::uint16_t{0};

    side_ = kThem;
    ++ply_;
    ++seen_[seen_slot()];
}

template <Color Us>
void Position::undo_move_as() {
    constexpr auto kUs = static_cast<std::size_t>(index(Us));
    constexpr auto kThemIndex = static_cast<std::size_t>(index(~Us));
    --seen_[seen_slot()];
    const Move move = top().move;
    const Piece victim = top().captured;
    states_.pop_back();
    side_ = Us;
    --ply_;

    const Square to = move.to();
    const PieceType type = type_of(move.piece_after());
    const Bitboard to_set = Bitboard::of(to);
    by_type_[static_cast<std::size_t>(index(type))] ^= to_set;
    by_color_[kUs] ^= to_set;
    occupied_ ^= to_set;
    if (moves_like_gold(type)) gold_movers_ ^= to_set;
    board_[static_cast<std::size_t>(to)] = victim;
    if (move.is_drop()) {
        hands_[kUs].add(type);
        return;
    }
    const Square from = move.from();
    const Piece moved = move.piece_before();
    const PieceType moved_type = type_of(moved);
    const Bitboard from_set = Bitboard::of(from);
    by_type_[static_cast<std::size_t>(index(moved_type))] ^= from_set;
    by_color_[kUs] ^= from_set;
    occupied_ ^= from_set;
    if (moves_like_gold(moved_type)) gold_movers_ ^= from_set;
    board_[static_cast<std::size_t>(from)] = moved;
    if (type == PieceType::king) kings_[kUs] = from;
    if (victim != kNoPiece) {
        const PieceType victim_type = type_of(victim);
        by_type_[static_cast<std::size_t>(index(victim_type))] ^= to_set;
        by_color_[kThemIndex] ^= to_set;
        occupied_ ^= to_set;
        if (moves_like_gold(victim_type)) gold_movers_ ^= to_set;
        hands_[kUs].remove(unpromote(victim_type));
    }
}

void Position::do_move(Move move) {
    if (side_ == Color::black) {
        do_move_as<Color::black>(move);
    } else {
        do_move_as<Color::white>(move);
    }
}

void Position::undo_move() {
    assert(history_size() > 0 && top().move);
    if (side_ == Color::white) {
        undo_move_as<Color::black>();
    } else {
        undo_move_as<Color::white>();
    }
}

void Position::do_null_move() {
    assert(!in_check());
    State next = top();
    next.board_key ^= zobrist::kWhiteToMove;
    next.move = kNoMove;
    next.captured = kNoPiece;
    next.checks = {};
    next.since_null = 0;
    side_ = ~side_;
    ++ply_;
    next.blockers = scan_king(side_).blockers;
    states_.push_back(next);
    ++seen_[seen_slot()];
}

void Position::undo_null_move() {
    assert(history_size() > 0 && !top().move);
    --seen_[seen_slot()];
    states_.pop_back();
    side_ = ~side_;
    --ply_;
}

Repetition Position::classify_cycle(int plies) const noexcept {
    const bool mine = 2 * checks_in_a_row(side_) >= plies;
    const bool theirs = 2 * checks_in_a_row(~side_) >= plies;
    if (mine == theirs) return Repetition::draw;
    return mine ? Repetition::loss : Repetition::win;
}

Repetition Position::repetition() const {
    if (seen_[seen_slot()] < 4) return Repetition::none;
    // The search-side question with a line of no length: only the fourth occurrence counts.
    return search_repetition(0);
}

int Position::occurrences_before() const {
    if (seen_[seen_slot()] < 2) return 0;
    const State* const now = &top();
    int found = 0;
    for (int back = 4; back <= now->since_null; back += 2) {
        const State& then = *(now - back);
        if (then.board_key == now->board_key && then.hand_key == now->hand_key) ++found;
    }
    return found;
}

Repetition Position::search_repetition(int plies_since_root) const {
    if (seen_[seen_slot()] < 2) return Repetition::none;
    const State* const now = &top();
    int found = 0;
    // Two plies never repeat a position, and only every second ply has the same side to move.
    for (int back = 4; back <= now->since_null; back += 2) {
        const State& then = *(now - back);
        if (then.board_key != now->board_key || then.hand_key != now->hand_key) continue;
        ++found;
        if (back <= plies_since_root || found == 3) return classify_cycle(back);
    }
    return Repetition::none;
}

}  // namespace yomi::shogi
