#include "core/shogi/movegen.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/hash.hpp"
#include "core/shogi/notation/sfen.hpp"
#include "core/shogi/notation/usi.hpp"
#include "tests/oracle/shogi_plain.hpp"
#include "tests/oracle/shogi_random.hpp"

namespace yomi::shogi {
namespace {

Position from_sfen(const std::string& text) {
    return *Position::from_setup(*parse_sfen(text));
}

std::vector<std::uint32_t> sorted_bits(const MoveList& list) {
    std::vector<std::uint32_t> bits;
    for (const Move move : list)
        bits.push_back(move.bits());
    std::sort(bits.begin(), bits.end());
    return bits;
}

std::vector<std::uint32_t> sorted_bits(const std::vector<Move>& moves) {
    std::vector<std::uint32_t> bits;
    for (const Move move : moves)
        bits.push_back(move.bits());
    std::sort(bits.begin(), bits.end());
    return bits;
}

std::string names(const std::vector<std::uint32_t>& bits) {
    std::string text;
    for (const std::uint32_t b : bits)
        text += to_usi(Move::from_bits(b)) + ' ';
    return text;
}

/// Compares everything the generator says about one position with the plain rules.
void expect_same_moves(const Position& position) {
    const shogi::Setup setup = position.setup();
    const auto plain = oracle::legal(setup);
    const auto expected = sorted_bits(plain);
    MoveList list;
    legal_moves(position, list);
    ASSERT_EQ(sorted_bits(list), expected)
        << to_sfen(setup) << "\n got " << names(sorted_bits(list)) << "\nwant " << names(expected);
    ASSERT_EQ(count_legal_moves(position), expected.size()) << to_sfen(setup);

    std::vector<Move> checks;
    for (const Move move : plain) {
        if (oracle::in_check(oracle::play(setup, move), ~setup.side_to_move))
            checks.push_back(move);
    }
    MoveList checking;
    checking_moves(position, checking);
    ASSERT_EQ(sorted_bits(checking), sorted_bits(checks))
        << to_sfen(setup) << "\n got " << names(sorted_bits(checking)) << "\nwant "
        << names(sorted_bits(checks));

    if (position.in_check()) return;
    std::vector<Move> captures;
    std::vector<Move> quiets;
    for (const Move move : plain) {
        const bool pawn_promotes =
            move.is_promotion() && type_of(move.piece_before()) == PieceType::pawn;
        (position.is_capture(move) || pawn_promotes ? captures : quiets).push_back(move);
    }
    MoveList found;
    capture_moves(position, found);
    ASSERT_EQ(sorted_bits(found), sorted_bits(captures)) << to_sfen(setup);
    found.resize(0);
    quiet_moves(position, found);
    ASSERT_EQ(sorted_bits(found), sorted_bits(quiets)) << to_sfen(setup);
}

TEST(MoveGenerator, AgreesWithThePlainRulesInRandomGames) {
    SplitMix64 random(11);
    for (int game = 0; game < 12; ++game) {
        Position position = Position::startpos();
        for (int ply = 0; ply < 120; ++ply) {
            if (oracle::play_randomly(position, random, 1).empty()) break;
            if (ply % 2 == 0) expect_same_moves(position);
            if (HasFatalFailure()) return;
        }
    }
}

TEST(MoveGenerator, AgreesWithThePlainRulesOnThrownPositions) {
    SplitMix64 random(12);
    for (int i = 0; i < 1200; ++i) {
        expect_same_moves(*Position::from_setup(oracle::random_setup(random, random.below(30))));
        if (HasFatalFailure()) return;
    }
}

TEST(MoveGenerator, AgreesWithThePlainRulesInEndgamesFullOfDrops) {
    SplitMix64 random(13);
    for (int i = 0; i < 300; ++i) {
        expect_same_moves(
            *Position::from_setup(oracle::random_setup(random, 60 + random.below(40))));
        if (HasFatalFailure()) return;
    }
}

TEST(MoveGenerator, AgreesWithThePlainRulesWhenOneKingIsMissing) {
    SplitMix64 random(14);
    for (int i = 0; i < 300; ++i) {
        expect_same_moves(
            *Position::from_setup(oracle::random_setup(random, random.below(80), true)));
        if (HasFatalFailure()) return;
    }
}

TEST(MoveGenerator, KnowsTheDropPawnMates) {
    // Random positions with the pawn drop that mattered: enough of them must have been mates to
    // mean anything.
    SplitMix64 random(15);
    int mates = 0;
    int escapes = 0;
    for (int i = 0; i < 60000 && (mates < 60 || escapes < 60); ++i) {
        const shogi::Setup setup = oracle::random_setup(random, 20);
        const Color us = setup.side_to_move;
        const Square king = oracle::king_square(setup, ~us);
        const int rank = rank_of(king) + (us == Color::black ? 1 : -1);
        if (rank < 0 || rank > 8 ||
            !setup.hands[static_cast<std::size_t>(index(us))].has(PieceType::pawn))
            continue;
        const Move drop = Move::drop(PieceType::pawn, make_square(file_of(king), rank), us);
        const auto pseudo = oracle::pseudo_legal(setup);
        if (std::find(pseudo.begin(), pseudo.end(), drop) == pseudo.end()) continue;
        const shogi::Setup after = oracle::play(setup, drop);
        if (oracle::in_check(after, us)) continue;
        const bool mate = oracle::legal(after, false).empty();
        ++(mate ? mates : escapes);
        const auto position = Position::from_setup(setup);
        ASSERT_EQ(position->is_legal(drop), !mate) << to_sfen(setup);
        MoveList list;
        legal_moves(*position, list);
        ASSERT_EQ(list.contains(drop), !mate) << to_sfen(setup);
    }
    EXPECT_GE(mates, 20);
    EXPECT_GE(escapes, 20);
}

TEST(MoveGenerator, FindsThePublishedCounts) {
    EXPECT_EQ(count_legal_moves(Position::startpos()), 30U);
    EXPECT_EQ(count_legal_moves(from_sfen("R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1")),
              593U);
    EXPECT_EQ(count_legal_moves(from_sfen("7lk/9/8S/9/9/9/9/8L/8K b P 1")), 78U);
    const auto game = parse_usi_position("startpos moves 7g7f 3c3d 8h2b+");
    ASSERT_TRUE(game);
    EXPECT_EQ(count_legal_moves(game->position), 33U);
    MoveList list;
    legal_moves(from_sfen("R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1"), list);
    EXPECT_EQ(list.size(), 593U);
}

TEST(MoveGenerator, RefusesTheDropPawnMateAndAllowsTheHarmlessOne) {
    // D8 of the seed data: P*1b mates and is forbidden; without the blocking pieces it is a check
    // like any other.
    const Position mate = from_sfen("7lk/7p1/8G/9/9/9/9/9/9 b P 1");
    const Position check = from_sfen("8k/9/8G/9/9/9/9/9/9 b P 1");
    const Move drop = Move::drop(PieceType::pawn, make_square(0, 1), Color::black);
    EXPECT_FALSE(mate.is_legal(drop));
    EXPECT_NE(mate.why_illegal(drop).find("drop-pawn mate"), std::string::npos);
    EXPECT_TRUE(check.is_legal(drop));
    EXPECT_TRUE(check.gives_check(drop));
}

TEST(MoveGenerator, ListsNothingForTheMated) {
    const Position mated = from_sfen("4k4/4G4/4P4/9/9/9/9/9/9 w - 1");
    EXPECT_EQ(count_legal_moves(mated), 0U);
    MoveList list;
    legal_moves(mated, list);
    EXPECT_TRUE(list.empty());
    // No check and no move: also a legal position, also nothing to play.
    const Position stalemated = from_sfen("8k/6G2/7+R1/9/9/9/9/9/9 w - 1");
    EXPECT_FALSE(stalemated.in_check());
    EXPECT_EQ(count_legal_moves(stalemated), 0U);
}

TEST(MoveList, CopiesOnlyWhatItHolds) {
    MoveList list;
    legal_moves(Position::startpos(), list);
    const MoveList copy = list;
    MoveList assigned;
    assigned = copy;
    EXPECT_EQ(sorted_bits(assigned), sorted_bits(list));
    list.resize(3);
    EXPECT_EQ(list.size(), 3U);
    EXPECT_TRUE(copy.contains(copy[29]));
    EXPECT_FALSE(list.contains(copy[29]));
}

}  // namespace
}  // namespace yomi::shogi
