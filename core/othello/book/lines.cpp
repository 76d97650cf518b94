#include "core/othello/book/lines.hpp"

#include <cstdlib>
#include <string>
#include <utility>

namespace yomi::othello::book {
namespace {

/// Sets the value of a line's end. Where links or a search already say more it stays as it is.
PositionInfo with_given(PositionInfo info, int value, Source source) {
    info.value = info.lower = info.upper = static_cast<std::int8_t>(value);
    info.flags |= PositionInfo::kGiven;
    info.source = source;
    info.drop_leaf();
    return info;
}

Result<void> set_end(Edit& edit, const Position& end, const ScoredLine& line) {
    if (!line.black) return {};
    if (std::abs(*line.black) > 64) {
        return fail({.code = ErrorCode::out_of_range,
                     .message = "a score is -64..64 discs, not " + std::to_string(*line.black)});
    }
    const int value = end.side == Color::black ? *line.black : -*line.black;
    if (end.is_over()) {
        const int score = final_score(end.board);
        if (value == score) return {};
        const int black = end.side == Color::black ? score : -score;
        return fail({.code = ErrorCode::bad_value,
                     .message = "the line ends the game with " + std::to_string(black) +
                                " discs for Black, not " + std::to_string(*line.black)});
    }
    const PositionKey key = PositionKey::of(end.board);
    const auto info = edit.find(key);
    // A value below is worth more than a statement about the whole.
    if (!links_of(edit, key.board).empty()) return {};
    auto done = edit.set(key, with_given(info.value_or(PositionInfo{}), value, line.source));
    return done ? Result<void>{} : fail(done.error());
}

Result<void> touch(Edit& edit,
                   const Board& board,
                   Source source,
                   std::vector<PositionKey>& touched,
                   std::size_t& created) {
    const PositionKey key = PositionKey::of(board);
    touched.push_back(key);
    if (edit.contains(key)) return {};
    auto done = edit.set(key, PositionInfo{.source = source});
    if (!done) return fail(done.error());
    ++created;
    return {};
}

/// Lays down the records of a line, values but the last one's not yet known.
Result<void> lay(Edit& edit,
                 const ScoredLine& line,
                 std::vector<PositionKey>& touched,
                 std::size_t& created) {
    Position position = line.start;
    const auto lay_here = [&] {
        return touch(edit, position.board, line.source, touched, created);
    };
    if (auto done = lay_here(); !done) return done;
    for (const Move& move : line.moves) {
        if (!move.is_pass() && position.must_pass()) {
            position.do_move(Move{});
            if (auto done = lay_here(); !done) return done;
        }
        auto legal = position.make_move(move.square);
        if (!legal) return fail(std::move(legal.error()));
        position.do_move(*legal);
        if (auto done = lay_here(); !done) return done;
    }
    if (position.must_pass()) {  // nobody chooses it: the line's end lies behind
        position.do_move(Move{});
        if (auto done = lay_here(); !done) return done;
    }
    return set_end(edit, position, line);
}

}  // namespace

Result<Registered> register_lines(Edit& edit,
                                  std::span<const ScoredLine> lines,
                                  const LeafError& error) {
    Registered result;
    std::vector<PositionKey> touched;
    for (const ScoredLine& line : lines) {
        if (auto done = lay(edit, line, touched, result.created); !done) return fail(done.error());
    }
    auto changed = propagate(edit, touched, error);
    if (!changed) return fail(changed.error());
    result.changed = *std::move(changed);
    return result;
}

Result<Registered> register_line(Edit& edit, const ScoredLine& line, const LeafError& error) {
    return register_lines(edit, {&line, 1}, error);
}

Result<Registered> set_position(
    Edit& edit, const Board& board, int value, bool pinned, const LeafError& error) {
    if (std::abs(value) > 64) {
        return fail({.code = ErrorCode::out_of_range,
                     .message = "a value is -64..64 discs, not " + std::to_string(value)});
    }
    const PositionKey key = PositionKey::of(board);
    Registered result;
    const auto old = edit.find(key);
    PositionInfo info = old.value_or(PositionInfo{});
    if (pinned) {
        info.value = info.lower = info.upper = static_cast<std::int8_t>(value);
        info.flags |= PositionInfo::kPinned;
    } else {
        info = with_given(info, value, Source::person);
        info.flags &= static_cast<std::uint8_t>(~PositionInfo::kPinned);
    }
    info.source = Source::person;
    info.level = kHumanLevel;
    if (auto done = edit.set(key, info); !done) return fail(done.error());
    if (!old) result.created = 1;
    auto changed = propagate(edit, {&key, 1}, error);
    if (!changed) return fail(changed.error());
    result.changed = *std::move(changed);
    return result;
}

void keep_as_leaf(Edit& edit, const PositionKey& parent, const PositionKey& child) {
    auto info = edit.find(parent);
    const auto gone = edit.find(child);
    if (!info || !gone || !gone->known()) return;
    const int value = -gone->value;
    if (info->has_leaf() && info->leaf_value >= value) return;
    for_each_child(parent.board, [&](Square square, const Board& board) {
        if (PositionKey::of(board) != child) return;
        info->leaf_move = static_cast<std::uint8_t>(square);
        info->leaf_value = static_cast<std::int8_t>(value);
        info->leaf_level = gone->level;
        info->leaf_depth = gone->leaf_depth;
        // What was solved stays solved; anything else is no search of this very move.
        info->leaf_confidence =
            gone->lower == gone->upper && (gone->leaf_confidence == 100 || is_over(child.board))
                ? 100
                : 0;
    });
    // The record is there, so setting it needs no room.
    static_cast<void>(edit.set(parent, *info));
}

Result<bool> remove_position(Edit& edit, const Board& board, const LeafError& error) {
    const PositionKey key = PositionKey::of(board);
    if (!edit.contains(key)) return false;
    std::vector<PositionKey> parents;
    for (const Board& before : predecessors(key.board)) {
        const PositionKey parent = PositionKey::of(before);
        if (!edit.contains(parent)) continue;
        keep_as_leaf(edit, parent, key);
        parents.push_back(parent);
    }
    edit.remove(key);
    auto changed = propagate(edit, parents, error);
    if (!changed) return fail(changed.error());
    return true;
}

}  // namespace yomi::othello::book
