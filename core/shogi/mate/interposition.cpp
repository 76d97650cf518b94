#include "core/shogi/mate/interposition.hpp"

#include <utility>

#include "core/shogi/attacks.hpp"
#include "core/shogi/mate/mate1.hpp"
#include "core/shogi/movegen.hpp"
#include "core/shogi/zobrist.hpp"

namespace yomi::shogi::mate {

namespace {

/// The slider on its new square, or no piece.
Piece slider_on(const Position& position, Square from, Square to, bool promotes) {
    const Piece slider = position.piece_on(from);
    const PieceType type = type_of(slider);
    const Color attacker = color_of(slider);
    if (!promotes) {
        return is_promoted(type) || living_squares(attacker, type).test(to) ? slider : kNoPiece;
    }
    const Bitboard zone = promotion_zone(attacker);
    if (!can_promote(type) || (!zone.test(from) && !zone.test(to))) return kNoPiece;
    return make_piece(attacker, promote(type));
}

}  // namespace

std::optional<Position> take_back(const Position& position, Square to, bool promotes) {
    const Square from = position.checkers().lowest();
    const Piece after = slider_on(position, from, to, promotes);
    if (after == kNoPiece) return std::nullopt;
    Setup setup = position.setup();
    setup.board[static_cast<std::size_t>(from)] = kNoPiece;
    setup.board[static_cast<std::size_t>(to)] = after;
    auto taken = Position::from_setup(setup);
    if (!taken || !taken->in_check()) return std::nullopt;
    return *std::move(taken);
}

std::optional<std::uint64_t> key_of_take_back(const Position& position, Square to, bool promotes) {
    const Square from = position.checkers().lowest();
    const Piece after = slider_on(position, from, to, promotes);
    if (after == kNoPiece) return std::nullopt;
    return position.board_key() ^ zobrist::board(position.piece_on(from), from) ^
           zobrist::board(after, to);
}

bool is_mated_by_convention(const Position& position) {
    if (!position.in_check() || has_board_move(position)) return false;
    MoveList replies;
    legal_moves(position, replies);
    Bitboard judged;
    for (const Move drop : replies) {
        if (judged.test(drop.to())) continue;
        judged.set(drop.to());
        bool futile = false;
        for (const bool promotes : {true, false}) {
            if (futile) break;
            const auto taken = take_back(position, drop.to(), promotes);
            futile = taken && is_mated_by_convention(*taken);
        }
        if (!futile) return false;
    }
    return true;
}

}  // namespace yomi::shogi::mate
