#include "core/shogi/piece_list.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

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

PieceList list_of(const Setup& setup) {
    auto list = PieceList::from_setup(setup);
    EXPECT_TRUE(list) << (list ? "" : list.error().message);
    return list.value();
}

int pieces_in(const Setup& setup) {
    int count = 0;
    for (const Piece piece : setup.board)
        count += piece != kNoPiece ? 1 : 0;
    for (const Hand hand : setup.hands) {
        for (int k = 1; k <= kHandKinds; ++k)
            count += hand.count(static_cast<PieceType>(k));
    }
    return count;
}

int sum_of_lengths(const PieceList& list) {
    int sum = 0;
    for (const Color color : {Color::black, Color::white}) {
        sum += list.board(color).size();
        for (int k = 1; k <= kHandKinds; ++k)
            sum += list.hand(color, static_cast<PieceType>(k)).size();
    }
    return sum;
}

/// What the lists must say, taken from the bare setup; stops at the first difference.
void expect_follows(const PieceList& list, const Setup& setup) {
    ASSERT_EQ(list.validate(), "");
    ASSERT_EQ(sum_of_lengths(list), pieces_in(setup));
    ASSERT_EQ(list.to_setup(setup.side_to_move, setup.ply), setup);
    for (int s = 0; s < kSquares; ++s) {
        ASSERT_EQ(list.piece_on(static_cast<Square>(s)), setup.board[static_cast<std::size_t>(s)]);
    }
    for (const Color color : {Color::black, Color::white}) {
        // The sliders of the board, found square by square, are exactly those of the scan from the
        // tail.
        std::vector<Square> want;
        for (int s = 0; s < kSquares; ++s) {
            const Piece piece = setup.board[static_cast<std::size_t>(s)];
            if (piece == kNoPiece || color_of(piece) != color) continue;
            if (!oracle::loose_gait_of(type_of(piece)).slides.empty())
                want.push_back(static_cast<Square>(s));
        }
        std::vector<Square> got;
        for (const PieceId id : list.sliders(color))
            got.push_back(list.koma(id).square());
        // From the front they are the last ones, in the opposite order.
        std::vector<PieceId> front;
        for (const PieceId id : list.board(color))
            front.push_back(id);
        std::size_t i = front.size();
        for (const PieceId id : list.sliders(color))
            ASSERT_EQ(front[--i], id);
        std::sort(got.begin(), got.end());
        ASSERT_EQ(got, want);
        for (int k = 1; k <= kHandKinds; ++k) {
            const auto kind = static_cast<PieceType>(k);
            const Hand hand = setup.hands[static_cast<std::size_t>(index(color))];
            ASSERT_EQ(list.hand(color, kind).size(), hand.count(kind));
            ASSERT_EQ(list.hand(color, kind).empty(), !hand.has(kind));
        }
    }
}

TEST(PieceList, StartHasFortyPiecesEachInOneList) {
    const PieceList list = list_of(start_setup());
    expect_follows(list, start_setup());
    EXPECT_EQ(sum_of_lengths(list), 40);
    EXPECT_EQ(list.board(Color::black).size(), 20);
    EXPECT_EQ(list.sliders(Color::black).size(), 4);
    EXPECT_EQ(list.sliders(Color::white).size(), 4);
    EXPECT_TRUE(list.hand(Color::black, PieceType::pawn).empty());
}

TEST(PieceList, IdsAreGroupedByKindAndFollowTheSquares) {
    const PieceList list = list_of(start_setup());
    EXPECT_EQ(list.id_at(at(1, 3)), 0);
    EXPECT_EQ(list.id_at(at(1, 7)), 1);
    EXPECT_EQ(list.id_at(at(9, 7)), 17);
    EXPECT_EQ(list.id_at(at(1, 1)), 18);
    EXPECT_EQ(list.id_at(at(2, 8)), 36);
    EXPECT_EQ(list.id_at(at(8, 8)), 35);
    EXPECT_EQ(list.id_at(at(5, 9)), PieceList::king_id(Color::black));
    EXPECT_EQ(list.id_at(at(5, 1)), PieceList::king_id(Color::white));
    EXPECT_EQ(list.id_at(at(5, 5)), kNoPieceId);
    EXPECT_EQ(list.id_at_cell(0), kOffBoard);
    EXPECT_EQ(list.id_at_cell(102), kOffBoard);
    const Koma& rook = list.koma(36);
    EXPECT_EQ(rook.id, 36);
    EXPECT_EQ(rook.kind, PieceType::rook);
    EXPECT_EQ(rook.owner, Color::black);
    EXPECT_EQ(rook.pos, mailbox::cell(2, 8));
    EXPECT_FALSE(rook.promoted);
    for (int id = 0; id < kPieceIds; ++id) {
        EXPECT_EQ(list.koma(static_cast<PieceId>(id)).kind,
                  PieceList::kind_of(static_cast<PieceId>(id)));
    }
}

