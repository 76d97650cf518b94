#include "core/shogi/notation/kif_head.hpp"

#include <algorithm>

#include "core/shogi/notation/handicap.hpp"
#include "core/shogi/notation/sfen.hpp"

namespace yomi::shogi {
namespace {

/// 残り全部: what a set of pieces has beyond the board and the other hand.
void give_rest(Setup& setup, Color color) {
    std::array<int, 9> left{0, 18, 4, 4, 4, 2, 2, 4, 2};
    for (const Piece piece : setup.board) {
        if (piece != kNoPiece) --left[static_cast<std::size_t>(index(unpromote(type_of(piece))))];
    }
    Hand& hand = setup.hands[static_cast<std::size_t>(index(color))];
    const Hand other = setup.hands[static_cast<std::size_t>(index(~color))];
    for (int t = 1; t <= kHandKinds; ++t) {
        const auto kind = static_cast<PieceType>(t);
        const int count = left[static_cast<std::size_t>(t)] - other.count(kind);
        hand.set(kind, std::max(count, 0));
    }
}

}  // namespace

KifuHead::Done KifuHead::read_row(const KifuLine& line) {
    auto done = diagram_.row(line.points(), line.number());
    if (done) return {};
    Error error = std::move(done.error());
    error.line = line.number();
    return fail(std::move(error));
}

bool KifuHead::read_side(const KifuLine& line) {
    std::optional<Color> side;
    for (const auto& [word, color] : {std::pair{"先手番", Color::black},
                                      std::pair{"下手番", Color::black},
                                      std::pair{"後手番", Color::white},
                                      std::pair{"上手番", Color::white}}) {
        if (line.trimmed() == word) side = color;
    }
    if (!side) return false;
    if (!settled_) side_ = side;
    return true;
}

void KifuHead::read_ply(const KifuLine& line, std::size_t first) {
    std::size_t i = skip_blanks(line.points(), first + 3);
    const auto number = scan_number(line.points(), i);
    if (!number) {
        line.warn(
            builder_, "unknown_line", "手数＝ is followed by a number, above the moves", first);
        return;
    }
    ply_ = *number + 1;
    i = skip_blanks(line.points(), i);
    if (i < line.points().size() && side_mark(line.points()[i])) ++i;
    const auto last = scan_japanese_move(line.points().substr(i));
    if (last && !last->same) {
        last_to_ = last->to;
        builder_.record().set_last_before_root(line.original(i, last->length));
    }
}

KifuHead::Done KifuHead::read_header(const KifuLine& line, std::size_t first, std::size_t colon) {
    const std::string key(trim_blanks(line.original(first, colon - first)));
    const std::string whole = line.original(colon + 1);
    const std::string_view value = trim_blanks(whole);
    if (key.empty()) {
        line.warn(builder_, "unknown_line", "a header has no name", first);
        return {};
    }
    if (key.ends_with("持駒") || key.ends_with("持ち駒")) {
        const bool white = key.starts_with("後手") || key.starts_with("上手");
        if (!white && !key.starts_with("先手") && !key.starts_with("下手"))
            line.warn(
                builder_, "unknown_hand", "the hand's owner is not known; read as Black's", first);
        const Color color = white ? Color::white : Color::black;
        hands_seen_[static_cast<std::size_t>(index(color))] = true;
        auto done = diagram_.hand(color, line.points().substr(colon + 1));
        if (done) return {};
        Error error = std::move(done.error());
        error.line = line.number();
        error.column += static_cast<int>(colon) + 1;
        return fail(std::move(error));
    }
    if (key == "手合割" || key == "手合") {
        start_line_ = line.number();
        std::u32string folded;
        fold_line(value, folded);
        start_name_ = to_utf8(folded);
        return {};
    }
    builder_.record().add_header(key, std::string(value));
    return {};
}

KifuHead::Done KifuHead::settle() {
    settled_ = true;
    const Handicap* const start = find_handicap(start_name_);
    const TextPlace at{.line = start_line_, .column = start_line_ > 0 ? 1 : 0};
    Setup root = Position::startpos().setup();
    if (diagram_.started()) {
        auto drawn = drawn_root();
        if (!drawn) return fail(std::move(drawn.error()));
        root = *drawn;
        if (start != nullptr && start->sfen != std::string_view(to_sfen(root)) &&
            start->name != "hirate") {
            builder_.warn("handicap_ignored",
                          "the diagram is another position than the handicap; it is taken",
                          at,
                          start_name_);
        }
    } else if (start != nullptr) {
        if (auto setup = parse_sfen(start->sfen)) root = *setup;
        if (side_) root.side_to_move = *side_;
    } else {
        if (!start_name_.empty()) {
            builder_.warn("unknown_handicap",
                          "no handicap has this name and no diagram follows; read as 平手",
                          at,
                          start_name_);
        }
        if (side_) root.side_to_move = *side_;
    }
    if (!diagram_.started() && (hands_seen_[0] || hands_seen_[1]))
        builder_.warn("hand_without_diagram", "hands without a diagram are not read", at, {});
    if (start == nullptr && !start_name_.empty())
        builder_.record().add_header("手合割", start_name_);
    if (diagram_.started() || root != Position::startpos().setup()) {
        builder_.set_root(
            root, {.line = diagram_.started() ? diagram_.first_line() : start_line_, .column = 1});
    }
    builder_.cursor().set_root_last_to(last_to_);
    for (const auto& [mark, text] : notes_)
        take_note(builder_, mark, text);
    return {};
}

Result<Setup> KifuHead::drawn_root() {
    if (diagram_.rows() < 9) {
        return fail(Error{
            .code = ErrorCode::bad_notation,
            .message = "the diagram has " + std::to_string(diagram_.rows()) + " rows instead of 9",
            .line = diagram_.first_line(),
            .column = 1});
    }
    Setup setup = diagram_.setup();
    setup.side_to_move = side_.value_or(Color::black);
    setup.ply = std::max(ply_, 1);
    for (const Color color : {Color::black, Color::white}) {
        if (diagram_.rest_in_hand(color)) give_rest(setup, color);
    }
    if (!hands_seen_[0] && !hands_seen_[1]) {
        builder_.warn("hand_missing",
                      "the diagram says nothing about hands; read as empty",
                      {.line = diagram_.first_line(), .column = 1},
                      {});
    }
    return setup;
}

void KifuHead::infer_side(const JapaneseMove& words, const KifuLine& line, std::size_t index) {
    if (!builder_.at_root() || side_ || !diagram_.started()) return;
    side_ = builder_.cursor().side();
    std::optional<Color> mover = words.mark;
    if (words.from != kNoSquare) {
        const Piece piece = builder_.cursor().piece_on(words.from);
        if (piece != kNoPiece) mover = color_of(piece);
    }
    if (!mover || *mover == *side_) return;
    line.warn(builder_, "side_inferred", "the first move is White's, so it is White's turn", index);
    Setup root = builder_.record().root();
    root.side_to_move = *mover;
    side_ = mover;
    builder_.set_root(root, line.place(index));
    builder_.cursor().set_root_last_to(last_to_);
}

void KifuHead::take_note(RecordBuilder& builder, char mark, std::string_view text) {
    if (mark == '*') {
        builder.comment(text);
    } else if (mark == '&') {
        builder.bookmark(trim_blanks(text));
    } else {
        builder.program_comment(trim_blanks(text));
    }
}

}  // namespace yomi::shogi
