#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <utility>

#include "core/base/utf8.hpp"
#include "core/shogi/names.hpp"
#include "core/shogi/notation/csa.hpp"
#include "core/shogi/notation/csa_words.hpp"
#include "core/shogi/notation/evaluation_comment.hpp"
#include "core/shogi/notation/kif.hpp"
#include "core/shogi/notation/move_word.hpp"
#include "core/shogi/notation/record_builder.hpp"

namespace yomi::shogi {
namespace {

constexpr bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// "12", "0.123": seconds as milliseconds; nothing for anything else.
std::optional<std::chrono::milliseconds> seconds_of(std::string_view text) {
    std::int64_t ms = 0;
    std::size_t i = 0;
    for (; i < text.size() && is_digit(text[i]) && i < 9; ++i)
        ms = ms * 10 + (text[i] - '0');
    if (i == 0) return std::nullopt;
    ms *= 1000;
    if (i < text.size() && text[i] == '.') {
        std::int64_t scale = 100;
        for (++i; i < text.size() && is_digit(text[i]); ++i, scale /= 10)
            ms += (text[i] - '0') * scale;
    }
    if (i != text.size()) return std::nullopt;
    return std::chrono::milliseconds(ms);
}

class CsaReader {
public:
    explicit CsaReader(const RecordLimits& limits) : builder_(limits) {}

    Result<ReadRecord> read(std::string_view text) {
        LineSplitter lines(text);
        TextLine line;
        while (lines.next(line)) {
            line_ = line;
            if (trim_blanks(line.raw) == "/") {
                if (!started_) continue;
                builder_.warn(
                    "more_games", "the text holds more games; the first is read", place(0), {});
                break;
            }
            if (auto done = read_line(); !done) return fail(std::move(done.error()));
        }
        if (auto done = settle_root(); !done) return fail(std::move(done.error()));
        return builder_.finish(RecordFormat::csa);
    }

private:
    using Done = Result<void>;

    [[nodiscard]] TextPlace place(std::size_t byte) const {
        return {.line = line_.number, .column = place_of(line_.raw.substr(0, byte), byte).column};
    }
    tl::unexpected<Error> wrong(std::string message, std::size_t byte, std::string_view text) {
        return builder_.error(ErrorCode::bad_notation, std::move(message), place(byte), text);
    }

    Done read_line() {
        const std::string_view text = trim_blanks_right(line_.raw);
        if (text.empty()) return {};
        started_ = true;
        switch (text[0]) {
            case '\'':
                read_comment(line_.raw.substr(1));
                return {};
            case '$':
                read_keyword(text.substr(1));
                return {};
            case 'N':
                if (text.size() > 1 && (text[1] == '+' || text[1] == '-')) {
                    names_[text[1] == '+' ? 0 : 1] = std::string(trim_blanks(text.substr(2)));
                    return {};
                }
                break;
            case 'V':
                if (text.size() > 1 && is_digit(text[1])) return {};
                break;
            case 'P':
                // A row may hold anything but commas; the other forms are one statement as well.
                return read_placement(text);
            default:
                break;
        }
        std::size_t start = 0;
        while (start <= text.size()) {
            const std::size_t end = std::min(text.find(',', start), text.size());
            if (auto done = read_statement(text.substr(start, end - start), start); !done)
                return done;
            start = end + 1;
        }
        return {};
    }

    Done read_statement(std::string_view text, std::size_t at) {
        const std::size_t blanks = text.size() - trim_blanks(text).size();
        text = trim_blanks(text);
        at += blanks > 0 && line_.raw[at] == ' ' ? blanks : 0;
        if (text.empty()) return {};
        const char c = text[0];
        if (text == "+" || text == "-") {
            side_ = c == '+' ? Color::black : Color::white;
            return settle_root();
        }
        if (c == '+' || c == '-') return read_move(text, at);
        if (c == '%') return read_ending(text, at);
        if (c == 'T') {
            if (const auto spent = seconds_of(text.substr(1))) {
                if (builder_.at_root()) {
                    builder_.warn("bad_time", "a time before the first move", place(at), text);
                } else {
                    builder_.time(*spent);
                }
                return {};
            }
            builder_.warn("bad_time", "times look like T12 or T0.123", place(at), text);
            return {};
        }
        builder_.warn("unknown_line", "no statement of CSA begins so", place(at), text);
        return {};
    }

