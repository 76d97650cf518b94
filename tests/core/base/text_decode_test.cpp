#include "core/base/text_decode.hpp"

#include <string>

#include <gtest/gtest.h>

namespace yomi {
namespace {

constexpr std::string_view kKifu =
    "手合割：平手　　\n先手：羽生 善治竜王\n手数----指手---------消費時間--\n   1 ７六歩(77)   ( "
    "0:00/00:00:00)\n";

TEST(TextDecode, ReadsEachEncodingWithoutBeingTold) {
    for (const Charset charset : {Charset::utf8, Charset::utf16, Charset::cp932, Charset::euc_jp}) {
        const auto encoded = encode_text(kKifu, charset);
        ASSERT_TRUE(encoded);
        EXPECT_EQ(encoded->replaced, 0U);
        const auto decoded = decode_text(encoded->bytes);
        ASSERT_TRUE(decoded) << to_string(charset);
        EXPECT_EQ(decoded->utf8, kKifu) << to_string(charset);
        EXPECT_EQ(decoded->charset, charset);
        EXPECT_TRUE(decoded->warnings.empty());
    }
}

TEST(TextDecode, DropsByteOrderMarks) {
    EXPECT_EQ(decode_text("\xEF\xBB\xBFいろ")->utf8, "いろ");
    EXPECT_EQ(decode_text(std::string_view("\xFE\xFF\x30\x44", 4))->utf8, "い");
    EXPECT_EQ(decode_text(std::string_view("\xFF\xFE\x44\x30", 4))->utf8, "い");
}

TEST(TextDecode, KnowsTheCharactersThatOnlyWindowsHas) {
    // ～ － ① 髙 﨑: in Windows-31J, not in plain Shift_JIS.
    const std::string bytes = "\x81\x60\x81\x7c\x87\x40\xfb\xfc\xfa\xb1";
    const auto decoded = decode_text(bytes);
    ASSERT_TRUE(decoded);
    EXPECT_EQ(decoded->utf8, "～－①髙﨑");
    EXPECT_EQ(decoded->charset, Charset::cp932);
    EXPECT_EQ(decode_text("\x8e\xe8\xed\x95")->utf8, "手﨑") << "NEC's copy of the same character";
    EXPECT_EQ(encode_text(decoded->utf8, Charset::cp932)->bytes, bytes);
}

TEST(TextDecode, PassesOverADeclarationThatTheBytesContradict) {
    const std::string head = "#KIF version=2.0 encoding=Shift_JIS\n";
    const auto lied = decode_text(head + std::string(kKifu));
    ASSERT_TRUE(lied);
    EXPECT_EQ(lied->utf8, head + std::string(kKifu));
    ASSERT_EQ(lied->warnings.size(), 1U);
    EXPECT_EQ(lied->warnings[0], "the text declares the encoding Shift_JIS but is UTF-8");

    const auto sjis = encode_text("'CSA encoding=UTF-8\nN+羽生\n", Charset::cp932);
    const auto read = decode_text(sjis->bytes);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->charset, Charset::cp932);
    EXPECT_EQ(read->warnings.size(), 1U);

    const auto by_http = decode_text(encode_text(kKifu, Charset::euc_jp)->bytes, "shift_jis");
    ASSERT_TRUE(by_http);
    EXPECT_FALSE(by_http->utf8.empty());
    // ASCII is everything at once.
    EXPECT_TRUE(decode_text("#KIF encoding=Shift_JIS\n")->warnings.empty());
}

TEST(TextDecode, FollowsATrueDeclaration) {
    // These bytes are valid in both; only the declaration can tell.
    const std::string bytes = encode_text("ﾃｽﾄ", Charset::cp932)->bytes;
    const auto told = decode_text(bytes, "Windows-31J");
    ASSERT_TRUE(told);
    EXPECT_EQ(told->utf8, "ﾃｽﾄ");
    const auto euc = decode_text(encode_text("歩", Charset::euc_jp)->bytes, "EUC-JP");
    ASSERT_TRUE(euc);
    EXPECT_EQ(euc->utf8, "歩");
}

TEST(TextDecode, NamesTheFirstForeignByte) {
    const auto wrong = decode_text("abc\nいろ\xff\xfd\x80");
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.error().code, ErrorCode::bad_notation);
    EXPECT_EQ(wrong.error().line, 2);
    EXPECT_EQ(wrong.error().column, 3);
}

TEST(TextEncode, StandsInForWhatAnEncodingLacks) {
    const auto marks = encode_text("☗７六歩☖", Charset::cp932);
    ASSERT_TRUE(marks);
    EXPECT_EQ(marks->replaced, 0U);
    EXPECT_EQ(decode_text(marks->bytes)->utf8, "▲７六歩△");
    const auto face = encode_text("将棋😀だ", Charset::cp932);
    ASSERT_TRUE(face);
    EXPECT_EQ(face->replaced, 1U);
    EXPECT_EQ(decode_text(face->bytes)->utf8, "将棋〓だ");
    EXPECT_FALSE(encode_text("\xff", Charset::cp932));
}

}  // namespace
}  // namespace yomi
