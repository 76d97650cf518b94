#include "core/othello/book/surgery.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "core/othello/book/lines.hpp"

namespace yomi::othello::book {
namespace {

auto rank_of_leaf(const PositionInfo& info) noexcept {
    const int level = info.leaf_level == kUnknownLevel ? -1 : info.leaf_level;
    return std::tuple(info.has_leaf(), level, info.leaf_confidence);
}

/// Takes over what the other book says by itself, not by its links. True: something changed.
bool take_over(PositionInfo& mine, const PositionInfo& other) {
    if (mine.pinned()) return false;
    if (other.pinned() || (!mine.has_leaf() && !mine.given() && other.given())) {
        mine = other;
        return true;
    }
    if (rank_of_leaf(other) <= rank_of_leaf(mine)) return false;
    mine.leaf_move = other.leaf_move;
    mine.leaf_value = other.leaf_value;
    mine.leaf_level = other.leaf_level;
    mine.leaf_depth = other.leaf_depth;
    mine.leaf_confidence = other.leaf_confidence;
    mine.level = std::max(mine.level, other.level);
    mine.source = other.source;
    return true;
}

}  // namespace

Result<MergeCount> overlay(Edit& edit, const Reader& other) {
    MergeCount count;
    std::optional<Error> fault;
    other.each([&](const PositionData& record) {
        const auto mine = edit.find(record.key);
        PositionInfo info = mine.value_or(record.info);
        if (mine && !take_over(info, record.info)) {
            ++count.kept;
            return true;
        }
        ++(mine ? count.updated : count.added);
        auto done = edit.set(record.key, info);
        if (!done) fault = done.error();
        return done.has_value();
    });
    if (fault) return fail(*fault);
    return count;
}

Result<MergeCount> merge(Edit& edit, const Reader& other, const LeafError& error) {
    auto count = overlay(edit, other);
    if (!count) return count;
    if (auto done = back_up_all(edit, error); !done) return fail(done.error());
    return count;
}

Result<Opening> subtree(const Reader& book, const Scope& scope, const LeafError& error) {
    Opening out;
    for (const Met& met : walk(book, scope)) {
        if (auto done = out.set(met.key, met.info); !done) return fail(done.error());
    }
    Edit edit(out);
    // What was cut off stays known as a leaf.
    for (std::size_t number = 0; number < out.num(); ++number) {
        const PositionKey key = out.data(number).key;
        for (const Link& link : links_of(book, key.board)) {
            if (out.lookup(link.child) != nullptr || !link.known()) continue;
            PositionInfo info = *edit.find(key);
            if (info.has_leaf() && info.leaf_value >= link.value()) continue;
            info.leaf_move = static_cast<std::uint8_t>(link.move);
            info.leaf_value = static_cast<std::int8_t>(link.value());
            info.leaf_level = link.info.level;
            info.leaf_depth = info.leaf_confidence = 0;
            if (auto done = edit.set(key, info); !done) return fail(done.error());
        }
    }
    if (auto done = back_up_all(edit, error); !done) return fail(done.error());
    Opening result;
    std::optional<Error> fault;
    edit.each([&](const PositionData& record) {
        auto done = result.set(record.key, record.info);
        if (!done) fault = done.error();
        return done.has_value();
    });
    if (fault) return fail(*fault);
    return result;
}

Result<std::size_t> prune(Edit& edit, const Scope& scope, const LeafError& error) {
    KeySet stays;
    for (const Met& met : walk(edit, scope))
        stays.insert(met.key);
    std::vector<PositionKey> goes;
    edit.each([&](const PositionData& record) {
        if (!stays.contains(record.key)) goes.push_back(record.key);
        return true;
    });
    // Values before anything is gone, so that the order of removal does not matter.
    for (const PositionKey& key : stays) {
        for (const Link& link : links_of(edit, key.board)) {
            if (!stays.contains(link.child)) keep_as_leaf(edit, key, link.child);
        }
    }
    for (const PositionKey& key : goes)
        edit.remove(key);
    if (auto done = back_up_all(edit, error); !done) return fail(done.error());
    return goes.size();
}

DiffCount diff(const Reader& left,
               const Reader& right,
               const std::function<bool(const Difference&)>& visit) {
    DiffCount count;
    bool go_on = true;
    left.each([&](const PositionData& record) {
        const auto other = right.find(record.key);
        if (other && *other == record.info) {
            ++count.equal;
            return true;
        }
        ++(other ? count.changed : count.only_left);
        return go_on = visit({record.key, record.info, other});
    });
    if (!go_on) return count;
    right.each([&](const PositionData& record) {
        if (left.contains(record.key)) return true;
        ++count.only_right;
        return visit({record.key, std::nullopt, record.info});
    });
    return count;
}

Statistics statistics(const Reader& book) {
    Statistics sum;
    book.each([&](const PositionData& record) {
        const Board& board = record.key.board;
        const PositionInfo& info = record.info;
        ++sum.positions;
        const std::size_t links = links_of(book, board).size();
        sum.links += links;
        if (must_pass(board)) ++sum.passes;
        if (is_over(board)) ++sum.finished;
        if (info.has_leaf()) ++sum.leaves;
        if (links == 0) ++sum.ends;
        if (!info.known()) ++sum.unknown;
        ++sum.by_discs[static_cast<std::size_t>(std::clamp(60 - board.empties(), 0, 60))];
        ++sum.by_level[info.level];
        ++sum.by_source[static_cast<std::size_t>(info.source) & 7];
        return true;
    });
    return sum;
}

}  // namespace yomi::othello::book
