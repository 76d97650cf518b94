// The solver against an exhaustive AND/OR search on random small positions. YOMI_TSUME_POSITIONS
// raises their number (5,000 for the long run).
#include "tests/oracle/tsume_oracle.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "core/shogi/mate/solver.hpp"
#include "core/shogi/mate/tsume.hpp"
#include "core/shogi/notation/sfen.hpp"

namespace yomi::shogi {
namespace {

constexpr int kMaxLength = 7;

int wanted_positions() {
    const char* const text = std::getenv("YOMI_TSUME_POSITIONS");
    return text == nullptr ? 80 : std::atoi(text);
}

TEST(TsumeOracle, AgreesOnRandomSmallPositions) {
    SplitMix64 random(20261130);
    engine::SearchMemory memory(std::size_t{16} << 20);
    engine::NullSink<TsumeProgress> sink;
    Tsume tsume;
    const int wanted = wanted_positions();
    const bool whole = wanted > 1000;
    int compared = 0;
    int too_large = 0;
    int mates = 0;
    int longest = 0;
    int refuted = 0;
    int open = 0;
    while (compared < wanted) {
        const shogi::Setup setup = oracle::random_problem(random);
        Position position = *Position::from_setup(setup);
        SCOPED_TRACE(to_sfen(setup));
        oracle::TsumeOracle slow(position.side_to_move(), whole ? 3'000'000 : 30'000);
        const auto expected = slow.shortest(position, kMaxLength);
        std::size_t keys = 0;
        std::uint64_t lines = 0;
        if (expected) {
            keys = slow.equal_moves(position, *expected).size();
            lines = slow.count_lines(position, *expected);
        }
        if (slow.gave_up()) {
            ++too_large;
            continue;
        }
        ++compared;
        TsumeRequest request{.position = position, .attacker = position.side_to_move()};
        // Without a mate that the oracle knows of, the verdict may take for ever; the question with
        // a limit never does.
        request.budget.nodes = expected ? 400'000 : whole ? 50'000 : 4'000;
        request.tree.max_nodes = 100'000;
        const TsumeAnswer answer = tsume.analyse(request, memory, {}, sink);
        if (expected) {
            ++mates;
            longest += *expected == kMaxLength ? 1 : 0;
            ASSERT_EQ(answer.verdict, Verdict::mate);
            ASSERT_TRUE(answer.shortest);
            ASSERT_EQ(answer.length_raw, *expected);
            ASSERT_EQ(answer.line.size(), static_cast<std::size_t>(*expected));
            ASSERT_EQ(answer.tree.child_count(MoveTree::kRoot), keys);
            ASSERT_TRUE(answer.lines_total.has_value());
            ASSERT_EQ(*answer.lines_total, lines);
            if (answer.tree_complete) {
                ASSERT_EQ(answer.tree.count_lines(), lines);
            }
            continue;
        }
        if (answer.verdict == Verdict::mate) {
            ASSERT_GT(answer.length_raw, kMaxLength);
        }
        refuted += answer.verdict == Verdict::nomate ? 1 : 0;
        open += answer.verdict == Verdict::unknown ? 1 : 0;
        mate::Meter meter({}, {});
        mate::Solver solver(memory, meter, request.attacker);
        const auto within = solver.search(position, kMaxLength);
        ASSERT_TRUE(within && within->disproven());
        ASSERT_TRUE(solver.verifier().no_mate(position, kMaxLength));
    }
    EXPECT_GT(mates, wanted / 20);
    EXPECT_GT(refuted, wanted / 20);
    std::printf("compared %d: %d mates (%d of %d plies), %d refuted, %d open; %d too large\n",
                compared,
                mates,
                longest,
                kMaxLength,
                refuted,
                open,
                too_large);
}

}  // namespace
}  // namespace yomi::shogi
