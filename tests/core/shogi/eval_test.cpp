#include <gtest/gtest.h>

#include "core/shogi/eval/classic.hpp"
#include "core/shogi/eval/king_relative.hpp"
#include "core/shogi/movegen.hpp"
#include "core/shogi/notation/sfen.hpp"
#include "tests/oracle/shogi_random.hpp"

namespace yomi::shogi {
namespace {

/// The same position seen by the other player.
Setup turned(const Setup& setup) {
    Setup other;
    for (int s = 0; s < kSquares; ++s) {
        const Piece piece = setup.board[static_cast<std::size_t>(s)];
        if (piece == kNoPiece) continue;
        other.board[static_cast<std::size_t>(rotate(static_cast<Square>(s)))] =
            make_piece(~color_of(piece), type_of(piece));
    }
    other.hands = {setup.hands[1], setup.hands[0]};
    other.side_to_move = ~setup.side_to_move;
    other.ply = setup.ply;
    return other;
}

Position random_position(SplitMix64& random, int round) {
    if (round % 2 == 0) {
        return *Position::from_setup(oracle::random_setup(random, 30, round % 10 == 0));
    }
    Position position = Position::startpos();
    oracle::play_randomly(position, random, static_cast<int>(random.below(150)));
    return position;
}

TEST(ClassicEvaluation, IsBalancedAtTheStartButForTheMove) {
    const eval::ClassicTerms terms = eval::Classic::explain_fresh(Position::startpos());
    EXPECT_EQ(terms.total(), terms.tempo);
    EXPECT_GT(terms.tempo, 0);
}

TEST(ClassicEvaluation, NegatesEveryTermWhenTheBoardIsTurned) {
    SplitMix64 random(1);
    for (int round = 0; round < 2'000; ++round) {
        const Position position = random_position(random, round);
        const auto other = Position::from_setup(turned(position.setup()));
        ASSERT_TRUE(other) << other.error().message;
        const eval::ClassicTerms a = eval::Classic::explain_fresh(position);
        const eval::ClassicTerms b = eval::Classic::explain_fresh(*other);
        const eval::ClassicTerms negated{.material = -b.material,
                                         .king_relative = -b.king_relative,
                                         .king_place = -b.king_place,
                                         .king_safety = -b.king_safety,
                                         .mobility = -b.mobility,
                                         .hands = -b.hands,
                                         .tempo = -b.tempo};
        ASSERT_EQ(a, negated) << to_sfen(position);
        eval::Classic one;
        eval::Classic two;
        one.reset(position);
        two.reset(*other);
        ASSERT_EQ(one.evaluate(position), two.evaluate(*other)) << to_sfen(position);
    }
}

TEST(ClassicEvaluation, FollowsMovesLikeARecomputation) {
    SplitMix64 random(2);
    for (int game = 0; game < 60; ++game) {
        Position position = random_position(random, game);
        eval::Classic evaluator;
        evaluator.reset(position);
        std::vector<eval::ClassicTerms> seen;
        for (int ply = 0; ply < 120; ++ply) {
            seen.push_back(evaluator.explain(position));
            ASSERT_EQ(seen.back(), eval::Classic::explain_fresh(position)) << to_sfen(position);
            ASSERT_EQ(evaluator.evaluate(position),
                      position.side_to_move() == Color::black ? seen.back().total()
                                                              : -seen.back().total());
            MoveList moves;
            legal_moves(position, moves);
            if (moves.empty()) break;
            const Move move = moves[random.below(static_cast<std::uint32_t>(moves.size()))];
            evaluator.do_move(position, move);
            position.do_move(move);
            if (ply == 119) seen.push_back(evaluator.explain(position));
        }
        while (position.history_size() > 0 && seen.size() > 1) {
            position.undo_move();
            evaluator.undo_move();
            seen.pop_back();
            ASSERT_EQ(evaluator.explain(position), seen.back()) << to_sfen(position);
        }
    }
}

TEST(KingRelativeTable, LooksUpTheSeedsIndices) {
    // Seed data B: king 5i and pawn 5g use 146, king 8h and gold 7h use 127, White's turned pair
    // 127 too.
    const auto& tables = eval::king_relative_tables();
    const auto square = [](int file, int rank) { return make_square(file - 1, rank - 1); };
    const auto kind = [](PieceType t) { return static_cast<std::size_t>(index(t)); };
    const Piece black_pawn = make_piece(Color::black, PieceType::pawn);
    const Piece black_gold = make_piece(Color::black, PieceType::gold);
    const Piece white_gold = make_piece(Color::white, PieceType::gold);
    EXPECT_EQ(eval::king_relative(black_pawn, square(5, 7), Color::black, square(5, 9)),
              tables.own_king[kind(PieceType::pawn)][146]);
    EXPECT_EQ(eval::king_relative(black_gold, square(7, 8), Color::black, square(8, 8)),
              tables.own_king[kind(PieceType::gold)][127]);
    EXPECT_EQ(eval::king_relative(white_gold, square(3, 2), Color::white, square(2, 2)),
              -tables.own_king[kind(PieceType::gold)][127]);
    EXPECT_NE(tables.own_king[kind(PieceType::gold)][127], 0);
}

TEST(ClassicEvaluation, PrefersACastledKing) {
    // Mino castle against a bare king in the centre, the rest alike.
    const auto setup =
        parse_sfen("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1");
    const auto castled =
        parse_sfen("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B1R1GSK1/LN1SG2NL b - 1");
    ASSERT_TRUE(setup && castled);
    const int before = eval::Classic::explain_fresh(*Position::from_setup(*setup)).total();
    const int after = eval::Classic::explain_fresh(*Position::from_setup(*castled)).total();
    EXPECT_GT(after, before);
}

}  // namespace
}  // namespace yomi::shogi
