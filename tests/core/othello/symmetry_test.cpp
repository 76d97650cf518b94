#include "core/othello/symmetry.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/othello/rules.hpp"
#include "core/othello/transcript.hpp"
#include "tests/oracle/othello_rays.hpp"

namespace yomi::othello {
namespace {

// The plain twin: move every disc by itself.
std::uint64_t image_by_squares(Symmetry symmetry, std::uint64_t word) {
    std::uint64_t image = 0;
    for (Square square = 0; square < 64; ++square) {
        if ((word & bit(square)) != 0) image |= bit(apply_to_square(symmetry, square));
    }
    return image;
}

TEST(Symmetry, MovesWordsAsItMovesSquares) {
    SplitMix64 random(1);
    for (int i = 0; i < 1'000; ++i) {
        const std::uint64_t word = random();
        for (Symmetry symmetry = 0; symmetry < kSymmetries; ++symmetry) {
            ASSERT_EQ(apply(symmetry, word), image_by_squares(symmetry, word)) << symmetry;
        }
    }
}

TEST(Symmetry, NamesItsGenerators) {
    EXPECT_EQ(apply_to_square(kMirrorFiles, parse_square("a1").value()),
              parse_square("h1").value());
    EXPECT_EQ(apply_to_square(kMirrorRanks, parse_square("a1").value()),
              parse_square("a8").value());
    EXPECT_EQ(apply_to_square(kTranspose, parse_square("c1").value()), parse_square("a3").value());
    EXPECT_EQ(apply_to_square(kTranspose, kPass), kPass);
}

TEST(Symmetry, IsAGroup) {
    SplitMix64 random(2);
    for (Symmetry first = 0; first < kSymmetries; ++first) {
        std::set<Symmetry> row;
        for (Symmetry second = 0; second < kSymmetries; ++second) {
            const Symmetry both = compose(first, second);
            ASSERT_GE(both, 0);
            ASSERT_LT(both, kSymmetries);
            row.insert(both);
            const std::uint64_t word = random();
            ASSERT_EQ(apply(second, apply(first, word)), apply(both, word));
            for (Symmetry third = 0; third < kSymmetries; ++third) {
                ASSERT_EQ(compose(both, third), compose(first, compose(second, third)));
            }
        }
        EXPECT_EQ(row.size(), 8U);  // closed, and each image once
        EXPECT_EQ(compose(first, inverse(first)), kIdentity);
        EXPECT_EQ(compose(inverse(first), first), kIdentity);
        EXPECT_EQ(compose(first, kIdentity), first);
    }
}

TEST(Symmetry, KeepsTheRules) {
    SplitMix64 random(3);
    for (int i = 0; i < 2'000; ++i) {
        const Board board = oracle::random_board(random);
        for (Symmetry symmetry = 1; symmetry < kSymmetries; ++symmetry) {
            const Board image = apply(symmetry, board);
            ASSERT_EQ(legal_moves(image), apply(symmetry, legal_moves(board)));
        }
    }
}

TEST(Canonical, IsTheSmallestImageAndTheSameForAllEight) {
    SplitMix64 random(6);
    for (int i = 0; i < 2'000; ++i) {
        const Board board = oracle::random_board(random);
        std::vector<std::pair<std::uint64_t, std::uint64_t>> images;
        for (Symmetry symmetry = 0; symmetry < kSymmetries; ++symmetry) {
            images.emplace_back(image_by_squares(symmetry, board.player),
                                image_by_squares(symmetry, board.opponent));
        }
        const auto least = *std::min_element(images.begin(), images.end());
        for (Symmetry symmetry = 0; symmetry < kSymmetries; ++symmetry) {
            const Board image = apply(symmetry, board);
            const CanonicalForm form = canonical(image);
            ASSERT_EQ(form.board, (Board{least.first, least.second}));
            ASSERT_EQ(apply(form.symmetry, image), form.board);
            ASSERT_EQ(apply(inverse(form.symmetry), form.board), image);
            ASSERT_EQ(legacy_key(image), legacy_key(board));
        }
    }
}

TEST(Canonical, CountsPositionsByPly) {
    // Positions up to symmetry after n discs. Source: design data of the seed, section 4G.
    constexpr std::size_t kCounts[] = {1, 1, 3, 14, 60, 322, 1773};
    std::set<Board> level = {canonical(kStartBoard).board};
    for (const std::size_t expected : kCounts) {
        EXPECT_EQ(level.size(), expected);
        std::set<Board> next;
        for (const Board& board : level) {
            Position position{.board = board, .side = Color::black, .passes = 0};
            for (const Move& move : position.moves()) {
                Position child = position;
                child.do_move(move);
                next.insert(canonical(child.board).board);
            }
        }
        level = std::move(next);
    }
}

TEST(Canonical, KnowsTheWordsThatBooksStore) {
    // Source: the start record of Edax's and Egaroucid's books.
    EXPECT_EQ(canonical(kStartBoard).board.player, 0x0000'0008'1000'0000U);
    EXPECT_EQ(canonical(kStartBoard).board.opponent, 0x0000'0010'0800'0000U);
}

LegacyKey key_after(std::string_view transcript) {
    return legacy_key(parse_transcript(transcript).value().end.board);
}

TEST(LegacyKey, IsTheSeedsKey) {
    // Source: design data of the seed, section 4G.
    const LegacyKey start{.bl = 0x08000000, .bh = 0x00000010, .wl = 0x10000000, .wh = 0x00000008};
    EXPECT_EQ(legacy_key(kStartBoard), start);
    // The same shape with the colours exchanged and White to move is the same record.
    Position exchanged;
    exchanged.side = Color::white;
    EXPECT_EQ(legacy_key(exchanged.board), start);

    const LegacyKey first{.bl = 0, .bh = 0x00000010, .wl = 0x18080000, .wh = 0x00000008};
    for (const char* move : {"d3", "c4", "f5", "e6"})
        EXPECT_EQ(key_after(move), first) << move;
    EXPECT_EQ(key_after("f5d6"), (LegacyKey{.bl = 0, .bh = 0x00000818, .wl = 0x1C000000, .wh = 0}));
    EXPECT_EQ(key_after("f5f6"),
              (LegacyKey{.bl = 0x08100000, .bh = 0x00000010, .wl = 0x10200000, .wh = 0x00000008}));
    EXPECT_EQ(key_after("f5f4"), (LegacyKey{.bl = 0, .bh = 0x0000001C, .wl = 0x1C000000, .wh = 0}));
}

TEST(LegacyKey, IsTheLeastByItsOwnOrder) {
    SplitMix64 random(8);
    for (int i = 0; i < 500; ++i) {
        const Board board = oracle::random_board(random);
        std::vector<std::array<std::uint32_t, 4>> images;  // (wh, wl, bh, bl)
        for (Symmetry symmetry = 0; symmetry < kSymmetries; ++symmetry) {
            const std::uint64_t b = image_by_squares(symmetry, board.player);
            const std::uint64_t w = image_by_squares(symmetry, board.opponent);
            images.push_back({static_cast<std::uint32_t>(w >> 32),
                              static_cast<std::uint32_t>(w),
                              static_cast<std::uint32_t>(b >> 32),
                              static_cast<std::uint32_t>(b)});
        }
        const auto least = *std::min_element(images.begin(), images.end());
        const LegacyKey key = legacy_key(board);
        ASSERT_EQ((std::array{key.wh, key.wl, key.bh, key.bl}), least);
    }
}

}  // namespace
}  // namespace yomi::othello
