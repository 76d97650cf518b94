#include "core/shogi/mate/mate3.hpp"

#include <string>

#include <gtest/gtest.h>

#include "core/shogi/mate/mate1.hpp"
#include "core/shogi/movegen.hpp"
#include "core/shogi/notation/sfen.hpp"
#include "core/shogi/notation/usi.hpp"
#include "tests/oracle/shogi_random.hpp"
#include "tests/oracle/tsume_oracle.hpp"

namespace yomi::shogi {
namespace {

/// Whether a check leaves more replies than the fast search follows.
bool has_wide_check(Position& position) {
    MoveList checks;
    checking_moves(position, checks);
    for (const Move check : checks) {
        position.do_move(check);
        const bool wide = count_legal_moves(position) > 24;
        position.undo_move();
        if (wide) return true;
    }
    return false;
}

TEST(MateInThree, AgreesWithExhaustiveSearch) {
    SplitMix64 random(17);
    int ones = 0;
    int threes = 0;
    int wide = 0;
    for (int i = 0; i < 600; ++i) {
        const shogi::Setup setup = i % 3 != 0 ? oracle::random_problem(random)
                                              : oracle::random_setup(random, 30, i % 2 == 0);
        Position position = *Position::from_setup(setup);
        const Position before = position;
        const mate::ShortMate found = mate::mate_in_three(position);
        ASSERT_EQ(position.key(), before.key());
        oracle::TsumeOracle oracle(position.side_to_move());
        const auto expected = oracle.shortest(position, 3);
        if (!found && expected == 3 && has_wide_check(position)) {
            ++wide;  // may hide behind a check that is given up
            continue;
        }
        ASSERT_EQ(static_cast<int>(found.length), expected.value_or(0)) << to_sfen(setup);
        for (std::size_t ply = 0; ply < found.length; ++ply) {
            ASSERT_TRUE(position.is_legal(found.line[ply])) << to_sfen(setup);
            ASSERT_TRUE(ply % 2 == 1 || position.gives_check(found.line[ply])) << to_sfen(setup);
            position.do_move(found.line[ply]);
        }
        if (found) {
            ASSERT_TRUE(mate::is_mated(position)) << to_sfen(setup);
            ++(found.length == 1 ? ones : threes);
        }
    }
    EXPECT_GT(ones, 10);
    EXPECT_GT(threes, 10);
    EXPECT_LT(wide, threes);
}

/// The quiet board move that takes `move` back, or no move.
Move way_back(const Position& position, Move move) {
    if (move.is_drop() || move.is_promotion()) return kNoMove;
    const std::string text = to_usi(move);
    const auto back = parse_usi_move(text.substr(2, 2) + text.substr(0, 2), position);
    return back && !position.is_capture(*back) ? *back : kNoMove;
}

TEST(MateInThree, ACheckThatMakesAPositionTheFourthTimeIsLeftOut) {
    SplitMix64 random(23);
    int games = 0;
    for (int i = 0; i < 20'000 && games < 6; ++i) {
        const shogi::Setup setup = oracle::random_problem(random);
        Position position = *Position::from_setup(setup);
        const mate::ShortMate found = mate::mate_in_three(position);
        if (found.length != 3 || position.is_capture(found.line[0])) continue;
        // The game begins behind the check; check and reply are taken back and made again, so that
        // the position behind the check has been on the board three times.
        position.do_move(found.line[0]);
        if (position.is_capture(found.line[1])) continue;
        Position game = *Position::from_setup(position.setup());
        bool legal = true;
        for (int round = 0; round < 3 && legal; ++round) {
            if (round > 0) game.do_move(found.line[0]);
            game.do_move(found.line[1]);
            const Move back = way_back(game, found.line[0]);
            legal = back && game.is_legal(back);
            if (!legal) break;
            game.do_move(back);
            const Move reply_back = way_back(game, found.line[1]);
            legal = reply_back && game.is_legal(reply_back);
            if (legal) game.do_move(reply_back);
        }
        if (!legal) continue;
        ASSERT_EQ(game.setup().board, setup.board);
        ++games;
        const mate::ShortMate again = mate::mate_in_three(game);
        EXPECT_FALSE(again && again.line[0] == found.line[0]) << to_sfen(setup);
    }
    EXPECT_EQ(games, 6);
}

}  // namespace
}  // namespace yomi::shogi
