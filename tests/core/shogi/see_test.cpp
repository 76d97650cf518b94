#include "core/shogi/search/see.hpp"

#include <algorithm>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "core/shogi/movegen.hpp"
#include "core/shogi/notation/sfen.hpp"
#include "core/shogi/notation/usi.hpp"
#include "tests/oracle/shogi_plain.hpp"
#include "tests/oracle/shogi_random.hpp"

namespace yomi::shogi::search {
namespace {

using Board = std::array<Piece, kSquares>;

/// Squares of `side`'s pieces that bear on `target`, by walking from each piece.
std::vector<Square> plain_attackers(const Board& board, Color side, Square target) {
    std::vector<Square> found;
    for (int s = 0; s < kSquares; ++s) {
        const Piece piece = board[static_cast<std::size_t>(s)];
        if (piece == kNoPiece || color_of(piece) != side) continue;
        const oracle::Gait gait = oracle::gait(type_of(piece));
        const int sign = side == Color::black ? 1 : -1;
        const auto reaches = [&](oracle::Delta d, bool slides) {
            int file = s / 9;
            int rank = s % 9;
            do {
                file += sign * d.file;
                rank += sign * d.rank;
                if (file < 0 || file > 8 || rank < 0 || rank > 8) return false;
                if (make_square(file, rank) == target) return true;
            } while (slides &&
                     board[static_cast<std::size_t>(make_square(file, rank))] == kNoPiece);
            return false;
        };
        const bool hits =
            std::any_of(
                gait.steps.begin(), gait.steps.end(), [&](auto d) { return reaches(d, false); }) ||
            std::any_of(
                gait.slides.begin(), gait.slides.end(), [&](auto d) { return reaches(d, true); });
        if (hits) found.push_back(static_cast<Square>(s));
    }
    return found;
}

/// What `side` can win on `target`, taking with its cheapest piece or not at all.
int plain_exchange(Board board, Color side, Square target) {
    const std::vector<Square> attackers = plain_attackers(board, side, target);
    if (attackers.empty()) return 0;
    const auto cheapest =
        *std::min_element(attackers.begin(), attackers.end(), [&](Square a, Square b) {
            const auto rank = [&](Square s) {
                return std::tuple(exchange_worth(board[static_cast<std::size_t>(s)]),
                                  static_cast<int>(s));
            };
            return rank(a) < rank(b);
        });
    const Piece taker = board[static_cast<std::size_t>(cheapest)];
    if (type_of(taker) == PieceType::king && !plain_attackers(board, ~side, target).empty())
        return 0;
    const int gain = exchange_worth(board[static_cast<std::size_t>(target)]);
    board[static_cast<std::size_t>(cheapest)] = kNoPiece;
    board[static_cast<std::size_t>(target)] = taker;
    return std::max(0, gain - plain_exchange(board, ~side, target));
}

int plain_see(const Position& position, Move move) {
    Board board = position.setup().board;
    const int gain = material_gain(position, move);
    if (!move.is_drop()) board[static_cast<std::size_t>(move.from())] = kNoPiece;
    board[static_cast<std::size_t>(move.to())] = move.piece_after();
    return gain - plain_exchange(board, ~position.side_to_move(), move.to());
}

TEST(StaticExchange, EqualsCaptureOnlyMinimaxOnRandomPositions) {
    SplitMix64 random(11);
    int compared = 0;
    for (int round = 0; round < 400; ++round) {
        Position position = Position::startpos();
        if (round % 2 == 0) {
            position = *Position::from_setup(oracle::random_setup(random, 15));
        } else {
            oracle::play_randomly(position, random, 40 + static_cast<int>(random.below(120)));
        }
        MoveList moves;
        legal_moves(position, moves);
        for (const Move move : moves) {
            if (move.is_drop() && random.below(8) != 0) continue;
            const int exact = plain_see(position, move);
            for (const int threshold : {exact - 1, exact, exact + 1, 0, -100, 150}) {
                ASSERT_EQ(see_ge(position, move, threshold), exact >= threshold)
                    << to_sfen(position) << ' ' << to_usi(move) << " exact " << exact
                    << " threshold " << threshold;
            }
            ++compared;
        }
    }
    EXPECT_GT(compared, 10'000);
}

TEST(StaticExchange, SeesThePiecesBehind) {
    // Two rooks on one file against one defending gold: the pawn falls.
    const auto setup = parse_sfen("4k4/9/9/4g4/4p4/9/4R4/4R4/4K4 b - 1");
    ASSERT_TRUE(setup);
    const auto position = Position::from_setup(*setup);
    ASSERT_TRUE(position) << position.error().message;
    const auto move = parse_usi_move("5g5e", *position);
    ASSERT_TRUE(move);
    // Pawn, then rook lost for a gold taken by the second rook.
    const int expected = capture_value(PieceType::pawn) - capture_value(PieceType::rook) +
                         capture_value(PieceType::gold);
    EXPECT_TRUE(see_ge(*position, *move, expected));
    EXPECT_FALSE(see_ge(*position, *move, expected + 1));
}

}  // namespace
}  // namespace yomi::shogi::search
