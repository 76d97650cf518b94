// The hisshi solver against an exhaustive search on random small positions: verdict and every key.
// YOMI_HISSHI_POSITIONS raises their number (300 and more for the long run).
#include "tests/oracle/hisshi_oracle.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

#include <gtest/gtest.h>

#include "core/shogi/mate/hisshi.hpp"
#include "core/shogi/notation/sfen.hpp"
#include "core/shogi/notation/usi.hpp"

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
    int beyond = 0;  ///< decided by mates longer than the oracle looks
};

/// A bare king near an edge, few pieces round it, short-range pieces in the attacker's hand: hisshi
/// are common and exhaustion does not take for ever.
shogi::Setup small_problem(SplitMix64& random) {
    constexpr std::array kNear{PieceType::pawn,
                               PieceType::lance,
                               PieceType::knight,
                               PieceType::silver,
                               PieceType::gold,
                               PieceType::pro_pawn,
                               PieceType::horse,
                               PieceType::dragon};
    constexpr std::array kHeld{PieceType::gold,
                               PieceType::silver,
                               PieceType::gold,
                               PieceType::knight,
                               PieceType::pawn,
                               PieceType::silver};
    while (true) {
        shogi::Setup setup;
        const auto put = [&](int file, int rank, Color side, PieceType kind) {
            if (file < 0 || file > 8 || rank < 0 || rank > 8) return;
            Piece& square = setup.board[static_cast<std::size_t>(make_square(file, rank))];
            if (square == kNoPiece) square = make_piece(side, kind);
        };
        const auto below = [&random](unsigned n) { return static_cast<int>(random.below(n)); };
        const int file = below(9);
        const int rank = below(2);
        put(file, rank, Color::white, PieceType::king);
        for (int i = below(5); i > 0; --i)
            put(file + below(5) - 2, rank + below(3) - 1, Color::white, kNear[random.below(5)]);
        for (int i = 1 + below(2); i > 0; --i)
            put(file + below(5) - 2, rank + 1 + below(3), Color::black, kNear[random.below(8)]);
        for (int i = 1 + below(3); i > 0; --i)
            setup.hands[0].add(kHeld[random.below(kHeld.size())]);
        if (random.below(3) == 0)
            setup.hands[1].add(static_cast<PieceType>(1 + random.below(kHandKinds)));
        if (random.below(3) == 0) put(below(9), 4 + below(5), Color::black, PieceType::king);
        if (Position::from_setup(setup)) return setup;
    }
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
        return;
    }
    int shortest = 0;
    std::vector<Move> expected;
    for (int n = 1; n <= moves && expected.empty(); ++n) {
        expected = slow.keys(position, n);
        shortest = n;
    }
    // A mate that the oracle does not see makes it miss a key, never find one too many.
    const auto beyond = [&](const HisshiKey& key) {
        return key.longest > mate_limit || (key.threat && key.threat->length > mate_limit);
    };
    if (std::any_of(answer.keys.begin(), answer.keys.end(), beyond)) {
        ++counts.beyond;
        return;
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
        const shogi::Setup setup = small_problem(random);
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
        const shogi::Setup setup = small_problem(random);
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
