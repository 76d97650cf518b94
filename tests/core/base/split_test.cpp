#include "core/base/split.hpp"

#include <gtest/gtest.h>

namespace yomi {
namespace {

using Parts = std::vector<std::string_view>;

TEST(Split, KeepsEmptyParts) {
    EXPECT_EQ(split("", ','), Parts({""}));
    EXPECT_EQ(split("a", ','), Parts({"a"}));
    EXPECT_EQ(split("a,b", ','), Parts({"a", "b"}));
    EXPECT_EQ(split(",a,,b,", ','), Parts({"", "a", "", "b", ""}));
    EXPECT_EQ(split("a,b\tc", '\t'), Parts({"a,b", "c"}));
}

TEST(Split, PointsIntoTheText) {
    const std::string_view text = "one two";
    EXPECT_EQ(split(text, ' ').back().data(), text.data() + 4);
}

}  // namespace
}  // namespace yomi
