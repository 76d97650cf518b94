#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <utility>
#include <vector>

#include "core/shogi/names.hpp"
#include "core/shogi/notation/bod.hpp"
#include "core/shogi/notation/handicap.hpp"
#include "core/shogi/notation/japanese_move.hpp"
#include "core/shogi/notation/kif.hpp"
#include "core/shogi/notation/kif_lines.hpp"
#include "core/shogi/notation/kif_words.hpp"
#include "core/shogi/notation/record_builder.hpp"
#include "core/shogi/notation/sfen.hpp"

namespace yomi::shogi {
namespace {

using Points = std::u32string_view;

bool is_blank(char32_t c) {
    return c == U' ' || c == U'\t';
}
bool is_digit(char32_t c) {
    return c >= U'0' && c <= U'9';
}
std::size_t skip_blanks(Points points, std::size_t i) {
    while (i < points.size() && is_blank(points[i]))
        ++i;
    return i;
}

/// A decimal number at `i`, at most 8 digits of it; nothing if there is none.
std::optional<int> scan_number(Points points, std::size_t& i) {
    int value = 0;
    const std::size_t start = i;
    for (; i < points.size() && is_digit(points[i]); ++i) {
        if (i - start < 8) value = value * 10 + static_cast<int>(points[i] - U'0');
    }
    return i > start ? std::optional(value) : std::nullopt;
}

/// "0:07" or "1:02:03" at `i`, in milliseconds.
std::optional<std::chrono::milliseconds> scan_clock(Points points, std::size_t& i) {
    std::size_t k = skip_blanks(points, i);
    std::int64_t seconds = 0;
    int parts = 0;
    while (parts < 3) {
        const auto number = scan_number(points, k);
        if (!number) break;
        seconds = seconds * 60 + *number;
        ++parts;
        if (k >= points.size() || points[k] != U':') break;
        ++k;
    }
    if (parts < 2) return std::nullopt;
    i = skip_blanks(points, k);
    return std::chrono::seconds(seconds);
}

class KifuReader {
public:
    explicit KifuReader(const RecordLimits& limits) : builder_(limits) {}

    Result<ReadRecord> read(std::string_view text) {
        LineSplitter lines(text);
        TextLine line;
        while (lines.next(line)) {
            line_ = line;
            if (auto done = read_line(); !done) return fail(std::move(done.error()));
        }
        const bool silent = !moving_ && !diagram_.started() && !says_kif_ && start_line_ == 0 &&
                            notes_.empty() && builder_.record().headers().empty();
        if (silent) {
            return fail(Error{.code = ErrorCode::bad_notation,
                              .message = "the text has neither moves nor a diagram nor headers",
                              .line = 1,
                              .column = 1});
        }
        if (auto done = settle_root(); !done) return fail(std::move(done.error()));
        return builder_.finish(format());
    }

private:
    using Done = Result<void>;

    [[nodiscard]] RecordFormat format() const {
        if (numbered_ || says_kif_) return RecordFormat::kif;
        if (unnumbered_) return RecordFormat::ki2;
        return diagram_.started() ? RecordFormat::bod : RecordFormat::kif;
    }
    [[nodiscard]] TextPlace place(std::size_t index) const {
        return {.line = line_.number, .column = static_cast<int>(index) + 1};
    }
    /// The characters from `index` on, as they are written.
    [[nodiscard]] std::string original(std::size_t index, std::size_t length = Points::npos) const {
        std::u32string points;
        decode_points(line_.raw, points);
        return to_utf8(Points(points).substr(std::min(index, points.size()), length));
    }
    [[nodiscard]] bool starts(std::string_view word) const { return trimmed_.starts_with(word); }
    void warn(std::string_view code, std::string message, std::size_t index = 0) {
        builder_.warn(code, std::move(message), place(index), original(index));
    }

