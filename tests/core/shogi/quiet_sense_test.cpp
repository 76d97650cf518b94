#include "core/shogi/search/quiet_sense.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "core/shogi/attacks.hpp"
#include "core/shogi/notation/sfen.hpp"
#include "core/shogi/notation/usi.hpp"
#include "core/shogi/search/ordering.hpp"
#include "core/shogi/search/see.hpp"
#include "tests/oracle/shogi_random.hpp"

namespace yomi::shogi::search {
namespace {

/// Squares from which `side` bears on `target`, square by square.
std::vector<Square> takers_of(const Position& position, Color side, Square target) {
    std::vector<Square> takers;
    for (int s = 0; s < kSquares; ++s) {
        const auto square = static_cast<Square>(s);
        const Piece piece = position.piece_on(square);
        if (piece == kNoPiece || color_of(piece) != side) continue;
        if (attacks(piece, square, position.occupied()).test(target)) takers.push_back(square);
    }
    return takers;
}

bool is_loose(const Position& position, Square square) {
    const Color side = position.side_to_move();
    const Piece piece = position.piece_on(square);
    if (piece == kNoPiece || color_of(piece) != side) return false;
    if (type_of(piece) == PieceType::king || type_of(piece) == PieceType::pawn) return false;
    const auto takers = takers_of(position, ~side, square);
    if (takers.empty()) return false;
    const bool cheaper = std::any_of(takers.begin(), takers.end(), [&](Square taker) {
        return exchange_worth(position.piece_on(taker)) < exchange_worth(piece);
    });
    return cheaper || takers_of(position, side, square).empty();
}

int plain_bonus(const Position& position, Move move) {
    const Color side = position.side_to_move();
    const Piece piece = move.piece_after();
    const bool pawn = type_of(piece) == PieceType::pawn;
    int sum = !move.is_drop() && is_loose(position, move.from()) ? 8'000 : 0;
    const auto takers = takers_of(position, ~side, move.to());
    const bool feared = std::any_of(takers.begin(), takers.end(), [&](Square taker) {
        return type_of(position.piece_on(taker)) == PieceType::pawn;
    });
    bool hits = false;
    for (const Square s : attacks(piece, move.to(), position.occupied())) {
        const Piece victim = position.piece_on(s);
        hits = hits || (victim != kNoPiece && color_of(victim) != side &&
                        type_of(victim) != PieceType::king &&
                        exchange_worth(victim) > exchange_worth(piece));
    }
    if (hits && (pawn || !feared)) sum += 8'000;
    const Square king = position.king(~side);
    if (!pawn && king != kNoSquare && std::abs(file_of(king) - file_of(move.to())) <= 2 &&
        std::abs(rank_of(king) - rank_of(move.to())) <= 2) {
        sum += 6'000;
    }
    return sum;
}

Position random_position(SplitMix64& random, int round) {
    if (round % 2 == 0)
        return *Position::from_setup(oracle::random_setup(random, 30, round % 4 == 0));
    Position position = Position::startpos();
    oracle::play_randomly(position, random, static_cast<int>(random.below(120)));
    return position;
}

TEST(QuietSense, EqualsItsPlainTwin) {
    SplitMix64 random(5);
    int seen = 0;
    for (int round = 0; round < 400; ++round) {
        const Position position = random_position(random, round);
        QuietSense sense(position);
        for (int s = 0; s < kSquares; ++s) {
            const auto square = static_cast<Square>(s);
            ASSERT_EQ(sense.loose().test(square), is_loose(position, square))
                << to_sfen(position) << ' ' << s;
            const bool reached = !takers_of(position, ~position.side_to_move(), square).empty();
            ASSERT_EQ(sense.reached().test(square), reached) << to_sfen(position) << ' ' << s;
        }
        MoveList moves;
        legal_moves(position, moves);
        for (const Move move : moves) {
            if (is_tactical(position, move)) continue;
            const int bonus = sense.bonus(move);
            ASSERT_EQ(bonus, plain_bonus(position, move))
                << to_sfen(position) << ' ' << to_usi(move);
            if (bonus > 0) ++seen;
        }
    }
    EXPECT_GT(seen, 1'000);
}

TEST(QuietSense, HangingQuietMovesAreHandedOutLast) {
    SplitMix64 random(7);
    const auto histories = std::make_unique<Histories>();
    int hanging = 0;
    for (int round = 0; round < 200; ++round) {
        const Position position = random_position(random, round);
        if (position.in_check()) continue;
        MovePicker picker(position, *histories, {}, MovePicker::Kind::main);
        bool late = false;
        while (const Move move = picker.next()) {
            if (is_tactical(position, move)) continue;
            const bool hangs = !see_ge(position, move, 0);
            if (hangs) ++hanging;
            ASSERT_TRUE(hangs || !late) << to_sfen(position) << ' ' << to_usi(move);
            late = late || hangs;
        }
    }
    EXPECT_GT(hanging, 1'000);
}

}  // namespace
}  // namespace yomi::shogi::search
