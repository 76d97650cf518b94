#include "core/shogi/mate/mate1.hpp"

#include <gtest/gtest.h>

#include "core/shogi/notation/sfen.hpp"
#include "tests/oracle/shogi_random.hpp"
#include "tests/oracle/tsume_oracle.hpp"

namespace yomi::shogi {
namespace {

/// Every legal move tried.
std::vector<Move> slow_mates(Position& position) {
    std::vector<Move> mates;
    MoveList list;
    legal_moves(position, list);
    for (const Move move : list) {
        position.do_move(move);
        if (position.in_check() && count_legal_moves(position) == 0) mates.push_back(move);
        position.undo_move();
    }
    return mates;
}

TEST(MateInOne, AgreesWithTryingEveryMove) {
    SplitMix64 random(7);
    int mates = 0;
    for (int i = 0; i < 3000; ++i) {
        const shogi::Setup setup = i % 2 == 0 ? oracle::random_problem(random)
                                              : oracle::random_setup(random, 30, i % 3 == 0);
        Position position = *Position::from_setup(setup);
        const auto expected = slow_mates(position);
        const Move found = mate::mate_in_one(position);
        ASSERT_EQ(static_cast<bool>(found), !expected.empty()) << to_sfen(setup);
        if (!found) continue;
        ++mates;
        ASSERT_NE(std::find(expected.begin(), expected.end(), found), expected.end());
    }
    EXPECT_GT(mates, 50);
}

TEST(MateInOne, ChecksAreTheLegalMovesThatGiveCheck) {
    SplitMix64 random(11);
    for (int i = 0; i < 2000; ++i) {
        const shogi::Setup setup = i % 2 == 0 ? oracle::random_problem(random)
                                              : oracle::random_setup(random, 30, i % 3 == 0);
        const Position position = *Position::from_setup(setup);
        MoveList list;
        legal_moves(position, list);
        MoveList checks;
        checking_moves(position, checks);
        std::size_t expected = 0;
        for (const Move move : list) {
            if (!position.gives_check(move)) continue;
            ++expected;
            ASSERT_TRUE(checks.contains(move)) << to_sfen(setup);
        }
        ASSERT_EQ(checks.size(), expected) << to_sfen(setup);
    }
}

}  // namespace
}  // namespace yomi::shogi
