#include "core/othello/book/learn.hpp"

#include "core/othello/book/access.hpp"
#include "core/othello/book/queries.hpp"
#include "tests/core/othello/book/book_fixture.hpp"
#include "tests/core/othello/book/stub_search.hpp"

namespace yomi::othello::book {
namespace {

constexpr auto kQuiet = [](const LearnProgress&) {};

LearnOptions options_of(int plies, int loss) {
    return {.scope = {.max_plies = plies, .loss_per_move = loss, .total_loss = loss}, .level = 5};
}

/// No leaf in scope is left, and every leaf is the best of the moves left.
void expect_complete(const Opening& book, const LearnOptions& options) {
    EXPECT_EQ(unsound_text(book), "");
    for (const Met& met : walk(book, options.scope)) {
        const std::uint64_t left = unlinked_moves(book, met.key.board);
        EXPECT_EQ(met.info.has_leaf(), left != 0);
        if (left == 0) continue;
        const auto best = stub_search(met.key.board, left, 5, {});
        EXPECT_EQ(met.info.leaf_value, best->value);
        EXPECT_EQ(met.info.leaf_move, best->move);
        const int lost = met.info.value - met.info.leaf_value;
        EXPECT_TRUE(met.plies >= options.scope.max_plies || lost > options.scope.loss_per_move ||
                    met.loss + lost > options.scope.total_loss);
    }
}

TEST(Deviate, OpensEveryMoveThatIsCloseToTheBest) {
    for (const int loss : {0, 2, 5}) {
        Opening book;
        MemoryAccess access(book);
        std::size_t added = 0;
        const auto end = deviate(
            access, stub_search, options_of(5, loss), {}, [&](const LearnProgress& progress) {
                added = progress.added;
            });
        ASSERT_TRUE(end.has_value());
        EXPECT_EQ(*end, LearnEnd::complete);
        EXPECT_EQ(added, book.num());
        expect_complete(book, options_of(5, loss));
    }
}

TEST(Regression, EdaxAvxIssue2_TheLeafIsTheBestOfTheMovesLeft) {
    Opening book;
    MemoryAccess access(book);
    ASSERT_TRUE(deviate(access, stub_search, options_of(4, 3), {}, kQuiet).has_value());
    // Links come and go by hand; the leaf is searched again among what is left.
    Edit edit(book);
    ASSERT_TRUE(register_line(edit, line_of("f5f4e3", 0)).has_value());
    ASSERT_TRUE(edit.apply_to(book).has_value());
    ASSERT_TRUE(complete(access, stub_search, 5, {}, {}).has_value());
    book.each([&](const PositionData& record) {
        const std::uint64_t left = unlinked_moves(book, record.key.board);
        EXPECT_EQ(record.info.has_leaf(), left != 0);
        if (left != 0) {
            EXPECT_EQ(record.info.leaf_value, stub_search(record.key.board, left, 5, {})->value);
        }
        return true;
    });
}

TEST(Deviate, StoppedAnywhereItGoesOnWhereItWas) {
    const LearnOptions options = options_of(5, 4);
    Opening whole;
    MemoryAccess whole_access(whole);
    ASSERT_TRUE(deviate(whole_access, stub_search, options, {}, kQuiet).has_value());
    Opening book;
    MemoryAccess access(book);
    SplitMix64 random(9);
    for (int round = 0;; ++round) {
        ASSERT_LT(round, 10'000);
        std::stop_source stop;
        std::size_t left = 1 + random.below(40);
        // The search is cut off in the middle, as a shutdown does.
        const Evaluate cut = [&](const Board& board,
                                 std::uint64_t allowed,
                                 int level,
                                 std::stop_token token) -> std::optional<Evaluation> {
            if (left-- == 0) stop.request_stop();
            return stub_search(board, allowed, level, std::move(token));
        };
        const auto end = deviate(access, cut, options, stop.get_token(), kQuiet);
        ASSERT_TRUE(end.has_value());
        if (round % 16 == 0) {
            ASSERT_EQ(unsound_text(book), "");
        }
        if (*end == LearnEnd::complete) break;
        EXPECT_EQ(*end, LearnEnd::stopped);
    }
    expect_complete(book, options);
    EXPECT_EQ(value_at(book, ""), value_at(whole, ""));
}

TEST(Deviate, EndsWhenEnoughIsAdded) {
    Opening book;
    MemoryAccess access(book);
    LearnOptions options = options_of(8, 6);
    options.max_new = 50;
    EXPECT_EQ(*deviate(access, stub_search, options, {}, kQuiet), LearnEnd::enough);
    EXPECT_GE(book.num(), 50U);
    EXPECT_LE(book.num(), 52U) << "a pass may come along";
}

TEST(Deepen, SearchesWhatIsBelowTheLevel) {
    Opening book;
    MemoryAccess access(book);
    ASSERT_TRUE(deviate(access, stub_search, options_of(4, 3), {}, kQuiet).has_value());
    LearnOptions options = options_of(60, 128);
    options.scope.total_loss = 1000;
    options.level = 7;
    std::size_t searched = 0;
    const LearnSink sink = [&](const LearnProgress& progress) { searched = progress.searched; };
    EXPECT_EQ(*deepen(access, stub_search, options, {}, sink), LearnEnd::complete);
    EXPECT_GT(searched, 10U);
    book.each([&](const PositionData& record) {
        if (record.info.has_leaf()) {
            EXPECT_EQ(record.info.leaf_level, 7);
        }
        return true;
    });
    searched = 0;
    EXPECT_EQ(*deepen(access, stub_search, options, {}, sink), LearnEnd::complete);
    EXPECT_EQ(searched, 0U) << "nothing is left to do";
}

TEST(Regression, EgaroucidIssue491_NoSpikeWhereTheGameLeavesTheBook) {
    // The reported game leaves the book with its 31st move; values are from the mover's side on
    // both sides of the border.
    const Game game = game_of(
        "f5d6c3d3c4f4f6g5e6d7e3c5f3e7h5e2c6d2c2b3b4g6a4h6g4h4c7h3d8b5f8b6f7a5a3a2a7c1b7g3g2c8b8e8"
        "d1e1f1b2a6a8h2h1g1f2g7g8a1b1h8h7");
    const Evaluate search = engine_evaluator(1U << 20U);
    Opening book;
    std::vector<Move> in_book(game.moves.begin(), game.moves.begin() + 30);
    Position border;
    for (const Move& move : in_book)
        border.do_move(move);
    const auto at_border = search(border.board, legal_moves(border.board), 8, {});
    const int black = border.side == Color::black ? at_border->value : -at_border->value;
    add_line(book, {.moves = in_book, .black = black});
    const int inside = book.find(PositionKey::of(border.board))->value;
    EXPECT_EQ(inside, at_border->value);
    // Best play over the border: the other side's view is the negative.
    Position next = border;
    next.do_move(*border.make_move(at_border->move));
    if (next.must_pass()) next.do_move({});
    const auto outside = search(next.board, legal_moves(next.board), 8, {});
    const int sign = next.side == border.side ? 1 : -1;
    EXPECT_LE(std::abs(inside - sign * outside->value), 8);
    Position before;
    for (std::size_t i = 0; i + 1 < in_book.size(); ++i)
        before.do_move(in_book[i]);
    const int black_before =
        book.find(PositionKey::of(before.board))->value * (before.side == Color::black ? 1 : -1);
    EXPECT_EQ(black_before, black) << "and no spike inside";
}

}  // namespace
}  // namespace yomi::othello::book
