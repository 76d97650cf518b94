#include "core/shogi/notation/text.hpp"

#include <array>
#include <string_view>

#include "core/shogi/names.hpp"
#include "core/shogi/notation/japanese_move.hpp"

namespace yomi::shogi {

namespace {

constexpr std::array<std::string_view, kPieceTypes> kLetters{
    "", "P", "L", "N", "S", "B", "R", "G", "K", "+P", "+L", "+N", "+S", "+B", "+R"};

template <class Table>
std::string_view at(const Table& table, int i) noexcept {
    return table[static_cast<std::size_t>(i)];
}

/// Whether the rules offered a promotion that `move` does not take.
bool declines_promotion(const Position& position, Move move) noexcept {
    if (move.is_drop() || move.is_promotion() || !can_promote(type_of(move.piece_before()))) {
        return false;
    }
    const Bitboard zone = promotion_zone(position.side_to_move());
    return zone.test(move.from()) || zone.test(move.to());
}

}  // namespace

std::string to_japanese(const Position& position, Move move) {
    const Color side = position.side_to_move();
    const PieceType type = type_of(move.piece_before());
    const Bitboard candidates =
        position.attackers(side, move.to(), position.occupied()) & position.pieces(side, type);
    const Move last = position.last_move();
    return (side == Color::black ? "☗" : "☖") +
           ki2_move(move, last ? last.to() : kNoSquare, direction_words(move, candidates));
}

std::string to_english(const Position& position, Move move) {
    std::string text(at(kLetters, index(type_of(move.piece_before()))));
    if (move.is_drop()) return text + '*' + square_name(move.to());
    text += square_name(move.from());
    text += position.is_capture(move) ? 'x' : '-';
    text += square_name(move.to());
    if (move.is_promotion()) text += '+';
    if (declines_promotion(position, move)) text += '=';
    return text;
}

}  // namespace yomi::shogi
