#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/shogi/names.hpp"
#include "core/shogi/notation/japanese_move.hpp"
#include "core/shogi/notation/kif.hpp"
#include "core/shogi/notation/kif_head.hpp"
#include "core/shogi/notation/kif_line.hpp"
#include "core/shogi/notation/kif_lines.hpp"
#include "core/shogi/notation/kif_words.hpp"
#include "core/shogi/notation/record_builder.hpp"

namespace yomi::shogi {
namespace {

class KifuReader {
public:
    explicit KifuReader(const RecordLimits& limits) : builder_(limits), head_(builder_) {}

    Result<ReadRecord> read(std::string_view text) {
        LineSplitter lines(text);
        TextLine line;
        while (lines.next(line)) {
            line_.set(line);
            if (auto done = read_line(); !done) return fail(std::move(done.error()));
        }
        const bool silent =
            !moving_ && !says_kif_ && head_.silent() && builder_.record().headers().empty();
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
        return head_.has_diagram() ? RecordFormat::bod : RecordFormat::kif;
    }
    void warn(std::string_view code, std::string message, std::size_t index = 0) {
        line_.warn(builder_, code, std::move(message), index);
    }

    Done read_line() {
        const std::string_view trimmed = line_.trimmed();
        if (trimmed.empty()) return {};
        // Comments first: most lines of a commented record, and they need no folding.
        if (trimmed[0] == '*' || trimmed[0] == '#' || trimmed[0] == '&') return read_note();
        line_.fold();
        const Points points = line_.points();
        const std::size_t first = skip_blanks(points, 0);
        const char32_t c = points[first];
        if (c == U'|') return read_row();
        if (c == U'+' || line_.starts("盤面回転") || line_.starts("手数--") ||
            is_file_labels(first))
            return {};
        if (line_.starts("まで")) return read_closing_line(first);
        if (line_.starts("変化")) return read_variation(first);
        if (is_digit(c)) {
            if (const auto done = read_numbered(first)) return *done;
        }
        const bool move = scan_japanese_move(points.substr(first)).has_value();
        if (move && side_mark(c)) return read_moves(first);
        if (line_.starts("手数＝") || line_.starts("手数=")) return read_ply(first);
        if (head_.read_side(line_)) return {};
        const std::size_t colon = points.find(U':');
        if (colon != std::u32string::npos && !moving_)
            return head_.read_header(line_, first, colon);
        if (move || side_mark(c)) return read_moves(first);
        if (const auto ending = ending_of_kif(trimmed); ending && moving_)
            return end(*ending, {}, first);
        warn("unknown_line", "the line says nothing that a record has", first);
        return {};
    }

    Done read_note() {
        const char mark = line_.trimmed()[0];
        if (line_.starts("#KIF")) says_kif_ = true;
        // A comment keeps its spaces; only those in front of its mark go.
        const std::string_view text = line_.raw().substr(line_.raw().find(mark) + 1);
        if (moving_) {
            KifuHead::take_note(builder_, mark, text);
        } else {
            head_.note(mark, text);
        }
        return {};
    }

    Done read_row() {
        if (!moving_) return head_.read_row(line_);
        warn("late_diagram", "a diagram among the moves is not read");
        return {};
    }

    Done read_ply(std::size_t first) {
        if (moving_) {
            warn("unknown_line", "手数＝ is followed by a number, above the moves", first);
        } else {
            head_.read_ply(line_, first);
        }
        return {};
    }

    [[nodiscard]] bool is_file_labels(std::size_t first) const {
        // "９ ８ ７ ６ ５ ４ ３ ２ １" above a diagram; all other digits stand alone nowhere.
        int expected = 9;
        for (const char32_t c : line_.points().substr(first)) {
            if (is_blank(c)) continue;
            if (c != static_cast<char32_t>(U'0' + expected)) return false;
            --expected;
        }
        return expected == 0;
    }

    /// The moves may come: what the head says becomes the root.
    Done settle_root() {
        if (moving_) return {};
        moving_ = true;
        return head_.settle();
    }

