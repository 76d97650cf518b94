#pragma once

#include <array>
#include <string>

#include "core/shogi/types.hpp"

namespace yomi::shogi {

/// USI's name of a square, "7g".
inline std::string square_name(Square s) {
    return {static_cast<char>('1' + file_of(s)), static_cast<char>('a' + rank_of(s))};
}

/// "Black" or "White", for messages.
inline std::string side_name(Color c) {
    return c == Color::black ? "Black" : "White";
}

/// "black" or "white": the word on the wire.
inline std::string side_word(Color c) {
    return c == Color::black ? "black" : "white";
}

/// The order in which SFEN writes a hand, and everything else that lists one.
inline constexpr std::array<PieceType, kHandKinds> kHandOrder{PieceType::rook,
                                                              PieceType::bishop,
                                                              PieceType::gold,
                                                              PieceType::silver,
                                                              PieceType::knight,
                                                              PieceType::lance,
                                                              PieceType::pawn};

/// English name of a kind in running text, "promoted pawn".
inline std::string kind_name(PieceType t) {
    switch (t) {
        case PieceType::pawn:
            return "pawn";
        case PieceType::lance:
            return "lance";
        case PieceType::knight:
            return "knight";
        case PieceType::silver:
            return "silver";
        case PieceType::bishop:
            return "bishop";
        case PieceType::rook:
            return "rook";
        case PieceType::gold:
            return "gold";
        case PieceType::king:
            return "king";
        case PieceType::pro_pawn:
            return "promoted pawn";
        case PieceType::pro_lance:
            return "promoted lance";
        case PieceType::pro_knight:
            return "promoted knight";
        case PieceType::pro_silver:
            return "promoted silver";
        case PieceType::horse:
            return "horse";
        case PieceType::dragon:
            return "dragon";
        case PieceType::none:
            break;
    }
    return "no piece";
}

/// The letter of a kind in SFEN and USI, upper case, promotion ignored; '?' for none.
constexpr char kind_letter(PieceType t) noexcept {
    return "?PLNSBRGK"[index(unpromote(t))];
}

}  // namespace yomi::shogi