    void read_comment(std::string_view text) {
        if (text.starts_with('*')) {
            text.remove_prefix(1);
            if (settled_) {
                builder_.comment(text);
            } else {
                notes_.push_back(text);
            }
            return;
        }
        // floodgate's facts about the game: 'black_rate:name:3345.0
        const std::size_t colon = text.find(':');
        if (settled_ && !builder_.at_root()) return;
        if (colon == std::string_view::npos || colon == 0) return;
        const bool word = std::all_of(
            text.begin(), text.begin() + static_cast<std::ptrdiff_t>(colon), [](char c) {
                return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
            });
        if (word)
            builder_.record().add_header(std::string(text.substr(0, colon)),
                                         std::string(trim_blanks(text.substr(colon + 1))));
    }

    void read_keyword(std::string_view text) {
        const std::size_t colon = text.find(':');
        const std::string_view keyword = trim_blanks(text.substr(0, colon));
        if (colon == std::string_view::npos || keyword.empty()) {
            builder_.warn("unknown_line", "a $ line is $KEYWORD:value", place(0), text);
            return;
        }
        builder_.record().add_header(std::string(header_of_csa(keyword)),
                                     std::string(trim_blanks(text.substr(colon + 1))));
    }

    // ---- the position ---------------------------------------------------------------------------

    Done read_placement(std::string_view text) {
        if (settled_) {
            builder_.warn("unknown_line", "a position among the moves is not read", place(0), text);
            return {};
        }
        if (text.size() < 2) return wrong("P is followed by I, 1-9, + or -", 1, text);
        if (text[1] == 'I') return read_even_game(text);
        if (text[1] >= '1' && text[1] <= '9') return read_row(text);
        if (text[1] == '+' || text[1] == '-') return read_pieces(text);
        return wrong("P is followed by I, 1-9, + or -", 1, text);
    }

    Done read_even_game(std::string_view text) {
        setup_ = Position::startpos().setup();
        placed_ = true;
        for (std::size_t i = 2; i < text.size(); i += 4) {
            const auto square = i + 4 <= text.size() ? square_of(text.substr(i, 2)) : std::nullopt;
            const auto kind = i + 4 <= text.size() ? csa_kind(text.substr(i + 2, 2)) : std::nullopt;
            if (!square || !kind) return wrong("removed pieces look like 82HI", i, text.substr(i));
            Piece& piece = setup_.board[static_cast<std::size_t>(*square)];
            if (piece == kNoPiece || type_of(piece) != *kind)
                return wrong("there is no such piece to remove", i, text.substr(i, 4));
            piece = kNoPiece;
        }
        return {};
    }

    /// "P1-KY-KE ...": nine cells of three characters. Mail and web pages eat one of two spaces, so
    /// a cell begins where its first character is.
    Done read_row(std::string_view text) {
        const int rank = text[1] - '1';
        placed_ = true;
        std::size_t i = 2;
        for (int file = 8; file >= 0; --file) {
            while (i < text.size() && text[i] == ' ')
                ++i;
            // The end of the row may have been trimmed only as far as blanks go.
            if (i >= text.size()) {
                return wrong("row " + std::string(1, text[1]) + " has " + std::to_string(8 - file) +
                                 " squares instead of 9",
                             i,
                             text);
            }
            Piece piece = kNoPiece;
            if (text[i] == '*') {
                ++i;
            } else if (text[i] == '+' || text[i] == '-') {
                const auto kind = csa_kind(text.substr(i + 1, 2));
                if (!kind) return wrong("no piece has this name", i, text.substr(i, 3));
                piece = make_piece(text[i] == '+' ? Color::black : Color::white, *kind);
                i += 3;
            } else {
                return wrong("a square is \" * \", \"+FU\" or \"-FU\"", i, text.substr(i, 3));
            }
            setup_.board[static_cast<std::size_t>(make_square(file, rank))] = piece;
        }
        if (!trim_blanks(text.substr(i)).empty())
            return wrong("the row has more than 9 squares", i, text.substr(i));
        return {};
    }

    /// "P+00FU00FU27FU", "P-00AL".
    Done read_pieces(std::string_view text) {
        const Color color = text[1] == '+' ? Color::black : Color::white;
        placed_ = true;
        for (std::size_t i = 2; i < text.size(); i += 4) {
            const std::string_view item = text.substr(i, 4);
            const bool in_hand = item.starts_with("00");
            if (item == "00AL") {
                give_rest(color);
                continue;
            }
            const auto kind = item.size() == 4 ? csa_kind(item.substr(2)) : std::nullopt;
            const auto square = item.size() == 4 ? square_of(item.substr(0, 2)) : std::nullopt;
            if (!kind || (!in_hand && !square))
                return wrong("pieces look like 00FU or 77FU", i, item);
            if (!in_hand) {
                Piece& piece = setup_.board[static_cast<std::size_t>(*square)];
                if (piece != kNoPiece) return wrong("the square holds a piece already", i, item);
                piece = make_piece(color, *kind);
                continue;
            }
            if (index(*kind) > kHandKinds)
                return wrong("a " + kind_name(*kind) + " cannot be in hand", i, item);
            Hand& hand = setup_.hands[static_cast<std::size_t>(index(color))];
            if (hand.count(*kind) >= kSet[static_cast<std::size_t>(index(*kind))])
                return wrong("more " + kind_name(*kind) + "s in hand than a set has", i, item);
            hand.add(*kind);
        }
        return {};
    }