    Done read_line() {
        trimmed_ = trim_blanks(line_.raw);
        if (trimmed_.empty()) return {};
        // Comments first: most lines of a commented record, and they need no folding.
        if (trimmed_[0] == '*' || trimmed_[0] == '#' || trimmed_[0] == '&') return read_note();
        fold_line(line_.raw, points_);
        const std::size_t first = skip_blanks(points_, 0);
        const char32_t c = points_[first];
        if (c == U'|') return read_row();
        if (c == U'+' || starts("盤面回転") || starts("手数--") || is_file_labels(first)) return {};
        if (starts("まで")) return read_closing_line(first);
        if (starts("変化")) return read_variation(first);
        if (is_digit(c)) {
            if (const auto done = read_numbered(first)) return *done;
        }
        const bool move = scan_japanese_move(Points(points_).substr(first)).has_value();
        if (move && side_mark(c)) return read_moves(first);
        if (starts("手数＝") || starts("手数=")) return read_ply(first);
        if (read_side_line()) return {};
        const std::size_t colon = points_.find(U':');
        if (colon != std::u32string::npos && !moving_) return read_header(first, colon);
        if (move || side_mark(c)) return read_moves(first);
        if (const auto ending = ending_of_kif(trimmed_); ending && moving_)
            return end(*ending, {}, first);
        warn("unknown_line", "the line says nothing that a record has", first);
        return {};
    }

    Done read_note() {
        const bool program = trimmed_[0] == '#';
        if (program && trimmed_.starts_with("#KIF")) says_kif_ = true;
        // A comment keeps its spaces; only those in front of its mark go.
        const std::string_view text = line_.raw.substr(line_.raw.find(trimmed_[0]) + 1);
        if (!moving_) {
            // The board is not known before the first move: the diagram may come later.
            notes_.emplace_back(trimmed_[0], text);
            return {};
        }
        take_note(trimmed_[0], text);
        return {};
    }

    void take_note(char mark, std::string_view text) {
        if (mark == '*') {
            builder_.comment(text);
        } else if (mark == '&') {
            builder_.bookmark(trim_blanks(text));
        } else {
            builder_.program_comment(trim_blanks(text));
        }
    }

    [[nodiscard]] bool is_file_labels(std::size_t first) const {
        // "９ ８ ７ ６ ５ ４ ３ ２ １" above a diagram; all other digits stand alone nowhere.
        int expected = 9;
        for (const char32_t c : Points(points_).substr(first)) {
            if (is_blank(c)) continue;
            if (c != static_cast<char32_t>(U'0' + expected)) return false;
            --expected;
        }
        return expected == 0;
    }

    // ---- the head -------------------------------------------------------------------------------

    Done read_row() {
        if (moving_) {
            warn("late_diagram", "a diagram among the moves is not read");
            return {};
        }
        auto done = diagram_.row(points_, line_.number);
        if (done) return {};
        Error error = std::move(done.error());
        error.line = line_.number;
        return fail(std::move(error));
    }

    bool read_side_line() {
        std::optional<Color> side;
        for (const auto& [word, color] : {std::pair{"先手番", Color::black},
                                          std::pair{"下手番", Color::black},
                                          std::pair{"後手番", Color::white},
                                          std::pair{"上手番", Color::white}}) {
            if (trimmed_ == word) side = color;
        }
        if (!side) return false;
        if (!moving_) side_ = side;
        return true;
    }

    /// "手数＝15  ２四歩(25)  まで" below a diagram.
    Done read_ply(std::size_t first) {
        std::size_t i = skip_blanks(points_, first + 3);
        const auto number = scan_number(points_, i);
        if (!number || moving_) {
            warn("unknown_line", "手数＝ is followed by a number, above the moves", first);
            return {};
        }
        ply_ = *number + 1;
        i = skip_blanks(points_, i);
        if (i < points_.size() && side_mark(points_[i])) ++i;
        const auto last = scan_japanese_move(Points(points_).substr(i));
        if (last && !last->same) {
            last_to_ = last->to;
            builder_.record().set_last_before_root(original(i, last->length));
        }
        return {};
    }

