#include "core/shogi/notation/usi_record.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "core/shogi/notation/handicap.hpp"
#include "core/shogi/notation/japanese_move.hpp"
#include "core/shogi/notation/move_word.hpp"
#include "core/shogi/notation/record_builder.hpp"
#include "core/shogi/notation/sfen.hpp"

namespace yomi::shogi {
namespace {

constexpr std::array kEndings{
    std::pair<std::string_view, Ending>{"resign", Ending::resign},
    std::pair<std::string_view, Ending>{"win", Ending::declaration},
    std::pair<std::string_view, Ending>{"draw", Ending::draw},
    std::pair<std::string_view, Ending>{"rep_draw", Ending::repetition},
    std::pair<std::string_view, Ending>{"timeout", Ending::timeout},
    std::pair<std::string_view, Ending>{"break", Ending::interrupt},
};
constexpr std::array<std::string_view, 4> kPasses{"0000", "none", "pass", "null"};

bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/// "lnsgkgsnl/1r5b1/..." with numbers of empty squares that stand side by side added up.
std::string with_joined_digits(std::string_view sfen) {
    std::string text;
    std::size_t i = 0;
    int open = 0;
    const auto flush = [&] {
        if (open > 0) text += std::to_string(open);
        open = 0;
    };
    for (; i < sfen.size() && !is_space(sfen[i]); ++i) {
        if (sfen[i] >= '1' && sfen[i] <= '9') {
            open += sfen[i] - '0';
        } else {
            flush();
            text += sfen[i];
        }
    }
    flush();
    return text += sfen.substr(i);
}

class UsiReader {
public:
    UsiReader(std::string_view text, const RecordLimits& limits) : builder_(limits) {
        // Widths are folded character by character, so columns stay true.
        std::u32string points;
        decode_points(text, points);
        for (char32_t& c : points)
            c = c == U'\u00A0' ? U' ' : fold_width(c);
        text_ = to_utf8(points);
    }

    Result<ReadRecord> read() {
        if (auto done = read_root(); !done) return fail(std::move(done.error()));
        for (Word word = next(); !word.text.empty(); word = next()) {
            if (word.text == "moves") continue;
            if (auto done = read_move(word); !done) return fail(std::move(done.error()));
            has_moves_ = true;
        }
        return builder_.finish(has_moves_ || from_start_ ? RecordFormat::usi : RecordFormat::sfen);
    }

private:
    struct Word {
        std::string_view text;
        std::size_t at = 0;
    };

    Word next() {
        while (at_ < text_.size() && is_space(text_[at_]))
            ++at_;
        const std::size_t start = at_;
        while (at_ < text_.size() && !is_space(text_[at_]))
            ++at_;
        return {std::string_view(text_).substr(start, at_ - start), start};
    }
    [[nodiscard]] Word peek() {
        const std::size_t saved = at_;
        const Word word = next();
        at_ = saved;
        return word;
    }
    [[nodiscard]] TextPlace place(std::size_t byte) const { return place_of(text_, byte); }

    Result<void> read_root() {
        Word word = next();
        if (word.text == "position") word = next();
        if (word.text.empty()) {
            return builder_.error(
                ErrorCode::bad_notation, "the position is missing", place(word.at), {});
        }
        if (word.text == "moves") {
            from_start_ = true;
            return {};
        }
        const Handicap* const start =
            word.text == "startpos" ? handicaps().data() : find_handicap(word.text);
        if (start != nullptr) {
            from_start_ = true;
            if (const auto setup = parse_sfen(start->sfen))
                builder_.set_root(*setup, place(word.at));
            return {};
        }
        if (word.text != "sfen" && word.text.find('/') == std::string_view::npos) {
            // No board at all: a bare list of moves.
            at_ = word.at;
            from_start_ = true;
            builder_.warn("position_missing",
                          "no position is given; the moves are read from the usual start",
                          place(word.at),
                          word.text);
            return {};
        }
        if (word.text == "sfen") word = next();
        return read_sfen(word);
    }

