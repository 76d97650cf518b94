#include "core/othello/book/lines.hpp"

#include <algorithm>
#include <map>

#include "core/othello/book/queries.hpp"
#include "tests/core/othello/book/book_fixture.hpp"

namespace yomi::othello::book {
namespace {

TEST(Lines, GiveTheTutorialsExampleInAnyOrder) {
    for (const bool turned : {false, true}) {
        Opening book;
        std::vector<ScoredLine> lines = {line_of("f5d6", 2), line_of("f5f6", -2)};
        if (turned) std::swap(lines[0], lines[1]);
        for (const ScoredLine& line : lines)
            add_line(book, line);
        EXPECT_EQ(book.num(), 4U);
        EXPECT_EQ(value_at(book, ""), -2);
        EXPECT_EQ(value_at(book, "f5"), 2) << "White's view";
        EXPECT_EQ(value_at(book, "f5d6"), 2);
        EXPECT_EQ(value_at(book, "f5f6"), -2);
        const auto reply = moves_of(book, board_after("f5"));
        EXPECT_EQ(othello::to_string(reply.front().move), "f6");
        const auto first = moves_of(book, kStartBoard);
        ASSERT_EQ(first.size(), 4U);
        for (const MoveView& move : first) {
            EXPECT_EQ(move.value, -2) << othello::to_string(move.move);
            EXPECT_EQ(move.from, MoveView::From::link);
        }
        EXPECT_EQ(unsound_text(book), "");
    }
}

TEST(Lines, AgainChangeNothingAndWithAnotherScoreUpdate) {
    Opening book;
    EXPECT_EQ(add_line(book, line_of("f5d6c3", 4)).created, 4U);
    const Registered again = add_line(book, line_of("f5d6c3", 4));
    EXPECT_EQ(again.created, 0U);
    EXPECT_TRUE(again.changed.empty());
    const Registered other = add_line(book, line_of("f5d6c3", 6));
    EXPECT_EQ(other.changed.size(), 4U);
    EXPECT_EQ(value_at(book, ""), 6);
}

TEST(Lines, RefuseAScoreThatContradictsTheFinishedGame) {
    // Nine moves to a wipe-out: Black has everything.
    const char* const wipe_out = "e6f4e3f6g5d6e7f5c5";
    const Game game = game_of(wipe_out);
    ASSERT_TRUE(game.end.is_over());
    Opening book;
    Edit edit(book);
    EXPECT_EQ(register_line(edit, line_of(wipe_out, 12)).error().code, ErrorCode::bad_value);
    EXPECT_EQ(register_line(edit, {.moves = game.moves, .black = 65}).error().code,
              ErrorCode::out_of_range);
    Edit good(book);
    ASSERT_TRUE(register_line(good, line_of(wipe_out, 64)).has_value());
    EXPECT_EQ(value_at(good, wipe_out), -64);
    EXPECT_EQ(value_at(good, "e6f4e3f6g5d6e7f5"), 64);
    const auto end = good.find(PositionKey::of(game.end.board));
    EXPECT_EQ(end->losses, 1U) << "a finished game is a decided line";
}

/// The slow plain twin: a recursion over all moves with nothing shared.
struct Naive {
    std::map<PositionKey, int> given;  // value of a line's end, mover's view
    std::map<PositionKey, bool> there;

    void add(const ScoredLine& line) {
        Position position = line.start;
        there[PositionKey::of(position.board)] = true;
        for (const Move& move : line.moves) {
            position.do_move(move);
            there[PositionKey::of(position.board)] = true;
        }
        if (!position.is_over())
            given[PositionKey::of(position.board)] =
                position.side == Color::black ? *line.black : -*line.black;
    }