    Done read_header(std::size_t first, std::size_t colon) {
        const std::string key(trim_blanks(original(first, colon - first)));
        const std::string whole = original(colon + 1);
        const std::string_view value = trim_blanks(whole);
        if (key.empty()) {
            warn("unknown_line", "a header has no name", first);
            return {};
        }
        if (key.ends_with("持駒") || key.ends_with("持ち駒")) {
            const bool white = key.starts_with("後手") || key.starts_with("上手");
            if (!white && !key.starts_with("先手") && !key.starts_with("下手"))
                warn("unknown_hand", "the hand's owner is not known; read as Black's", first);
            const Color color = white ? Color::white : Color::black;
            hands_seen_[static_cast<std::size_t>(index(color))] = true;
            auto done = diagram_.hand(color, Points(points_).substr(colon + 1));
            if (done) return {};
            Error error = std::move(done.error());
            error.line = line_.number;
            error.column += static_cast<int>(colon) + 1;
            return fail(std::move(error));
        }
        if (key == "手合割" || key == "手合") {
            start_line_ = line_.number;
            std::u32string folded;
            fold_line(value, folded);
            start_name_ = to_utf8(folded);
            return {};
        }
        builder_.record().add_header(key, std::string(value));
        return {};
    }

    /// Decides what the record starts from; afterwards the moves may come.
    Done settle_root() {
        if (moving_) return {};
        moving_ = true;
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
                root,
                {.line = diagram_.started() ? diagram_.first_line() : start_line_, .column = 1});
        }
        builder_.cursor().set_root_last_to(last_to_);
        for (const auto& [mark, text] : notes_)
            take_note(mark, text);
        return {};
    }

