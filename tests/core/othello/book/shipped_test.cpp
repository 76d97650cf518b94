#include "core/othello/book/shipped.hpp"

#include <bit>

#include "core/othello/book/files.hpp"
#include "core/othello/book/queries.hpp"
#include "tests/core/othello/book/book_fixture.hpp"

namespace yomi::othello::book {
namespace {

TEST(ShippedBook, IsSoundAndKnowsTheFourFirstMovesAsEqual) {
    const auto file = read_text(shipped_text());
    ASSERT_TRUE(file.has_value()) << file.error().message;
    EXPECT_EQ(file->bad_rows, 0U);
    ASSERT_GE(file->records.size(), 20'000U);
    std::size_t far = 0;  // twenty discs placed, or more
    for (const PositionData& record : file->records) {
        ASSERT_GE(record.info.leaf_level, record.info.has_leaf() ? 16 : 0);
        far += std::popcount(record.key.board.player | record.key.board.opponent) >= 24 ? 1U : 0U;
    }
    EXPECT_GE(far, 5'000U);
    Opening book;
    Edit edit(book);
    ASSERT_TRUE(import_file(edit, *file).has_value());
    ASSERT_TRUE(back_up_all(edit).has_value());
    const Verdict verdict = verify(edit, [](const Breach&) { return true; });
    EXPECT_EQ(verdict.records, file->records.size());
    EXPECT_EQ(verdict.total(), 0U);
    const auto moves = moves_of(edit, kStartBoard);
    ASSERT_EQ(moves.size(), 4U);
    for (const MoveView& move : moves) {
        EXPECT_EQ(move.from, MoveView::From::link);
        EXPECT_EQ(move.value, moves.front().value);
    }
}

}  // namespace
}  // namespace yomi::othello::book
