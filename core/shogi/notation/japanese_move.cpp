#include "core/shogi/notation/japanese_move.hpp"

#include <array>
#include <utility>

#include "core/shogi/attacks.hpp"
#include "core/shogi/names.hpp"

namespace yomi::shogi {
namespace {

using Promotion = JapaneseMove::Promotion;

constexpr std::u32string_view kKanjiDigits = U"一二三四五六七八九";
constexpr std::array<std::string_view, 9> kFileDigits{
    "１", "２", "３", "４", "５", "６", "７", "８", "９"};
constexpr std::array<std::string_view, 9> kRankDigits{
    "一", "二", "三", "四", "五", "六", "七", "八", "九"};
constexpr std::array<std::string_view, kPieceTypes> kNames{
    "", "歩", "香", "桂", "銀", "角", "飛", "金", "玉", "と", "成香", "成桂", "成銀", "馬", "龍"};

bool is_blank(char32_t c) {
    return c == U' ' || c == U'\t' || c == U'\u00A0';
}

/// Reads a piece's name at `i` and steps over it.
PieceType scan_piece(std::u32string_view text, std::size_t& i) {
    if (i >= text.size()) return PieceType::none;
    if (text[i] == U'成' && i + 1 < text.size()) {
        const auto kind = kind_of_kanji(text[i + 1]);
        if (!kind || *kind == PieceType::pawn || !can_promote(*kind)) return PieceType::none;
        i += 2;
        return promote(*kind);
    }
    const auto kind = kind_of_kanji(text[i]);
    if (!kind) return PieceType::none;
    ++i;
    // 飛車, 角行 in full; 行 alone behind 角 may be the direction, so 角行 is left to that.
    if (*kind == PieceType::rook && i < text.size() && text[i] == U'車') ++i;
    return *kind;
}

/// Reads the directions, 成, 不成 and 打 in any order.
void scan_marks(std::u32string_view text, std::size_t& i, JapaneseMove& move) {
    for (; i < text.size(); ++i) {
        switch (text[i]) {
            case U'右':
                move.right = true;
                break;
            case U'左':
                move.left = true;
                break;
            case U'直':
                move.straight = true;
                break;
            case U'上':
            case U'行':
                move.up = true;
                break;
            case U'寄':
                move.sideways = true;
                break;
            case U'引':
            case U'下':
                move.down = true;
                break;
            case U'打':
                move.drop = true;
                break;
            case U'成':
                move.promotion = Promotion::yes;
                break;
            case U'生':
                move.promotion = Promotion::no;
                break;
            case U'不':
                if (i + 1 >= text.size() || text[i + 1] != U'成') return;
                move.promotion = Promotion::no;
                ++i;
                break;
            default:
                return;
        }
    }
}

/// Reads "(77)"; "(00)" is how some programs write a drop.
void scan_origin(std::u32string_view text, std::size_t& i, JapaneseMove& move) {
    std::size_t k = i;
    while (k < text.size() && is_blank(text[k]))
        ++k;
    if (k + 3 >= text.size() || text[k] != U'(' || text[k + 3] != U')') return;
    const int file = digit_value(text[k + 1]);
    const int rank = digit_value(text[k + 2]);
    if (file > 0 && rank > 0) {
        move.from = make_square(file - 1, rank - 1);
    } else if (text[k + 1] == U'0' && text[k + 2] == U'0') {
        move.drop = true;
    } else {
        return;
    }
    i = k + 4;
}

/// Steps forward of a board move as its mover sees it: > 0 up, 0 sideways, < 0 down.
int steps_up(Square from, Square to, Color color) {
    const int up = rank_of(from) - rank_of(to);
    return color == Color::black ? up : -up;
}
/// Files to the right of `from`'s own file as the mover sees the board; greater is further right.
int rightness(Square from, Color color) {
    return color == Color::black ? -file_of(from) : file_of(from);
}
int sign(int n) {
    return (n > 0) - (n < 0);
}

bool moves_straight_up(Square from, Square to, Color color) {
    return file_of(from) == file_of(to) && steps_up(from, to, color) == 1;
}

/// 直 and right or left of the destination are words for pieces that step: gold, silver and the
/// promoted ones that move like gold. The far ones are right or left of each other.
bool is_near_mover(PieceType type) {
    return type == PieceType::silver || moves_like_gold(type);
}

Bitboard filter_by_words(const JapaneseMove& words, Bitboard candidates, Color color, Square to) {
    Bitboard kept;
    for (const Square from : candidates) {
        const int up = sign(steps_up(from, to, color));
        const bool motion_said = words.up || words.sideways || words.down;
        const bool motion_fits =
            (words.up && up > 0) || (words.sideways && up == 0) || (words.down && up < 0);
        if (motion_said && !motion_fits) continue;
        if (words.straight && !moves_straight_up(from, to, color)) continue;
        kept |= Bitboard::of(from);
    }
    if (!words.right && !words.left) return kept;
    // Of the rest the ones furthest to that side.
    int best = 0;
    Bitboard outer;
    for (const Square from : kept) {
        const int side = rightness(from, color) * (words.right ? 1 : -1);
        if (!outer.any() || side > best) {
            best = side;
            outer = Bitboard::of(from);
        } else if (side == best) {
            outer |= Bitboard::of(from);
        }
    }
    return outer;
}

bool can_promote_between(Color color, Square from, Square to) {
    const Bitboard zone = promotion_zone(color);
    return zone.test(from) || zone.test(to);
}

bool is_single(const Bitboard& set) {
    return set.any() && !set.more_than_one();
}

tl::unexpected<Error> not_possible(std::string message) {
    return fail(Error{.code = ErrorCode::illegal_move, .message = std::move(message)});
}

Result<Move> resolve_with_origin(const RecordCursor& cursor,
                                 const JapaneseMove& words,
                                 Square to,
                                 std::vector<ReadingNote>& notes) {
    const Piece piece = cursor.piece_on(words.from);
    if (piece == kNoPiece) return not_possible("there is no piece on " + square_name(words.from));
    if (words.from == to) return not_possible("the move does not leave " + square_name(to));
    const PieceType type = type_of(piece);
    bool promotes = words.promotion == Promotion::yes;
    if (words.piece != type) {
        if (can_promote(type) && promote(type) == words.piece && !promotes) {
            promotes = true;
            notes.push_back({"named_by_result",
                             "the move is written with the piece's promoted name; read as a "
                             "promotion"});
        } else {
            notes.push_back({"piece_mismatch",
                             "a " + kind_name(words.piece) + " is written but a " +
                                 kind_name(type) + " stands on " + square_name(words.from)});
        }
    }
    if (promotes && !can_promote(type))
        return not_possible("a " + kind_name(type) + " cannot promote");
    return Move::board(words.from, to, piece, promotes);
}

Result<Move> resolve_drop(const RecordCursor& cursor, const JapaneseMove& words, Square to) {
    if (is_promoted(words.piece) || words.piece == PieceType::king)
        return not_possible("a " + kind_name(words.piece) + " cannot be dropped");
    const Move move = Move::drop(words.piece, to, cursor.side());
    if (std::string why = cursor.why_unplayable(move); !why.empty())
        return not_possible(std::move(why));
    return move;
}

/// Legal with or without promotion.
bool may_move(const RecordCursor& cursor, Square from, Square to) {
    const Piece piece = cursor.piece_on(from);
    if (cursor.is_legal(Move::board(from, to, piece, false))) return true;
    return can_promote(type_of(piece)) && cursor.is_legal(Move::board(from, to, piece, true));
}

Result<Square> choose_origin(const RecordCursor& cursor,
                             Bitboard candidates,
                             Square to,
                             std::vector<ReadingNote>& notes) {
    if (is_single(candidates)) return candidates.lowest();
    Bitboard legal;
    std::string listed;
    for (const Square from : candidates) {
        if (cursor.position() != nullptr && may_move(cursor, from, to)) legal |= Bitboard::of(from);
        listed += (listed.empty() ? "" : ", ") + square_name(from);
    }
    if (is_single(legal)) {
        notes.push_back({"only_legal_reading",
                         "several pieces could be meant; only the one on " +
                             square_name(legal.lowest()) + " may move there"});
        return legal.lowest();
    }
    return fail(Error{.code = ErrorCode::bad_notation,
                      .message = "ambiguous: the piece may come from " + listed,
                      .hint = "write which one: 右 左 直 上 寄 引, or its square as in KIF"});
}

}  // namespace

std::optional<Color> side_mark(char32_t c) noexcept {
    if (c == U'▲' || c == U'☗' || c == U'▼') return Color::black;
    if (c == U'△' || c == U'☖' || c == U'▽') return Color::white;
    return std::nullopt;
}

int digit_value(char32_t c) noexcept {
    if (c >= U'1' && c <= U'9') return static_cast<int>(c - U'0');
    const std::size_t at = kKanjiDigits.find(c);
    return at == std::u32string_view::npos ? 0 : static_cast<int>(at) + 1;
}

std::optional<PieceType> kind_of_kanji(char32_t c) noexcept {
    switch (c) {
        case U'歩':
            return PieceType::pawn;
        case U'香':
            return PieceType::lance;
        case U'桂':
            return PieceType::knight;
        case U'銀':
            return PieceType::silver;
        case U'角':
            return PieceType::bishop;
        case U'飛':
            return PieceType::rook;
        case U'金':
            return PieceType::gold;
        case U'玉':
        case U'王':
            return PieceType::king;
        case U'と':
            return PieceType::pro_pawn;
        case U'杏':
            return PieceType::pro_lance;
        case U'圭':
            return PieceType::pro_knight;
        case U'全':
            return PieceType::pro_silver;
        case U'馬':
            return PieceType::horse;
        case U'龍':
        case U'竜':
            return PieceType::dragon;
        default:
            return std::nullopt;
    }
}

std::string_view kanji_name(PieceType type) noexcept {
    return kNames[static_cast<std::size_t>(index(type))];
}

std::string japanese_square(Square square) {
    std::string text(kFileDigits[static_cast<std::size_t>(file_of(square))]);
    return text += kRankDigits[static_cast<std::size_t>(rank_of(square))];
}

std::optional<JapaneseMove> scan_japanese_move(std::u32string_view text) {
    JapaneseMove move;
    std::size_t i = 0;
    const auto skip_blanks = [&] {
        while (i < text.size() && is_blank(text[i]))
            ++i;
    };
    if (i < text.size()) {
        move.mark = side_mark(text[i]);
        if (move.mark) ++i;
    }
    skip_blanks();
    if (i >= text.size()) return std::nullopt;
    if (text[i] == U'同') {
        move.same = true;
        ++i;
        skip_blanks();
    } else {
        const int file = i + 1 < text.size() ? digit_value(text[i]) : 0;
        const int rank = i + 1 < text.size() ? digit_value(text[i + 1]) : 0;
        if (file == 0 || rank == 0) return std::nullopt;
        move.to = make_square(file - 1, rank - 1);
        i += 2;
        // "７六同歩" with both is seen now and then.
        if (i < text.size() && text[i] == U'同') ++i;
        skip_blanks();
    }
    move.piece = scan_piece(text, i);
    if (move.piece == PieceType::none) return std::nullopt;
    scan_marks(text, i, move);
    scan_origin(text, i, move);
    move.length = i;
    return move;
}

Bitboard origins(
    const Setup& setup, const Bitboard& occupied, Color color, PieceType type, Square to) {
    Bitboard set;
    const Piece wanted = make_piece(color, type);
    for (int s = 0; s < kSquares; ++s) {
        const auto from = static_cast<Square>(s);
        if (setup.board[static_cast<std::size_t>(s)] == wanted &&
            attacks(wanted, from, occupied).test(to)) {
            set |= Bitboard::of(from);
        }
    }
    return set;
}

Result<Move> resolve(const RecordCursor& cursor,
                     const JapaneseMove& words,
                     std::vector<ReadingNote>& notes) {
    const Square to = words.same ? cursor.last_to() : words.to;
    if (to == kNoSquare) {
        return fail(Error{.code = ErrorCode::bad_notation,
                          .message = "同 has no move before it whose square it could mean"});
    }
    if (words.from != kNoSquare) {
        if (words.drop) return fail(ErrorCode::bad_notation, "a drop (打) has no square of origin");
        return resolve_with_origin(cursor, words, to, notes);
    }
    if (words.drop) return resolve_drop(cursor, words, to);

    const Color color = cursor.side();
    Bitboard candidates;
    const Piece target = cursor.piece_on(to);
    if (target == kNoPiece || color_of(target) != color)
        candidates = origins(cursor.setup(), cursor.occupied(), color, words.piece, to);
    if (!candidates.any()) {
        const bool in_hand =
            !is_promoted(words.piece) && words.piece != PieceType::king &&
            cursor.setup().hands[static_cast<std::size_t>(index(color))].has(words.piece);
        if (in_hand && !words.has_direction() && words.promotion == Promotion::unsaid)
            return resolve_drop(cursor, words, to);
        return not_possible("no " + kind_name(words.piece) + " of " + side_name(color) +
                            " moves to " + square_name(to));
    }
    if (words.has_direction()) candidates = filter_by_words(words, candidates, color, to);
    if (!candidates.any()) {
        return not_possible("no " + kind_name(words.piece) + " of " + side_name(color) +
                            " moves to " + square_name(to) + " in that direction");
    }
    const auto from = choose_origin(cursor, candidates, to, notes);
    if (!from) return fail(from.error());
    const Piece piece = cursor.piece_on(*from);
    bool promotes = words.promotion == Promotion::yes;
    if (promotes && !can_promote(words.piece))
        return not_possible("a " + kind_name(words.piece) + " cannot promote");
    if (words.promotion == Promotion::unsaid && can_promote(words.piece) &&
        can_promote_between(color, *from, to) && !living_squares(color, words.piece).test(to)) {
        promotes = true;
        notes.push_back(
            {"forced_promotion", "the piece could never move again; read as a promotion"});
    }
    return Move::board(*from, to, piece, promotes);
}

std::string direction_words(Move move, const Bitboard& candidates) {
    if (move.is_drop()) return candidates.any() ? "打" : "";
    const Bitboard others = candidates.without(Bitboard::of(move.from()));
    if (!others.any()) return {};
    const Color color = color_of(move.piece_after());
    const Square to = move.to();
    const int motion = sign(steps_up(move.from(), to, color));
    const std::string motion_word = motion > 0 ? "上" : motion == 0 ? "寄" : "引";
    bool motion_alone = true;
    for (const Square from : others)
        motion_alone = motion_alone && sign(steps_up(from, to, color)) != motion;
    if (motion_alone) return motion_word;

    const bool near = is_near_mover(type_of(move.piece_before()));
    if (near && moves_straight_up(move.from(), to, color)) return "直";
    // Near ones stand right or left of the square that they go to; far ones of each other.
    const int here = rightness(move.from(), color);
    bool right = here > rightness(to, color);
    bool shared = false;  // another one on that side
    if (near) {
        for (const Square from : others) {
            const int side = sign(rightness(from, color) - rightness(to, color));
            shared = shared || side == (right ? 1 : -1);
        }
    } else {
        int least = rightness(others.lowest(), color);
        for (const Square from : others)
            least = std::min(least, rightness(from, color));
        right = here > least;
        for (const Square from : others) {
            const int side = rightness(from, color);
            shared = shared || (right ? side >= here : side <= here);
        }
    }
    std::string words = right ? "右" : "左";
    return shared ? words + motion_word : words;
}

std::string ki2_move(Move move, Square last_to, std::string_view words) {
    std::string text = move.to() == last_to ? "同　" : japanese_square(move.to());
    const PieceType type = type_of(move.piece_before());
    text += kanji_name(type);
    text += words;
    if (move.is_drop()) return text;
    if (move.is_promotion()) return text += "成";
    const bool declined = can_promote(type) &&
                          can_promote_between(color_of(move.piece_after()), move.from(), move.to());
    return declined ? text += "不成" : text;
}

std::string kif_move(Move move, Square last_to) {
    std::string text = move.to() == last_to ? "同　" : japanese_square(move.to());
    text += kanji_name(type_of(move.piece_before()));
    if (move.is_drop()) return text += "打";
    if (move.is_promotion()) text += "成";
    text += '(';
    text += static_cast<char>('1' + file_of(move.from()));
    text += static_cast<char>('1' + rank_of(move.from()));
    return text += ')';
}

std::string ki2_move(const RecordCursor& cursor, Move move) {
    const PieceType type = type_of(move.piece_before());
    const Bitboard candidates =
        origins(cursor.setup(), cursor.occupied(), color_of(move.piece_after()), type, move.to());
    return ki2_move(move, cursor.last_to(), direction_words(move, candidates));
}

}  // namespace yomi::shogi
