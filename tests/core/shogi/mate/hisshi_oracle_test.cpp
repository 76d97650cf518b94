// The hisshi solver against an exhaustive search on random small positions: verdict and every key.
// YOMI_HISSHI_POSITIONS raises their number (300 and more for the long run).
#include "tests/oracle/hisshi_oracle.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include <gtest/gtest.h>

#include "core/shogi/mate/hisshi.hpp"
#include "core/shogi/notation/sfen.hpp"
#include "core/shogi/notation/usi.hpp"
#include "tests/oracle/small_hisshi.hpp"

namespace yomi::shogi {
namespace {

int wanted_positions() {
    const char* const text = std::getenv("YOMI_HISSHI_POSITIONS");
    return text == nullptr ? 40 : std::atoi(text);
}

struct Counts {
    int hisshi = 0;
    int none = 0;
    int mates = 0;
    int with_king = 0;
    int unknown = 0;
    int beyond = 0;  ///< rests on mates longer than the oracle looks even then
};

/// Positions that the oracle may look at for a mate longer than its limit.
constexpr std::uint64_t kDeepPositions = 3'000'000;

/// Whether a key that the oracle has missed is one when it looks as far as the key's mates go;
/// nothing when that is too far.
std::optional<bool> is_deep_key(Position& position, const HisshiKey& key, int moves) {
    const int least = std::max<int>(key.longest, key.threat ? key.threat->length : 1);
    // How long the mates are behind a later move is not told: some lengths are tried.
    const int most = moves > 1 ? least + 4 : least;
    for (int limit = least; limit <= most; limit += 2) {
        oracle::HisshiOracle deep(position.side_to_move(), limit, kDeepPositions);
        position.do_move(key.move);
        const bool wins = deep.attacks(position) && deep.lost(position, moves - 1);
        position.undo_move();
        if (deep.gave_up()) return std::nullopt;
        if (wins) return true;
    }
    return moves > 1 ? std::nullopt : std::optional(false);
}

void compare(const shogi::Setup& setup, int moves, int mate_limit, Counts& counts) {
    Position position = *Position::from_setup(setup);
    const Color attacker = position.side_to_move();
    engine::SearchMemory memory(std::size_t{16} << 20);
    engine::NullSink<HisshiProgress> sink;
    HisshiRequest request{.position = position, .attacker = attacker};
    request.max_moves = moves;
    request.extra = false;
    request.max_tree = 0;
    // An open board makes refutations of mates large; what stays undecided is counted.
    request.budget.nodes = wanted_positions() > 100 ? 1'000'000 : 60'000;
    const HisshiAnswer answer = Hisshi().analyse(request, memory, {}, sink);
    if (answer.verdict == HisshiVerdict::unknown ||
        (answer.verdict == HisshiVerdict::hisshi && !answer.keys_complete)) {
        ++counts.unknown;
        return;
    }
    oracle::HisshiOracle slow(attacker, mate_limit);
    if (slow.mate(position)) {
        ++counts.mates;
        ASSERT_EQ(answer.verdict, HisshiVerdict::mate);
        return;
    }
    if (answer.verdict == HisshiVerdict::mate) {
        ASSERT_GT(answer.mate->length, mate_limit);
        oracle::HisshiOracle deep(attacker, answer.mate->length, kDeepPositions);
        const bool mate = deep.mate(position);
        if (deep.gave_up()) {
            ++counts.beyond;
        } else {
            ++counts.mates;
            ASSERT_TRUE(mate);
        }
        return;
    }
    int shortest = 0;
    std::vector<Move> expected;
    for (int n = 1; n <= moves && expected.empty(); ++n) {
        expected = slow.keys(position, n);
        shortest = n;
    }
    // A mate that the oracle does not see makes it miss a key, never find one too many: those keys
    // are asked about again.
    if (answer.verdict == HisshiVerdict::hisshi) {
        if (shortest != answer.moves) expected.clear();
        for (const HisshiKey& key : answer.keys) {
            if (std::find(expected.begin(), expected.end(), key.move) != expected.end()) continue;
            const auto deep = is_deep_key(position, key, answer.moves);
            if (!deep) {
                ++counts.beyond;
                return;
            }
            ASSERT_TRUE(*deep) << to_usi(key.move);
            expected.push_back(key.move);
        }
        ASSERT_GE(shortest, answer.moves);
        shortest = answer.moves;
    }
    std::vector<Move> keys;
    for (const HisshiKey& key : answer.keys)
        keys.push_back(key.move);
    const auto by_bits = [](Move a, Move b) { return a.bits() < b.bits(); };
    std::sort(keys.begin(), keys.end(), by_bits);
    std::sort(expected.begin(), expected.end(), by_bits);
    ASSERT_EQ(keys.size(), expected.size());
    for (std::size_t i = 0; i < keys.size(); ++i)
        ASSERT_EQ(to_usi(keys[i]), to_usi(expected[i]));
    if (expected.empty()) {
        ++counts.none;
        ASSERT_EQ(answer.verdict, HisshiVerdict::none);
    } else {
        ++counts.hisshi;
        ASSERT_EQ(answer.verdict, HisshiVerdict::hisshi);
        ASSERT_EQ(answer.moves, shortest);
        ASSERT_TRUE(answer.shortest);
    }
    counts.with_king += position.king(attacker) != kNoSquare ? 1 : 0;
}

TEST(HisshiOracle, AgreesOnOneMoveProblems) {
    SplitMix64 random(20261201);
    Counts counts;
    for (int i = 0; i < wanted_positions(); ++i) {
        const shogi::Setup setup = oracle::small_hisshi(random);
        SCOPED_TRACE(to_sfen(setup));
        compare(setup, 1, 5, counts);
        if (HasFatalFailure()) return;
    }
    EXPECT_GT(counts.hisshi, wanted_positions() / 20);
    EXPECT_GT(counts.none, wanted_positions() / 4);
    EXPECT_LT(counts.beyond, std::max(3, wanted_positions() / 20));
    RecordProperty("hisshi", counts.hisshi);
    RecordProperty("none", counts.none);
    RecordProperty("mates", counts.mates);
    RecordProperty("with_king", counts.with_king);
    RecordProperty("beyond", counts.beyond);
    RecordProperty("unknown", counts.unknown);
    std::printf("%d hisshi, %d none, %d mates, %d unknown, %d beyond, %d with an attacking king\n",
                counts.hisshi,
                counts.none,
                counts.mates,
                counts.unknown,
                counts.beyond,
                counts.with_king);
}

TEST(HisshiOracle, AgreesOnTwoMoveProblems) {
    SplitMix64 random(7);
    Counts counts;
    const int wanted = std::max(4, wanted_positions() / 10);
    for (int i = 0; i < wanted; ++i) {
        const shogi::Setup setup = oracle::small_hisshi(random);
        SCOPED_TRACE(to_sfen(setup));
        compare(setup, 2, 3, counts);
        if (HasFatalFailure()) return;
    }
    EXPECT_GT(counts.hisshi + counts.none, 0);
    RecordProperty("hisshi", counts.hisshi);
    RecordProperty("none", counts.none);
    RecordProperty("beyond", counts.beyond);
    RecordProperty("unknown", counts.unknown);
    std::printf("%d hisshi, %d none, %d mates, %d unknown, %d beyond, %d with an attacking king\n",
                counts.hisshi,
                counts.none,
                counts.mates,
                counts.unknown,
                counts.beyond,
                counts.with_king);
}

}  // namespace
}  // namespace yomi::shogi
