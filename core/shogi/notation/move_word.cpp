#include "core/shogi/notation/move_word.hpp"

#include <array>

#include "core/shogi/names.hpp"

namespace yomi::shogi {
namespace {

constexpr std::array<std::string_view, kPieceTypes> kCsaNames{
    "  ", "FU", "KY", "KE", "GI", "KA", "HI", "KI", "OU", "TO", "NY", "NK", "NG", "UM", "RY"};

constexpr bool is_file(char c) {
    return c >= '1' && c <= '9';
}
constexpr bool is_rank_letter(char c) {
    return c >= 'a' && c <= 'i';
}

std::optional<PieceType> droppable(char letter) {
    const char upper = letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 32) : letter;
    for (int t = 1; t <= kHandKinds; ++t) {
        if (kind_letter(static_cast<PieceType>(t)) == upper) return static_cast<PieceType>(t);
    }
    return std::nullopt;
}

}  // namespace

std::string_view csa_name(PieceType type) noexcept {
    return kCsaNames[static_cast<std::size_t>(index(type))];
}

std::optional<PieceType> csa_kind(std::string_view name) noexcept {
    for (int t = 1; t < kPieceTypes; ++t) {
        if (kCsaNames[static_cast<std::size_t>(t)] == name) return static_cast<PieceType>(t);
    }
    return std::nullopt;
}

std::optional<MoveWord> scan_usi_word(const RecordCursor& cursor, std::string_view text) {
    if (text.size() < 4) return std::nullopt;
    MoveWord word;
    if ((text[1] == '*' || text[1] == '\'') && is_file(text[2]) && is_rank_letter(text[3])) {
        const auto kind = droppable(text[0]);
        if (!kind) return std::nullopt;
        word.length = 4;
        word.move = Move::drop(*kind, make_square(text[2] - '1', text[3] - 'a'), cursor.side());
        return word;
    }
    if (!is_file(text[0]) || !is_rank_letter(text[1]) || !is_file(text[2]) ||
        !is_rank_letter(text[3])) {
        return std::nullopt;
    }
    const Square from = make_square(text[0] - '1', text[1] - 'a');
    const Square to = make_square(text[2] - '1', text[3] - 'a');
    const bool promotes = text.size() > 4 && text[4] == '+';
    word.length = promotes ? 5 : 4;
    const Piece piece = cursor.piece_on(from);
    if (piece == kNoPiece) {
        word.fault = "there is no piece on " + square_name(from);
    } else if (promotes && !can_promote(type_of(piece))) {
        word.fault = is_promoted(type_of(piece))
                         ? "the piece on " + square_name(from) + " is promoted already"
                         : "a " + kind_name(type_of(piece)) + " cannot promote";
    } else {
        word.move = Move::board(from, to, piece, promotes);
    }
    return word;
}

std::optional<MoveWord> scan_csa_word(const RecordCursor& cursor, std::string_view text) {
    std::size_t i = 0;
    std::optional<Color> sign;
    if (!text.empty() && (text[0] == '+' || text[0] == '-')) {
        sign = text[0] == '+' ? Color::black : Color::white;
        i = 1;
    }
    if (text.size() < i + 6) return std::nullopt;
    for (std::size_t k = i; k < i + 4; ++k) {
        if (text[k] < '0' || text[k] > '9') return std::nullopt;
    }
    const auto kind = csa_kind(text.substr(i + 4, 2));
    if (!kind || !is_file(text[i + 2]) || !is_file(text[i + 3])) return std::nullopt;
    MoveWord word;
    word.length = i + 6;
    const Square to = make_square(text[i + 2] - '1', text[i + 3] - '1');
    if (text[i] == '0' && text[i + 1] == '0') {
        if (index(*kind) > kHandKinds) {
            word.fault = "a " + kind_name(*kind) + " cannot be dropped";
        } else {
            word.move = Move::drop(*kind, to, sign.value_or(cursor.side()));
        }
        return word;
    }
    if (!is_file(text[i]) || !is_file(text[i + 1])) return std::nullopt;
    const Square from = make_square(text[i] - '1', text[i + 1] - '1');
    const Piece piece = cursor.piece_on(from);
    const PieceType type = type_of(piece);
    if (piece == kNoPiece) {
        word.fault = "there is no piece on " + square_name(from);
    } else if (sign && color_of(piece) != *sign) {
        word.fault =
            "the piece on " + square_name(from) + " is " + side_name(color_of(piece)) + "'s";
    } else if (type == *kind) {
        word.move = Move::board(from, to, piece, false);
    } else if (can_promote(type) && promote(type) == *kind) {
        word.move = Move::board(from, to, piece, true);
    } else {
        word.fault = "the piece on " + square_name(from) + " is a " + kind_name(type) +
                     " and cannot become a " + kind_name(*kind);
    }
    return word;
}

std::string csa_move(Move move) {
    std::string text(1, color_of(move.piece_after()) == Color::black ? '+' : '-');
    const auto square = [&text](Square s) {
        text += static_cast<char>('1' + file_of(s));
        text += static_cast<char>('1' + rank_of(s));
    };
    if (move.is_drop()) {
        text += "00";
    } else {
        square(move.from());
    }
    square(move.to());
    return text += csa_name(type_of(move.piece_after()));
}

}  // namespace yomi::shogi