    std::map<PositionKey, int> memo;
    int value(const PositionKey& key) {
        if (const auto found = memo.find(key); found != memo.end()) return found->second;
        int best = -1000;
        if (is_over(key.board)) best = final_score(key.board);
        for_each_child(key.board, [&](Square, const Board& child) {
            const PositionKey next = PositionKey::of(child);
            if (there.contains(next)) best = std::max(best, -value(next));
        });
        if (best == -1000 && given.contains(key)) best = given[key];
        return memo[key] = best;
    }
};

TEST(Lines, AgreeWithAPlainRecursionInEveryOrder) {
    SplitMix64 random(21);
    for (int round = 0; round < 6; ++round) {
        std::vector<ScoredLine> lines;
        Naive naive;
        for (int i = 0; i < 40; ++i) {
            // Short lines meet each other often; some go to the end, through passes.
            const std::size_t plies = i % 20 == 0 ? 70 : 2 + random.below(9);
            ScoredLine line{.moves = random_line(random, plies)};
            Position end;
            for (const Move& move : line.moves)
                end.do_move(move);
            const int black = static_cast<int>(random.below(41)) - 20;
            const int score = final_score(end.board);
            line.black = !end.is_over() ? black : end.side == Color::black ? score : -score;
            // One score for one end, or the order would rightly matter.
            const PositionKey key = PositionKey::of(end.board);
            if (naive.given.contains(key)) continue;
            naive.add(line);
            lines.push_back(line);
        }
        Opening forward;
        for (const ScoredLine& line : lines)
            add_line(forward, line);
        std::reverse(lines.begin(), lines.end());
        Opening backward;
        for (const ScoredLine& line : lines)
            add_line(backward, line);
        Opening at_once;
        {
            Edit edit(at_once);
            ASSERT_TRUE(register_lines(edit, lines).has_value());
            ASSERT_TRUE(edit.apply_to(at_once).has_value());
        }
        ASSERT_EQ(forward.num(), naive.there.size());
        forward.each([&](const PositionData& record) {
            EXPECT_EQ(record.info.value, naive.value(record.key));
            EXPECT_EQ(backward.find(record.key), record.info);
            EXPECT_EQ(at_once.find(record.key), record.info);
            return !::testing::Test::HasFailure();
        });
        EXPECT_EQ(unsound_text(forward), "");
        Edit sweep(forward);
        EXPECT_EQ(*back_up_all(sweep), 0U) << "propagation reached the fixed point";
    }
}

TEST(Lines, RemovedPositionsStayKnownAsLeaves) {
    Opening book;
    add_line(book, line_of("f5d6c3", 4));
    add_line(book, line_of("f5d6c4", 1));
    Edit edit(book);
    EXPECT_TRUE(*remove_position(edit, board_after("f5d6c3")));
    EXPECT_FALSE(*remove_position(edit, board_after("f5d6c3")));
    const auto parent = edit.find(PositionKey::of(board_after("f5d6")));
    ASSERT_TRUE(parent.has_value());
    EXPECT_EQ(parent->leaf_value, 4);
    EXPECT_EQ(parent->value, 4);
    EXPECT_EQ(value_at(edit, ""), 4);
    EXPECT_EQ(unsound_text(edit), "");
}

TEST(Lines, APinnedValueStaysUntilItIsReleased) {
    Opening book;
    add_line(book, line_of("f5d6c3", 4));
    Edit edit(book);
    ASSERT_TRUE(set_position(edit, board_after("f5d6"), -10, true).has_value());
    EXPECT_EQ(value_at(edit, "f5"), 10);
    EXPECT_EQ(value_at(edit, ""), -10);
    ASSERT_TRUE(register_line(edit, line_of("f5d6c3", 8)).has_value());
    EXPECT_EQ(value_at(edit, ""), -10);
    ASSERT_TRUE(set_position(edit, board_after("f5d6"), 0, false).has_value());
    EXPECT_EQ(value_at(edit, ""), 8) << "found below again";
}

TEST(Regression, EgaroucidIssue217_ValuesRiseAboveAPass) {
    // The reported game: book values stopped at a forced pass.
    const char* const moves =
        "f5d6c4d3c3f4f6f3e6e7f7c5e3e2g3b4g5g6d8h5b5b3h4f2d2e1h6c2c6e8d7c8c7a4a2a3a5b8b6h3g4h7g2a6"
        "c1d1g1f1h1a1g7b1a7a8b7f8h8h2g8";
    Game game = game_of(moves);
    ASSERT_EQ(game.end.empties(), 1);
    ASSERT_TRUE(game.end.must_pass()) << "one square is left, and only the other side has it";
    game.moves.push_back({});
    game.end.do_move({});
    Opening book;
    add_line(book, {.moves = game.moves, .black = 6});
    Position position;
    for (const Move& move : game.moves) {
        const auto info = book.find(PositionKey::of(position.board));
        ASSERT_TRUE(info.has_value()) << "the pass position is a record of its own";
        EXPECT_EQ(info->value, position.side == Color::black ? 6 : -6);
        position.do_move(move);
    }
    // A better end behind the pass must arrive in front of it.
    add_line(book, {.moves = game.moves, .black = 10});
    EXPECT_EQ(value_at(book, ""), 10);
    EXPECT_EQ(unsound_text(book), "");
}

}  // namespace
}  // namespace yomi::othello::book
