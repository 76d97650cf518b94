#include "core/shogi/bitboard.hpp"

#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/hash.hpp"

namespace yomi::shogi {
namespace {

Bitboard random_set(SplitMix64& random, std::set<int>& twin) {
    Bitboard set;
    twin.clear();
    const std::uint32_t density = random.below(101);
    for (int s = 0; s < kSquares; ++s) {
        if (random.below(100) >= density) continue;
        set.set(static_cast<Square>(s));
        twin.insert(s);
    }
    return set;
}

std::set<int> members(const Bitboard& set) {
    std::set<int> found;
    for (const Square s : set)
        found.insert(s);
    return found;
}

TEST(Bitboard, AgreesWithASetOfIntegers) {
    SplitMix64 random(1);
    for (int round = 0; round < 2000; ++round) {
        std::set<int> ta;
        std::set<int> tb;
        const Bitboard a = random_set(random, ta);
        const Bitboard b = random_set(random, tb);
        ASSERT_EQ(members(a), ta);
        ASSERT_EQ(a.count(), static_cast<int>(ta.size()));
        ASSERT_EQ(a.any(), !ta.empty());
        ASSERT_EQ(a.more_than_one(), ta.size() > 1);
        std::set<int> both;
        std::set<int> either = ta;
        std::set<int> only_a;
        std::set<int> rest;
        either.insert(tb.begin(), tb.end());
        for (int s = 0; s < kSquares; ++s) {
            const bool in_a = ta.count(s) != 0;
            const bool in_b = tb.count(s) != 0;
            ASSERT_EQ(a.test(static_cast<Square>(s)), in_a);
            if (in_a && in_b) both.insert(s);
            if (in_a && !in_b) only_a.insert(s);
            if (!in_a) rest.insert(s);
        }
        ASSERT_EQ(members(a & b), both);
        ASSERT_EQ(members(a | b), either);
        ASSERT_EQ(members(a.without(b)), only_a);
        ASSERT_EQ(members(~a), rest);
        ASSERT_EQ(a.intersects(b), !both.empty());
        ASSERT_EQ((a ^ b), (a | b).without(a & b));
        Bitboard left = a;
        for (const int s : ta)
            ASSERT_EQ(left.pop_lowest(), s);
        ASSERT_TRUE(left.none());
    }
}

TEST(Bitboard, FilesAndRanksPartitionTheBoard) {
    Bitboard files;
    Bitboard ranks;
    for (int i = 0; i < 9; ++i) {
        ASSERT_EQ(Bitboard::file(i).count(), 9);
        ASSERT_EQ(Bitboard::rank(i).count(), 9);
        ASSERT_FALSE(files.intersects(Bitboard::file(i)));
        ASSERT_FALSE(ranks.intersects(Bitboard::rank(i)));
        files |= Bitboard::file(i);
        ranks |= Bitboard::rank(i);
        for (int j = 0; j < 9; ++j) {
            ASSERT_EQ(Bitboard::file(i) & Bitboard::rank(j), Bitboard::of(make_square(i, j)));
        }
    }
    EXPECT_EQ(files, Bitboard::all());
    EXPECT_EQ(ranks, Bitboard::all());
}

TEST(Bitboard, StepsForwardAndDropsWhatLeavesTheBoard) {
    for (int s = 0; s < kSquares; ++s) {
        const auto square = static_cast<Square>(s);
        const Bitboard black = step_forward<Color::black>(Bitboard::of(square));
        const Bitboard white = step_forward<Color::white>(Bitboard::of(square));
        const int file = file_of(square);
        const int rank = rank_of(square);
        EXPECT_EQ(black, rank == 0 ? Bitboard{} : Bitboard::of(make_square(file, rank - 1))) << s;
        EXPECT_EQ(white, rank == 8 ? Bitboard{} : Bitboard::of(make_square(file, rank + 1))) << s;
    }
}

TEST(Bitboard, NamesTheFilesWithoutAPawn) {
    SplitMix64 random(2);
    for (int round = 0; round < 2000; ++round) {
        Bitboard pawns;
        Bitboard expected;
        for (int file = 0; file < 9; ++file) {
            if (random.below(2) == 0) {
                pawns.set(make_square(file, static_cast<int>(random.below(9))));
            } else {
                expected |= Bitboard::file(file);
            }
        }
        ASSERT_EQ(files_without(pawns), expected) << pawns;
    }
}

TEST(Bitboard, KnowsWhereUnpromotedPiecesLive) {
    for (const Color c : {Color::black, Color::white}) {
        for (int s = 0; s < kSquares; ++s) {
            const auto square = static_cast<Square>(s);
            const int left = c == Color::black ? rank_of(square) : 8 - rank_of(square);
            EXPECT_EQ(living_squares(c, PieceType::pawn).test(square), left >= 1);
            EXPECT_EQ(living_squares(c, PieceType::lance).test(square), left >= 1);
            EXPECT_EQ(living_squares(c, PieceType::knight).test(square), left >= 2);
            EXPECT_TRUE(living_squares(c, PieceType::silver).test(square));
            EXPECT_EQ(promotion_zone(c).test(square), left < 3);
        }
    }
}

TEST(Bitboard, DrawsTheBoardAsPrinted) {
    EXPECT_EQ(to_string(Bitboard::of(make_square(6, 6)) | Bitboard::of(make_square(0, 0))),
              "........*\n.........\n.........\n.........\n.........\n.........\n..*......\n......."
              "..\n.........\n");
}

}  // namespace
}  // namespace yomi::shogi
