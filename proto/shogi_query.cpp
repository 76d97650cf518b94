#include "proto/shogi_query.hpp"

#include <cstddef>
#include <optional>
#include <utility>

#include "core/shogi/notation/handicap.hpp"

namespace yomi::proto {
namespace {

/// A character that may have been a space or a plus.
constexpr bool is_gap(char c) {
    return c == ' ' || c == '+';
}
/// White space that no encoding takes for a plus.
constexpr bool is_hard_space(char c) {
    return c == '\t' || c == '\r' || c == '\n';
}
constexpr bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Walks over the text once and decides each gap; the text's length never changes.
class Restorer {
public:
    explicit Restorer(std::string_view text) : text_(text) {}

    std::string run() {
        spaces();
        if (skip_word("position")) spaces();
        if (!skip_word("startpos") && !skip_handicap()) {
            if (skip_word("sfen")) spaces();
            board();
        }
        // Side, hands and ply have no plus: every gap up to the moves is a space.
        while (at_ < text_.size()) {
            spaces();
            const std::size_t word = at_;
            if (skip_word("moves")) {
                moves(word);
                break;
            }
            while (at_ < text_.size() && !is_gap(text_[at_]) && !is_hard_space(text_[at_]))
                ++at_;
        }
        return std::move(text_);
    }

private:
    void spaces() {
        for (; at_ < text_.size() && (is_gap(text_[at_]) || is_hard_space(text_[at_])); ++at_) {
            if (is_gap(text_[at_])) text_[at_] = ' ';
        }
    }

    bool skip_word(std::string_view word) {
        if (text_.compare(at_, word.size(), word) != 0) return false;
        const std::size_t end = at_ + word.size();
        if (end < text_.size() && !is_gap(text_[end]) && !is_hard_space(text_[end])) return false;
        at_ = end;
        return true;
    }

    /// The name of a handicap start; its letters would pass for a board's.
    bool skip_handicap() {
        std::size_t end = at_;
        while (end < text_.size() && !is_gap(text_[end]) && !is_hard_space(text_[end]))
            ++end;
        const auto word = std::string_view(text_).substr(at_, end - at_);
        if (shogi::find_handicap(word) == nullptr) return false;
        at_ = end;
        return true;
    }

    void board() {
        int squares = 0;
        for (; at_ < text_.size(); ++at_) {
            const char c = text_[at_];
            if (c == '/') {
                squares = 0;
            } else if (c >= '1' && c <= '9') {
                squares += c - '0';
            } else if (is_letter(c)) {
                ++squares;
            } else if (is_gap(c) && squares < 9 && at_ + 1 < text_.size() &&
                       is_letter(text_[at_ + 1])) {
                text_[at_] = '+';
            } else {
                return;
            }
        }
    }

    /// `keyword` is where the word "moves" stands; `at_` is behind it.
    void moves(std::size_t keyword) {
        spaces();
        std::optional<shogi::Position> position;
        if (has_doubtful_space()) {
            auto root = shogi::parse_usi_position(std::string_view(text_).substr(0, keyword));
            if (root) position = std::move(root->position);
        }
        while (at_ < text_.size()) {
            const std::size_t begin = at_;
            while (at_ < text_.size() && !is_gap(text_[at_]) && !is_hard_space(text_[at_]))
                ++at_;
            std::string move = text_.substr(begin, at_ - begin);
            if (at_ < text_.size() && is_gap(text_[at_]) && is_double_gap(at_)) {
                const bool promotes =
                    text_[at_] == '+' ||
                    (position && shogi::parse_usi_move(move + '+', *position).has_value());
                if (promotes) {
                    move += '+';
                    text_[at_++] = '+';
                }
            }
            spaces();
            if (position) play(move, position);
        }
    }

    static void play(const std::string& text, std::optional<shogi::Position>& position) {
        const auto move = shogi::parse_usi_move(text, *position);
        if (move) {
            position->do_move(*move);
        } else {
            position.reset();  // the parser will say what is wrong; no later space can be judged
        }
    }

    /// Whether the gap at `i` is followed by another one or by the end: one too many to be a mere
    /// separator.
    [[nodiscard]] bool is_double_gap(std::size_t i) const {
        return i + 1 == text_.size() || is_gap(text_[i + 1]) || is_hard_space(text_[i + 1]);
    }

    [[nodiscard]] bool has_doubtful_space() const {
        for (std::size_t i = at_; i < text_.size(); ++i) {
            if (text_[i] == ' ' && is_double_gap(i)) return true;
        }
        return false;
    }

    std::string text_;
    std::size_t at_ = 0;
};

}  // namespace

std::string restore_plus(std::string_view text) {
    return Restorer(text).run();
}

Result<shogi::UsiGame> parse_query_position(std::string_view text, int max_moves) {
    const std::string restored = restore_plus(text);
    auto game = shogi::parse_usi_position(restored, max_moves);
    if (game || restored == text) return game;
    auto literal = shogi::parse_usi_position(text, max_moves);
    if (literal || literal.error().column > game.error().column) return literal;
    return game;
}

Result<shogi::Move> parse_query_move(std::string_view text, const shogi::Position& position) {
    while (!text.empty() && is_gap(text.front()))
        text.remove_prefix(1);
    std::size_t end = text.size();
    while (end > 0 && is_gap(text[end - 1]))
        --end;
    const std::string plain(text.substr(0, end));
    if (end == text.size()) return shogi::parse_usi_move(plain, position);
    auto promotion = shogi::parse_usi_move(plain + '+', position);
    if (promotion || text[end] == '+') return promotion;
    return shogi::parse_usi_move(plain, position);
}

}  // namespace yomi::proto
