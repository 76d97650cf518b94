#include "core/shogi/notation/bod.hpp"

#include <array>

#include "core/shogi/names.hpp"
#include "core/shogi/notation/japanese_move.hpp"
#include "core/shogi/notation/record_builder.hpp"
#include "core/shogi/notation/record_cursor.hpp"

namespace yomi::shogi {
namespace {

constexpr std::array<std::string_view, 9> kRankNames{
    "一", "二", "三", "四", "五", "六", "七", "八", "九"};
/// On a diagram each piece is one character.
constexpr std::array<std::string_view, kPieceTypes> kCellNames{
    "・", "歩", "香", "桂", "銀", "角", "飛", "金", "玉", "と", "杏", "圭", "全", "馬", "龍"};
constexpr std::array<std::string_view, 19> kCounts{"",
                                                   "",
                                                   "二",
                                                   "三",
                                                   "四",
                                                   "五",
                                                   "六",
                                                   "七",
                                                   "八",
                                                   "九",
                                                   "十",
                                                   "十一",
                                                   "十二",
                                                   "十三",
                                                   "十四",
                                                   "十五",
                                                   "十六",
                                                   "十七",
                                                   "十八"};

bool is_blank(char32_t c) {
    return c == U' ' || c == U'\t';
}

bool is_empty_cell(char32_t c) {
    return c == U'・' || c == U'.' || c == U'口' || c == U'･' || c == U'*' || c == U' ' ||
           c == U'□' || c == U'-';
}

tl::unexpected<Error> fault(std::string message, std::size_t at, std::u32string_view points) {
    return fail_at(ErrorCode::bad_notation,
                   std::move(message),
                   static_cast<int>(at) + 1,
                   at < points.size() ? to_utf8(points.substr(at, 1)) : std::string());
}

/// A count in kanji (二, 十, 十三, 二十) or digits at `i`; 1 if there is none.
int scan_count(std::u32string_view points, std::size_t& i) {
    int count = 0;
    bool any = false;
    for (; i < points.size() && count < 1000; ++i) {
        const char32_t c = points[i];
        if (c == U'十') {
            count = count == 0 ? 10 : count * 10;
        } else if (c == U'0') {
            count *= 10;
        } else if (const int digit = digit_value(c); digit > 0) {
            count = c < 0x80 && any ? count * 10 + digit : count + digit;
        } else {
            break;
        }
        any = true;
    }
    return any ? count : 1;
}

}  // namespace

Result<void> DiagramReader::row(std::u32string_view points, int line) {
    if (rows_ == 0) first_line_ = line;
    std::size_t i = 0;
    while (i < points.size() && is_blank(points[i]))
        ++i;
    if (rows_ >= 9) return fault("the diagram has a tenth row", i, points);
    ++i;  // the bar
    for (int file = 8; file >= 0; --file) {
        // A mark (or a space) and a piece; programs that trim leave out the space.
        Color color = Color::black;
        if (i < points.size()) {
            const char32_t c = points[i];
            if (c == U'v' || c == U'V' || c == U'ｖ') {
                color = Color::white;
                ++i;
            } else if (c == U'^' || c == U'+' || is_blank(c)) {
                ++i;
            }
        }
        if (i >= points.size() || points[i] == U'|') {
            return fault("row " + std::to_string(rows_ + 1) + " of the diagram has " +
                             std::to_string(8 - file) + " squares instead of 9",
                         i,
                         points);
        }
        const char32_t c = points[i];
        Piece piece = kNoPiece;
        if (const auto kind = kind_of_kanji(c)) {
            piece = make_piece(color, *kind);
        } else if (!is_empty_cell(c)) {
            return fault("no piece is called \"" + to_utf8(points.substr(i, 1)) + '"', i, points);
        }
        ++i;
        setup_.board[static_cast<std::size_t>(make_square(file, rows_))] = piece;
    }
    while (i < points.size() && is_blank(points[i]))
        ++i;
    if (i < points.size() && points[i] != U'|') {
        return fault("row " + std::to_string(rows_ + 1) + " of the diagram has more than 9 squares",
                     i,
                     points);
    }
    ++rows_;
    return {};
}

Result<void> DiagramReader::hand(Color color, std::u32string_view points) {
    Hand hand;
    std::size_t i = 0;
    while (i < points.size()) {
        const char32_t c = points[i];
        if (is_blank(c) || c == U'、' || c == U',') {
            ++i;
            continue;
        }
        if (points.substr(i).starts_with(U"なし") || points.substr(i).starts_with(U"無し")) {
            i += 2;
            continue;
        }
        if (points.substr(i).starts_with(U"残り")) {
            rest_[static_cast<std::size_t>(index(color))] = true;
            i = points.size();
            continue;
        }
        const std::size_t start = i;
        const auto kind = kind_of_kanji(c);
        if (!kind)
            return fault("no piece is called \"" + to_utf8(points.substr(i, 1)) + '"', i, points);
        if (is_promoted(*kind) || *kind == PieceType::king)
            return fault("a " + kind_name(*kind) + " cannot be in hand", i, points);
        ++i;
        if (*kind == PieceType::rook && i < points.size() && points[i] == U'車') ++i;
        if (*kind == PieceType::bishop && i < points.size() && points[i] == U'行') ++i;
        const int count = scan_count(points, i) + hand.count(*kind);
        constexpr std::array<int, 8> kSet{0, 18, 4, 4, 4, 2, 2, 4};
        if (count > kSet[static_cast<std::size_t>(index(*kind))]) {
            return fault(std::to_string(count) + " " + kind_name(*kind) +
                             "s in hand are more than a set has",
                         start,
                         points);
        }
        hand.set(*kind, count);
    }
    setup_.hands[static_cast<std::size_t>(index(color))] = hand;
    return {};
}

std::string write_hand(const Hand& hand) {
    std::string text;
    for (const PieceType kind : kHandOrder) {
        if (!hand.has(kind)) continue;
        if (!text.empty()) text += "　";
        text += kCellNames[static_cast<std::size_t>(index(kind))];
        const int count = hand.count(kind);
        if (count < 19) text += kCounts[static_cast<std::size_t>(count)];
    }
    return text.empty() ? "なし" : text;
}

std::string write_diagram(const Setup& setup) {
    std::string text = "後手の持駒：" + write_hand(setup.hands[1]) + "\n";
    text += "  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n";
    for (int rank = 0; rank < 9; ++rank) {
        text += '|';
        for (int file = 8; file >= 0; --file) {
            const Piece piece = setup.board[static_cast<std::size_t>(make_square(file, rank))];
            const bool white = piece != kNoPiece && color_of(piece) == Color::white;
            text += white ? 'v' : ' ';
            text += kCellNames[static_cast<std::size_t>(index(type_of(piece)))];
        }
        text += '|';
        text += kRankNames[static_cast<std::size_t>(rank)];
        text += '\n';
    }
    text += "+---------------------------+\n先手の持駒：" + write_hand(setup.hands[0]) + "\n";
    return text;
}

std::string ply_line(const Record& record) {
    if (record.root().ply <= 1) return {};
    const std::string& last = record.last_before_root();
    return "手数＝" + std::to_string(record.root().ply - 1) + "  " + last +
           (last.empty() ? "まで\n" : "  まで\n");
}

WrittenRecord write_bod(const Record& record) {
    RecordCursor cursor(record.root());
    cursor.go_to(record.tree(), record.main_line().back());
    WrittenRecord out;
    out.text = write_diagram(cursor.setup());
    const Setup& setup = cursor.setup();
    if (const Move last = record.tree()[cursor.node()].move) {
        out.text += "手数＝" + std::to_string(setup.ply - 1) + "  " + kif_move(last, kNoSquare) +
                    "  まで\n";
    } else if (setup.ply > 1) {
        out.text += ply_line(record);
    }
    if (setup.side_to_move == Color::white) out.text += "後手番\n";
    if (record.tree().size() > record.main_line().size() - 1) {
        out.warnings.push_back({.code = "variations_left_out",
                                .message = "a diagram shows the end of the main line only"});
    }
    return out;
}

}  // namespace yomi::shogi
