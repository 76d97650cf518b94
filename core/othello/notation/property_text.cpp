#include "core/othello/notation/property_text.hpp"

#include <algorithm>
#include <utility>

#include "core/othello/board_text.hpp"

namespace yomi::othello {
namespace {

constexpr char32_t lower(char32_t c) noexcept {
    return c >= U'A' && c <= U'Z' ? c + 32 : c;
}

constexpr bool is_letter(char32_t c) noexcept {
    return (c >= U'A' && c <= U'Z') || (c >= U'a' && c <= U'z');
}

}  // namespace

std::string utf8_of(Points text) {
    std::string out;
    out.reserve(text.size());
    for (const CodePoint& point : text)
        append_utf8(out, point.value);
    return out;
}

Points trim(Points text) noexcept {
    while (!text.empty() && is_blank(text.front().value))
        text = text.subspan(1);
    while (!text.empty() && is_blank(text.back().value))
        text = text.first(text.size() - 1);
    return text;
}

std::vector<Points> lines_of(Points text) {
    std::vector<Points> lines;
    while (!text.empty()) {
        const int line = text.front().line;
        const auto end = std::find_if(
            text.begin(), text.end(), [&](const CodePoint& point) { return point.line != line; });
        const auto length = static_cast<std::size_t>(end - text.begin());
        Points row = text.first(length);
        while (!row.empty() && (row.back().value == U'\n' || row.back().value == U'\r'))
            row = row.first(row.size() - 1);
        lines.push_back(row);
        text = text.subspan(length);
    }
    return lines;
}

bool starts_with_word(Points text, std::string_view word) noexcept {
    if (text.size() < word.size()) return false;
    for (std::size_t i = 0; i < word.size(); ++i) {
        if (lower(text[i].value) != static_cast<char32_t>(static_cast<unsigned char>(word[i])))
            return false;
    }
    return true;
}

std::size_t find_word(Points text, std::string_view word) noexcept {
    for (std::size_t at = 0; at + word.size() <= text.size(); ++at) {
        if (starts_with_word(text.subspan(at), word)) return at;
    }
    return text.size();
}

tl::unexpected<Error> fault_at(const CodePoint& place,
                               std::string message,
                               ErrorCode code,
                               std::string hint) {
    std::string value;
    if (place.value != 0) append_utf8(value, place.value);
    return fail(Error{.code = code,
                      .message = std::move(message),
                      .line = place.line,
                      .column = place.column,
                      .hint = std::move(hint),
                      .value = std::move(value)});
}

tl::unexpected<Error> fault_at(const CodePoint& place, Error error, Points value) {
    constexpr std::size_t kShown = 80;
    error.line = place.line;
    error.column = place.column;
    error.value = utf8_of(value.first(std::min(kShown, value.size())));
    return fail(std::move(error));
}

Result<PropertyToken> PropertyScanner::next() {
    using Kind = PropertyToken::Kind;
    while (at_ < text_.size() && is_blank(text_[at_].value))
        ++at_;
    if (at_ >= text_.size()) {
        CodePoint end = text_.empty() ? CodePoint{} : text_.back();
        end.value = 0;
        return PropertyToken{.kind = Kind::end, .text = {}, .place = end};
    }
    const CodePoint place = text_[at_];
    const auto sign = [&](Kind kind) {
        ++at_;
        return PropertyToken{.kind = kind, .text = text_.subspan(at_ - 1, 1), .place = place};
    };
    if (place.value == U'(') return sign(Kind::open);
    if (place.value == U')') return sign(Kind::close);
    if (place.value == U';') return sign(Kind::node);
    if (is_letter(place.value)) {
        const std::size_t begin = at_;
        while (at_ < text_.size() && is_letter(text_[at_].value))
            ++at_;
        return PropertyToken{
            .kind = Kind::name, .text = text_.subspan(begin, at_ - begin), .place = place};
    }
    if (place.value == U'[') {
        const std::size_t begin = ++at_;
        while (at_ < text_.size() && text_[at_].value != U']')
            at_ += text_[at_].value == U'\\' ? 2 : 1;
        if (at_ >= text_.size()) return fault_at(place, "a value that is not closed by ]");
        ++at_;
        return PropertyToken{
            .kind = Kind::value, .text = text_.subspan(begin, at_ - 1 - begin), .place = place};
    }
    return fault_at(place, "this sign has no place between the properties of a game");
}

Result<PropertyToken> PropertyScanner::peek() {
    const std::size_t at = at_;
    auto token = next();
    at_ = at;
    return token;
}

Points PropertyScanner::skip_to_game() {
    const std::size_t begin = at_;
    for (; at_ < text_.size(); ++at_) {
        if (text_[at_].value != U'(') continue;
        std::size_t ahead = at_ + 1;
        while (ahead < text_.size() && is_blank(text_[ahead].value))
            ++ahead;
        if (ahead < text_.size() && text_[ahead].value == U';') break;
        at_ = ahead - 1;
    }
    at_ = std::min(at_, text_.size());
    return trim(text_.subspan(begin, at_ - begin));
}

Result<Square> square_in(Points text, const CodePoint& place) {
    text = trim(text);
    std::string word;
    for (const CodePoint& point : text.first(std::min<std::size_t>(5, text.size()))) {
        append_utf8(word, lower(fold_width(point.value)));
    }
    if (word.empty() || word == "pa" || word == "ps" || word == "pass" || word == "--")
        return kPass;
    if (const auto square = parse_square(word)) return *square;
    return fault_at(text.empty() ? place : text.front(),
                    Error{.code = ErrorCode::bad_notation,
                          .message = "a move is a file a..h and a rank 1..8, or a pass"},
                    text);
}

Result<Position> board_in(Points text, const CodePoint& place) {
    auto board = parse_board(utf8_of(text));
    if (board) return board;
    Error error = std::move(board.error());
    const CodePoint& begin = text.empty() ? place : text.front();
    if (error.line <= 1) error.column = begin.column + std::max(0, error.column - 1);
    error.line = begin.line + std::max(0, error.line - 1);
    return fail(std::move(error));
}

std::string property_value(Points raw) {
    std::vector<CodePoint> plain;
    plain.reserve(raw.size());
    for (std::size_t i = 0; i < raw.size(); ++i) {
        if (raw[i].value == U'\\' && i + 1 < raw.size()) {
            ++i;
            if (raw[i].value == U'\r' && i + 1 < raw.size() && raw[i + 1].value == U'\n') ++i;
            if (raw[i].value == U'\n' || raw[i].value == U'\r') continue;
        }
        plain.push_back(raw[i]);
    }
    return utf8_of(trim(plain));
}

bool is_property_name(std::string_view word) noexcept {
    return !word.empty() &&
           std::all_of(word.begin(), word.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

std::string escaped_property(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (const char c : text) {
        if (c == ']' || c == '\\') out += '\\';
        out += c;
    }
    return out;
}

}  // namespace yomi::othello
