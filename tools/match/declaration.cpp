#include "tools/match/declaration.hpp"

namespace yomi::match {
namespace {

int points_of(shogi::PieceType type) {
    const shogi::PieceType plain = shogi::unpromote(type);
    const bool big = plain == shogi::PieceType::bishop || plain == shogi::PieceType::rook;
    return big ? 5 : 1;
}

}  // namespace

bool may_declare_27(const shogi::Position& position) {
    using shogi::Color;
    const Color side = position.side_to_move();
    const auto in_zone = [side](shogi::Square square) {
        const int rank = shogi::rank_of(square);
        return side == Color::black ? rank <= 2 : rank >= 6;
    };
    const shogi::Square king = position.king(side);
    if (king == shogi::kNoSquare || !in_zone(king) || position.in_check()) return false;

    int pieces = 0;
    int points = 0;
    for (int square = 0; square < shogi::kSquares; ++square) {
        const auto at = static_cast<shogi::Square>(square);
        const shogi::Piece piece = position.piece_on(at);
        if (piece == shogi::kNoPiece || shogi::color_of(piece) != side || at == king) continue;
        if (!in_zone(at)) continue;
        ++pieces;
        points += points_of(shogi::type_of(piece));
    }
    for (int kind = 1; kind <= shogi::kHandKinds; ++kind) {
        const auto type = static_cast<shogi::PieceType>(kind);
        points += position.hand(side).count(type) * points_of(type);
    }
    return pieces >= 10 && points >= (side == Color::black ? 28 : 27);
}

}  // namespace yomi::match
