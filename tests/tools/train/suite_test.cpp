#include "tools/train/suite.hpp"

#include <gtest/gtest.h>

namespace yomi::train {
namespace {

constexpr std::string_view kProblems =
    "# SFEN, answer, keys\n"
    "\n"
    "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1\t1\tG*5b\n"
    "4k4/9/4P4/9/9/9/9/9/4K4 b - 1\t9\t5c5b+\r\n"
    "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1\tG*4b G*5b\tG*5b\n";

TEST(Suite, CountsMatesAndKeys) {
    const auto problems = parse_suite(kProblems);
    ASSERT_TRUE(problems) << problems.error().message;
    ASSERT_EQ(problems->size(), 3U);
    EXPECT_TRUE((*problems)[0].keys.empty());
    EXPECT_EQ((*problems)[2].keys.size(), 2U);
    const SuiteScore score = run_suite(*problems, {}, 2'000);
    EXPECT_EQ(score.problems, 3U);
    EXPECT_EQ(score.solved, 2U);  // a king and a pawn do not mate
    EXPECT_GT(score.nodes, 0U);
    EXPECT_EQ(run_suite(*problems, {}, 2'000).nodes, score.nodes);
}

TEST(Suite, AWrongMoveIsNotSolved) {
    const auto problems = parse_suite("4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1\tG*1i\n");
    ASSERT_TRUE(problems) << problems.error().message;
    EXPECT_EQ(run_suite(*problems, {}, 2'000).solved, 0U);
}

TEST(Suite, TakesTheAnswerFromTheColumnAskedFor) {
    const auto problems = parse_suite(kProblems, 3);
    ASSERT_TRUE(problems) << problems.error().message;
    ASSERT_EQ((*problems)[0].keys.size(), 1U);
    EXPECT_EQ(run_suite(*problems, {}, 2'000).solved, 2U);  // the king would take on 5b
}

TEST(Suite, NamesTheLineOfAnError) {
    const std::string good(kProblems);
    for (const std::string bad : {"4k4/9 b - 1\t1\n",
                                  "4k4/9/4P4/9/9/9/9/9/4K4 b - 1\n",
                                  "4k4/9/4P4/9/9/9/9/9/4K4 b - 1\tG*5b\n",
                                  "4k4/9/4P4/9/9/9/9/9/4K4 b - 1\t0\n",
                                  "4k4/9/4P4/9/9/9/9/9/4K4 b - 1\t\n"}) {
        const auto problems = parse_suite(good + bad);
        ASSERT_FALSE(problems) << bad;
        EXPECT_EQ(problems.error().line, 6) << problems.error().message;
        EXPECT_EQ(problems.error().message.rfind("line 6: ", 0), 0U) << problems.error().message;
    }
    EXPECT_FALSE(read_suite("/no/such/file"));
}

}  // namespace
}  // namespace yomi::train
