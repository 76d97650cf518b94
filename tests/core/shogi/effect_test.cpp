#include "core/shogi/effect.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/oracle/effect_oracle.hpp"
#include "tests/oracle/loose_game.hpp"

namespace {

using namespace yomi;
using namespace yomi::shogi;
using oracle::random_move;
using oracle::random_setup;
using oracle::start_setup;

Square at(int file, int rank) {
    return make_square(file - 1, rank - 1);
}

EffectBoard board_of(const shogi::Setup& setup) {
    auto board = EffectBoard::from_setup(setup);
    EXPECT_TRUE(board) << (board ? "" : board.error().message);
    return board.value();
}

/// One rank of counts as the seed prints it: file 9 first.
std::vector<int> rank_row(const EffectBoard::Map& map, int rank) {
    std::vector<int> row;
    for (int file = 9; file >= 1; --file)
        row.push_back(map[static_cast<std::size_t>(at(file, rank))]);
    return row;
}

int sum(const EffectBoard::Map& map) {
    return std::accumulate(map.begin(), map.end(), 0);
}

/// Every number of the board against the plain count; stops at the first difference.
void expect_follows(const EffectBoard& board, const shogi::Setup& setup) {
    const oracle::PlainEffects plain = oracle::count_effects(setup);
    for (const Color by : {Color::black, Color::white}) {
        const auto side = static_cast<std::size_t>(index(by));
        for (int s = 0; s < kSquares; ++s) {
            const auto square = static_cast<Square>(s);
            const auto i = static_cast<std::size_t>(s);
            ASSERT_EQ(board.piece_on(square), setup.board[i]) << s;
            ASSERT_EQ(board.near(by, square), plain.near[side][i]) << s;
            ASSERT_EQ(board.far(by, square), plain.far[side][i]) << s;
            ASSERT_EQ(board.total(by, square), plain.near[side][i] + plain.far[side][i]) << s;
            ASSERT_EQ(board.far_directions(by, square), plain.directions[side][i]) << s;
            // One slider a ray, and walking back from each bit finds it.
            ASSERT_EQ(std::popcount(board.far_directions(by, square)), board.far(by, square)) << s;
            for (int d = 0; d < mailbox::kDirections; ++d) {
                ASSERT_EQ(board.slider_behind(by, square, static_cast<Direction>(d)),
                          plain.slider[side][i][static_cast<std::size_t>(d)])
                    << s << ' ' << d;
            }
        }
    }
}

TEST(EffectBoard, StartHasTheTablesOfTheSeed) {
    const EffectBoard board = board_of(start_setup());
    using Row = std::vector<int>;
    const auto near = board.near_map(Color::black);
    for (int rank = 1; rank <= 5; ++rank)
        EXPECT_EQ(rank_row(near, rank), Row(9, 0));
    EXPECT_EQ(rank_row(near, 6), (Row{1, 1, 1, 1, 1, 1, 1, 1, 1}));
    EXPECT_EQ(rank_row(near, 7), (Row{1, 0, 1, 0, 0, 0, 1, 0, 1}));
    EXPECT_EQ(rank_row(near, 8), (Row{0, 1, 2, 3, 3, 3, 2, 1, 0}));
    EXPECT_EQ(rank_row(near, 9), (Row{0, 0, 1, 1, 2, 1, 1, 0, 0}));
    const auto far = board.far_map(Color::black);
    for (int rank = 1; rank <= 6; ++rank)
        EXPECT_EQ(rank_row(far, rank), Row(9, 0));
    EXPECT_EQ(rank_row(far, 7), (Row{2, 0, 1, 0, 0, 0, 0, 1, 1}));
    EXPECT_EQ(rank_row(far, 8), (Row{1, 1, 1, 1, 1, 1, 1, 0, 2}));
    EXPECT_EQ(rank_row(far, 9), (Row{1, 0, 1, 0, 0, 0, 0, 1, 0}));
    EXPECT_EQ(sum(near), 34);
    EXPECT_EQ(sum(far), 17);
    EXPECT_EQ(sum(board.near_map(Color::white)), 34);
    EXPECT_EQ(sum(board.far_map(Color::white)), 17);
    for (int s = 0; s < kSquares; ++s) {
        const auto square = static_cast<Square>(s);
        EXPECT_EQ(board.near(Color::white, rotate(square)), board.near(Color::black, square));
        EXPECT_EQ(board.far(Color::white, rotate(square)), board.far(Color::black, square));
    }
}

TEST(EffectBoard, OneHasTwoFarDirectionsAtTheStart) {
    const EffectBoard board = board_of(start_setup());
    const Square one_h = at(1, 8);
    EXPECT_EQ(board.far_directions(Color::black, one_h),
              mailbox::direction_bit(Direction::east) | mailbox::direction_bit(Direction::north));
    EXPECT_EQ(board.slider_behind(Color::black, one_h, Direction::east), at(2, 8));
    EXPECT_EQ(board.slider_behind(Color::black, one_h, Direction::north), at(1, 9));
    EXPECT_EQ(board.slider_behind(Color::black, one_h, Direction::south), kNoSquare);
    EXPECT_EQ(board.slider_behind(Color::white, one_h, Direction::east), kNoSquare);
    std::vector<std::pair<Square, Direction>> found;
    board.for_each_slider(
        Color::black, one_h, [&](Square s, Direction d) { found.emplace_back(s, d); });
    EXPECT_EQ(found,
              (std::vector<std::pair<Square, Direction>>{{at(1, 9), Direction::north},
                                                         {at(2, 8), Direction::east}}));
}

TEST(EffectBoard, AfterSevenGSevenFOnlyTheNamedSquaresChange) {
    EffectBoard board = board_of(start_setup());
    const EffectBoard before = board;
    const Move move =
        Move::board(at(7, 7), at(7, 6), make_piece(Color::black, PieceType::pawn), false);
    EXPECT_EQ(board.do_move(move), kNoPiece);
    const std::vector<Square> gained{at(3, 3), at(4, 4), at(5, 5), at(6, 6)};
    for (int s = 0; s < kSquares; ++s) {
        const auto square = static_cast<Square>(s);
        int near = before.near(Color::black, square);
        if (square == at(7, 6)) near -= 1;
        if (square == at(7, 5)) near += 1;
        EXPECT_EQ(board.near(Color::black, square), near) << s;
        const bool gains = std::find(gained.begin(), gained.end(), square) != gained.end();
        EXPECT_EQ(board.far(Color::black, square),
                  before.far(Color::black, square) + (gains ? 1 : 0));
        if (gains) {
            // The bishop of 8h looks towards 1a: up and to the right of Black's board.
            EXPECT_EQ(board.far_directions(Color::black, square),
                      mailbox::direction_bit(Direction::north_east));
            EXPECT_EQ(board.slider_behind(Color::black, square, Direction::north_east), at(8, 8));
        }
        EXPECT_EQ(board.near(Color::white, square), before.near(Color::white, square));
        EXPECT_EQ(board.far(Color::white, square), before.far(Color::white, square));
    }
    EXPECT_EQ(before.near(Color::black, at(7, 6)), 1);
    EXPECT_EQ(before.near(Color::black, at(7, 5)), 0);
    EXPECT_EQ(sum(board.far_map(Color::black)), 21);
    board.undo_move(move, kNoPiece);
    EXPECT_EQ(board, before);
}

TEST(EffectBoard, DragonAndHorseStepNearAndSlideFar) {
    EffectBoard board;
    board.put(make_piece(Color::black, PieceType::dragon), at(5, 5));
    EXPECT_EQ(sum(board.near_map(Color::black)), 4);
    EXPECT_EQ(sum(board.far_map(Color::black)), 16);
    EXPECT_EQ(board.near(Color::black, at(4, 4)), 1);
    EXPECT_EQ(board.far(Color::black, at(5, 4)), 1);
    EXPECT_EQ(board.lift(at(5, 5)), make_piece(Color::black, PieceType::dragon));
    EXPECT_EQ(board, EffectBoard());
    board.put(make_piece(Color::white, PieceType::horse), at(1, 1));
    EXPECT_EQ(sum(board.near_map(Color::white)), 2);
    EXPECT_EQ(sum(board.far_map(Color::white)), 8);
    EXPECT_EQ(board.slider_behind(Color::white, at(9, 9), Direction::south_west), at(1, 1));
}

TEST(EffectBoard, EveryPieceOnEverySquareAgreesWithTheOracle) {
    for (const Color color : {Color::black, Color::white}) {
        for (int type = 1; type < kPieceTypes; ++type) {
            for (int s = 0; s < kSquares; ++s) {
                shogi::Setup setup;
                setup.board[static_cast<std::size_t>(s)] =
                    make_piece(color, static_cast<PieceType>(type));
                expect_follows(board_of(setup), setup);
                if (HasFatalFailure()) FAIL() << type << " on " << s;
            }
        }
    }
}

/// Follows a game of up to 200 plies, counts anew after each ply, then takes everything back.
void play_and_take_back(shogi::Setup setup, SplitMix64& random) {
    EffectBoard board = board_of(setup);
    expect_follows(board, setup);
    std::vector<EffectBoard> boards;
    std::vector<std::pair<Move, Piece>> played;
    for (int ply = 0; ply < 200; ++ply) {
        const Move move = random_move(setup, random);
        if (!move) break;
        boards.push_back(board);
        const Piece captured = board.do_move(move);
        ASSERT_EQ(captured, setup.board[static_cast<std::size_t>(move.to())]);
        played.emplace_back(move, captured);
        oracle::play(setup, move);
        expect_follows(board, setup);
        ASSERT_EQ(board, board_of(setup));
        if (testing::Test::HasFatalFailure()) return;
    }
    while (!played.empty()) {
        board.undo_move(played.back().first, played.back().second);
        ASSERT_EQ(board, boards.back()) << "ply " << played.size();
        played.pop_back();
        boards.pop_back();
    }
}

TEST(EffectBoard, FollowsRandomGamesFromTheStart) {
    SplitMix64 random(2000'08'12);
    for (int game = 0; game < 40; ++game) {
        play_and_take_back(start_setup(), random);
        if (HasFatalFailure()) FAIL() << "game " << game;
    }
}

TEST(EffectBoard, FollowsRandomGamesFromRandomBoards) {
    SplitMix64 random(17);
    for (int game = 0; game < 40; ++game) {
        play_and_take_back(random_setup(random), random);
        if (HasFatalFailure()) FAIL() << "game " << game;
    }
}

TEST(EffectBoard, PutAndLiftInAnyOrderDependOnTheBoardOnly) {
    SplitMix64 random(29);
    for (int round = 0; round < 40; ++round) {
        shogi::Setup setup;
        EffectBoard board;
        for (int change = 0; change < 120; ++change) {
            const auto square = static_cast<Square>(random.below(kSquares));
            Piece& target = setup.board[static_cast<std::size_t>(square)];
            if (target != kNoPiece) {
                ASSERT_EQ(board.lift(square), target);
                target = kNoPiece;
            } else {
                target = make_piece(static_cast<Color>(random.below(2)),
                                    static_cast<PieceType>(1 + random.below(kPieceTypes - 1)));
                board.put(target, square);
            }
        }
        expect_follows(board, setup);
        ASSERT_FALSE(HasFatalFailure()) << round;
        ASSERT_EQ(board, board_of(setup));
    }
}

TEST(EffectBoard, RefusesCodesThatAreNoPiece) {
    for (const Piece code : {Piece{15}, Piece{16}, Piece{31}, Piece{32}, Piece{255}}) {
        shogi::Setup setup;
        setup.board[static_cast<std::size_t>(at(7, 4))] = code;
        const auto board = EffectBoard::from_setup(setup);
        ASSERT_FALSE(board) << int{code};
        EXPECT_EQ(board.error().code, ErrorCode::illegal_position);
        EXPECT_NE(board.error().message.find("7d"), std::string::npos) << board.error().message;
    }
}

}  // namespace
