#include "core/shogi/notation/text.hpp"

#include <array>
#include <string_view>

#include "core/shogi/names.hpp"

namespace yomi::shogi {

namespace {

constexpr std::array<std::string_view, 9> kFullWidthDigits{
    "１", "２", "３", "４", "５", "６", "７", "８", "９"};
constexpr std::array<std::string_view, 9> kKanjiDigits{
    "一", "二", "三", "四", "五", "六", "七", "八", "九"};
constexpr std::array<std::string_view, kPieceTypes> kKanjiNames{
    "", "歩", "香", "桂", "銀", "角", "飛", "金", "玉", "と", "成香", "成桂", "成銀", "馬", "龍"};
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
    std::string text = position.side_to_move() == Color::black ? "☗" : "☖";
    const Square to = move.to();
    const Move last = position.last_move();
    if (last && last.to() == to) {
        text += "同　";
    } else {
        text += at(kFullWidthDigits, file_of(to));
        text += at(kKanjiDigits, rank_of(to));
    }
    text += at(kKanjiNames, index(type_of(move.piece_before())));
    if (move.is_drop()) return text += "打";
    if (move.is_promotion()) text += "成";
    if (declines_promotion(position, move)) text += "不成";
    const Square from = move.from();
    text += '(';
    text += static_cast<char>('1' + file_of(from));
    text += static_cast<char>('1' + rank_of(from));
    return text += ')';
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
