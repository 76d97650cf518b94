#include "core/shogi/notation/sfen.hpp"

#include <string>

#include <gtest/gtest.h>

#include "core/base/hash.hpp"
#include "tests/oracle/shogi_random.hpp"

namespace yomi::shogi {
namespace {

struct BadSfen {
    const char* text;
    int column;
    const char* value;
    const char* message;
};

class SfenErrors : public testing::TestWithParam<BadSfen> {};

TEST_P(SfenErrors, NameTheColumnAndTheValue) {
    const BadSfen& bad = GetParam();
    const auto setup = parse_sfen(bad.text);
    ASSERT_FALSE(setup) << bad.text;
    EXPECT_EQ(setup.error().column, bad.column) << setup.error().message;
    EXPECT_EQ(setup.error().value, bad.value) << setup.error().message;
    EXPECT_NE(setup.error().message.find(bad.message), std::string::npos) << setup.error().message;
    EXPECT_TRUE(setup.error().code == ErrorCode::bad_notation ||
                (setup.error().code == ErrorCode::illegal_position &&
                 std::string(bad.message) == "a set has"));
}

INSTANTIATE_TEST_SUITE_P(
    Sfen,
    SfenErrors,
    testing::Values(
        BadSfen{"", 1, "", "empty"},
        BadSfen{"   ", 4, "", "empty"},
        BadSfen{"sfen ", 6, "", "nothing follows"},
        BadSfen{"4k4/9/9/9/9/9/9/9/4K4/9 b - 1", 22, "/", "tenth rank"},
        BadSfen{"4k4/9/9/9/9/9/9/9 b - 1", 18, "", "8 ranks instead of 9"},
        BadSfen{"4k4/9/9/9/9/9/9/9/", 19, "", "8 ranks instead of 9"},
        BadSfen{"4k4/9/9/9", 10, "", "4 ranks instead of 9"},
        BadSfen{"4k3/9/9/9/9/9/9/9/4K4 b - 1", 1, "4k3", "rank a has 8 squares"},
        BadSfen{"4k4/8/9/9/9/9/9/9/4K4 b - 1", 5, "8", "rank b has 8 squares"},
        BadSfen{"4k5/9/9/9/9/9/9/9/4K4 b - 1", 3, "5", "rank a has more than 9"},
        BadSfen{"4k4p/9/9/9/9/9/9/9/4K4 b - 1", 4, "p", "rank a has more than 9"},
        BadSfen{"4k4/9/9/9/9/9/9/9/9P b - 1", 20, "P", "rank i has more than 9"},
        BadSfen{"4x4/9/9/9/9/9/9/9/4K4 b - 1", 2, "x", "no piece has the letter \"x\""},
        BadSfen{"4k4/4王4/9/9/9/9/9/9/4K4 b - 1", 6, "王", "no piece has the letter"},
        BadSfen{"0/9/9/9/9/9/9/9/4K4 b - 1", 1, "0", "0 is not"},
        BadSfen{"45/9/9/9/9/9/9/9/4K4 b - 1", 2, "5", "two numbers in a row"},
        BadSfen{"4+k4/9/9/9/9/9/9/9/4K4 b - 1", 2, "+k", "a king cannot be promoted"},
        BadSfen{"4+G4/9/9/9/9/9/9/9/4K4 b - 1", 2, "+G", "a gold cannot be promoted"},
        BadSfen{"8+/9/9/9/9/9/9/9/4K4 b - 1", 2, "+", "without a piece"},
        BadSfen{"4k4/9/9/9/9/9/9/9/8+", 20, "+", "without a piece"},
        BadSfen{"4k4/9/9/9/9/9/9/9/4++P4 b - 1", 21, "+", "no piece has the letter \"+\""},
        BadSfen{"4k4/9/9/9/9/9/9/9/4K4", 22, "", "side to move is missing"},
        BadSfen{"4k4/9/9/9/9/9/9/9/4K4 x - 1", 23, "x", "side to move is"},
        BadSfen{"4k4/9/9/9/9/9/9/9/4K4 B - 1", 23, "B", "side to move is"},
        BadSfen{"4k4/9/9/9/9/9/9/9/4K4 bw - 1", 23, "bw", "side to move is"},
        BadSfen{"4k4/9/9/9/9/9/9/9/4K4 b", 24, "", "hands are missing"},
        BadSfen{"4k4/9/9/9/9/9/9/9/4K4 b -P 1", 25, "-P", "both hands are empty"},
        BadSfen{"4k4/9/9/9/9/9/9/9/4K4 b 0P 1", 25, "0", "does not start with 0"},
        BadSfen{"4k4/9/9/9/9/9/9/9/4K4 b 02P 1", 25, "0", "does not start with 0"},
        BadSfen{"4k4/9/9/9/9/9/9/9/4K4 b 19P 1", 25, "19P", "more than 18"},
        BadSfen{"4k4/9/9/9/9/9/9/9/4K4 b R99999999999P 1", 26, "99999999999P", "more than 18"},
        BadSfen{"4k4/9/9/9/9/9/9/9/4K4 b 3R 1", 25, "3R", "a set has"},
        BadSfen{"4k4/9/9/9/9/9/9/9/4K4 b P2P 1", 26, "2P", "given twice"},
        BadSfen{"4k4/9/9/9/9/9/9/9/4K4 b K 1", 25, "K", "king cannot be in hand"},
        BadSfen{"4k4/9/9/9/9/9/9/9/4K4 b +P 1", 25, "+", "never promoted"},
        BadSfen{"4k4/9/9/9/9/9/9/9/4K4 b 3 1", 25, "3", "count without a piece"},
        BadSfen{"4k4/9/9/9/9/9/9/9/4K4 b 3", 25, "3", "count without a piece"},
        BadSfen{"4k4/9/9/9/9/9/9/9/4K4 b 飛 1", 25, "飛", "no piece has the letter"},
        BadSfen{"4k4/9/9/9/9/9/9/9/4K4 b - -1", 27, "-1", "not a number"},
        BadSfen{"4k4/9/9/9/9/9/9/9/4K4 b - 1x", 27, "1x", "not a number"},
        BadSfen{"4k4/9/9/9/9/9/9/9/4K4 b - 99999999999999999999",
                27,
                "99999999999999999999",
                "greater"},
        BadSfen{"4k4/9/9/9/9/9/9/9/4K4 b - 1 more", 29, "more", "after the end"}));

TEST(SfenParser, AcceptsWhatProgramsWrite) {
    const std::string board = "4k4/9/9/9/9/9/9/9/4K4 b ";
    EXPECT_EQ(to_sfen(*parse_sfen("sfen " + board + "- 7")), board + "- 7");
    EXPECT_EQ(to_sfen(*parse_sfen(board + "-")), board + "- 1");
    EXPECT_EQ(to_sfen(*parse_sfen(board + "- 0")), board + "- 1");
    EXPECT_EQ(to_sfen(*parse_sfen("  " + board + "  pP2g  12 \r\n")), board + "P2gp 12");
    EXPECT_EQ(to_sfen(*parse_sfen(board + "1P1r 1")), board + "Pr 1");
    EXPECT_EQ(to_sfen(*parse_sfen(board + "18p4L4n4G4s2r2B 1")), board + "2B4G4L2r4s4n18p 1");
}

TEST(SfenParser, KeepsWritableNonsenseForTheRulesToJudge) {
    const auto setup = parse_sfen("KKKKKKKKK/PPPPPPPPP/PPPPPPPPP/9/9/9/9/9/9 w 2R 1");
    ASSERT_TRUE(setup);
    EXPECT_FALSE(Position::from_setup(*setup));
    EXPECT_EQ(to_sfen(*setup), "KKKKKKKKK/PPPPPPPPP/PPPPPPPPP/9/9/9/9/9/9 w 2R 1");
}

TEST(Sfen, SurvivesTheRoundTripOfTenThousandPositions) {
    SplitMix64 random(31);
    for (int i = 0; i < 10000; ++i) {
        const shogi::Setup setup = oracle::random_setup(random, random.below(100), i % 9 == 0);
        const std::string text = to_sfen(setup);
        const auto back = parse_sfen(text);
        ASSERT_TRUE(back) << text;
        ASSERT_EQ(*back, setup) << text;
        ASSERT_EQ(to_sfen(*Position::from_setup(*back)), text);
    }
}

TEST(SfenParser, NeverTripsOverDamagedText) {
    SplitMix64 random(32);
    const std::string alphabet = "PLNSBRGKplnsbrgk+0123456789/ bw-\t\xe7\x8e\x8b\xff";
    for (int i = 0; i < 30000; ++i) {
        std::string text = to_sfen(Position::startpos());
        for (std::uint32_t n = 1 + random.below(4); n > 0; --n) {
            const std::size_t at = random.below(static_cast<std::uint32_t>(text.size()));
            const char c = alphabet[random.below(static_cast<std::uint32_t>(alphabet.size()))];
            switch (random.below(3)) {
                case 0:
                    text[at] = c;
                    break;
                case 1:
                    text.insert(at, 1, c);
                    break;
                default:
                    text.erase(at, 1 + random.below(5));
                    break;
            }
            if (text.empty()) text = " ";
        }
        const auto setup = parse_sfen(text);
        if (setup) {
            const auto again = parse_sfen(to_sfen(*setup));
            ASSERT_TRUE(again) << text;
            ASSERT_EQ(*again, *setup) << text;
        } else {
            ASSERT_GE(setup.error().column, 1) << text;
            ASSERT_LE(setup.error().column, static_cast<int>(text.size()) + 1) << text;
            ASSERT_FALSE(setup.error().message.empty());
        }
    }
}

}  // namespace
}  // namespace yomi::shogi
