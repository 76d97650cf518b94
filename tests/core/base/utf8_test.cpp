#include "core/base/utf8.hpp"

#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "core/base/hash.hpp"

namespace yomi {
namespace {

// Well-formed sequences as table 3-7 of the Unicode Standard lists them: the slow twin of the
// decoder. Returns the length of the sequence at the beginning of `text`, 0 if there is none.
std::size_t well_formed(std::string_view text) {
    struct Row {
        int low[4];
        int high[4];
        std::size_t length;
    };
    constexpr Row kRows[] = {
        {{0x00}, {0x7F}, 1},
        {{0xC2, 0x80}, {0xDF, 0xBF}, 2},
        {{0xE0, 0xA0, 0x80}, {0xE0, 0xBF, 0xBF}, 3},
        {{0xE1, 0x80, 0x80}, {0xEC, 0xBF, 0xBF}, 3},
        {{0xED, 0x80, 0x80}, {0xED, 0x9F, 0xBF}, 3},
        {{0xEE, 0x80, 0x80}, {0xEF, 0xBF, 0xBF}, 3},
        {{0xF0, 0x90, 0x80, 0x80}, {0xF0, 0xBF, 0xBF, 0xBF}, 4},
        {{0xF1, 0x80, 0x80, 0x80}, {0xF3, 0xBF, 0xBF, 0xBF}, 4},
        {{0xF4, 0x80, 0x80, 0x80}, {0xF4, 0x8F, 0xBF, 0xBF}, 4},
    };
    for (const Row& row : kRows) {
        if (text.size() < row.length) continue;
        bool fits = true;
        for (std::size_t i = 0; i < row.length; ++i) {
            const int byte = static_cast<unsigned char>(text[i]);
            fits = fits && byte >= row.low[i] && byte <= row.high[i];
        }
        if (fits) return row.length;
    }
    return 0;
}

TEST(Utf8, RoundTripsEveryScalarValue) {
    for (char32_t c = 1; c <= 0x10FFFF; ++c) {
        if (c == 0xD800) c = 0xE000;
        std::string text = ".";  // so that U+FEFF is no byte order mark
        append_utf8(text, c);
        ASSERT_EQ(well_formed(std::string_view(text).substr(1)), text.size() - 1);
        const auto points = decode_utf8(text);
        ASSERT_TRUE(points.has_value());
        ASSERT_EQ(points->size(), 2U);
        ASSERT_EQ(points->at(1).value, c);
    }
}

TEST(Utf8, AgreesWithTheStandardsTableOnRandomBytes) {
    SplitMix64 random(1);
    constexpr unsigned char kEdges[] = {0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF,
                                        0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xED, 0xEE,
                                        0xEF, 0xF0, 0xF1, 0xF4, 0xF5, 0xFF};
    int good = 0;
    for (int i = 0; i < 200'000; ++i) {
        std::string text;
        for (std::uint32_t n = random.below(5); n > 0; --n) {
            text += static_cast<char>(kEdges[random.below(sizeof kEdges)]);
        }
        std::string_view rest = text;
        std::size_t columns = 0;
        while (!rest.empty() && well_formed(rest) != 0) {
            rest.remove_prefix(well_formed(rest));
            ++columns;
        }
        const auto points = decode_utf8(text);
        ASSERT_EQ(points.has_value(), rest.empty());
        if (points) {
            ASSERT_EQ(points->size(), columns);
            ++good;
        } else {
            ASSERT_EQ(points.error().column, static_cast<int>(columns) + 1);
        }
    }
    EXPECT_GT(good, 10'000);
}

TEST(Utf8, CountsLinesAndColumns) {
    const auto points = decode_utf8("a\nい\r\nc\rd\n\ne").value();
    const CodePoint expected[] = {{U'a', 1, 1},
                                  {U'\n', 1, 2},
                                  {U'い', 2, 1},
                                  {U'\r', 2, 2},
                                  {U'\n', 2, 1},
                                  {U'c', 3, 1},
                                  {U'\r', 3, 2},
                                  {U'd', 4, 1},
                                  {U'\n', 4, 2},
                                  {U'\n', 5, 1},
                                  {U'e', 6, 1}};
    ASSERT_EQ(points.size(), std::size(expected));
    for (std::size_t i = 0; i < points.size(); ++i) {
        EXPECT_EQ(points[i].value, expected[i].value) << i;
        EXPECT_EQ(points[i].line, expected[i].line) << i;
        if (i != 4) {  // the feed of a CR LF pair is never the place of a fault
            EXPECT_EQ(points[i].column, expected[i].column) << i;
        }
    }
    const auto wrong = decode_utf8("い\nろ\x80");
    ASSERT_FALSE(wrong.has_value());
    EXPECT_EQ(wrong.error().line, 2);
    EXPECT_EQ(wrong.error().column, 2);
}

TEST(Utf8, DropsTheByteOrderMarkAtTheBeginningOnly) {
    EXPECT_EQ(decode_utf8("\xEF\xBB\xBF"
                          "a")
                  ->size(),
              1U);
    EXPECT_EQ(decode_utf8("a\xEF\xBB\xBF")->size(), 2U);
    EXPECT_TRUE(decode_utf8("")->empty());
}

TEST(Utf8, FoldsFullWidthForms) {
    EXPECT_EQ(fold_width(U'Ａ'), U'A');
    EXPECT_EQ(fold_width(U'９'), U'9');
    EXPECT_EQ(fold_width(U'　'), U' ');
    EXPECT_EQ(fold_width(U'（'), U'(');
    EXPECT_EQ(fold_width(U'角'), U'角');
    EXPECT_EQ(fold_width(U'a'), U'a');
}

}  // namespace
}  // namespace yomi
