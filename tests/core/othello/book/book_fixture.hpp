#pragma once

#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "core/othello/book/lines.hpp"
#include "core/othello/book/opening.hpp"
#include "core/othello/book/rules.hpp"
#include "core/othello/transcript.hpp"
#include "tests/core/othello/book/random_line.hpp"

namespace yomi::othello::book {

inline Game game_of(std::string_view moves) {
    auto game = parse_transcript(moves);
    EXPECT_TRUE(game.has_value()) << moves << ": " << (game ? "" : game.error().message);
    return game ? *game : Game{};
}

inline Board board_after(std::string_view moves) {
    return game_of(moves).end.board;
}

inline ScoredLine line_of(std::string_view moves, int black) {
    return {.start = {}, .moves = game_of(moves).moves, .black = black};
}

/// Registers a line and takes it over; the keys that changed.
inline Registered add_line(Opening& book, const ScoredLine& line) {
    Edit edit(book);
    auto done = register_line(edit, line);
    EXPECT_TRUE(done.has_value()) << (done ? "" : done.error().message);
    EXPECT_TRUE(edit.apply_to(book).has_value());
    return done.value_or(Registered{});
}

inline int value_at(const Reader& book, std::string_view moves) {
    const auto info = book.find(PositionKey::of(board_after(moves)));
    return info ? info->value : 1000;
}

/// The breaches of a book as one text, for messages; those that only a search can mend left out.
inline std::string unsound_text(const Reader& book) {
    std::string text;
    verify(book, [&](const Breach& breach) {
        if (breach.rule != Rule::leaf_missing && breach.rule != Rule::value_unknown)
            text += std::string(to_string(breach.rule)) + " ";
        return text.size() < 400;
    });
    return text;
}

}  // namespace yomi::othello::book
