// Positions that other engines got wrong in public; each once answered right here must stay so.
#include <chrono>
#include <cstdlib>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "core/shogi/movegen.hpp"
#include "core/shogi/notation/sfen.hpp"
#include "core/shogi/notation/usi.hpp"
#include "core/shogi/search/alpha_beta.hpp"
#include "tests/oracle/shogi_random.hpp"

namespace yomi::shogi {
namespace {

Position position_of(const std::string& text) {
    const auto game = parse_usi_position(text);
    EXPECT_TRUE(game) << text << ": " << game.error().message;
    return game->position;
}

Move move_of(const std::string& text, const Position& position) {
    const auto move = parse_usi_move(text, position);
    EXPECT_TRUE(move) << text << ": " << move.error().message;
    return *move;
}

AnalysisAnswer run(const AnalysisRequest& request) {
    AlphaBeta engine;
    engine::SearchMemory memory(std::size_t{16} << 20);
    engine::NullSink<AnalysisProgress> sink;
    return engine.analyse(request, memory, {}, sink);
}

AnalysisAnswer run(const Position& position,
                   std::optional<int> depth,
                   std::optional<std::uint64_t> nodes = {}) {
    AnalysisRequest request{.position = position};
    request.budget.depth = depth;
    request.budget.nodes = nodes;
    return run(request);
}

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

TEST(SearchPositions, FindMatesThatNeedNonPromotions) {
    const auto five = run(position_of("sfen 5B1n1/8k/6Rpp/9/9/9/1+p7/9/K8 b rb4g4s3n4l15p 1"),
                          std::nullopt,
                          2'000'000);
    EXPECT_EQ(five.result.lines.front().score, Score::mate(5));
    const auto nine = run(position_of("sfen 7nk/9/7Gp/6+RP1/9/9/1+p7/9/K8 b Pr2b3g4s3n4l14p 1"),
                          std::nullopt,
                          3'000'000);
    EXPECT_EQ(nine.result.lines.front().score, Score::mate(9));
}

TEST(SearchPositions, AnswerWithTheOneMoveAskedForThoughItDoesNotPromote) {
    AnalysisRequest request{.position = position_of("startpos moves 6i7h 3c3d 9g9f 9c9d 7g7f")};
    request.search_moves = {move_of("2b8h", request.position)};
    request.budget.depth = 6;
    EXPECT_EQ(to_usi(run(request).bestmove), "2b8h");
}

TEST(SearchPositions, AreWorthTheSameHoweverTheyWereReached) {
    const Position a = position_of(
        "sfen l5snl/3k5/1pnsg1b2/p1ppp1g1p/5pp2/PPP1P4/2SP5/K1GB5/LNG4+r1 w 2Prsnl3p 78 moves "
        "4e4f 6h4f P*4e");
    const Position b = position_of(
        "sfen l5snl/3k5/1pnsg1b2/p1ppp1g1p/6p2/PPP1Pp3/2SP5/K1GB5/LNG4+r1 b 2Prsnl3p 79 moves "
        "6h4f P*4e");
    ASSERT_EQ(a.key(), b.key());
    for (const std::uint64_t nodes : {1'000U, 20'000U, 100'000U}) {
        const auto one = run(a, std::nullopt, nodes);
        const auto two = run(b, std::nullopt, nodes);
        EXPECT_EQ(one.result.lines.front().score, two.result.lines.front().score) << nodes;
        EXPECT_EQ(one.bestmove, two.bestmove) << nodes;
        // Some evaluation, not a constant of the search: a plain number of an open fight.
        EXPECT_EQ(one.result.lines.front().score.kind, Score::Kind::cp);
        EXPECT_LT(std::abs(one.result.lines.front().score.value), 9'999);
    }
}

TEST(SearchPositions, ASecondOccurrenceInTheGameIsNoDrawYet) {
    const std::string sfen =
        "sfen 3gk2nl/6gb1/2ns2spp/2ppppp2/7PL/3PPPP1P/2+l1GSB2/3+n2KR1/1+r5N1 w Pgsl4p 96";
    AnalysisRequest request{.position = position_of(sfen + " moves 8i8h 3h2g 8h8i")};
    request.search_moves = {move_of("2g3h", request.position)};
    request.budget.depth = 7;
    const Score score = run(request).result.lines.front().score;
    EXPECT_NE(score, Score::cp(0));
    // White is far ahead in that position, with or without its history.
    const Score fresh = run(position_of(sfen), 6).result.lines.front().score;
    EXPECT_GT(fresh.value, 0);
    EXPECT_LT(score.value, 0);
}

TEST(SearchPositions, TwoLegalMovesGiveTwoLines) {
    SplitMix64 random(5);
    int found = 0;
    while (found < 3) {
        Position position = Position::startpos();
        oracle::play_randomly(position, random, 20 + static_cast<int>(random.below(100)));
        if (count_legal_moves(position) != 2 || is_over(status_of(position))) continue;
        ++found;
        AnalysisRequest request{.position = position};
        request.multipv = 5;
        request.budget.depth = 4;
        const auto answer = run(request);
        EXPECT_EQ(answer.result.lines.size(), 2U) << to_sfen(position);
        EXPECT_NE(answer.result.lines[0].pv.front(), answer.result.lines[1].pv.front());
    }
}

TEST(SearchPositions, AreWorthTheSameForBothColours) {
    SplitMix64 random(6);
    for (int i = 0; i < 12; ++i) {
        Position position = Position::startpos();
        oracle::play_randomly(position, random, static_cast<int>(random.below(80)));
        if (is_over(status_of(position))) continue;
        const Position fresh = *Position::from_setup(position.setup());
        const Position other = *Position::from_setup(turned(position.setup()));
        const auto one = run(fresh, 7);
        const auto two = run(other, 7);
        EXPECT_EQ(one.result.lines.front().score, two.result.lines.front().score)
            << to_sfen(position);
        EXPECT_EQ(one.result.nodes, two.result.nodes) << to_sfen(position);
    }
}

TEST(SearchGuide, IsFollowedAndFillsTheFirstIteration) {
    const std::vector<std::string> roots{
        "startpos",
        "startpos moves 7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b",
        "startpos moves 7g7f 8c8d 6g6f 3c3d 7i6h 7a6b 5g5f 5c5d 4i5h 3a4b",
        "startpos moves 2g2f 8c8d 2f2e 8d8e 7g7f 4a3b 8h7g 3c3d 7i8h 2b7g+ 8h7g 3a2b",
        "startpos moves 7g7f 3c3d 2g2f 2b8h+ 7i8h 3a2b 3i3h 2b3c 8h7g 7a6b",
        "startpos moves 2g2f 3c3d 7g7f 4c4d 3i4h 3a4b 5i6h 8c8d 6h7h 5a6b",
        "startpos moves 7g7f 8c8d 7i6h 3c3d 6h7g 7a6b 2g2f 3a4b 3i4h 4a3b",
        "startpos moves 7g7f 3c3d 6g6f 8c8d 7i7h 7a6b 2h6h 5a4b 5i4h 4b3b",
        "startpos moves 2g2f 8c8d 2f2e 4a3b 3i3h 8d8e 6i7h 7a7b 9g9f 1c1d",
        "sfen l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb 1"};
    std::uint64_t guided_nodes = 0;
    std::uint64_t plain_nodes = 0;
    for (const std::string& root : roots) {
        const Position position = position_of(root);
        const auto plain = run(position, 9);
        AnalysisRequest request{.position = position};
        request.budget.depth = 9;
        request.guide = {plain.result.lines.front().pv};
        const auto guided = run(request);
        EXPECT_EQ(guided.guided, static_cast<int>(plain.result.lines.front().pv.size()));
        guided_nodes += guided.result.nodes;
        plain_nodes += plain.result.nodes;
        // Before a node is searched the guide's move is the answer; so it is after one ply when
        // nothing speaks against it.
        request.budget.nodes = 1;
        EXPECT_EQ(run(request).bestmove, plain.bestmove) << root;
    }
    // Other orders make other trees; a guide that is right must not cost much.
    EXPECT_LT(guided_nodes, plain_nodes * 3 / 2);
}

TEST(SearchGuide, StopsAtAnIllegalMove) {
    const Position position = Position::startpos();
    AnalysisRequest request{.position = position};
    request.budget.depth = 3;
    const Move first = move_of("9g9f", position);
    request.guide = {{first, first}, {}};
    const auto answer = run(request);
    EXPECT_EQ(answer.guided, 1);
    EXPECT_TRUE(position.is_legal(answer.bestmove));
}

TEST(SearchVerification, LooksBeyondTheEndOfALine) {
    SplitMix64 random(7);
    int falls = 0;
    int stands = 0;
    for (int i = 0; i < 25; ++i) {
        Position position = Position::startpos();
        oracle::play_randomly(position, random, 10 + static_cast<int>(random.below(60)));
        if (is_over(status_of(position))) continue;
        AnalysisRequest request{.position = position};
        request.budget.depth = 1;  // shallow: what comes next is often overlooked
        request.verify = true;
        const auto answer = run(request);
        const Line& line = answer.result.lines.front();
        if (line.score.kind == Score::Kind::mate) {
            EXPECT_FALSE(line.verified);
            continue;
        }
        Position end = position;
        for (const Move move : line.pv)
            end.do_move(move);
        if (is_over(status_of(end))) continue;
        ASSERT_TRUE(line.verified) << to_sfen(position);
        EXPECT_GE(line.verified->depth, 1);
        for (const Move move : line.verified->pv) {
            ASSERT_TRUE(end.is_legal(move));
            end.do_move(move);
        }
        if (line.verified->score.kind == Score::Kind::cp) {
            const int moved = std::abs(line.verified->score.value - line.score.value);
            EXPECT_EQ(line.verified->holds, moved <= 150);
        } else {
            EXPECT_FALSE(line.verified->holds);
        }
        ++(line.verified->holds ? stands : falls);
        request.verify = false;
        EXPECT_FALSE(run(request).result.lines.front().verified);
        EXPECT_EQ(run(request).result.lines.front().score, line.score);
    }
    EXPECT_GT(falls, 0);
    EXPECT_GT(stands, 0);
}

TEST(SearchThreads, AnswerLegallyWithinTheirNodes) {
    AlphaBeta engine;
    engine::SearchMemory memory(std::size_t{4} << 20);
    engine::NullSink<AnalysisProgress> sink;
    AnalysisRequest request{
        .position = position_of("startpos moves 7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b")};
    request.budget.nodes = 60'000;
    for (const int threads : {3, 1, 2}) {
        request.budget.threads = threads;
        const auto answer = engine.analyse(request, memory, {}, sink);
        EXPECT_TRUE(request.position.is_legal(answer.bestmove));
        EXPECT_EQ(answer.stopped_by, engine::StopReason::nodes);
        EXPECT_GE(answer.result.nodes, 60'000U - (threads == 1 ? 0U : 1'000U));
        EXPECT_LE(answer.result.nodes, 60'000U + (threads == 1 ? 0U : 20'000U));
    }
    request.budget.nodes = std::nullopt;
    request.budget.depth = 7;
    request.budget.threads = 2;
    request.multipv = 3;
    EXPECT_EQ(engine.analyse(request, memory, {}, sink).result.lines.size(), 3U);
}

TEST(SearchThreads, EndTogetherWhenStopped) {
    AlphaBeta engine;
    engine::SearchMemory memory(std::size_t{4} << 20);
    engine::NullSink<AnalysisProgress> sink;
    AnalysisRequest request{.position = Position::startpos()};
    request.budget.threads = 2;
    std::stop_source stop;
    const std::jthread later([&stop] {
        std::this_thread::sleep_for(std::chrono::milliseconds(60));
        stop.request_stop();
    });
    const auto answer = engine.analyse(request, memory, stop.get_token(), sink);
    EXPECT_EQ(answer.stopped_by, engine::StopReason::cancelled);
    EXPECT_TRUE(request.position.is_legal(answer.bestmove));
}

}  // namespace
}  // namespace yomi::shogi
