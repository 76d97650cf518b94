#include "core/othello/transcript.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "core/othello/notation/record.hpp"
#include "core/othello/symmetry.hpp"

namespace yomi::othello {
namespace {

bool is_digit(char32_t c) {
    return c >= U'0' && c <= U'9';
}

// The bracket that closes a remark, or 0 if `c` opens none.
char32_t closing(char32_t c) {
    switch (c) {
        case U'(':
            return U')';
        case U'[':
            return U']';
        case U'{':
            return U'}';
        case U'\u3010':
            return U'\u3011';  // 【】
        case U'\u300C':
            return U'\u300D';  // 「」
        default:
            return 0;
    }
}

bool is_separator(char32_t c) {
    switch (c) {
        case U' ':
        case U'\t':
        case U'\n':
        case U'\r':
        case U',':
        case U';':
        case U'-':
        case U'.':
        case U'|':
        case U'/':
        case U'\u30FB':  // ・
        case U'\u2022':  // •
        case U'\u3001':  // 、
        case U'\u2192':  // →
            return true;
        default:
            return false;
    }
}

class Reader {
public:
    Reader(std::span<const CodePoint> text, const Position& start, std::vector<Remark>* remarks)
        : text_(text), remarks_(remarks), game_{.start = start, .moves = {}, .end = start} {}

    Result<Game> read() {
        while (at_ < text_.size()) {
            if (auto read = next(); !read) return fail(read.error());
        }
        return std::move(game_);
    }

private:
    // 0 past the end; the text itself may hold U+0000, which nothing accepts.
    [[nodiscard]] char32_t peek(std::size_t ahead = 0) const {
        return at_ + ahead < text_.size() ? plain(text_[at_ + ahead].value) : 0;
    }

    // Full-width forms and capitals mean what their plain twins mean.
    static char32_t plain(char32_t c) {
        c = fold_width(c);
        return c >= U'A' && c <= U'Z' ? c + 32 : c;
    }

    [[nodiscard]] bool ahead_is(std::u32string_view word) const {
        for (std::size_t i = 0; i < word.size(); ++i) {
            if (peek(i) != word[i]) return false;
        }
        return true;
    }

    [[nodiscard]] tl::unexpected<Error> fault(ErrorCode code,
                                              std::string message,
                                              std::size_t length,
                                              std::string hint = {}) const {
        std::string value;
        for (std::size_t i = 0; i < length && at_ + i < text_.size(); ++i) {
            append_utf8(value, plain(text_[at_ + i].value));
        }
        return fail(Error{.code = code,
                          .message = std::move(message),
                          .line = text_[at_].line,
                          .column = text_[at_].column,
                          .hint = std::move(hint),
                          .value = std::move(value)});
    }

    Result<void> next() {
        const char32_t c = peek();
        if (ahead_is(U"pass")) return pass(4);
        if (ahead_is(U"pa") || ahead_is(U"ps") || ahead_is(U"--")) return pass(2);
        if (c >= U'a' && c <= U'h') return placement();
        if (is_digit(c)) return move_number();
        if (closing(c) != 0) return remark(closing(c));
        if (is_separator(c)) {
            ++at_;
            return {};
        }
        if (c >= U'a' && c <= U'z') {
            return fault(ErrorCode::bad_notation, "a move begins with a file a..h", 1);
        }
        return fault(ErrorCode::bad_notation, "this sign has no place in a transcript", 1);
    }

    Result<void> placement() {
        const char32_t digit = peek(1);
        if (digit < U'1' || digit > U'8') {
            return fault(ErrorCode::bad_notation, "a move is a file a..h and a rank 1..8", 2);
        }
        const Square square =
            square_at(static_cast<int>(peek() - U'a'), static_cast<int>(digit - U'1'));
        if (game_.end.must_pass()) play(Move{});
        return play_checked(square, 2);
    }

    Result<void> pass(std::size_t length) {
        // Some programs close a game with the passes that end it.
        if (game_.end.is_over()) {
            at_ += length;
            return {};
        }
        return play_checked(kPass, length);
    }

    Result<void> play_checked(Square square, std::size_t length) {
        const auto move = game_.end.make_move(square);
        if (!move) {
            return fault(
                move.error().code,
                "move " + std::to_string(game_.moves.size() + 1) + ": " + move.error().message,
                length,
                mirrored_hint(square));
        }
        play(*move);
        at_ += length;
        return {};
    }

    // The commonest reason for an illegal first move: the four discs stood the other way round.
    [[nodiscard]] std::string mirrored_hint(Square square) const {
        if (!game_.moves.empty()) return {};
        std::string hint = mirrored_start_hint(game_.start, square);
        if (hint.empty()) return {};
        const Position mirrored{.board = apply(kMirrorFiles, kStartBoard)};
        const auto game = Reader(text_, mirrored, nullptr).read();
        if (!game) return hint;
        hint += "; the whole game is then ";
        for (const Move& move : game->moves) {
            if (!move.is_pass()) hint += to_string(apply_to_square(kMirrorFiles, move.square));
        }
        return hint;
    }

    void play(const Move& move) {
        game_.end.do_move(move);
        game_.moves.push_back(move);
        if (!move.is_pass()) ++placed_;
    }

    // "12." is a label whatever it says. A bare number is one only when it is due, standing apart,
    // as a count of moves or of pairs: elsewhere it is the rest of a move whose letter was lost.
    Result<void> move_number() {
        std::size_t length = 0;
        std::size_t number = 0;
        while (is_digit(peek(length))) {
            number = std::min<std::size_t>(number * 10 + (peek(length) - U'0'), 1'000'000);
            ++length;
        }
        const bool labelled = peek(length) == U'.' || peek(length) == U')';
        const bool apart = at_ == 0 || is_separator(plain(text_[at_ - 1].value));
        const bool due = apart && (number == placed_ + 1 || number == placed_ / 2 + 1);
        if (!labelled && !due) {
            return fault(ErrorCode::bad_notation,
                         "a digit without its file letter",
                         length,
                         "move numbers are written with a dot: 12. f5");
        }
        at_ += length + (labelled ? 1 : 0);
        return {};
    }

    Result<void> remark(char32_t close) {
        for (std::size_t ahead = 1; at_ + ahead < text_.size(); ++ahead) {
            if (peek(ahead) == close) {
                if (remarks_ != nullptr) {
                    std::string said;
                    for (const CodePoint& point : text_.subspan(at_ + 1, ahead - 1))
                        append_utf8(said, point.value);
                    remarks_->push_back({.ply = game_.moves.size(), .text = std::move(said)});
                }
                at_ += ahead + 1;
                return {};
            }
        }
        return fault(ErrorCode::bad_notation, "a remark that is not closed", 1);
    }

    std::span<const CodePoint> text_;
    std::vector<Remark>* remarks_;
    std::size_t at_ = 0;
    std::size_t placed_ = 0;
    Game game_;
};

}  // namespace

Result<Game> parse_transcript(std::string_view text, const Position& start) {
    auto decoded = decode_utf8(text);
    if (!decoded) return fail(decoded.error());
    return parse_transcript(*decoded, start, nullptr);
}

Result<Game> parse_transcript(std::span<const CodePoint> text,
                              const Position& start,
                              std::vector<Remark>* remarks) {
    return Reader(text, start, remarks).read();
}

std::string write_transcript(const std::vector<Move>& moves, Passes passes) {
    std::string text;
    for (const Move& move : moves) {
        if (!move.is_pass()) {
            text += to_string(move.square);
        } else if (passes == Passes::written) {
            text += "--";
        }
    }
    return text;
}

}  // namespace yomi::othello
