#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/shogi/bitboard.hpp"
#include "core/shogi/notation/record_cursor.hpp"
#include "core/shogi/types.hpp"

namespace yomi::shogi {

/// A move as Japanese records write it, taken apart but not yet understood: "７六歩(77)",
/// "同　銀右不成", "５五角打".
struct JapaneseMove {
    enum class Promotion : std::uint8_t { unsaid, yes, no };

    std::optional<Color> mark;  ///< ▲△ and the like in front
    bool same = false;          ///< 同
    Square to = kNoSquare;      ///< unless `same`
    PieceType piece = PieceType::none;
    Promotion promotion = Promotion::unsaid;
    bool drop = false;        ///< 打
    Square from = kNoSquare;  ///< of "(77)"
    bool right = false;       ///< 右
    bool left = false;        ///< 左
    bool straight = false;    ///< 直
    bool up = false;          ///< 上, 行
    bool sideways = false;    ///< 寄
    bool down = false;        ///< 引, 下
    std::size_t length = 0;   ///< code points

    [[nodiscard]] bool has_direction() const noexcept {
        return right || left || straight || up || sideways || down;
    }
};

/// The side that one of ▲△▼▽☗☖ stands for.
std::optional<Color> side_mark(char32_t c) noexcept;
/// 1..9 of a digit of either width, or 一..九; 0 for anything else.
int digit_value(char32_t c) noexcept;

/// Scans one move at the beginning of `text`, whose widths are folded (see `fold_width`); nothing
/// if there is none. Accepts the mark of the side, ranks as kanji or digits, 王 and 玉, 龍 and 竜,
/// 全 圭 杏, 生 for 不成, a space behind 同 or none.
std::optional<JapaneseMove> scan_japanese_move(std::u32string_view text);

/// What was settled though the words did not say it.
struct ReadingNote {
    std::string code;
    std::string message;
};

/// The move that the words mean on this board: by the origin where one is written, else by the
/// directions, as the federation's rules have them.
///
/// Without an origin: a piece on the board is preferred to a drop that is not called one; a
/// promotion that is not mentioned is not made, unless the piece could never move again; among
/// several pieces the only one that may legally move is taken. Each of the last two leaves a note.
/// A move with an origin is taken as it stands, foul or not.
///
/// Errors  illegal_move: no piece can be meant; bad_notation: several can ("ambiguous", with the
///         origins), contradictory words.
Result<Move> resolve(const RecordCursor& cursor,
                     const JapaneseMove& words,
                     std::vector<ReadingNote>& notes);

/// The origins of `color`'s pieces of that kind that bear on `to`, by how they move alone (pins do
/// not count, as usual in records).
Bitboard origins(const Setup& setup, const Bitboard& occupied, Color color, PieceType, Square to);

/// The federation's words for which of several pieces moves: "", "右", "左", "直", "上", "寄",
/// "引", "右上" ...; 打 for a drop that a piece on the board could be mistaken for.
///
/// Shape   `candidates` are the origins of all pieces of the mover's kind that bear on the
///         destination, the mover's own included unless it is a drop.
/// Source  日本将棋連盟 「棋譜の表記方法」: first the motion (上 寄 引), then right, left,
/// straight,
///         then both.
std::string direction_words(Move move, const Bitboard& candidates);

/// "７六歩", "同　銀", "２二角成", "４二金右", "５五角打": destination (or 同 and an ideographic
/// space when it is `last_to`), piece, `words`, 成, or 不成 where a promotion was declined.
std::string ki2_move(Move move, Square last_to, std::string_view words);
/// The same with the origin, as KIF has it: "７六歩(77)", "５五角打". Neither directions nor 不成.
std::string kif_move(Move move, Square last_to);
/// ki2_move on a record's board, directions included.
std::string ki2_move(const RecordCursor& cursor, Move move);

/// "歩" .. "龍", 玉 for a king.
std::string_view kanji_name(PieceType type) noexcept;
/// The kind that a kanji (on a diagram: one character, 王 too) stands for.
std::optional<PieceType> kind_of_kanji(char32_t c) noexcept;
/// "７六".
std::string japanese_square(Square square);

}  // namespace yomi::shogi
