// The solver against an exhaustive AND/OR search on random small positions. YOMI_TSUME_POSITIONS
// raises their number (5,000 for the long run).
#include "tests/oracle/tsume_oracle.hpp"

#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "core/shogi/mate/tsume.hpp"
#include "core/shogi/notation/sfen.hpp"

namespace yomi::shogi {
namespace {

constexpr int kMaxLength = 7;

int wanted_positions() {
    const char* const text = std::getenv("YOMI_TSUME_POSITIONS");
    return text == nullptr ? 120 : std::atoi(text);
}

TEST(TsumeOracle, AgreesOnRandomSmallPositions) {
    SplitMix64 random(20261130);
    engine::SearchMemory memory(std::size_t{16} << 20);
    engine::NullSink<TsumeProgress> sink;
    Tsume tsume;
    int mates = 0;
    int refuted = 0;
    for (int i = 0; i < wanted_positions(); ++i) {
        const shogi::Setup setup = oracle::random_problem(random);
        Position position = *Position::from_setup(setup);
        oracle::TsumeOracle slow(position.side_to_move());
        // The branching of positions with a full hand of the defender allows less depth.
        const int limit = setup.hands[1].count(PieceType::pawn) > 4 ? 3 : kMaxLength;
        const auto expected = slow.shortest(position, limit);
        TsumeRequest request{.position = position, .attacker = position.side_to_move()};
        request.budget.nodes = wanted_positions() > 1000 ? 200'000 : 20'000;
        request.tree.max_nodes = 100'000;
        const TsumeAnswer answer = tsume.analyse(request, memory, {}, sink);
        SCOPED_TRACE(to_sfen(setup));
        if (expected) {
            ++mates;
            ASSERT_EQ(answer.verdict, Verdict::mate);
            ASSERT_TRUE(answer.shortest);
            ASSERT_EQ(answer.length_raw, *expected);
            ASSERT_EQ(answer.line.size(), static_cast<std::size_t>(*expected));
            ASSERT_EQ(answer.tree.child_count(MoveTree::kRoot),
                      slow.equal_moves(position, *expected).size());
            ASSERT_TRUE(answer.lines_total.has_value());
            const std::uint64_t lines = slow.count_lines(position, *expected);
            ASSERT_EQ(*answer.lines_total, lines);
            if (answer.tree_complete) {
                ASSERT_EQ(answer.tree.count_lines(), lines);
            }
        } else if (answer.verdict == Verdict::mate) {
            ASSERT_GT(answer.length_raw, limit);
        } else {
            refuted += answer.verdict == Verdict::nomate ? 1 : 0;
        }
    }
    EXPECT_GT(mates, wanted_positions() / 20);
    EXPECT_GT(refuted, wanted_positions() / 20);
    RecordProperty("mates", mates);
    RecordProperty("refuted", refuted);
}

}  // namespace
}  // namespace yomi::shogi