    Result<Setup> drawn_root() {
        if (diagram_.rows() < 9) {
            return fail(Error{.code = ErrorCode::bad_notation,
                              .message = "the diagram has " + std::to_string(diagram_.rows()) +
                                         " rows instead of 9",
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

    /// 残り全部: what a set of pieces has beyond the board and the other hand.
    static void give_rest(Setup& setup, Color color) {
        std::array<int, 9> left{0, 18, 4, 4, 4, 2, 2, 4, 2};
        for (const Piece piece : setup.board) {
            if (piece != kNoPiece)
                --left[static_cast<std::size_t>(index(unpromote(type_of(piece))))];
        }
        Hand& hand = setup.hands[static_cast<std::size_t>(index(color))];
        const Hand other = setup.hands[static_cast<std::size_t>(index(~color))];
        for (int t = 1; t <= kHandKinds; ++t) {
            const auto kind = static_cast<PieceType>(t);
            const int count = left[static_cast<std::size_t>(t)] - other.count(kind);
            hand.set(kind, std::max(count, 0));
        }
    }

    // ---- moves ----------------------------------------------------------------------------------

    /// A line that starts with a move number; nothing if it is no such line after all.
    std::optional<Done> read_numbered(std::size_t first) {
        std::size_t i = first;
        const auto number = scan_number(points_, i);
        const std::size_t after = skip_blanks(points_, i);
        if (!number || after == i || after >= points_.size()) return std::nullopt;
        const Points rest = Points(points_).substr(after);
        const auto words = scan_japanese_move(rest);
        if (!words && !moving_ && points_.find(U':') != std::u32string::npos &&
            !ending_of_kif(word_at(after))) {
            return std::nullopt;  // a header that begins with a number
        }
        numbered_ = true;
        if (auto done = settle_root(); !done) return done;
        bool skip = false;
        if (auto done = place_number(*number, first, skip); !done || skip) return done;
        if (words) {
            if (auto done = play(*words, after); !done) return done;
            return read_tail(after + words->length);
        }
        const char32_t c = rest[0];
        const std::size_t second = std::min<std::size_t>(1, rest.size() - 1);
        if (c == U'同' || side_mark(c) || (is_digit(c) && digit_value(rest[second]) > 0)) {
            return builder_.error(ErrorCode::bad_notation,
                                  "not a move: a square (or 同) and a piece are needed",
                                  place(after),
                                  word_at(after));
        }
        const std::string word = word_at(after);
        const auto ending = ending_of_kif(word);
        if (!ending) warn("unknown_ending", "no ending is called so; it is kept as it is", after);
        if (auto done = end(ending.value_or(Ending::other), word, after); !done) return done;
        std::size_t length = 0;
        while (after + length < points_.size() && !is_blank(points_[after + length]) &&
               points_[after + length] != U'(') {
            ++length;
        }
        return read_tail(after + length);
    }

    /// The word at `index`, as it is written, up to a space or a parenthesis.
    [[nodiscard]] std::string word_at(std::size_t index) const {
        std::size_t end = index;
        while (end < points_.size() && !is_blank(points_[end]) && points_[end] != U'(')
            ++end;
        return original(index, end - index);
    }

    /// Goes where the move with this number belongs. `skip`: nowhere.
    Done place_number(int number, std::size_t index, bool& skip) {
        if (first_number_) {
            first_number_ = false;
            const int root_ply = builder_.record().root().ply;
            offset_ = builder_.at_root() ? number - 1 : 0;
            if (number != 1 && number != root_ply)
                warn("ply_gap", "the first move has another number than 1", index);
        }
        const int ply = number - offset_;
        const int expected = static_cast<int>(builder_.depth()) + 1;
        if (ply == expected) {
            if (!builder_.ended()) return {};
            warn("after_ending", "a move after the end of its line is left out", index);
            skip = true;
            return {};
        }
        if (ply >= 1 && ply < expected) {
            warn("implicit_variation", "the number goes back: read as a variation", index);
            return branch(ply, index);
        }
        if (builder_.ended()) {
            warn("after_ending", "a move after the end of its line is left out", index);
            skip = true;
            return {};
        }
        warn("ply_gap",
             "the number should be " + std::to_string(expected + offset_) +
                 "; read as the next move",
             index);
        return {};
    }

    Done branch(int ply, std::size_t index) {
        const NodeIndex parent =
            ply >= 1 ? lines_.parent_of(static_cast<std::uint32_t>(ply)) : kNoNode;
        if (parent == kNoNode) {
            return builder_.error(ErrorCode::bad_notation,
                                  "no line before it has the move that this variation follows",
                                  place(index),
                                  trimmed_);
        }
        builder_.go_to(parent);
        lines_.open(static_cast<std::uint32_t>(ply));
        return {};
    }

    Done read_variation(std::size_t first) {
        std::size_t i = skip_blanks(points_, first + 2);
        if (i < points_.size() && points_[i] == U':') i = skip_blanks(points_, i + 1);
        const auto number = scan_number(points_, i);
        if (!number) {
            return builder_.error(ErrorCode::bad_notation,
                                  "変化： is followed by the number of a move",
                                  place(i),
                                  trimmed_);
        }
        if (lines_.empty() && *number - offset_ != 1) {
            warn("early_variation", "a variation before the first move is left out", first);
            return {};
        }
        if (auto done = settle_root(); !done) return done;
        return branch(*number - offset_, first);
    }

    Done play(const JapaneseMove& words, std::size_t index) {
        const std::string text = original(index, words.length);
        infer_side(words, index);
        if (words.mark && *words.mark != builder_.cursor().side())
            warn("side_mismatch", "the mark is the other side's", index);
        const NodeIndex parent = builder_.node();
        if (auto done = builder_.play_words(words, place(index), text); !done) return done;
        lines_.add(parent, builder_.node(), true);
        return {};
    }

    /// A diagram that does not say whose turn it is: the first move does.
    void infer_side(const JapaneseMove& words, std::size_t index) {
        if (!builder_.at_root() || side_ || !diagram_.started()) return;
        side_ = builder_.cursor().side();
        std::optional<Color> mover = words.mark;
        if (words.from != kNoSquare) {
            const Piece piece = builder_.cursor().piece_on(words.from);
            if (piece != kNoPiece) mover = color_of(piece);
        }
        if (!mover || *mover == *side_) return;
        warn("side_inferred", "the first move is White's, so it is White's turn", index);
        Setup root = builder_.record().root();
        root.side_to_move = *mover;
        side_ = mover;
        builder_.set_root(root, place(index));
        builder_.cursor().set_root_last_to(last_to_);
    }

    /// What follows a numbered move: times and the mark of further variations.
    Done read_tail(std::size_t i) {
        i = skip_blanks(points_, i);
        while (i < points_.size() && points_[i] == U'(') {
            std::size_t k = i + 1;
            const auto spent = scan_clock(points_, k);
            const std::size_t close = points_.find(U')', k);
            if (spent) builder_.time(*spent);
            if (!spent || close == std::u32string::npos) {
                warn("bad_time", "times look like ( 0:07/00:01:01)", i);
                return {};
            }
            i = skip_blanks(points_, close + 1);
        }
        if (i < points_.size() && points_[i] == U'+') {
            lines_.mark_more(builder_.record().tree()[builder_.node()].parent);
            i = skip_blanks(points_, i + 1);
        }
        if (i < points_.size()) warn("trailing_text", "text behind the move is not read", i);
        return {};
    }

    /// Moves without numbers, several a line.
    Done read_moves(std::size_t first) {
        if (auto done = settle_root(); !done) return done;
        unnumbered_ = true;
        std::size_t i = first;
        while (i < points_.size()) {
            const Points rest = Points(points_).substr(i);
            const auto words = scan_japanese_move(rest);
            if (!words) {
                const std::string word = word_at(i + (side_mark(rest[0]) ? 1 : 0));
                if (const auto ending = ending_of_kif(word); ending && !builder_.ended())
                    return end(*ending, {}, i);
                return builder_.error(ErrorCode::bad_notation,
                                      "not a move: a square (or 同) and a piece are needed",
                                      place(i),
                                      word_at(i));
            }
            if (builder_.ended()) {
                warn("after_ending", "moves after the end of their line are left out", i);
                return {};
            }
            if (auto done = play(*words, i); !done) return done;
            i = skip_blanks(points_, i + words->length);
        }
        return {};
    }

    Done end(Ending ending, std::string_view word, std::size_t index) {
        if (builder_.ended()) {
            warn("after_ending", "the line has ended already", index);
            return {};
        }
        const NodeIndex parent = builder_.node();
        auto done = builder_.end(ending, word, place(index));
        if (done) lines_.add(parent, builder_.node(), false);
        return done;
    }

    /// "まで112手で後手の勝ち"
    Done read_closing_line(std::size_t first) {
        if (auto done = settle_root(); !done) return done;
        std::size_t i = skip_blanks(points_, first + 2);
        const auto number = scan_number(points_, i);
        const int moves = static_cast<int>(builder_.depth()) - (builder_.ended() ? 1 : 0);
        if (number && *number != moves && *number != moves + offset_)
            warn("ply_count", "the line has " + std::to_string(moves) + " moves", first);
        if (builder_.ended()) return {};
        i = skip_blanks(points_, i);
        if (i < points_.size() && points_[i] == U'手') ++i;
        i = skip_blanks(points_, i);
        if (i < points_.size() && points_[i] == U'で') ++i;
        const std::string whole = original(i);
        const std::string_view words = trim_blanks(whole);
        if (words.empty()) return {};
        const Closing closing = read_closing(words, builder_.cursor().side());
        if (closing.ending == Ending::other)
            warn("unknown_ending", "no ending is called so; it is kept as it is", i);
        return end(closing.ending, closing.word, i);
    }

    RecordBuilder builder_;
    TextLine line_;
    std::string_view trimmed_;
    std::u32string points_;

    DiagramReader diagram_;
    std::array<bool, 2> hands_seen_{};
    std::string start_name_;
    int start_line_ = 0;
    std::optional<Color> side_;
    int ply_ = 1;
    Square last_to_ = kNoSquare;
    std::vector<std::pair<char, std::string_view>> notes_;  ///< before the board is known

    bool moving_ = false;  ///< the head is behind us
    bool numbered_ = false;
    bool unnumbered_ = false;
    bool says_kif_ = false;
    LineStack lines_;
    bool first_number_ = true;
    int offset_ = 0;
};

}  // namespace

Result<ReadRecord> read_kifu(std::string_view text, const RecordLimits& limits) {
    return KifuReader(limits).read(text);
}

}  // namespace yomi::shogi