TEST(PieceList, CaptureMovesThePieceToTheHandUnpromotedAndKeepsItsId) {
    shogi::Setup setup;
    setup.board[static_cast<std::size_t>(at(5, 5))] = make_piece(Color::white, PieceType::horse);
    setup.board[static_cast<std::size_t>(at(5, 6))] = make_piece(Color::black, PieceType::gold);
    PieceList list = list_of(setup);
    const PieceId bishop = list.id_at(at(5, 5));
    const Move capture =
        Move::board(at(5, 6), at(5, 5), make_piece(Color::black, PieceType::gold), false);
    const PieceUndo undo = list.do_move(capture);
    EXPECT_EQ(undo.captured, bishop);
    EXPECT_TRUE(undo.captured_promoted);
    EXPECT_TRUE(list.koma(bishop).in_hand());
    EXPECT_FALSE(list.koma(bishop).promoted);
    EXPECT_EQ(list.koma(bishop).owner, Color::black);
    EXPECT_EQ(list.koma(bishop).square(), kNoSquare);
    ASSERT_EQ(list.hand(Color::black, PieceType::bishop).size(), 1);
    EXPECT_EQ(*list.hand(Color::black, PieceType::bishop).begin(), bishop);
    EXPECT_EQ(list.validate(), "");
    // Dropped again it is the same piece.
    const Move drop = Move::drop(PieceType::bishop, at(1, 1), Color::black);
    list.do_move(drop);
    EXPECT_EQ(list.id_at(at(1, 1)), bishop);
    EXPECT_EQ(list.validate(), "");
}

TEST(PieceList, PromotedLanceLeavesTheTailAndReturnsToItsPlace) {
    shogi::Setup setup;
    for (const int file : {1, 3, 5, 7}) {
        setup.board[static_cast<std::size_t>(at(file, 4))] =
            make_piece(Color::black, PieceType::lance);
    }
    setup.board[static_cast<std::size_t>(at(9, 9))] = make_piece(Color::black, PieceType::king);
    PieceList list = list_of(setup);
    const PieceList before = list;
    EXPECT_EQ(list.sliders(Color::black).size(), 4);
    const Move move =
        Move::board(at(3, 4), at(3, 2), make_piece(Color::black, PieceType::lance), true);
    const PieceUndo undo = list.do_move(move);
    EXPECT_EQ(list.sliders(Color::black).size(), 3);
    EXPECT_EQ(*list.board(Color::black).begin(), list.id_at(at(3, 2)));
    EXPECT_EQ(list.validate(), "");
    list.undo_move(move, undo);
    EXPECT_EQ(std::memcmp(&list, &before, sizeof list), 0);
}

TEST(PieceList, DropTakesThePieceCapturedLast) {
    shogi::Setup setup = start_setup();
    SplitMix64 random(11);
    PieceList list = list_of(setup);
    std::vector<PieceId> taken;
    for (int ply = 0; ply < 400 && taken.size() < 2; ++ply) {
        const Move move = random_move(setup, random);
        const PieceUndo undo = list.do_move(move);
        oracle::play(setup, move);
        if (move.is_drop()) taken.clear();
        if (undo.captured != kNoPieceId && PieceList::kind_of(undo.captured) == PieceType::pawn &&
            list.koma(undo.captured).owner == Color::black) {
            taken.push_back(undo.captured);
        }
    }
    ASSERT_EQ(taken.size(), 2U);
    EXPECT_EQ(*list.hand(Color::black, PieceType::pawn).begin(), taken[1]);
}

