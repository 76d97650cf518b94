// Drops that are said not to matter to a mate, against the exhaustive search for mates.
#include "core/shogi/mate/relevance.hpp"

#include <gtest/gtest.h>

#include "core/shogi/movegen.hpp"
#include "core/shogi/notation/sfen.hpp"
#include "core/shogi/notation/usi.hpp"
#include "tests/oracle/small_hisshi.hpp"
#include "tests/oracle/tsume_oracle.hpp"

namespace yomi::shogi::mate {
namespace {

constexpr int kMateLimit = 5;

/// A check that begins the shortest mate within the limit.
Move mating_move(Position& position, oracle::TsumeOracle& mates) {
    const auto length = mates.shortest(position, kMateLimit);
    if (!length) return kNoMove;
    return mates.equal_moves(position, *length).front();
}

TEST(Relevance, IgnoresNoDropThatStopsTheMate) {
    SplitMix64 random(20261130);
    int threats = 0;
    std::size_t ignored = 0;
    std::size_t kept = 0;
    for (int i = 0; i < 80; ++i) {
        shogi::Setup setup = oracle::small_hisshi(random);
        for (int t = 1; t <= kHandKinds; ++t)
            setup.hands[1].add(static_cast<PieceType>(t));
        auto made = Position::from_setup(setup);
        if (!made) continue;
        Position position = *made;
        oracle::TsumeOracle mates(position.side_to_move(), 200'000);
        const auto length = mates.shortest(position, kMateLimit);
        if (!length || mates.gave_up()) continue;
        Relevance relevance;
        const bool known = relevance.build(
            position, [&mates](Position& here) { return mating_move(here, mates); }, 400);
        if (mates.gave_up() || !known) continue;
        ++threats;
        position.do_null_move();
        MoveList replies;
        legal_moves(position, replies);
        for (const Move reply : replies) {
            if (!relevance.ignores(reply)) {
                ++kept;
                continue;
            }
            ++ignored;
            position.do_move(reply);
            const bool mated = mates.within(position, *length);
            position.undo_move();
            if (mates.gave_up()) break;
            ASSERT_TRUE(mated) << to_sfen(setup) << " " << to_usi(reply);
        }
        position.undo_null_move();
    }
    EXPECT_GT(threats, 8);
    EXPECT_GT(ignored, 2 * kept) << "most drops do not matter";
}

TEST(Relevance, SaysNothingOfAMateBesideAnAttackingKing) {
    Position position = *Position::from_setup(*parse_sfen("7k1/9/7P1/9/9/9/9/9/4K4 b G 1"));
    Relevance relevance;
    EXPECT_FALSE(relevance.build(
        position, [](Position& here) { return *parse_usi_move("G*2b", here); }, 10));
    position.do_null_move();
    EXPECT_FALSE(relevance.ignores(Move::drop(PieceType::gold, make_square(8, 8), Color::white)));
}

}  // namespace
}  // namespace yomi::shogi::mate
