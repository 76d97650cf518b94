#include "core/shogi/notation/usi.hpp"

#include <algorithm>
#include <optional>

#include "core/shogi/movegen.hpp"
#include "core/shogi/names.hpp"
#include "core/shogi/notation/handicap.hpp"
#include "core/shogi/notation/sfen.hpp"

namespace yomi::shogi {
namespace {

constexpr bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/// 1-based column of byte `at`, in code points.
int column_of(std::string_view text, std::size_t at) {
    const std::string_view before = text.substr(0, at);
    return 1 + static_cast<int>(std::count_if(before.begin(), before.end(), [](char c) {
               return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
           }));
}

std::optional<Square> square_of(char file, char rank) {
    if (file < '1' || file > '9' || rank < 'a' || rank > 'i') return std::nullopt;
    return make_square(file - '1', rank - 'a');
}

std::optional<PieceType> hand_kind(char letter) {
    for (int t = 1; t <= kHandKinds; ++t) {
        if (kind_letter(static_cast<PieceType>(t)) == letter) return static_cast<PieceType>(t);
    }
    return std::nullopt;
}

/// A word of the text and where it starts; empty at the end.
struct Word {
    std::string_view text;
    std::size_t at;
};

Word next_word(std::string_view text, std::size_t at) {
    while (at < text.size() && is_space(text[at]))
        ++at;
    std::size_t end = at;
    while (end < text.size() && !is_space(text[end]))
        ++end;
    return {text.substr(at, end - at), at};
}

tl::unexpected<Error> not_a_move(std::string_view text, std::string_view why) {
    Error error{.code = ErrorCode::bad_notation, .message = std::string(why)};
    error.value = std::string(text);
    return fail(std::move(error));
}

/// Where the moves begin and what stands before them.
struct Split {
    std::string_view position;  ///< "startpos" or a SFEN
    std::size_t position_at = 0;
    bool has_moves = false;
    std::size_t moves_at = 0;  ///< first byte after the word "moves"
};

Split split(std::string_view text) {
    Split parts;
    Word word = next_word(text, 0);
    if (word.text == "position") word = next_word(text, word.at + word.text.size());
    parts.position_at = word.at;
    std::size_t end = word.at;
    while (!word.text.empty() && word.text != "moves") {
        end = word.at + word.text.size();
        word = next_word(text, end);
    }
    parts.position = text.substr(parts.position_at, end - parts.position_at);
    parts.has_moves = word.text == "moves";
    parts.moves_at = word.at + word.text.size();
    return parts;
}

tl::unexpected<Error> unknown_handicap(std::string_view text,
                                       const Split& parts,
                                       std::string_view word) {
    std::string names;
    for (const Handicap& handicap : handicaps()) {
        if (!names.empty()) names += ", ";
        names += handicap.name;
    }
    return fail_at(ErrorCode::bad_notation,
                   "no handicap has this name; known: " + names,
                   column_of(text, parts.position_at),
                   word);
}

Result<Setup> read_root(std::string_view text, const Split& parts) {
    const Word first = next_word(parts.position, 0);
    if (first.text.empty()) {
        return fail_at(
            ErrorCode::bad_notation, "the position is missing", column_of(text, parts.position_at));
    }
    const Handicap* const start =
        first.text == "startpos" ? handicaps().data() : find_handicap(first.text);
    if (start != nullptr) {
        const Word extra = next_word(parts.position, first.text.size());
        if (!extra.text.empty()) {
            return fail_at(ErrorCode::bad_notation,
                           "\"moves\" or nothing follows \"" + std::string(first.text) + '"',
                           column_of(text, parts.position_at + extra.at),
                           extra.text);
        }
        return parse_sfen(start->sfen);
    }
    if (first.text.starts_with("handicap:")) return unknown_handicap(text, parts, first.text);
    auto setup = parse_sfen(parts.position);
    if (!setup) {
        Error error = setup.error();
        error.column += column_of(text, parts.position_at) - 1;
        return fail(std::move(error));
    }
    return setup;
}

}  // namespace

std::string to_usi(Move move) {
    if (!move) return "none";
    if (move.is_drop()) {
        return std::string{kind_letter(move.dropped()), '*'} + square_name(move.to());
    }
    std::string text = square_name(move.from()) + square_name(move.to());
    if (move.is_promotion()) text += '+';
    return text;
}

Result<Move> parse_usi_move(std::string_view text, const Position& position) {
    Move move;
    if (text.size() == 4 && text[1] == '*') {
        const auto kind = hand_kind(text[0]);
        const auto to = square_of(text[2], text[3]);
        if (!kind) return not_a_move(text, "a dropped piece is one of P L N S G B R");
        if (!to) return not_a_move(text, "a square is a file 1-9 and a rank a-i");
        move = Move::drop(*kind, *to, position.side_to_move());
    } else if (text.size() == 4 || (text.size() == 5 && text[4] == '+')) {
        const auto from = square_of(text[0], text[1]);
        const auto to = square_of(text[2], text[3]);
        if (!from || !to) return not_a_move(text, "a square is a file 1-9 and a rank a-i");
        const bool promotes = text.size() == 5;
        const Piece piece = position.piece_on(*from);
        std::string reason;
        if (piece == kNoPiece) {
            reason = "there is no piece on " + square_name(*from);
        } else if (promotes && is_promoted(type_of(piece))) {
            reason = "the piece on " + square_name(*from) + " is promoted already";
        } else if (promotes && !can_promote(type_of(piece))) {
            reason = "a " + kind_name(type_of(piece)) + " cannot promote";
        } else if (color_of(piece) != position.side_to_move()) {
            reason = "the piece on " + square_name(*from) + " is " +
                     side_name(~position.side_to_move()) + "'s";
        }
        if (!reason.empty()) {
            return fail(Error{
                .code = ErrorCode::illegal_move, .message = reason, .value = std::string(text)});
        }
        move = Move::board(*from, *to, piece, promotes);
    } else {
        return not_a_move(text, "a move looks like 7g7f, 8h2b+ or P*5e");
    }
    if (!position.is_legal(move)) {
        return fail(Error{.code = ErrorCode::illegal_move,
                          .message = position.why_illegal(move),
                          .value = std::string(text)});
    }
    return move;
}

Result<UsiGame> parse_usi_position(std::string_view text, int max_moves) {
    const Split parts = split(text);
    auto root = read_root(text, parts);
    if (!root) return fail(root.error());
    auto position = Position::from_setup(*root);
    if (!position) {
        Error error = position.error();
        error.column = column_of(text, parts.position_at);
        return fail(std::move(error));
    }
    UsiGame game{*root, {}, std::move(*position)};
    if (!parts.has_moves) return game;
    for (Word word = next_word(text, parts.moves_at); !word.text.empty();
         word = next_word(text, word.at + word.text.size())) {
        if (game.moves.size() >= static_cast<std::size_t>(std::max(max_moves, 0))) {
            return fail_at(ErrorCode::bad_notation,
                           "more than " + std::to_string(max_moves) + " moves",
                           column_of(text, word.at),
                           word.text);
        }
        auto move = parse_usi_move(word.text, game.position);
        if (!move) {
            Error error = move.error();
            error.message = "move " + std::to_string(game.moves.size() + 1) + ": " + error.message;
            error.column = column_of(text, word.at);
            return fail(std::move(error));
        }
        game.position.do_move(*move);
        game.moves.push_back(*move);
    }
    return game;
}

}  // namespace yomi::shogi
