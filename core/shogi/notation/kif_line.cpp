#include "core/shogi/notation/kif_line.hpp"

#include <algorithm>

namespace yomi::shogi {

std::optional<int> scan_number(Points points, std::size_t& i) {
    int value = 0;
    const std::size_t start = i;
    for (; i < points.size() && is_digit(points[i]); ++i) {
        if (i - start < 8) value = value * 10 + static_cast<int>(points[i] - U'0');
    }
    return i > start ? std::optional(value) : std::nullopt;
}

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

void KifuLine::set(const TextLine& line) {
    line_ = line;
    trimmed_ = trim_blanks(line_.raw);
}

void KifuLine::fold() {
    fold_line(line_.raw, points_);
}

std::string KifuLine::original(std::size_t index, std::size_t length) const {
    std::u32string points;
    decode_points(line_.raw, points);
    return to_utf8(Points(points).substr(std::min(index, points.size()), length));
}

std::string KifuLine::word_at(std::size_t index) const {
    std::size_t end = index;
    while (end < points_.size() && !is_blank(points_[end]) && points_[end] != U'(')
        ++end;
    return original(index, end - index);
}

}  // namespace yomi::shogi
