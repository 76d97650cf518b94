#include "core/shogi/notation/sfen.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <variant>

#include "core/shogi/names.hpp"

namespace yomi::shogi {
namespace {

/// Largest move number taken for real; a typo of more digits is named instead.
constexpr int kMaxPly = 1'000'000;

std::optional<PieceType> kind_of_letter(char upper) {
    for (int t = index(PieceType::pawn); t <= index(PieceType::king); ++t) {
        if (kind_letter(static_cast<PieceType>(t)) == upper) return static_cast<PieceType>(t);
    }
    return std::nullopt;
}

constexpr bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
constexpr bool is_upper(char c) {
    return c >= 'A' && c <= 'Z';
}
constexpr bool is_lower(char c) {
    return c >= 'a' && c <= 'z';
}
constexpr char to_upper(char c) {
    return is_lower(c) ? static_cast<char>(c - 'a' + 'A') : c;
}
constexpr bool is_continuation(char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

/// One reader over one text; every failure carries the column of the offending character.
class Reader {
public:
    explicit Reader(std::string_view text) : text_(text) {}

    Result<Setup> read() {
        skip_spaces();
        if (at_end()) return error("the SFEN is empty", at_, 0);
        if (rest() == "sfen" || rest().substr(0, 5) == "sfen ") {
            at_ += 4;
            skip_spaces();
            if (at_end()) return error("nothing follows \"sfen\"", at_, 0);
        }
        if (auto done = read_board(); !done) return fail(done.error());
        if (auto done = read_side(); !done) return fail(done.error());
        if (auto done = read_hands(); !done) return fail(done.error());
        if (auto done = read_ply(); !done) return fail(done.error());
        skip_spaces();
        if (!at_end()) return error("text after the end of the SFEN", at_, word_length());
        return setup_;
    }

private:
    using Done = Result<std::monostate>;

    [[nodiscard]] bool at_end() const { return at_ >= text_.size(); }
    [[nodiscard]] char now() const { return text_[at_]; }
    [[nodiscard]] std::string_view rest() const { return text_.substr(at_); }
    void skip_spaces() {
        while (!at_end() && (now() == ' ' || now() == '\t' || now() == '\r' || now() == '\n'))
            ++at_;
    }
    [[nodiscard]] std::size_t word_length() const {
        const std::size_t end = text_.find_first_of(" \t\r\n", at_);
        return (end == std::string_view::npos ? text_.size() : end) - at_;
    }
    /// Bytes of the one character that starts at `at`.
    [[nodiscard]] std::size_t character_length(std::size_t at) const {
        std::size_t n = at < text_.size() ? 1 : 0;
        while (at + n < text_.size() && is_continuation(text_[at + n]))
            ++n;
        return n;
    }
    [[nodiscard]] tl::unexpected<Error> error(std::string message,
                                              std::size_t at,
                                              std::size_t length,
                                              ErrorCode code = ErrorCode::bad_notation) const {
        const std::string_view before = text_.substr(0, at);
        const auto column = 1 + std::count_if(before.begin(), before.end(), [](char c) {
                                return !is_continuation(c);
                            });
        return fail_at(
            code, std::move(message), static_cast<int>(column), text_.substr(at, length));
    }
    [[nodiscard]] std::string shown() const {
        return '"' + std::string(text_.substr(at_, character_length(at_))) + '"';
    }

    Done read_board() {
        for (int rank = 0; rank < 9; ++rank) {
            if (auto done = read_rank(rank); !done) return done;
        }
        if (!at_end() && now() == '/') return error("the board has a tenth rank", at_, 1);
        if (!at_end() && now() != ' ' && now() != '\t') {
            return error("rank i has more than 9 squares", at_, character_length(at_));
        }
        return {};
    }

    Done read_rank(int rank) {
        const std::size_t start = at_;
        const std::string name = std::string("rank ") + static_cast<char>('a' + rank);
        int squares = 0;
        bool after_digit = false;
        while (!at_end() && now() != '/' && now() != ' ' && now() != '\t') {
            const std::size_t item = at_;
            if (is_digit(now())) {
                if (now() == '0') return error("0 is not a number of empty squares", at_, 1);
                if (after_digit) return error("two numbers in a row in " + name, at_, 1);
                squares += now() - '0';
                after_digit = true;
                ++at_;
            } else {
                auto piece = read_piece();
                if (!piece) return fail(piece.error());
                if (squares < 9) {
                    setup_.board[static_cast<std::size_t>(make_square(8 - squares, rank))] = *piece;
                }
                ++squares;
                after_digit = false;
            }
            if (squares > 9) return error(name + " has more than 9 squares", item, at_ - item);
        }
        if (squares < 9) {
            if (at_end() && squares == 0 && rank > 0) {
                return error(
                    "the board has " + std::to_string(rank) + " ranks instead of 9", at_, 0);
            }
            return error(name + " has " + std::to_string(squares) + " squares instead of 9",
                         start,
                         at_ - start);
        }
        if (rank == 8) return {};
        if (at_end() || now() != '/') {
            return error(
                "the board has " + std::to_string(rank + 1) + " ranks instead of 9", at_, 0);
        }
        ++at_;
        return {};
    }

    Result<Piece> read_piece() {
        const bool promoted = now() == '+';
        const std::size_t start = at_;
        if (promoted) {
            ++at_;
            if (at_end() || now() == '/' || now() == ' ')
                return error("\"+\" without a piece", start, 1);
        }
        const auto kind = kind_of_letter(to_upper(now()));
        if (!kind) return error("no piece has the letter " + shown(), at_, character_length(at_));
        if (promoted && !can_promote(*kind)) {
            return error("a " + kind_name(*kind) + " cannot be promoted", start, at_ + 1 - start);
        }
        const Color side = is_upper(now()) ? Color::black : Color::white;
        ++at_;
        return make_piece(side, promoted ? promote(*kind) : *kind);
    }

    Done read_side() {
        skip_spaces();
        if (at_end()) return error("the side to move is missing", at_, 0);
        if (word_length() != 1 || (now() != 'b' && now() != 'w')) {
            return error("the side to move is \"b\" or \"w\"", at_, word_length());
        }
        setup_.side_to_move = now() == 'b' ? Color::black : Color::white;
        ++at_;
        return {};
    }

    Done read_hands() {
        skip_spaces();
        if (at_end()) return error("the hands are missing (\"-\" for none)", at_, 0);
        if (now() == '-') {
            if (word_length() != 1)
                return error("\"-\" means that both hands are empty", at_, word_length());
            ++at_;
            return {};
        }
        while (!at_end() && now() != ' ' && now() != '\t' && now() != '\r' && now() != '\n') {
            if (auto done = read_hand_item(); !done) return done;
        }
        return {};
    }

    Done read_hand_item() {
        const std::size_t start = at_;
        int count = 1;
        if (is_digit(now())) {
            count = 0;
            if (now() == '0') return error("a count in hand does not start with 0", at_, 1);
            while (!at_end() && is_digit(now())) {
                count = std::min(count * 10 + (now() - '0'), 1000);
                ++at_;
            }
            if (at_end() || now() == ' ')
                return error("a count without a piece", start, at_ - start);
        }
        if (now() == '+') return error("pieces in hand are never promoted", at_, 1);
        const auto kind = kind_of_letter(to_upper(now()));
        if (!kind) return error("no piece has the letter " + shown(), at_, character_length(at_));
        if (*kind == PieceType::king) return error("a king cannot be in hand", at_, 1);
        const Color side = is_upper(now()) ? Color::black : Color::white;
        ++at_;
        if (count > 18) return error("more than 18 of a kind in hand", start, at_ - start);
        Hand& hand = setup_.hands[static_cast<std::size_t>(index(side))];
        if (hand.has(*kind)) return error("the letter is given twice", start, at_ - start);
        // A Hand holds what a set of pieces can put into it and no more.
        constexpr std::array<int, 8> kSet{0, 18, 4, 4, 4, 2, 2, 4};
        const int most = kSet[static_cast<std::size_t>(index(*kind))];
        if (count > most) {
            return error(std::to_string(count) + ' ' + kind_name(*kind) + "s in hand; a set has " +
                             std::to_string(most),
                         start,
                         at_ - start,
                         ErrorCode::illegal_position);
        }
        hand.set(*kind, count);
        return {};
    }

    Done read_ply() {
        skip_spaces();
        if (at_end()) return {};
        const std::size_t length = word_length();
        const std::string_view word = text_.substr(at_, length);
        if (!std::all_of(word.begin(), word.end(), is_digit)) {
            return error("the move number is not a number", at_, length);
        }
        int ply = 0;
        for (const char c : word) {
            ply = ply * 10 + (c - '0');
            if (ply > kMaxPly) {
                return error(
                    "the move number is greater than " + std::to_string(kMaxPly), at_, length);
            }
        }
        // Some programs count from 0; the first move has number 1 for everybody else.
        setup_.ply = std::max(ply, 1);
        at_ += length;
        return {};
    }

    std::string_view text_;
    std::size_t at_ = 0;
    Setup setup_;
};

}  // namespace

Result<Setup> parse_sfen(std::string_view text) {
    return Reader(text).read();
}

std::string to_sfen(const Setup& setup) {
    std::string text;
    const auto add_piece = [&text](Piece piece) {
        if (is_promoted(type_of(piece))) text += '+';
        const char letter = kind_letter(type_of(piece));
        text += color_of(piece) == Color::black ? letter : static_cast<char>(letter - 'A' + 'a');
    };
    for (int rank = 0; rank < 9; ++rank) {
        int empty = 0;
        for (int file = 8; file >= 0; --file) {
            const Piece piece = setup.board[static_cast<std::size_t>(make_square(file, rank))];
            if (piece == kNoPiece) {
                ++empty;
                continue;
            }
            if (empty != 0) text += static_cast<char>('0' + std::exchange(empty, 0));
            add_piece(piece);
        }
        if (empty != 0) text += static_cast<char>('0' + empty);
        text += rank < 8 ? '/' : ' ';
    }
    text += setup.side_to_move == Color::black ? "b " : "w ";
    const std::size_t before_hands = text.size();
    for (const Color c : {Color::black, Color::white}) {
        for (const PieceType kind : kHandOrder) {
            const int n = setup.hands[static_cast<std::size_t>(index(c))].count(kind);
            if (n == 0) continue;
            if (n > 1) text += std::to_string(n);
            add_piece(make_piece(c, kind));
        }
    }
    if (text.size() == before_hands) text += '-';
    text += ' ';
    text += std::to_string(setup.ply);
    return text;
}

std::string to_sfen(const Position& position) {
    return to_sfen(position.setup());
}

}  // namespace yomi::shogi