    /// AL: everything that is nowhere else.
    void give_rest(Color color) {
        std::array<int, 9> left = kSet;
        for (const Piece piece : setup_.board) {
            if (piece != kNoPiece)
                --left[static_cast<std::size_t>(index(unpromote(type_of(piece))))];
        }
        for (int t = 1; t <= kHandKinds; ++t) {
            const auto kind = static_cast<PieceType>(t);
            const Hand other = setup_.hands[static_cast<std::size_t>(index(~color))];
            setup_.hands[static_cast<std::size_t>(index(color))].set(
                kind, std::max(0, left[static_cast<std::size_t>(t)] - other.count(kind)));
        }
    }

    static std::optional<Square> square_of(std::string_view text) {
        if (text.size() != 2 || text[0] < '1' || text[0] > '9' || text[1] < '1' || text[1] > '9')
            return std::nullopt;
        return make_square(text[0] - '1', text[1] - '1');
    }

    Done settle_root() {
        if (settled_) return {};
        settled_ = true;
        if (!placed_) {
            builder_.warn(
                "position_missing", "no position is given; read as the even game", place(0), {});
            setup_ = Position::startpos().setup();
        }
        if (!side_) {
            builder_.warn(
                "side_missing", "nobody says whose turn it is; read as Black's", place(0), {});
        }
        setup_.side_to_move = side_.value_or(Color::black);
        builder_.set_root(setup_, place(0));
        const std::string_view start = start_name(setup_);
        const bool handicap = !start.empty() && start != "平手";
        for (const std::size_t i : {0U, 1U}) {
            if (!names_[i]) continue;
            const std::string key =
                i == 0 ? (handicap ? "下手" : "先手") : (handicap ? "上手" : "後手");
            builder_.record().add_header(key, *names_[i]);
        }
        for (const std::string_view note : notes_)
            builder_.comment(note);
        return {};
    }

    // ---- moves ----------------------------------------------------------------------------------

    Done read_move(std::string_view text, std::size_t at) {
        if (!settled_) {
            // The sign of the first move stands in for the missing line.
            side_ = text[0] == '+' ? Color::black : Color::white;
            builder_.warn("side_missing",
                          "the line + or - before the moves is missing; the first move says it",
                          place(at),
                          text);
            if (auto done = settle_root(); !done) return done;
        }
        if (builder_.ended()) {
            builder_.warn("after_ending", "a move after the end is left out", place(at), text);
            return {};
        }
        const auto word = scan_csa_word(builder_.cursor(), text);
        if (!word) return wrong("a move looks like +7776FU", at, text);
        if (!word->fault.empty())
            return builder_.error(ErrorCode::illegal_move, word->fault, place(at), text);
        if (word->length != text.size())
            builder_.warn("trailing_text",
                          "text behind the move is not read",
                          place(at + word->length),
                          text.substr(word->length));
        return builder_.play(word->move, place(at), text);
    }

    Done read_ending(std::string_view text, std::size_t at) {
        if (auto done = settle_root(); !done) return done;
        if (builder_.ended()) {
            builder_.warn("after_ending", "the game has ended already", place(at), text);
            return {};
        }
        const std::string_view word = text.substr(1);
        const auto ending = ending_of_csa(word, builder_.cursor().side());
        if (!ending)
            builder_.warn(
                "unknown_ending", "no ending is called so; it is kept as it is", place(at), text);
        return builder_.end(ending.value_or(Ending::other), word, place(at));
    }

    static constexpr std::array<int, 9> kSet{0, 18, 4, 4, 4, 2, 2, 4, 2};

    RecordBuilder builder_;
    TextLine line_;
    bool started_ = false;
    bool settled_ = false;
    bool placed_ = false;
    Setup setup_;
    std::optional<Color> side_;
    std::array<std::optional<std::string>, 2> names_;
    std::vector<std::string_view> notes_;
};

}  // namespace

Result<ReadRecord> read_csa(std::string_view text, const RecordLimits& limits) {
    return CsaReader(limits).read(text);
}

}  // namespace yomi::shogi