    /// A line that starts with a move number; nothing if it is no such line after all.
    std::optional<Done> read_numbered(std::size_t first) {
        std::size_t i = first;
        const auto number = scan_number(line_.points(), i);
        const std::size_t after = skip_blanks(line_.points(), i);
        if (!number || after == i || after >= line_.points().size()) return std::nullopt;
        const Points rest = line_.points().substr(after);
        const auto words = scan_japanese_move(rest);
        if (!words && !moving_ && line_.points().find(U':') != std::u32string::npos &&
            !ending_of_kif(line_.word_at(after))) {
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
                                  line_.place(after),
                                  line_.word_at(after));
        }
        const std::string word = line_.word_at(after);
        const auto ending = ending_of_kif(word);
        if (!ending) warn("unknown_ending", "no ending is called so; it is kept as it is", after);
        if (auto done = end(ending.value_or(Ending::other), word, after); !done) return done;
        std::size_t length = 0;
        while (after + length < line_.points().size() &&
               !is_blank(line_.points()[after + length]) &&
               line_.points()[after + length] != U'(') {
            ++length;
        }
        return read_tail(after + length);
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
                                  line_.place(index),
                                  line_.trimmed());
        }
        builder_.go_to(parent);
        lines_.open(static_cast<std::uint32_t>(ply));
        return {};
    }

    Done read_variation(std::size_t first) {
        std::size_t i = skip_blanks(line_.points(), first + 2);
        if (i < line_.points().size() && line_.points()[i] == U':')
            i = skip_blanks(line_.points(), i + 1);
        const auto number = scan_number(line_.points(), i);
        if (!number) {
            return builder_.error(ErrorCode::bad_notation,
                                  "変化： is followed by the number of a move",
                                  line_.place(i),
                                  line_.trimmed());
        }
        if (lines_.empty() && *number - offset_ != 1) {
            warn("early_variation", "a variation before the first move is left out", first);
            return {};
        }
        if (auto done = settle_root(); !done) return done;
        return branch(*number - offset_, first);
    }

    Done play(const JapaneseMove& words, std::size_t index) {
        const std::string text = line_.original(index, words.length);
        head_.infer_side(words, line_, index);
        if (words.mark && *words.mark != builder_.cursor().side())
            warn("side_mismatch", "the mark is the other side's", index);
        const NodeIndex parent = builder_.node();
        if (auto done = builder_.play_words(words, line_.place(index), text); !done) return done;
        lines_.add(parent, builder_.node(), true);
        return {};
    }

    /// What follows a numbered move: times and the mark of further variations.
    Done read_tail(std::size_t i) {
        i = skip_blanks(line_.points(), i);
        while (i < line_.points().size() && line_.points()[i] == U'(') {
            std::size_t k = i + 1;
            const auto spent = scan_clock(line_.points(), k);
            const std::size_t close = line_.points().find(U')', k);
            if (spent) builder_.time(*spent);
            if (!spent || close == std::u32string::npos) {
                warn("bad_time", "times look like ( 0:07/00:01:01)", i);
                return {};
            }
            i = skip_blanks(line_.points(), close + 1);
        }
        if (i < line_.points().size() && line_.points()[i] == U'+') {
            lines_.mark_more(builder_.record().tree()[builder_.node()].parent);
            i = skip_blanks(line_.points(), i + 1);
        }
        if (i < line_.points().size()) warn("trailing_text", "text behind the move is not read", i);
        return {};
    }

    /// Moves without numbers, several a line.
    Done read_moves(std::size_t first) {
        if (auto done = settle_root(); !done) return done;
        unnumbered_ = true;
        std::size_t i = first;
        while (i < line_.points().size()) {
            const Points rest = line_.points().substr(i);
            const auto words = scan_japanese_move(rest);
            if (!words) {
                const std::string word = line_.word_at(i + (side_mark(rest[0]) ? 1 : 0));
                if (const auto ending = ending_of_kif(word); ending && !builder_.ended())
                    return end(*ending, {}, i);
                return builder_.error(ErrorCode::bad_notation,
                                      "not a move: a square (or 同) and a piece are needed",
                                      line_.place(i),
                                      line_.word_at(i));
            }
            if (builder_.ended()) {
                warn("after_ending", "moves after the end of their line are left out", i);
                return {};
            }
            if (auto done = play(*words, i); !done) return done;
            i = skip_blanks(line_.points(), i + words->length);
        }
        return {};
    }

    Done end(Ending ending, std::string_view word, std::size_t index) {
        if (builder_.ended()) {
            warn("after_ending", "the line has ended already", index);
            return {};
        }
        const NodeIndex parent = builder_.node();
        auto done = builder_.end(ending, word, line_.place(index));
        if (done) lines_.add(parent, builder_.node(), false);
        return done;
    }

    /// "まで112手で後手の勝ち"
    Done read_closing_line(std::size_t first) {
        if (auto done = settle_root(); !done) return done;
        std::size_t i = skip_blanks(line_.points(), first + 2);
        const auto number = scan_number(line_.points(), i);
        const int moves = static_cast<int>(builder_.depth()) - (builder_.ended() ? 1 : 0);
        if (number && *number != moves && *number != moves + offset_)
            warn("ply_count", "the line has " + std::to_string(moves) + " moves", first);
        if (builder_.ended()) return {};
        i = skip_blanks(line_.points(), i);
        if (i < line_.points().size() && line_.points()[i] == U'手') ++i;
        i = skip_blanks(line_.points(), i);
        if (i < line_.points().size() && line_.points()[i] == U'で') ++i;
        const std::string whole = line_.original(i);
        const std::string_view words = trim_blanks(whole);
        if (words.empty()) return {};
        const Closing closing = read_closing(words, builder_.cursor().side());
        if (closing.ending == Ending::other)
            warn("unknown_ending", "no ending is called so; it is kept as it is", i);
        return end(closing.ending, closing.word, i);
    }

    RecordBuilder builder_;
    KifuLine line_;
    KifuHead head_;

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
