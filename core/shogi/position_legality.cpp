// Judging single moves: legal or not and why, and whether they give check.
#include "core/shogi/names.hpp"
#include "core/shogi/position.hpp"

namespace yomi::shogi {
namespace {

/// A move's bits taken apart without trust: any 32 bits may come from a hash table or a file.
struct Parts {
    bool well_formed = false;  ///< squares, kind, side and piece fit one another
    bool drop = false;
    bool promotes = false;
    Square from = kNoSquare;
    Square to = kNoSquare;
    PieceType type = PieceType::none;  ///< before the move
};

Parts take_apart(Move move, Color side) noexcept {
    Parts parts;
    const std::uint32_t bits = move.bits();
    const std::uint32_t to = bits & 127U;
    const std::uint32_t origin = (bits >> 7) & 127U;
    if ((bits >> 21) != 0 || to >= kSquares) return parts;
    parts.to = static_cast<Square>(to);
    parts.drop = move.is_drop();
    parts.promotes = move.is_promotion();
    const auto after = type_of(move.piece_after());
    if (index(after) == 0 || index(after) >= kPieceTypes || color_of(move.piece_after()) != side)
        return parts;
    if (parts.drop) {
        if (parts.promotes || index(after) > kHandKinds) return parts;
        if (origin != static_cast<std::uint32_t>(kSquares + index(after))) return parts;
        parts.type = after;
    } else {
        if (origin >= kSquares || (parts.promotes && !is_promoted(after))) return parts;
        parts.from = static_cast<Square>(origin);
        parts.type = parts.promotes ? unpromote(after) : after;
    }
    parts.well_formed = true;
    return parts;
}

}  // namespace

bool Position::is_pseudo_legal(Move move) const noexcept {
    const Parts parts = take_apart(move, side_);
    if (!parts.well_formed) return false;
    if (parts.drop) {
        if (!hand(side_).has(parts.type) || piece_on(parts.to) != kNoPiece) return false;
        if (!living_squares(side_, parts.type).test(parts.to)) return false;
        return parts.type != PieceType::pawn ||
               !(pieces(side_, PieceType::pawn) & Bitboard::file(file_of(parts.to))).any();
    }
    const Piece piece = make_piece(side_, parts.type);
    if (piece_on(parts.from) != piece || pieces(side_).test(parts.to)) return false;
    if (parts.promotes) {
        const Bitboard zone = promotion_zone(side_);
        if (!zone.test(parts.from) && !zone.test(parts.to)) return false;
    } else if (!is_promoted(parts.type) && !living_squares(side_, parts.type).test(parts.to)) {
        return false;
    }
    return attacks(piece, parts.from, occupied_).test(parts.to);
}

bool Position::is_legal(Move move) const {
    if (!is_pseudo_legal(move)) return false;
    const Square own_king = king(side_);
    const Square to = move.to();
    if (own_king != kNoSquare) {
        if (!move.is_drop() && move.from() == own_king) {
            return !is_attacked(~side_, to, occupied_ ^ Bitboard::of(own_king));
        }
        if (in_check()) {
            if (checkers().more_than_one()) return false;
            const Square checker = checkers().lowest();
            if (to != checker && !between(own_king, checker).test(to)) return false;
        }
        if (!move.is_drop() && pinned().test(move.from()) && !aligned(own_king, move.from(), to))
            return false;
    }
    if (move.is_drop() && move.dropped() == PieceType::pawn && king(~side_) != kNoSquare &&
        steps(side_, PieceType::pawn, to).test(king(~side_))) {
        return !is_drop_pawn_mate(to);
    }
    return true;
}

bool Position::is_drop_pawn_mate(Square to) const {
    const Color them = ~side_;
    const Square their_king = king(them);
    const Bitboard after = occupied_ | Bitboard::of(to);
    // The pawn stands alone: the king takes it.
    if (!is_attacked(side_, to, after)) return false;

    // Another piece takes it. A pinned one may only along its pin; the pawn itself opens no line.
    const Bitboard takers = attackers(them, to, after).without(Bitboard::of(their_king));
    const Bitboard pinned_takers = takers & blockers(them);
    if (takers != pinned_takers) return false;
    for (const Square from : pinned_takers) {
        if (aligned(their_king, from, to)) return false;
    }

    // The king walks away; it no longer shields the squares behind it.
    const Bitboard without_king = after ^ Bitboard::of(their_king);
    const Bitboard flights = king_steps(their_king).without(pieces(them) | Bitboard::of(to));
    for (const Square s : flights) {
        if (!is_attacked(side_, s, without_king)) return false;
    }
    return true;
}

std::string Position::why_not_drop(Move move) const {
    const PieceType kind = move.dropped();
    const Square to = move.to();
    if (!hand(side_).has(kind)) return side_name(side_) + " has no " + kind_name(kind) + " in hand";
    if (piece_on(to) != kNoPiece) return "there is a piece on " + square_name(to) + " already";
    if (!living_squares(side_, kind).test(to)) {
        return "a " + kind_name(kind) + " dropped on " + square_name(to) + " could never move";
    }
    if (kind == PieceType::pawn && (pieces(side_, kind) & Bitboard::file(file_of(to))).any()) {
        return side_name(side_) + " has an unpromoted pawn on file " +
               std::to_string(file_of(to) + 1) + " already (nifu)";
    }
    return {};
}

std::string Position::why_not_board_move(Move move) const {
    const Square from = move.from();
    const Square to = move.to();
    const Piece piece = piece_on(from);
    if (piece == kNoPiece) return "there is no piece on " + square_name(from);
    if (color_of(piece) != side_)
        return "the piece on " + square_name(from) + " is " + side_name(~side_) + "'s";
    const PieceType type = type_of(piece);
    if (piece != move.piece_before()) {
        return "the piece on " + square_name(from) + " is a " + kind_name(type) + ", not a " +
               kind_name(type_of(move.piece_before()));
    }
    if (pieces(side_).test(to)) return "there is an own piece on " + square_name(to);
    if (!attacks(piece, from, occupied_).test(to)) {
        const bool open_board = attacks(piece, from, Bitboard{}).test(to);
        return "the " + kind_name(type) + " on " + square_name(from) +
               (open_board ? " is blocked on its way to " : " does not move to ") + square_name(to);
    }
    if (move.is_promotion()) {
        const Bitboard zone = promotion_zone(side_);
        if (!zone.test(from) && !zone.test(to)) {
            return "a move from " + square_name(from) + " to " + square_name(to) +
                   " cannot promote";
        }
    } else if (!is_promoted(type) && !living_squares(side_, type).test(to)) {
        return "a " + kind_name(type) + " must promote on " + square_name(to) +
               ": it could never move again";
    }
    return {};
}

std::string Position::why_not_safe(Move move) const {
    const Square own_king = king(side_);
    const Square to = move.to();
    if (own_king != kNoSquare) {
        if (!move.is_drop() && move.from() == own_king) {
            if (is_attacked(~side_, to, occupied_ ^ Bitboard::of(own_king))) {
                return "the king would stand in check on " + square_name(to);
            }
            return {};
        }
        if (!move.is_drop() && pinned().test(move.from()) && !aligned(own_king, move.from(), to)) {
            return "the piece on " + square_name(move.from()) + " is pinned to its king";
        }
        if (checkers().more_than_one()) return "only a king move answers a double check";
        if (in_check()) {
            const Square checker = checkers().lowest();
            if (to != checker && !between(own_king, checker).test(to)) {
                return "the check by the piece on " + square_name(checker) + " is not answered";
            }
        }
    }
    if (!is_legal(move)) return "dropping a pawn to give mate is forbidden (drop-pawn mate)";
    return {};
}

std::string Position::why_illegal(Move move) const {
    if (!move) return "no move";
    const Parts parts = take_apart(move, side_);
    if (!parts.well_formed) {
        const bool other_side = take_apart(move, ~side_).well_formed;
        return other_side ? "it is " + side_name(side_) + "'s turn" : "not a move at all";
    }
    if (parts.promotes && !can_promote(parts.type))
        return "a " + kind_name(parts.type) + " cannot promote";
    std::string reason = parts.drop ? why_not_drop(move) : why_not_board_move(move);
    if (reason.empty()) reason = why_not_safe(move);
    return reason;
}

Move Position::move_from_bits16(std::uint16_t bits) const noexcept {
    const Move raw = Move::from_bits(bits);
    const std::uint32_t origin = (bits >> 7) & 127U;
    if ((bits & 127U) >= kSquares) return kNoMove;
    if (raw.is_drop()) {
        if (raw.is_promotion() || origin <= kSquares || origin > kSquares + kHandKinds)
            return kNoMove;
        return Move::drop(raw.dropped(), raw.to(), side_);
    }
    if (origin >= kSquares) return kNoMove;
    const Piece piece = piece_on(raw.from());
    if (piece == kNoPiece || (raw.is_promotion() && !can_promote(type_of(piece)))) return kNoMove;
    return Move::board(raw.from(), raw.to(), piece, raw.is_promotion());
}

CheckInfo Position::check_info() const noexcept {
    CheckInfo info;
    info.king = king(~side_);
    if (info.king == kNoSquare) return info;
    const auto at = [&info](PieceType t) -> Bitboard& {
        return info.squares[static_cast<std::size_t>(index(t))];
    };
    // A piece of ours on X bears on their king when their piece of that kind on the king's square
    // would bear on X.
    const Color back = ~side_;
    const Bitboard along_file = file_attacks(info.king, occupied_);
    at(PieceType::pawn) = steps(back, PieceType::pawn, info.king);
    at(PieceType::knight) = steps(back, PieceType::knight, info.king);
    at(PieceType::silver) = steps(back, PieceType::silver, info.king);
    at(PieceType::gold) = steps(back, PieceType::gold, info.king);
    at(PieceType::lance) = along_file & lance_ray(back, info.king);
    at(PieceType::bishop) = bishop_attacks(info.king, occupied_);
    at(PieceType::rook) = along_file | line_attacks<Axis::rank>(info.king, occupied_);
    at(PieceType::horse) = at(PieceType::bishop) | king_steps(info.king);
    at(PieceType::dragon) = at(PieceType::rook) | king_steps(info.king);
    for (const PieceType t : {PieceType::pro_pawn,
                              PieceType::pro_lance,
                              PieceType::pro_knight,
                              PieceType::pro_silver}) {
        at(t) = at(PieceType::gold);
    }
    info.discoverers = scan_king(~side_).blockers & pieces(side_);
    return info;
}

bool Position::gives_check(Move move, const CheckInfo& info) const noexcept {
    if (info.king == kNoSquare) return false;
    if (info.squares[static_cast<std::size_t>(index(type_of(move.piece_after())))].test(move.to()))
        return true;
    return !move.is_drop() && info.discoverers.test(move.from()) &&
           !aligned(info.king, move.from(), move.to());
}

bool Position::gives_check(Move move) const {
    return gives_check(move, check_info());
}

}  // namespace yomi::shogi
