// Spoils the table while the solver runs: verdicts must stay right, more work and "unknown" are all
// that may come of it.
#include <cstring>
#include <functional>

#include <gtest/gtest.h>

#include "core/base/hash.hpp"
#include "core/shogi/mate/table.hpp"
#include "core/shogi/mate/tsume.hpp"
#include "core/shogi/notation/sfen.hpp"
#include "core/shogi/notation/usi.hpp"

namespace yomi::shogi {
namespace {

struct Problem {
    std::string_view sfen;
    Verdict verdict;
};

constexpr Problem kProblems[] = {
    {"9/9/3B3G1/6+p1n/7+p1/7k1/5BL1p/7G1/7+R+r b N2P2g4s2n3l13p 1", Verdict::mate},
    {"5pk2/7P1/4+R1+P1+b/8b/6R2/9/9/9/9 b 4g4s4n4l15p 1", Verdict::mate},
    {"4k4/3P5/3+B5/3B5/9/9/9/9/9 b L2r4g4s4n3l17p 1", Verdict::nomate},
    {"4k4/9/3+B5/1N1B5/9/9/9/9/9 b L2r4g4s3n3l18p 1", Verdict::nomate},
    {"5+P1k1/9/5+rB2/9/9/9/9/9/9 b RPb4g4s4n4l16p 1", Verdict::mate},
};

/// Changes some entries in use: a bit here, a false proof, a false refutation, wild numbers there.
void spoil(engine::SearchMemory& memory, SplitMix64& random, int count) {
    constexpr std::size_t kHeader = 64;
    const std::size_t entries = (memory.size() - kHeader) / sizeof(mate::Entry);
    for (int i = 0; i < count; ++i) {
        // Small tables use their first entries only.
        const std::size_t reach = random.below(2) == 0 ? 4096 : entries;
        const std::size_t at = random.below(static_cast<std::uint32_t>(reach));
        std::byte* const place = memory.bytes().data() + kHeader + at * sizeof(mate::Entry);
        mate::Entry entry;
        std::memcpy(&entry, place, sizeof entry);
        if (entry.effort == 0) continue;
        switch (random.below(5)) {
            case 0:
                entry.proven = static_cast<mate::Length>(random.below(12));
                break;
            case 1:
                entry.disproven = mate::kNoLimit + 1;
                break;
            case 2:
                entry.pn = static_cast<mate::Number>(random());
                entry.dn = static_cast<mate::Number>(random());
                break;
            case 3:
                entry.board_key ^= std::uint64_t{1} << random.below(64);
                break;
            default:
                reinterpret_cast<unsigned char*>(&entry)[random.below(sizeof entry)] ^=
                    static_cast<unsigned char>(1U << random.below(8));
                break;
        }
        std::memcpy(place, &entry, sizeof entry);
    }
}

TEST(TsumePoison, NeverChangesAVerdict) {
    SplitMix64 random(99);
    int right = 0;
    int spoiled = 0;
    for (int round = 0; round < 25; ++round) {
        const Problem& problem = kProblems[static_cast<std::size_t>(round) % std::size(kProblems)];
        const auto game = parse_usi_position(problem.sfen);
        ASSERT_TRUE(game);
        TsumeRequest request{.position = game->position, .attacker = Color::black};
        request.shortest = false;
        request.budget.nodes = 60'000;
        request.min_interval = std::chrono::milliseconds(0);
        engine::SearchMemory memory(std::size_t{4} << 20);
        engine::CallSink<TsumeProgress, std::function<void(const TsumeProgress&)>> sink(
            [&](const TsumeProgress&) {
                spoil(memory, random, 1 << (round % 12));
                ++spoiled;
            });
        Tsume tsume;
        const TsumeAnswer answer = tsume.analyse(request, memory, {}, sink);
        if (answer.verdict == Verdict::unknown) continue;
        ++right;
        ASSERT_EQ(answer.verdict, problem.verdict) << problem.sfen << " round " << round;
    }
    EXPECT_GT(right, 4);
    EXPECT_GT(spoiled, 100);
}

}  // namespace
}  // namespace yomi::shogi
