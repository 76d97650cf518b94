#include "core/base/result.hpp"

#include <string>

#include <gtest/gtest.h>

namespace yomi {
namespace {

Result<int> parse_rank(std::string_view text) {
    if (text.size() != 1 || text[0] < 'a' || text[0] > 'i') {
        return fail_at(ErrorCode::bad_notation, "rank is a..i", 1, text);
    }
    return text[0] - 'a' + 1;
}

TEST(Result, CarriesAValueOrAnError) {
    EXPECT_EQ(parse_rank("c").value(), 3);
    const auto wrong = parse_rank("z");
    ASSERT_FALSE(wrong.has_value());
    EXPECT_EQ(wrong.error(),
              (Error{.code = ErrorCode::bad_notation,
                     .message = "rank is a..i",
                     .column = 1,
                     .value = "z"}));
}

TEST(Result, PassesAnErrorOnUnchanged) {
    const auto outer = [](std::string_view text) -> Result<std::string> {
        auto rank = parse_rank(text);
        if (!rank) return fail(rank.error());
        return std::to_string(*rank);
    };
    EXPECT_EQ(outer("b").value(), "2");
    EXPECT_EQ(outer("zz").error(), parse_rank("zz").error());
    EXPECT_NE(outer("zz").error(), parse_rank("z").error());
}

TEST(Result, MakesAnErrorOfACodeAndASentence) {
    const Result<void> result = fail(ErrorCode::busy, "the queue is full");
    EXPECT_EQ(result.error().code, ErrorCode::busy);
    EXPECT_EQ(result.error().message, "the queue is full");
    EXPECT_TRUE(result.error().pointer.empty());
    EXPECT_EQ(result.error().line, 0);
    EXPECT_EQ(Error{}.code, ErrorCode::internal);  // what nobody classified is our own defect
}

}  // namespace
}  // namespace yomi
