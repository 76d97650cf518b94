#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/shogi/notation/record_builder.hpp"

namespace yomi::shogi {

using Points = std::u32string_view;

inline bool is_blank(char32_t c) {
    return c == U' ' || c == U'\t';
}
inline bool is_digit(char32_t c) {
    return c >= U'0' && c <= U'9';
}
inline std::size_t skip_blanks(Points points, std::size_t i) {
    while (i < points.size() && is_blank(points[i]))
        ++i;
    return i;
}

/// A decimal number at `i`, at most 8 digits of it; nothing if there is none.
std::optional<int> scan_number(Points points, std::size_t& i);
/// "0:07" or "1:02:03" at `i`, in milliseconds.
std::optional<std::chrono::milliseconds> scan_clock(Points points, std::size_t& i);

/// One line of a KIF or KI2 text: as it is written, and folded to what its readers compare.
/// Holds views of the text; it must outlive the line.
class KifuLine {
public:
    void set(const TextLine& line);
    /// Folds; before that `points` are those of an earlier line. Comments need none.
    void fold();

    [[nodiscard]] int number() const noexcept { return line_.number; }
    [[nodiscard]] std::string_view raw() const noexcept { return line_.raw; }
    [[nodiscard]] std::string_view trimmed() const noexcept { return trimmed_; }
    [[nodiscard]] Points points() const noexcept { return points_; }
    [[nodiscard]] bool starts(std::string_view word) const { return trimmed_.starts_with(word); }
    [[nodiscard]] TextPlace place(std::size_t index) const {
        return {.line = line_.number, .column = static_cast<int>(index) + 1};
    }
    /// The characters from `index` on, as they are written.
    [[nodiscard]] std::string original(std::size_t index, std::size_t length = Points::npos) const;
    /// The word at `index`, as it is written, up to a space or a parenthesis.
    [[nodiscard]] std::string word_at(std::size_t index) const;
    /// Tells `builder` of a doubt about the text from `index` on.
    void warn(RecordBuilder& builder,
              std::string_view code,
              std::string message,
              std::size_t index = 0) const {
        builder.warn(code, std::move(message), place(index), original(index));
    }

private:
    TextLine line_;
    std::string_view trimmed_;
    std::u32string points_;
};

}  // namespace yomi::shogi
