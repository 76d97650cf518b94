#include "core/othello/book/back_up.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

namespace yomi::othello::book {
namespace {

std::uint32_t add(std::uint32_t a, std::uint32_t b) noexcept {
    const std::uint64_t sum = std::uint64_t{a} + b;
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
    return static_cast<std::uint32_t>(std::min(sum, kMost));
}

std::int8_t clamped(int discs) noexcept {
    return static_cast<std::int8_t>(std::clamp(discs, -64, 64));
}

/// One line that ends here with this value.
void count_line(PositionInfo& info, int value, bool solved) noexcept {
    if (!solved)
        info.lines = add(info.lines, 1);
    else if (value > 0)
        info.wins = add(info.wins, 1);
    else if (value < 0)
        info.losses = add(info.losses, 1);
    else
        info.draws = add(info.draws, 1);
}

/// The value with what it may be off by.
struct Range {
    int value = kUnknown, lower = kUnknown, upper = kUnknown;
    void take(int v, int low, int high) noexcept {
        value = std::max(value, v);
        lower = std::max(lower, low);
        upper = std::max(upper, high);
    }
};

int error_of(const PositionInfo& info, int empties, const LeafError& error) noexcept {
    if (info.leaf_confidence == 100) return 0;
    return info.leaf_depth >= empties && info.leaf_depth != 0 ? error.endcut : error.midgame;
}

PositionInfo finished(const Board& board, PositionInfo info) noexcept {
    const int score = final_score(board);
    info.drop_leaf();
    info.flags = 0;
    info.value = info.lower = info.upper = clamped(score);
    info.wins = info.draws = info.losses = info.lines = 0;
    count_line(info, score, true);
    return info;
}

}  // namespace

PositionInfo backed_up(const Reader& book,
                       const PositionKey& key,
                       PositionInfo info,
                       const LeafError& error) {
    const Board& board = key.board;
    if (is_over(board)) return finished(board, info);
    const std::vector<Link> links = links_of(book, board);
    if (info.leaf_move != kNoMove) {
        const Square leaf = info.leaf_move;
        const bool stale = !is_legal(board, leaf) ||
                           std::any_of(links.begin(), links.end(), [&](const Link& link) {
                               return link.child == PositionKey::of(child_of(board, leaf));
                           });
        if (stale) info.drop_leaf();
    }
    info.wins = info.draws = info.losses = info.lines = 0;
    Range best;
    for (const Link& link : links) {
        info.wins = add(info.wins, link.info.losses);
        info.draws = add(info.draws, link.info.draws);
        info.losses = add(info.losses, link.info.wins);
        info.lines = add(info.lines, link.info.lines);
        if (link.known()) best.take(link.value(), -link.info.upper, -link.info.lower);
    }
    if (info.has_leaf()) {
        const int off = error_of(info, board.empties(), error);
        best.take(info.leaf_value, info.leaf_value - off, info.leaf_value + off);
        count_line(info, info.leaf_value, info.leaf_confidence == 100);
    } else if (links.empty()) {
        count_line(info, 0, false);
    }
    if (info.pinned()) return info;
    if (best.value == kUnknown) {
        if (info.given()) return info;
        info.value = info.lower = kUnknown;
        info.upper = -kUnknown;
        return info;
    }
    info.flags &= static_cast<std::uint8_t>(~PositionInfo::kGiven);
    info.value = clamped(best.value);
    info.lower = clamped(best.lower);
    info.upper = clamped(best.upper);
    return info;
}

Result<std::vector<PositionKey>> propagate(Edit& edit,
                                           std::span<const PositionKey> touched,
                                           const LeafError& error) {
    using Entry = std::pair<FlowOrder, PositionKey>;
    std::set<Entry> waiting;  // a set: a position with many changed children is computed once
    const KeySet forced(touched.begin(), touched.end());
    for (const PositionKey& key : forced)
        waiting.emplace(FlowOrder::of(key.board), key);
    std::vector<PositionKey> changed;
    while (!waiting.empty()) {
        const PositionKey key = waiting.begin()->second;
        waiting.erase(waiting.begin());
        const auto now = edit.find(key);
        bool differs = forced.contains(key);
        if (now) {
            const PositionInfo next = backed_up(edit, key, *now, error);
            if (next != *now) {
                if (auto done = edit.set(key, next); !done) return fail(done.error());
                differs = true;
            }
        }
        if (!differs) continue;
        if (edit.find(key) != edit.base().find(key)) changed.push_back(key);
        for (const Board& board : predecessors(key.board)) {
            const PositionKey parent = PositionKey::of(board);
            if (edit.contains(parent)) waiting.emplace(FlowOrder::of(parent.board), parent);
        }
    }
    return changed;
}

namespace {

/// Whether two states of a record differ in more than the bounds.
bool values_differ(const PositionInfo& a, PositionInfo b) noexcept {
    b.lower = a.lower;
    b.upper = a.upper;
    return a != b;
}

Result<std::size_t> sweep(Edit& edit, const LeafError& error, bool keep_bounds) {
    std::vector<std::pair<FlowOrder, PositionKey>> all;
    all.reserve(edit.size());
    edit.each([&](const PositionData& record) {
        all.emplace_back(FlowOrder::of(record.key.board), record.key);
        return true;
    });
    std::sort(all.begin(), all.end());
    std::size_t changed = 0;
    for (const auto& [order, key] : all) {
        const auto now = edit.find(key);
        const PositionInfo next = backed_up(edit, key, *now, error);
        if (next == *now || (keep_bounds && !values_differ(next, *now))) continue;
        if (auto done = edit.set(key, next); !done) return fail(done.error());
        ++changed;
    }
    return changed;
}

}  // namespace

Result<std::size_t> back_up_all(Edit& edit, const LeafError& error) {
    return sweep(edit, error, false);
}

Result<std::size_t> back_up_values(Edit& edit, const LeafError& error) {
    return sweep(edit, error, true);
}

}  // namespace yomi::othello::book
