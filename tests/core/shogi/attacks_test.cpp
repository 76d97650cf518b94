#include "core/shogi/attacks.hpp"

#include <gtest/gtest.h>

#include "core/base/hash.hpp"
#include "core/shogi/names.hpp"
#include "tests/oracle/shogi_plain.hpp"

namespace yomi::shogi {
namespace {

Bitboard walk(Square from, int df, int dr, const Bitboard& occupancy) {
    Bitboard found;
    for (int file = file_of(from) + df, rank = rank_of(from) + dr;
         file >= 0 && file < 9 && rank >= 0 && rank < 9;
         file += df, rank += dr) {
        found.set(make_square(file, rank));
        if (occupancy.test(make_square(file, rank))) break;
    }
    return found;
}

Bitboard random_occupancy(SplitMix64& random) {
    const std::uint32_t density = random.below(101);
    Bitboard set;
    for (int s = 0; s < kSquares; ++s) {
        if (random.below(100) < density) set.set(static_cast<Square>(s));
    }
    return set;
}

TEST(Attacks, SlidersStopWhereAWalkStops) {
    SplitMix64 random(3);
    for (int round = 0; round < 1500; ++round) {
        const Bitboard occupied = random_occupancy(random);
        for (int i = 0; i < kSquares; ++i) {
            const auto s = static_cast<Square>(i);
            const Bitboard rank = walk(s, 1, 0, occupied) | walk(s, -1, 0, occupied);
            const Bitboard file = walk(s, 0, 1, occupied) | walk(s, 0, -1, occupied);
            const Bitboard falling = walk(s, 1, 1, occupied) | walk(s, -1, -1, occupied);
            const Bitboard rising = walk(s, 1, -1, occupied) | walk(s, -1, 1, occupied);
            ASSERT_EQ(line_attacks<Axis::rank>(s, occupied), rank) << square_name(s) << occupied;
            ASSERT_EQ(line_attacks<Axis::diagonal>(s, occupied), falling)
                << square_name(s) << occupied;
            ASSERT_EQ(line_attacks<Axis::antidiagonal>(s, occupied), rising)
                << square_name(s) << occupied;
            // The way without bit gathering must give the same on every machine.
            ASSERT_EQ(line_attacks_plain<Axis::rank>(s, occupied), rank)
                << square_name(s) << occupied;
            ASSERT_EQ(line_attacks_plain<Axis::diagonal>(s, occupied), falling)
                << square_name(s) << occupied;
            ASSERT_EQ(line_attacks_plain<Axis::antidiagonal>(s, occupied), rising)
                << square_name(s) << occupied;
            ASSERT_EQ(file_attacks(s, occupied), file) << square_name(s) << occupied;
        }
    }
}

TEST(Attacks, EveryPieceReachesWhatTheRulesSay) {
    SplitMix64 random(4);
    for (int round = 0; round < 30; ++round) {
        const Bitboard occupied = random_occupancy(random);
        for (int i = 0; i < kSquares; ++i) {
            for (const Color c : {Color::black, Color::white}) {
                for (int t = 1; t < kPieceTypes; ++t) {
                    const auto s = static_cast<Square>(i);
                    const Piece piece = make_piece(c, static_cast<PieceType>(t));
                    shogi::Setup setup;
                    for (const Square o : occupied) {
                        setup.board[static_cast<std::size_t>(o)] =
                            make_piece(Color::black, PieceType::pawn);
                    }
                    setup.board[static_cast<std::size_t>(s)] = piece;
                    Bitboard expected;
                    for (const Square to : oracle::reach(setup, s))
                        expected.set(to);
                    ASSERT_EQ(attacks(piece, s, occupied), expected)
                        << kind_name(static_cast<PieceType>(t));
                }
            }
        }
    }
}

TEST(Attacks, LinesAndBetweensAgreeWithGeometry) {
    for (int a = 0; a < kSquares; ++a) {
        for (int b = 0; b < kSquares; ++b) {
            const auto sa = static_cast<Square>(a);
            const auto sb = static_cast<Square>(b);
            const int df = file_of(sb) - file_of(sa);
            const int dr = rank_of(sb) - rank_of(sa);
            const bool shared = a != b && (df == 0 || dr == 0 || std::abs(df) == std::abs(dr));
            EXPECT_EQ(direction(sa, sb) != Direction::none, shared);
            if (!shared) {
                EXPECT_TRUE(between(sa, sb).none());
                EXPECT_TRUE(line(sa, sb).none());
                continue;
            }
            EXPECT_EQ(direction(sb, sa), opposite(direction(sa, sb)));
            const int uf = (df > 0) - (df < 0);
            const int ur = (dr > 0) - (dr < 0);
            const Bitboard whole = walk(sa, uf, ur, {}) | walk(sa, -uf, -ur, {}) | Bitboard::of(sa);
            EXPECT_EQ(line(sa, sb), whole);
            EXPECT_EQ(between(sa, sb),
                      walk(sa, uf, ur, Bitboard::of(sb)).without(Bitboard::of(sb)));
            for (int c = 0; c < kSquares; ++c) {
                if (c == a) continue;
                EXPECT_EQ(aligned(sa, sb, static_cast<Square>(c)),
                          whole.test(static_cast<Square>(c)));
            }
        }
    }
}

}  // namespace
}  // namespace yomi::shogi
