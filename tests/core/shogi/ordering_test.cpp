#include "core/shogi/search/ordering.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "core/shogi/notation/sfen.hpp"
#include "core/shogi/notation/usi.hpp"
#include "core/shogi/search/see.hpp"
#include "tests/oracle/shogi_random.hpp"

namespace yomi::shogi::search {
namespace {

std::vector<std::uint32_t> sorted_bits(const std::vector<Move>& moves) {
    std::vector<std::uint32_t> bits;
    for (const Move m : moves)
        bits.push_back(m.bits());
    std::sort(bits.begin(), bits.end());
    return bits;
}

Position random_position(SplitMix64& random, int round) {
    if (round % 3 == 0)
        return *Position::from_setup(oracle::random_setup(random, 30, round % 2 == 0));
    Position position = Position::startpos();
    oracle::play_randomly(position, random, static_cast<int>(random.below(160)));
    return position;
}

class Ordering : public ::testing::Test {
protected:
    /// Hints as a search would have them: some legal here, some from elsewhere.
    OrderingHints random_hints(const MoveList& legal) {
        const auto any = [&]() -> Move {
            if (legal.empty() || random_.below(3) == 0) return kNoMove;
            if (random_.below(4) == 0) return foreign_;
            return legal[random_.below(static_cast<std::uint32_t>(legal.size()))];
        };
        OrderingHints hints;
        hints.killers = {any(), any()};
        hints.counter = any();
        if (!legal.empty() && random_.below(2) == 0) {
            hints.table_move = legal[random_.below(static_cast<std::uint32_t>(legal.size()))];
        }
        hints.continuation[0] = &histories_->answers_to(foreign_);
        hints.depth = 5;
        if (!legal.empty()) foreign_ = legal[0];
        return hints;
    }
    void fill_histories(const Position& position, const MoveList& legal) {
        for (const Move m : legal) {
            learn(histories_->butterfly(position.side_to_move(), m),
                  static_cast<int>(random_.below(4'000)) - 2'000);
        }
    }

    SplitMix64 random_{21};
    std::unique_ptr<Histories> histories_ = std::make_unique<Histories>();
    Move foreign_ = Move::drop(PieceType::gold, 40, Color::black);
};

TEST_F(Ordering, HandsOutEachLegalMoveOnce) {
    int safe = 0;
    for (int round = 0; round < 600; ++round) {
        const Position position = random_position(random_, round);
        MoveList legal;
        legal_moves(position, legal);
        fill_histories(position, legal);
        const OrderingHints hints = random_hints(legal);
        MovePicker picker(position, *histories_, hints, MovePicker::Kind::main);
        std::vector<Move> given;
        while (const Move move = picker.next()) {
            given.push_back(move);
            if (!picker.is_safe()) continue;
            ASSERT_TRUE(see_ge(position, move, 0)) << to_sfen(position) << ' ' << to_usi(move);
            ++safe;
        }
        ASSERT_EQ(sorted_bits(given), sorted_bits({legal.begin(), legal.end()}))
            << to_sfen(position);
        if (hints.table_move) {
            ASSERT_EQ(given.front(), hints.table_move);
        }
        EXPECT_FALSE(picker.next());
    }
    EXPECT_GT(safe, 10'000);
}

TEST_F(Ordering, KeepsTacticalMovesAndChecksWhenQuietMovesAreSkipped) {
    for (int round = 0; round < 600; ++round) {
        const Position position = random_position(random_, round);
        if (position.in_check()) continue;
        MoveList legal;
        legal_moves(position, legal);
        fill_histories(position, legal);
        MovePicker picker(position, *histories_, random_hints(legal), MovePicker::Kind::main);
        const std::size_t before_skip = random_.below(static_cast<std::uint32_t>(legal.size() + 1));
        std::vector<Move> given;
        while (true) {
            if (given.size() == before_skip) picker.skip_quiets();
            const Move move = picker.next();
            if (!move) break;
            given.push_back(move);
        }
        auto bits = sorted_bits(given);
        ASSERT_EQ(std::adjacent_find(bits.begin(), bits.end()), bits.end()) << to_sfen(position);
        for (const Move move : legal) {
            if (!is_tactical(position, move) && !position.gives_check(move)) continue;
            ASSERT_TRUE(std::binary_search(bits.begin(), bits.end(), move.bits()))
                << to_sfen(position) << ' ' << to_usi(move);
        }
        for (const Move move : given)
            ASSERT_TRUE(legal.contains(move));
    }
}

TEST_F(Ordering, GivesQuiescenceTacticalMovesOrAllEvasions) {
    for (int round = 0; round < 600; ++round) {
        const Position position = random_position(random_, round);
        MoveList legal;
        legal_moves(position, legal);
        std::vector<Move> expected;
        for (const Move move : legal) {
            if (position.in_check() || is_tactical(position, move)) expected.push_back(move);
        }
        MovePicker picker(position, *histories_, random_hints(legal), MovePicker::Kind::quiescence);
        std::vector<Move> given;
        while (const Move move = picker.next())
            given.push_back(move);
        ASSERT_EQ(sorted_bits(given), sorted_bits(expected)) << to_sfen(position);
    }
}

TEST(History, MovesTowardsItsLimitAndNeverBeyond) {
    HistoryScore score = 0;
    for (int i = 0; i < 1'000; ++i)
        learn(score, 1'900);
    EXPECT_LE(score, kHistoryLimit);
    EXPECT_GT(score, kHistoryLimit * 9 / 10);
    for (int i = 0; i < 1'000; ++i)
        learn(score, -1'900);
    EXPECT_GE(score, -kHistoryLimit);
    EXPECT_LT(score, -kHistoryLimit * 9 / 10);
}

}  // namespace
}  // namespace yomi::shogi::search
