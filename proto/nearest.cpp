#include "proto/nearest.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace yomi::proto {
namespace {

/// Edits (insert, delete, replace, swap of neighbours) between two short words, by the usual table
/// of rows.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> two_ago;
    std::vector<std::size_t> one_ago(b.size() + 1);
    std::iota(one_ago.begin(), one_ago.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::vector<std::size_t> row(b.size() + 1);
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replace = one_ago[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({replace, one_ago[j] + 1, row[j - 1] + 1});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = std::min(row[j], two_ago[j - 2] + 1);
            }
        }
        two_ago = std::move(one_ago);
        one_ago = std::move(row);
    }
    return one_ago[b.size()];
}

}  // namespace

std::string_view nearest(std::string_view name, std::span<const std::string_view> candidates) {
    constexpr std::size_t kLongest =
        40;  // a longer name is no slip of the finger, and the table is quadratic
    if (name.size() > kLongest) return {};
    std::string_view best;
    std::size_t best_distance = std::max<std::size_t>(1, name.size() / 3) + 1;
    for (const std::string_view candidate : candidates) {
        const std::size_t distance = edit_distance(name, candidate);
        if (distance < best_distance) {
            best = candidate;
            best_distance = distance;
        }
    }
    return best;
}

}  // namespace yomi::proto
