#include "core/shogi/position.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/hash.hpp"
#include "core/shogi/movegen.hpp"
#include "core/shogi/notation/sfen.hpp"
#include "core/shogi/notation/usi.hpp"
#include "tests/oracle/shogi_plain.hpp"
#include "tests/oracle/shogi_random.hpp"

namespace yomi::shogi {
namespace {

Position from_sfen(const std::string& text) {
    return *Position::from_setup(*parse_sfen(text));
}

std::string breach(const std::string& sfen, bool allow_missing_king = true) {
    const auto setup = parse_sfen(sfen);
    EXPECT_TRUE(setup) << sfen;
    const auto position = Position::from_setup(*setup, allow_missing_king);
    if (position) return "none";
    EXPECT_EQ(position.error().code, ErrorCode::illegal_position);
    return position.error().message;
}

Bitboard as_set(const std::vector<Square>& squares) {
    Bitboard set;
    for (const Square s : squares)
        set.set(s);
    return set;
}

TEST(PositionSetup, NamesTheBreach) {
    EXPECT_EQ(breach("4k4/4P4/4P4/9/9/9/9/9/4K4 b - 1"),
              "Black has two unpromoted pawns on file 5 (nifu)");
    EXPECT_EQ(breach("4k4/9/4p4/9/4p4/9/9/9/3K5 b - 1"),
              "White has two unpromoted pawns on file 5 (nifu)");
    EXPECT_EQ(breach("4k4/9/4+P4/4P4/9/9/9/9/4K4 b - 1"), "none");
    EXPECT_EQ(breach("4k3P/9/9/9/9/9/9/9/4K4 b - 1"), "Black's pawn on 1a could never move");
    EXPECT_EQ(breach("4k4/9/9/9/9/9/9/9/l3K4 b - 1"), "White's lance on 9i could never move");
    EXPECT_EQ(breach("4k4/8N/9/9/9/9/9/9/4K4 b - 1"), "Black's knight on 1b could never move");
    EXPECT_EQ(breach("4k4/9/8N/9/9/9/9/9/4K4 b - 1"), "none");
    EXPECT_EQ(breach("4k4/4G4/9/9/9/9/9/9/4K4 b - 1"),
              "White is in check although it is Black's turn");
    EXPECT_EQ(breach("4k4/9/9/9/4r4/9/9/9/4K4 w - 1"),
              "Black is in check although it is White's turn");
    EXPECT_EQ(breach("3kk4/9/9/9/9/9/9/9/4K4 b - 1"), "White has 2 kings");
    EXPECT_EQ(breach("9/9/9/9/9/9/9/9/9 b P 1"),
              "both kings are missing; only one side may lack its king (tsume)");
    EXPECT_EQ(breach("4k4/9/9/9/9/9/9/9/9 b P 1"), "none");
    EXPECT_EQ(breach("4k4/9/9/9/9/9/9/9/9 b P 1", false), "Black has no king");
    EXPECT_EQ(breach("9/9/9/9/9/9/9/9/4K4 b P 1", false), "White has no king");
    EXPECT_EQ(breach("4k4/9/9/9/4R4/9/9/9/3RK4 w r 1"),
              "3 rooks on the board and in the hands together; a set has 2");
    EXPECT_EQ(breach("4k4/9/9/9/4+R4/9/9/9/3RK4 w B2b 1"),
              "3 bishops on the board and in the hands together; a set has 2");
    EXPECT_EQ(breach("4k4/9/4P4/9/9/9/9/9/4K4 b 18p 1"),
              "19 pawns on the board and in the hands together; a set has 18");
    EXPECT_EQ(breach("4k4/9/9/9/9/9/9/9/4K4 b - 0"), "none");
}

TEST(PositionSetup, RefusesBytesThatAreNoPiece) {
    shogi::Setup setup = Position::startpos().setup();
    setup.board[40] = 15;
    EXPECT_EQ(Position::from_setup(setup).error().message, "no such piece on 5e");
    setup.board[40] = 16;
    EXPECT_FALSE(Position::from_setup(setup));
    setup.board[40] = 200;
    EXPECT_FALSE(Position::from_setup(setup));
    setup.board[40] = kNoPiece;
    EXPECT_TRUE(Position::from_setup(setup));
    setup.ply = -1;
    EXPECT_FALSE(Position::from_setup(setup));
    setup.ply = 0;
    EXPECT_EQ(Position::from_setup(setup)->ply(), 1);
}

TEST(Position, StartsAsExpected) {
    const Position position = Position::startpos();
    EXPECT_EQ(to_sfen(position), "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1");
    EXPECT_EQ(position.validate(), "");
    EXPECT_EQ(position.material(), 0);
    EXPECT_EQ(position.history_size(), 0);
    EXPECT_FALSE(position.last_move());
    EXPECT_EQ(position.king(Color::black), make_square(4, 8));
    EXPECT_EQ(position.key(), position.board_key() ^ position.hand_key());
}

TEST(Position, MaterialFollowsCaptureAndRecapture) {
    for (const std::string reply : {"3a2b", "8b2b"}) {
        const auto before = parse_usi_position("startpos moves 7g7f 3c3d 8h2b+");
        EXPECT_GT(before->position.material(), 0);
        EXPECT_EQ(before->position.captured(), make_piece(Color::white, PieceType::bishop));
        const auto after = parse_usi_position("startpos moves 7g7f 3c3d 8h2b+ " + reply);
        ASSERT_TRUE(after);
        EXPECT_EQ(after->position.material(), 0);
    }
}

TEST(Position, EveryMoveAndItsUndoKeepTheIncrementalFieldsTrue) {
    SplitMix64 random(21);
    for (int i = 0; i < 1200; ++i) {
        Position position =
            *Position::from_setup(oracle::random_setup(random, random.below(60), i % 7 == 0));
        oracle::play_randomly(position, random, static_cast<int>(random.below(6)));
        const std::string before = to_sfen(position);
        const std::uint64_t key = position.key();
        const int material = position.material();
        MoveList list;
        legal_moves(position, list);
        for (const Move move : list) {
            // Every move is undone; a sample is recomputed from nothing, which costs a thousand
            // times as much.
            const shogi::Setup expected = oracle::play(position.setup(), move);
            position.do_move(move);
            ASSERT_EQ(position.setup(), expected) << before << ' ' << to_usi(move);
            if (random.below(8) == 0) {
                ASSERT_EQ(position.validate(), "") << before << ' ' << to_usi(move);
            }
            position.undo_move();
            ASSERT_EQ(position.key(), key);
        }
        ASSERT_EQ(to_sfen(position), before);
        ASSERT_EQ(position.material(), material);
        ASSERT_EQ(position.validate(), "");
    }
}

TEST(Position, ALongRandomGameUndoesToItsStart) {
    SplitMix64 random(22);
    for (int game = 0; game < 20; ++game) {
        Position position = Position::startpos();
        std::vector<std::uint64_t> keys;
        while (keys.size() < 400 && !oracle::play_randomly(position, random, 1).empty()) {
            keys.push_back(position.key());
            if (keys.size() % 10 == 0) {
                ASSERT_EQ(position.validate(), "");
            }
        }
        const Position copy = position;
        while (!keys.empty()) {
            ASSERT_EQ(position.key(), keys.back());
            keys.pop_back();
            position.undo_move();
        }
        EXPECT_EQ(position.setup(), Position::startpos().setup());
        EXPECT_EQ(position.validate(), "");
        EXPECT_EQ(copy.validate(), "");  // a copy has its own history
    }
}

TEST(Position, NullMovesPassTheTurnOnly) {
    SplitMix64 random(23);
    for (int i = 0; i < 300; ++i) {
        Position position = *Position::from_setup(oracle::random_setup(random, 30));
        oracle::play_randomly(position, random, 3);
        if (position.in_check()) continue;
        const shogi::Setup before = position.setup();
        const std::uint64_t key = position.key();
        position.do_null_move();
        ASSERT_EQ(position.validate(), "");
        ASSERT_EQ(position.side_to_move(), ~before.side_to_move);
        ASSERT_FALSE(position.last_move());
        ASSERT_NE(position.key(), key);
        const auto played = oracle::play_randomly(position, random, 2);
        ASSERT_EQ(position.validate(), "");
        for (std::size_t n = 0; n < played.size(); ++n)
            position.undo_move();
        position.undo_null_move();
        ASSERT_EQ(position.setup(), before);
        ASSERT_EQ(position.key(), key);
        ASSERT_EQ(position.validate(), "");
    }
}

TEST(Position, ChecksBlockersAndAttackersAgreeWithThePlainRules) {
    SplitMix64 random(24);
    for (int i = 0; i < 1500; ++i) {
        Position position =
            *Position::from_setup(oracle::random_setup(random, random.below(40), i % 5 == 0));
        oracle::play_randomly(position, random, static_cast<int>(random.below(3)));
        const shogi::Setup setup = position.setup();
        for (const Color c : {Color::black, Color::white}) {
            ASSERT_EQ(position.blockers(c), as_set(oracle::blockers(setup, c))) << to_sfen(setup);
        }
        const Square king = position.king(position.side_to_move());
        const Bitboard checkers = king == kNoSquare
                                      ? Bitboard{}
                                      : as_set(oracle::attackers(setup, ~setup.side_to_move, king));
        ASSERT_EQ(position.checkers(), checkers) << to_sfen(setup);
        for (int n = 0; n < 8; ++n) {
            const auto s = static_cast<Square>(random.below(kSquares));
            const Color by = random.below(2) == 0 ? Color::black : Color::white;
            const Bitboard expected = as_set(oracle::attackers(setup, by, s));
            ASSERT_EQ(position.attackers(by, s, position.occupied()), expected) << to_sfen(setup);
            ASSERT_EQ(position.is_attacked(by, s, position.occupied()), expected.any())
                << to_sfen(setup);
        }
    }
}

TEST(Position, SaysWhichMovesGiveCheck) {
    SplitMix64 random(25);
    int checks = 0;
    for (int i = 0; i < 600; ++i) {
        const Position position =
            *Position::from_setup(oracle::random_setup(random, random.below(60)));
        const shogi::Setup setup = position.setup();
        const CheckInfo info = position.check_info();
        MoveList list;
        legal_moves(position, list);
        for (const Move move : list) {
            const bool expected = oracle::in_check(oracle::play(setup, move), ~setup.side_to_move);
            checks += expected ? 1 : 0;
            ASSERT_EQ(position.gives_check(move, info), expected)
                << to_sfen(setup) << ' ' << to_usi(move);
        }
    }
    EXPECT_GT(checks, 500);
}

TEST(PositionLegality, IsMembershipForMovesOfOtherPositions) {
    SplitMix64 random(26);
    std::vector<Move> pool;
    std::vector<Position> positions;
    for (int i = 0; i < 60; ++i) {
        positions.push_back(
            *Position::from_setup(oracle::random_setup(random, random.below(60), i % 6 == 0)));
        MoveList list;
        legal_moves(positions.back(), list);
        for (const Move move : list)
            pool.push_back(move);
        // Pseudo-legal moves are the hardest to refuse.
        for (const Move move : oracle::pseudo_legal(positions.back().setup()))
            pool.push_back(move);
    }
    for (const Position& position : positions) {
        MoveList list;
        legal_moves(position, list);
        for (const Move move : oracle::pseudo_legal(position.setup())) {
            ASSERT_EQ(position.is_legal(move), list.contains(move))
                << to_sfen(position) << ' ' << to_usi(move);
        }
        for (int n = 0; n < 1500; ++n) {
            const Move move = pool[random.below(static_cast<std::uint32_t>(pool.size()))];
            const bool legal = list.contains(move);
            ASSERT_EQ(position.is_legal(move), legal) << to_sfen(position) << ' ' << to_usi(move);
            ASSERT_EQ(position.why_illegal(move).empty(), legal)
                << to_sfen(position) << ' ' << to_usi(move);
        }
        for (const Move move : list) {
            ASSERT_TRUE(position.is_legal(move));
            ASSERT_EQ(position.why_illegal(move), "");
            ASSERT_EQ(position.move_from_bits16(move.bits16()), move);
        }
    }
}

TEST(PositionLegality, IsMembershipForAnyBits) {
    SplitMix64 random(27);
    for (int i = 0; i < 40; ++i) {
        const Position position =
            *Position::from_setup(oracle::random_setup(random, 40, i % 6 == 0));
        MoveList list;
        legal_moves(position, list);
        for (int n = 0; n < 5000; ++n) {
            auto bits = static_cast<std::uint32_t>(random());
            if (n % 2 == 0) bits &= (1U << 21) - 1;
            // Real moves with a bit or two turned over come closest to being taken for legal.
            if (n % 3 == 0 && !list.empty()) {
                bits = list[random.below(static_cast<std::uint32_t>(list.size()))].bits() ^
                       (1U << random.below(32));
            }
            const Move move = Move::from_bits(bits);
            ASSERT_EQ(position.is_legal(move), list.contains(move))
                << to_sfen(position) << ' ' << bits;
            ASSERT_EQ(position.why_illegal(move).empty(), list.contains(move))
                << to_sfen(position) << ' ' << bits;
            const Move restored = position.move_from_bits16(static_cast<std::uint16_t>(bits));
            ASSERT_EQ(position.is_legal(restored), list.contains(restored));
        }
        ASSERT_FALSE(position.is_legal(kNoMove));
    }
}

TEST(PositionLegality, GivesTheReason) {
    const auto reason = [](const std::string& sfen, Move move) {
        return from_sfen(sfen).why_illegal(move);
    };
    const auto sq = [](const char* name) { return make_square(name[0] - '1', name[1] - 'a'); };
    constexpr Piece kBlackRook = make_piece(Color::black, PieceType::rook);
    const std::string pinned = "4k4/4r4/9/9/9/9/9/4R4/4K4 b P 1";
    EXPECT_EQ(reason(pinned, Move::board(sq("5h"), sq("4h"), kBlackRook, false)),
              "the piece on 5h is pinned to its king");
    EXPECT_EQ(reason(pinned, Move::board(sq("5h"), sq("4g"), kBlackRook, false)),
              "the rook on 5h does not move to 4g");
    EXPECT_EQ(reason(pinned, Move::board(sq("5h"), sq("5a"), kBlackRook, true)),
              "the rook on 5h is blocked on its way to 5a");
    EXPECT_EQ(reason(pinned, Move::board(sq("5h"), sq("5d"), kBlackRook, true)),
              "a move from 5h to 5d cannot promote");
    EXPECT_EQ(reason(pinned, Move::board(sq("5h"), sq("5i"), kBlackRook, false)),
              "there is an own piece on 5i");
    EXPECT_EQ(reason(pinned, Move::board(sq("4h"), sq("4g"), kBlackRook, false)),
              "there is no piece on 4h");
    EXPECT_EQ(reason(pinned, Move::drop(PieceType::gold, sq("1e"), Color::black)),
              "Black has no gold in hand");
    EXPECT_EQ(reason(pinned, Move::drop(PieceType::pawn, sq("1a"), Color::black)),
              "a pawn dropped on 1a could never move");
    EXPECT_EQ(reason(pinned, Move::drop(PieceType::pawn, sq("5b"), Color::black)),
              "there is a piece on 5b already");
    EXPECT_EQ(reason(pinned, Move::drop(PieceType::pawn, sq("1e"), Color::white)),
              "it is Black's turn");
    EXPECT_EQ(reason("4k4/9/9/9/9/9/4P4/9/4K4 b P 1",
                     Move::drop(PieceType::pawn, sq("5c"), Color::black)),
              "Black has an unpromoted pawn on file 5 already (nifu)");
    EXPECT_EQ(reason("4k4/9/9/9/4r4/9/9/9/4K4 b P 1",
                     Move::drop(PieceType::pawn, sq("4e"), Color::black)),
              "the check by the piece on 5e is not answered");
    EXPECT_EQ(
        reason("4k4/9/9/9/4r4/9/9/9/4K4 b P 1",
               Move::board(sq("5i"), sq("5h"), make_piece(Color::black, PieceType::king), false)),
        "the king would stand in check on 5h");
    EXPECT_EQ(reason("4k4/9/9/9/4r4/9/6b2/9/4K4 b P 1",
                     Move::drop(PieceType::pawn, sq("5g"), Color::black)),
              "only a king move answers a double check");
    EXPECT_EQ(
        reason("4k3r/8P/9/9/9/9/9/9/4K4 b - 1",
               Move::board(sq("1b"), sq("1a"), make_piece(Color::black, PieceType::pawn), false)),
        "a pawn must promote on 1a: it could never move again");
    EXPECT_EQ(reason("4k4/9/8G/9/9/9/9/9/4K4 b - 1", Move::from_bits(0xFFFFFFFFU)),
              "not a move at all");
}

}  // namespace
}  // namespace yomi::shogi