/// Plays a game of up to 200 plies, checks after each, then takes everything back.
void play_and_take_back(Setup setup, SplitMix64& random) {
    PieceList list = list_of(setup);
    expect_follows(list, setup);
    std::vector<PieceList> lists;
    std::vector<std::pair<Move, PieceUndo>> played;
    for (int ply = 0; ply < 200; ++ply) {
        const Move move = random_move(setup, random);
        if (!move) break;
        lists.push_back(list);
        const PieceId mover = move.is_drop() ? kNoPieceId : list.id_at(move.from());
        const PieceUndo undo = list.do_move(move);
        if (!move.is_drop()) {
            ASSERT_EQ(list.id_at(move.to()), mover);
        }
        played.emplace_back(move, undo);
        oracle::play(setup, move);
        expect_follows(list, setup);
        if (testing::Test::HasFatalFailure()) return;
    }
    while (!played.empty()) {
        list.undo_move(played.back().first, played.back().second);
        ASSERT_EQ(std::memcmp(&list, &lists.back(), sizeof list), 0) << "ply " << played.size();
        played.pop_back();
        lists.pop_back();
    }
}

TEST(PieceList, RandomGamesFromTheStartUndoByteForByte) {
    SplitMix64 random(2000'08'12);
    for (int game = 0; game < 60; ++game) {
        play_and_take_back(start_setup(), random);
        if (HasFatalFailure()) FAIL() << "game " << game;
    }
}

TEST(PieceList, RandomGamesFromRandomBoardsUndoByteForByte) {
    SplitMix64 random(7);
    for (int game = 0; game < 60; ++game) {
        play_and_take_back(random_setup(random), random);
        if (HasFatalFailure()) FAIL() << "game " << game;
    }
}

TEST(PieceList, RefusesASetupWithTooManyPiecesAndNamesTheKind) {
    shogi::Setup setup = start_setup();
    setup.hands[0].add(PieceType::pawn);
    auto list = PieceList::from_setup(setup);
    ASSERT_FALSE(list);
    EXPECT_EQ(list.error().code, ErrorCode::illegal_position);
    EXPECT_NE(list.error().message.find("18 pawns"), std::string::npos) << list.error().message;

    setup = shogi::Setup{};
    for (const int file : {1, 2, 3}) {
        setup.board[static_cast<std::size_t>(at(file, 5))] =
            make_piece(Color::black, PieceType::dragon);
    }
    list = PieceList::from_setup(setup);
    ASSERT_FALSE(list);
    EXPECT_NE(list.error().message.find("2 rooks"), std::string::npos) << list.error().message;
}

TEST(PieceList, RefusesTwoKingsOfOneSideAndUnknownCodes) {
    shogi::Setup setup;
    setup.board[static_cast<std::size_t>(at(5, 9))] = make_piece(Color::black, PieceType::king);
    setup.board[static_cast<std::size_t>(at(6, 9))] = make_piece(Color::black, PieceType::king);
    auto list = PieceList::from_setup(setup);
    ASSERT_FALSE(list);
    EXPECT_NE(list.error().message.find("6i"), std::string::npos) << list.error().message;

    for (const Piece code : {Piece{15}, Piece{16}, Piece{31}, Piece{32}, Piece{255}}) {
        setup = shogi::Setup{};
        setup.board[static_cast<std::size_t>(at(3, 2))] = code;
        list = PieceList::from_setup(setup);
        ASSERT_FALSE(list) << int{code};
        EXPECT_EQ(list.error().code, ErrorCode::illegal_position);
        EXPECT_NE(list.error().message.find("3b"), std::string::npos) << list.error().message;
    }
}

TEST(PieceList, TakesATsumeSetupWithOneKingAndAnEmptyBoard) {
    shogi::Setup setup;
    EXPECT_EQ(sum_of_lengths(list_of(setup)), 0);
    setup.board[static_cast<std::size_t>(at(5, 1))] = make_piece(Color::white, PieceType::king);
    setup.hands[0].add(PieceType::gold);
    const PieceList list = list_of(setup);
    EXPECT_EQ(sum_of_lengths(list), 2);
    EXPECT_FALSE(list.koma(PieceList::king_id(Color::black)).on_board());
    EXPECT_EQ(list.koma(PieceList::king_id(Color::black)).pos, Koma::kAbsent);
    EXPECT_EQ(list.validate(), "");
}

}  // namespace
