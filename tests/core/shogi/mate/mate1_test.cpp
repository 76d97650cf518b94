#include "core/shogi/mate/mate1.hpp"

#include <gtest/gtest.h>

#include "core/shogi/notation/sfen.hpp"
#include "core/shogi/notation/usi.hpp"
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

/// The silver leaves the rook's rank, and only the rook bears on the king's flight 1b.
TEST(MateInOne, SeesTheLineThatTheMovedPieceOpens) {
    for (const char* sfen :
         {"8k/R5S2/6N2/9/9/9/9/9/9 b - 1", "8k/R5S2/6N2/9/9/9/9/9/PPPPPPP2 b - 1"}) {
        Position position = *Position::from_setup(*parse_sfen(sfen));
        EXPECT_EQ(to_usi(mate::mate_in_one(position)), "3b2a+") << sfen;
    }
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
