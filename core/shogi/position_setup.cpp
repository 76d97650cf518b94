// From a setup that anybody may have written to a Position that obeys the rules, and the slow
// recomputation that checks the incremental fields.
#include <string>

#include "core/shogi/eval/piece_value.hpp"
#include "core/shogi/names.hpp"
#include "core/shogi/position.hpp"
#include "core/shogi/zobrist.hpp"

namespace yomi::shogi {
namespace {

/// Pieces of each unpromoted kind in a set, both sides together.
constexpr std::array<int, 9> kSetCounts{0, 18, 4, 4, 4, 2, 2, 4, 2};

std::string breach_of_pieces(const Setup& setup) {
    std::array<int, 9> counts{};
    for (int s = 0; s < kSquares; ++s) {
        const Piece piece = setup.board[static_cast<std::size_t>(s)];
        if (piece == kNoPiece) continue;
        const int type = index(type_of(piece));
        if (piece >= kPieces || type == 0 || type >= kPieceTypes) {
            return "no such piece on " + square_name(static_cast<Square>(s));
        }
        ++counts[static_cast<std::size_t>(index(unpromote(type_of(piece))))];
    }
    for (int t = 1; t <= kHandKinds; ++t) {
        const auto type = static_cast<PieceType>(t);
        counts[static_cast<std::size_t>(t)] +=
            setup.hands[0].count(type) + setup.hands[1].count(type);
    }
    for (int t = 1; t <= kHandKinds; ++t) {
        const auto i = static_cast<std::size_t>(t);
        if (counts[i] > kSetCounts[i]) {
            return std::to_string(counts[i]) + ' ' + kind_name(static_cast<PieceType>(t)) +
                   "s on the board and in the hands together; a set has " +
                   std::to_string(kSetCounts[i]);
        }
    }
    return {};
}

std::string breach_of_kings(const Setup& setup, bool allow_missing_king) {
    std::array<int, 2> kings{};
    for (const Piece piece : setup.board) {
        if (type_of(piece) == PieceType::king)
            ++kings[static_cast<std::size_t>(index(color_of(piece)))];
    }
    for (const Color c : {Color::black, Color::white}) {
        const int n = kings[static_cast<std::size_t>(index(c))];
        if (n > 1) return side_name(c) + " has " + std::to_string(n) + " kings";
    }
    if (kings[0] + kings[1] == 0)
        return "both kings are missing; only one side may lack its king (tsume)";
    for (const Color c : {Color::black, Color::white}) {
        if (!allow_missing_king && kings[static_cast<std::size_t>(index(c))] == 0) {
            return side_name(c) + " has no king";
        }
    }
    return {};
}

std::string breach_of_placement(const Setup& setup) {
    std::array<std::array<int, 9>, 2> pawns{};
    for (int i = 0; i < kSquares; ++i) {
        const auto s = static_cast<Square>(i);
        const Piece piece = setup.board[static_cast<std::size_t>(i)];
        if (piece == kNoPiece) continue;
        const Color side = color_of(piece);
        const PieceType type = type_of(piece);
        if (!is_promoted(type) && !living_squares(side, type).test(s)) {
            return side_name(side) + "'s " + kind_name(type) + " on " + square_name(s) +
                   " could never move";
        }
        if (type != PieceType::pawn) continue;
        int& n = pawns[static_cast<std::size_t>(index(side))][static_cast<std::size_t>(file_of(s))];
        if (++n > 1) {
            return side_name(side) + " has two unpromoted pawns on file " +
                   std::to_string(file_of(s) + 1) + " (nifu)";
        }
    }
    return {};
}

}  // namespace

void Position::put(Piece piece, Square s) noexcept {
    const Bitboard set = Bitboard::of(s);
    const PieceType type = type_of(piece);
    board_[static_cast<std::size_t>(s)] = piece;
    by_type_[static_cast<std::size_t>(index(type))] |= set;
    by_color_[static_cast<std::size_t>(index(color_of(piece)))] |= set;
    occupied_ |= set;
    if (moves_like_gold(type)) gold_movers_ |= set;
    if (type == PieceType::king) kings_[static_cast<std::size_t>(index(color_of(piece)))] = s;
}

Result<Position> Position::from_setup(const Setup& setup, bool allow_missing_king) {
    if (setup.ply < 0) return fail(ErrorCode::illegal_position, "the move number is negative");
    std::string breach = breach_of_pieces(setup);
    if (breach.empty()) breach = breach_of_kings(setup, allow_missing_king);
    if (breach.empty()) breach = breach_of_placement(setup);
    if (!breach.empty()) return fail(ErrorCode::illegal_position, std::move(breach));

    Position position;
    State root;
    position.side_ = setup.side_to_move;
    position.ply_ = setup.ply == 0 ? 1 : setup.ply;
    position.hands_ = setup.hands;
    if (setup.side_to_move == Color::white) root.board_key ^= zobrist::kWhiteToMove;
    for (int i = 0; i < kSquares; ++i) {
        const Piece piece = setup.board[static_cast<std::size_t>(i)];
        if (piece == kNoPiece) continue;
        position.put(piece, static_cast<Square>(i));
        root.board_key ^= zobrist::board(piece, static_cast<Square>(i));
        root.material += color_of(piece) == Color::black ? piece_value(type_of(piece))
                                                         : -piece_value(type_of(piece));
    }
    for (const Color c : {Color::black, Color::white}) {
        for (int t = 1; t <= kHandKinds; ++t) {
            const auto type = static_cast<PieceType>(t);
            const int n = position.hand(c).count(type);
            root.hand_key ^= zobrist::hand(c, type, n);
            root.material += (c == Color::black ? n : -n) * piece_value(type);
        }
    }
    const Color us = position.side_;
    const Square idle_king = position.king(~us);
    if (idle_king != kNoSquare && position.is_attacked(us, idle_king, position.occupied_)) {
        return fail(ErrorCode::illegal_position,
                    side_name(~us) + " is in check although it is " + side_name(us) + "'s turn");
    }
    if (position.king(us) != kNoSquare) {
        root.checkers = position.attackers(~us, position.king(us), position.occupied_);
        root.blockers = position.scan_king(us).blockers;
    }
    position.states_.reserve(64);
    position.states_.push_back(root);
    ++position.seen_[position.seen_slot()];
    return position;
}

Position Position::startpos() {
    Setup setup;
    constexpr std::array<PieceType, 9> kBack{PieceType::lance,
                                             PieceType::knight,
                                             PieceType::silver,
                                             PieceType::gold,
                                             PieceType::king,
                                             PieceType::gold,
                                             PieceType::silver,
                                             PieceType::knight,
                                             PieceType::lance};
    const auto place = [&setup](Color c, PieceType t, int file, int rank) {
        setup.board[static_cast<std::size_t>(make_square(file, rank))] = make_piece(c, t);
    };
    for (int file = 0; file < 9; ++file) {
        place(Color::white, kBack[static_cast<std::size_t>(file)], file, 0);
        place(Color::white, PieceType::pawn, file, 2);
        place(Color::black, PieceType::pawn, file, 6);
        place(Color::black, kBack[static_cast<std::size_t>(file)], file, 8);
    }
    place(Color::white, PieceType::bishop, 1, 1);
    place(Color::white, PieceType::rook, 7, 1);
    place(Color::black, PieceType::rook, 1, 7);
    place(Color::black, PieceType::bishop, 7, 7);
    return *from_setup(setup);
}

std::string Position::validate() const {
    const Result<Position> made = from_setup(setup());
    if (!made) return "rules: " + made.error().message;
    const Position& fresh = *made;
    if (by_type_ != fresh.by_type_) return "by_type differs";
    if (by_color_ != fresh.by_color_) return "by_color differs";
    if (occupied_ != fresh.occupied_) return "occupied differs";
    if (gold_movers_ != fresh.gold_movers_) return "gold_movers differs";
    if (kings_ != fresh.kings_) return "kings differ";
    if (board_key() != fresh.board_key()) return "board_key differs";
    if (hand_key() != fresh.hand_key()) return "hand_key differs";
    if (material() != fresh.material()) return "material differs";
    if (checkers() != fresh.checkers()) return "checkers differ";
    if (top().blockers != fresh.top().blockers) return "blockers differ";

    // The history: how often each slot was seen, and each side's checks in a row.
    std::array<std::uint16_t, kSeenSlots> seen{};
    for (const State& state : states_) {
        ++seen[static_cast<std::size_t>((state.board_key ^ state.hand_key) >> 20) % kSeenSlots];
    }
    if (seen != seen_) return "seen counts differ";
    std::array<int, 2> checks{};
    int since_null = 0;
    Color mover = side_;
    if (history_size() % 2 != 0) mover = ~mover;
    for (std::size_t i = 1; i < states_.size(); ++i, mover = ~mover) {
        int& run = checks[static_cast<std::size_t>(index(mover))];
        if (!states_[i].move) {
            checks = {};
            since_null = 0;
            continue;
        }
        run = states_[i].checkers.any() ? run + 1 : 0;
        ++since_null;
    }
    if (top().checks[0] != checks[0] || top().checks[1] != checks[1])
        return "checks in a row differ";
    if (top().since_null != since_null) return "plies since the null move differ";
    return {};
}

}  // namespace yomi::shogi