    Result<void> read_sfen(Word board) {
        std::size_t end = at_;
        // Side, hands and number: whatever comes before the moves, but no more than three words.
        for (int i = 0; i < 3; ++i) {
            const Word word = peek();
            if (word.text.empty() || word.text == "moves") break;
            const bool number = word.text.find_first_not_of("0123456789") == std::string_view::npos;
            if (i == 2 && !number) break;
            static_cast<void>(next());
            end = at_;
        }
        const std::string_view sfen = std::string_view(text_).substr(board.at, end - board.at);
        auto setup = parse_sfen(sfen);
        if (!setup) {
            auto joined = parse_sfen(with_joined_digits(sfen));
            if (!joined) {
                TextPlace at = place(board.at);
                at.column += setup.error().column - 1;
                return RecordBuilder::placed(setup.error(), at, sfen);
            }
            builder_.warn("joined_digits",
                          "numbers of empty squares stand side by side; added up",
                          place(board.at),
                          board.text);
            setup = std::move(joined);
        }
        builder_.set_root(*setup, place(board.at));
        return {};
    }

    Result<void> read_move(Word word) {
        const TextPlace at = place(word.at);
        for (const auto& [name, ending] : kEndings) {
            if (word.text != name) continue;
            if (builder_.ended()) break;
            return builder_.end(ending, {}, at);
        }
        if (builder_.ended()) {
            builder_.warn("after_ending", "words after the end are left out", at, word.text);
            return {};
        }
        if (std::find(kPasses.begin(), kPasses.end(), word.text) != kPasses.end()) {
            return builder_.error(ErrorCode::bad_notation, "shogi has no passes", at, word.text);
        }
        auto read = scan_usi_word(builder_.cursor(), word.text);
        if (!read) read = scan_csa_word(builder_.cursor(), word.text);
        if (read) {
            if (!read->fault.empty())
                return builder_.error(ErrorCode::illegal_move, read->fault, at, word.text);
            if (read->length == word.text.size()) return builder_.play(read->move, at, word.text);
        }
        std::u32string points;
        fold_line(word.text, points);
        if (const auto words = scan_japanese_move(points); words && words->length == points.size())
            return builder_.play_words(*words, at, word.text);
        return builder_.error(
            ErrorCode::bad_notation, "a move looks like 7g7f, 8h2b+ or P*5e", at, word.text);
    }

    RecordBuilder builder_;
    std::string text_;
    std::size_t at_ = 0;
    bool from_start_ = false;
    bool has_moves_ = false;
};

void warn_of_the_rest(const Record& record, WrittenRecord& out, std::string_view format) {
    const auto warn = [&](std::string code, std::string what) {
        out.warnings.push_back(
            {.code = std::move(code), .message = std::string(format) + " has no " + what});
    };
    const std::vector<NodeIndex> line = record.main_line();
    if (record.tree().size() + 1 > line.size()) warn("variations_left_out", "variations");
    if (record.is_ending(line.back())) warn("ending_left_out", "endings");
    bool comments = false;
    for (const NodeIndex node : line) {
        const NodeData& data = record.data(node);
        comments = comments || !data.comment.empty() || !data.evaluations.empty();
        if (!data.illegal.empty()) {
            out.warnings.push_back(
                {.code = "illegal_move",
                 .message = "a move that the rules forbid is written: " + data.illegal,
                 .text = to_usi(record.tree()[node].move)});
        }
    }
    if (comments) warn("comments_left_out", "comments");
}

}  // namespace

Result<ReadRecord> read_usi(std::string_view text, const RecordLimits& limits) {
    return UsiReader(text, limits).read();
}

WrittenRecord write_usi(const Record& record) {
    WrittenRecord out;
    out.text = "position ";
    const std::string root = to_sfen(record.root());
    out.text += root == handicaps()[0].sfen ? "startpos" : "sfen " + root;
    bool first = true;
    for (const NodeIndex node : record.main_line()) {
        const Move move = record.tree()[node].move;
        if (!move) continue;
        if (std::exchange(first, false)) out.text += " moves";
        out.text += ' ' + to_usi(move);
    }
    out.text += '\n';
    warn_of_the_rest(record, out, "USI");
    return out;
}

WrittenRecord write_sfen(const Record& record) {
    WrittenRecord out;
    RecordCursor cursor(record.root());
    cursor.go_to(record.tree(), record.main_line().back());
    out.text = to_sfen(cursor.setup()) + "\n";
    if (cursor.setup() != record.root()) {
        out.warnings.push_back({.code = "moves_left_out",
                                .message = "SFEN is one position: the end of the main line"});
    }
    warn_of_the_rest(record, out, "SFEN");
    return out;
}

}  // namespace yomi::shogi
