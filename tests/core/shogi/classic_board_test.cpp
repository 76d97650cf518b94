#include "core/shogi/classic_board.hpp"

#include <bit>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/hash.hpp"
#include "core/shogi/move_tree.hpp"
#include "core/shogi/movegen.hpp"
#include "core/shogi/notation/sfen.hpp"
#include "core/shogi/notation/usi.hpp"
#include "tests/oracle/effect_oracle.hpp"

namespace {

using namespace yomi;
using namespace yomi::shogi;

/// The board against the position it follows: lists against its setup, effects against its
/// bitboards.
void expect_follows(const ClassicBoard& board, const Position& position) {
    ASSERT_EQ(board.pieces().validate(), "");
    ASSERT_EQ(board.pieces().to_setup(position.side_to_move(), position.ply()), position.setup());
    for (const Color by : {Color::black, Color::white}) {
        for (int s = 0; s < kSquares; ++s) {
            const auto square = static_cast<Square>(s);
            ASSERT_EQ(board.effects().piece_on(square), position.piece_on(square));
            ASSERT_EQ(board.effects().total(by, square),
                      position.attackers(by, square, position.occupied()).count())
                << to_sfen(position) << ' ' << s;
            board.effects().for_each_slider(by, square, [&](Square slider, Direction direction) {
                const PieceId id = board.slider_id_behind(by, square, direction);
                ASSERT_LT(id, kPieceIds);
                ASSERT_EQ(board.pieces().koma(id).square(), slider);
                ASSERT_TRUE(bears_far(board.pieces().koma(id).type()));
            });
        }
        const Square king = position.king(by);
        if (king != kNoSquare) {
            ASSERT_EQ(board.pieces().koma(PieceList::king_id(by)).square(), king);
            if (by == position.side_to_move()) {
                ASSERT_EQ(position.in_check(), board.effects().total(~by, king) > 0);
            }
        }
    }
}

TEST(ClassicBoard, FollowsLegalGamesAndComesBackByteForByte) {
    SplitMix64 random(2000);
    int captures = 0;
    int drops = 0;
    for (int game = 0; game < 40; ++game) {
        Position position = Position::startpos();
        ClassicBoard board = ClassicBoard::of(position);
        std::vector<ClassicBoard> boards;
        std::vector<std::pair<Move, PieceUndo>> played;
        for (int ply = 0; ply < 200; ++ply) {
            MoveList list;
            legal_moves(position, list);
            if (list.empty()) break;
            const Move move = list[random.below(static_cast<std::uint32_t>(list.size()))];
            captures += position.is_capture(move) ? 1 : 0;
            drops += move.is_drop() ? 1 : 0;
            boards.push_back(board);
            played.emplace_back(move, board.do_move(move));
            position.do_move(move);
            expect_follows(board, position);
            ASSERT_FALSE(HasFatalFailure()) << "game " << game << " ply " << ply;
            ASSERT_EQ(board.effects(), ClassicBoard::of(position).effects());
        }
        while (!played.empty()) {
            board.undo_move(played.back().first, played.back().second);
            ASSERT_EQ(board, boards.back());
            played.pop_back();
            boards.pop_back();
        }
        ASSERT_EQ(board, ClassicBoard::of(Position::startpos()));
    }
    EXPECT_GT(captures, 500);
    EXPECT_GT(drops, 500);
}

TEST(ClassicBoard, EveryLegalMoveOfTenThousandPositionsUndoes) {
    SplitMix64 random(8);
    std::uint64_t moves = 0;
    int positions = 0;
    for (int game = 0; positions < 10'000; ++game) {
        ASSERT_LT(game, 300);
        Position position = Position::startpos();
        for (int ply = 0; ply < 120; ++ply) {
            MoveList list;
            legal_moves(position, list);
            if (list.empty()) break;
            ++positions;
            ClassicBoard board = ClassicBoard::of(position);
            const ClassicBoard before = board;
            for (const Move move : list) {
                const PieceUndo undo = board.do_move(move);
                const Piece taken = position.piece_on(move.to());
                ASSERT_EQ(undo.captured == kNoPieceId, taken == kNoPiece);
                if (taken != kNoPiece) {
                    ASSERT_EQ(undo.captured, before.pieces().id_at(move.to()));
                    ASSERT_EQ(undo.captured_promoted, is_promoted(type_of(taken)));
                }
                board.undo_move(move, undo);
                ASSERT_EQ(board, before) << to_sfen(position) << ' ' << to_usi(move);
                ++moves;
            }
            position.do_move(list[random.below(static_cast<std::uint32_t>(list.size()))]);
        }
    }
    EXPECT_GT(moves, 400'000U);
}

TEST(ClassicBoard, RefusesWhatItsPartsRefuse) {
    shogi::Setup setup = Position::startpos().setup();
    setup.hands[1].add(PieceType::rook);
    const auto board = ClassicBoard::from_setup(setup);
    ASSERT_FALSE(board);
    EXPECT_EQ(board.error().code, ErrorCode::illegal_position);
}

/// All legal move sequences of `depth` plies as one tree.
void add_legal_tree(MoveTree& tree, NodeIndex node, Position& position, int depth) {
    MoveList list;
    legal_moves(position, list);
    for (const Move move : list) {
        const auto child = tree.add_front(node, move);
        ASSERT_TRUE(child);
        if (depth == 1) continue;
        position.do_move(move);
        add_legal_tree(tree, *child, position, depth - 1);
        position.undo_move();
    }
}

TEST(MoveTree, HoldsTheWholeGameTreeOfThreePlies) {
    Position position = Position::startpos();
    MoveTree tree;
    add_legal_tree(tree, MoveTree::kRoot, position, 3);
    EXPECT_EQ(tree.size(), 30U + 900U + 25470U);
    EXPECT_EQ(tree.count_lines(), 25470U);
    EXPECT_EQ(tree.height(), 3U);
    // The text of each move is its USI behind the piece, and each path is legal from the root.
    int checked = 0;
    tree.walk(MoveTree::kRoot, [&](NodeIndex node) {
        if (node % 97 != 0) return;
        ++checked;
        Position replay = Position::startpos();
        for (const Move move : tree.path_to(node)) {
            ASSERT_TRUE(replay.is_legal(move));
            MoveTree one;
            ASSERT_TRUE(one.add_back(MoveTree::kRoot, move));
            const std::string text = one.to_text();
            ASSERT_EQ(text.substr(3, text.size() - 4), to_usi(move));
            replay.do_move(move);
        }
    });
    EXPECT_GT(checked, 200);
    const auto back = MoveTree::parse(tree.to_text());
    ASSERT_TRUE(back);
    EXPECT_EQ(*back, tree);
}

}  // namespace
