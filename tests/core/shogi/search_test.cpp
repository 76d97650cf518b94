#include <algorithm>
#include <chrono>
#include <optional>
#include <set>
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

using engine::StopReason;
using namespace std::chrono_literals;

static_assert(engine::Engine<AlphaBeta>);

Position position_of(const char* text) {
    const auto game = parse_usi_position(text);
    EXPECT_TRUE(game) << text << ": " << game.error().message;
    return game->position;
}

std::string text_of(const std::vector<Move>& moves) {
    std::string text;
    for (const Move m : moves)
        text += to_usi(m) + ' ';
    return text;
}

/// Keeps all reports.
class Recorder final : public engine::Sink<AnalysisProgress> {
public:
    void report(const AnalysisProgress& progress) override { reports.push_back(progress); }
    std::vector<AnalysisProgress> reports;
};

AnalysisAnswer run(AlphaBeta& engine, const AnalysisRequest& request, std::size_t bytes = 4 << 20) {
    engine::SearchMemory memory(bytes);
    engine::NullSink<AnalysisProgress> sink;
    return engine.analyse(request, memory, {}, sink);
}

AnalysisRequest request_for(const Position& position,
                            std::optional<int> depth,
                            std::optional<std::uint64_t> nodes = {}) {
    AnalysisRequest request{.position = position};
    request.budget.depth = depth;
    request.budget.nodes = nodes;
    return request;
}

void expect_legal_line(Position position, const Line& line) {
    ASSERT_FALSE(line.pv.empty());
    const std::string root = to_sfen(position);
    for (const Move move : line.pv) {
        ASSERT_TRUE(position.is_legal(move)) << root << " pv " << text_of(line.pv);
        position.do_move(move);
    }
    if (line.score.kind == Score::Kind::mate) {
        MoveList moves;
        legal_moves(position, moves);
        ASSERT_TRUE(moves.empty())
            << root << " mate line does not end in mate: " << text_of(line.pv);
        ASSERT_EQ(std::abs(line.score.value), static_cast<int>(line.pv.size())) << root;
        ASSERT_EQ(line.score.value > 0, line.pv.size() % 2 == 1) << root;
    }
}

TEST(Search, EveryLineOfShortSearchesIsLegalToItsEnd) {
    AlphaBeta engine;
    SplitMix64 random(5);
    std::size_t longest = 0;
    for (int round = 0; round < 500; ++round) {
        Position position = Position::startpos();
        if (round % 3 == 0) {
            position = *Position::from_setup(oracle::random_setup(random, 25, round % 2 == 0));
        } else {
            oracle::play_randomly(position, random, static_cast<int>(random.below(140)));
        }
        AnalysisRequest request = request_for(position, {}, 1'500);
        request.multipv = 1 + static_cast<int>(random.below(3));
        const AnalysisAnswer answer = run(engine, request, round % 5 == 0 ? 0 : 1 << 18);
        if (answer.status == GameStatus::mated) continue;
        ASSERT_FALSE(answer.result.lines.empty());
        EXPECT_EQ(answer.bestmove, answer.result.lines.front().pv.front());
        for (const Line& line : answer.result.lines) {
            expect_legal_line(position, line);
            longest = std::max(longest, line.pv.size());
            EXPECT_EQ(line.depth, answer.result.depth);
        }
    }
    EXPECT_GE(longest, 4U) << "lines are cut short";
}

TEST(Search, GivesTheSameAnswerTwice) {
    AlphaBeta fresh;
    AlphaBeta used;
    run(used, request_for(position_of("startpos moves 7g7f 3c3d"), 6));
    for (const char* text :
         {"startpos", "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1"}) {
        AnalysisRequest request = request_for(position_of(text), {}, 30'000);
        request.multipv = 2;
        const AnalysisAnswer a = run(fresh, request);
        const AnalysisAnswer b = run(used, request);
        EXPECT_EQ(a.result.nodes, b.result.nodes);
        EXPECT_EQ(a.result.depth, b.result.depth);
        ASSERT_EQ(a.result.lines.size(), b.result.lines.size());
        for (std::size_t i = 0; i < a.result.lines.size(); ++i) {
            EXPECT_EQ(a.result.lines[i].pv, b.result.lines[i].pv);
            EXPECT_EQ(a.result.lines[i].score, b.result.lines[i].score);
        }
    }
}

TEST(Search, KeepsToItsNodeLimit) {
    AlphaBeta engine;
    for (const std::uint64_t limit : {0ULL, 1ULL, 100ULL, 5'000ULL, 20'000ULL}) {
        const AnalysisAnswer answer = run(engine, request_for(Position::startpos(), {}, limit));
        EXPECT_EQ(answer.stopped_by, StopReason::nodes);
        EXPECT_LE(answer.result.nodes, limit + 1'024);
        EXPECT_GE(answer.result.nodes, limit);
        EXPECT_TRUE(Position::startpos().is_legal(answer.bestmove));
        ASSERT_EQ(answer.result.lines.size(), 1U);
    }
}

TEST(Search, AnswersWithALegalMoveWhenStoppedBeforeItBegins) {
    AlphaBeta engine;
    std::stop_source stop;
    stop.request_stop();
    engine::SearchMemory memory(1 << 20);
    Recorder recorder;
    AnalysisRequest request = request_for(Position::startpos(), {});
    request.multipv = 3;
    const AnalysisAnswer answer = engine.analyse(request, memory, stop.get_token(), recorder);
    EXPECT_EQ(answer.stopped_by, StopReason::cancelled);
    EXPECT_TRUE(recorder.reports.empty());
    EXPECT_LE(answer.result.depth, 1);
    ASSERT_EQ(answer.result.lines.size(), 3U);
    for (const Line& line : answer.result.lines)
        expect_legal_line(Position::startpos(), line);
}

/// Raises the stop token at a report and remembers the node count of that moment.
class Stopper final : public engine::Sink<AnalysisProgress> {
public:
    Stopper(std::stop_source& stop, int depth) : stop_(stop), depth_(depth) {}
    void report(const AnalysisProgress& progress) override {
        if (progress.depth < depth_ || nodes_at_stop) return;
        nodes_at_stop = progress.nodes;
        stop_.request_stop();
    }
    std::optional<std::uint64_t> nodes_at_stop;

private:
    std::stop_source& stop_;
    int depth_;
};

TEST(Search, NoticesTheStopTokenWithinAThousandNodes) {
    AlphaBeta engine;
    for (const int depth : {1, 4, 7}) {
        std::stop_source stop;
        Stopper stopper(stop, depth);
        engine::SearchMemory memory(4 << 20);
        const AnalysisAnswer answer = engine.analyse(
            request_for(Position::startpos(), {}), memory, stop.get_token(), stopper);
        EXPECT_EQ(answer.stopped_by, StopReason::cancelled);
        ASSERT_TRUE(stopper.nodes_at_stop);
        EXPECT_LE(answer.result.nodes, *stopper.nodes_at_stop + 1'024);
        EXPECT_GE(answer.result.depth, depth);
    }
}

TEST(Search, StopsForAnotherThread) {
    AlphaBeta engine;
    engine::SearchMemory memory(4 << 20);
    engine::NullSink<AnalysisProgress> sink;
    AnalysisAnswer answer;
    {
        const std::jthread worker([&](std::stop_token stop) {
            answer = engine.analyse(
                request_for(Position::startpos(), {}), memory, std::move(stop), sink);
        });
        std::this_thread::sleep_for(60ms);
    }
    EXPECT_EQ(answer.stopped_by, StopReason::cancelled);
    EXPECT_TRUE(answer.bestmove);
}

TEST(Search, UsesItsTimeAndNotMore) {
    AlphaBeta engine;
    AnalysisRequest request = request_for(Position::startpos(), {});
    request.budget.time = 300ms;
    const AnalysisAnswer answer = run(engine, request);
    EXPECT_EQ(answer.stopped_by, StopReason::time);
    EXPECT_GE(answer.result.elapsed, 300ms);
    // Its own bound is 20 ms; a loaded test machine may take the thread off its core for longer.
    EXPECT_LT(answer.result.elapsed, 600ms);
}

TEST(Search, ReportsEachDepthOnceAndNeverFallsBack) {
    AlphaBeta engine;
    engine::SearchMemory memory(4 << 20);
    Recorder recorder;
    AnalysisRequest request = request_for(position_of("startpos moves 7g7f 3c3d 2g2f 4c4d"), 8);
    request.multipv = 3;
    request.min_interval = 1ms;
    const AnalysisAnswer answer = engine.analyse(request, memory, {}, recorder);
    EXPECT_EQ(answer.stopped_by, StopReason::depth);
    EXPECT_EQ(answer.result.depth, 8);
    int depth = 0;
    std::uint64_t nodes = 0;
    std::vector<int> completed;
    for (const AnalysisProgress& report : recorder.reports) {
        EXPECT_GE(report.depth, depth);
        EXPECT_GE(report.nodes, nodes);
        depth = report.depth;
        nodes = report.nodes;
        if (report.depth_complete) completed.push_back(report.depth);
        ASSERT_EQ(report.lines.size(), 3U);
        std::set<std::uint32_t> first_moves;
        for (std::size_t i = 0; i < report.lines.size(); ++i) {
            EXPECT_EQ(report.lines[i].depth, report.depth);
            first_moves.insert(report.lines[i].pv.front().bits());
            if (i > 0) {
                EXPECT_GE(report.lines[i - 1].score.value, report.lines[i].score.value);
            }
        }
        EXPECT_EQ(first_moves.size(), 3U);
    }
    EXPECT_EQ(completed, (std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8}));
    EXPECT_EQ(recorder.reports.back().lines.front().pv, answer.result.lines.front().pv);
}

TEST(Search, UpdatesWithinADepthByItsInterval) {
    AlphaBeta engine;
    engine::SearchMemory memory(16 << 20);
    Recorder recorder;
    AnalysisRequest request = request_for(Position::startpos(), {});
    request.budget.time = 400ms;
    request.min_interval = 50ms;
    engine.analyse(request, memory, {}, recorder);
    std::size_t updates = 0;
    for (std::size_t i = 1; i < recorder.reports.size(); ++i) {
        if (recorder.reports[i].depth_complete) continue;
        ++updates;
        EXPECT_GE(recorder.reports[i].elapsed - recorder.reports[i - 1].elapsed, 49ms);
    }
    EXPECT_GE(updates, 1U);
    EXPECT_LE(updates, 8U);
}

TEST(Search, GivesAllLegalMovesWhenMoreLinesAreAsked) {
    AlphaBeta engine;
    const Position position = position_of("startpos moves 7g7f 3c3d 8h2b+");
    AnalysisRequest request = request_for(position, 3);
    request.multipv = 500;
    const AnalysisAnswer answer = run(engine, request);
    MoveList legal;
    legal_moves(position, legal);
    ASSERT_EQ(answer.result.lines.size(), legal.size());
    std::set<std::uint32_t> first_moves;
    for (const Line& line : answer.result.lines) {
        first_moves.insert(line.pv.front().bits());
        expect_legal_line(position, line);
    }
    EXPECT_EQ(first_moves.size(), legal.size());
}

TEST(Search, KeepsToTheGivenRootMoves) {
    AlphaBeta engine;
    const Position position = Position::startpos();
    AnalysisRequest request = request_for(position, 5);
    request.search_moves = {*parse_usi_move("1g1f", position), *parse_usi_move("9g9f", position)};
    request.multipv = 4;
    const AnalysisAnswer answer = run(engine, request);
    ASSERT_EQ(answer.result.lines.size(), 2U);
    for (const Line& line : answer.result.lines) {
        EXPECT_TRUE(line.pv.front() == request.search_moves[0] ||
                    line.pv.front() == request.search_moves[1]);
    }
}

TEST(Search, TakesAHangingPiece) {
    AlphaBeta engine;
    const AnalysisAnswer answer =
        run(engine, request_for(position_of("startpos moves 7g7f 3c3d 8h2b+"), 5));
    EXPECT_TRUE(to_usi(answer.bestmove) == "3a2b" || to_usi(answer.bestmove) == "8b2b");
    EXPECT_TRUE(answer.ponder);
}

// In the middle of an exchange the evaluation may stand so low that what the capture takes does not
// seem to bring it back: the move that takes back was left out, and the exchange seemed to win.
TEST(Search, TakesBackHoweverLowTheEvaluationStandsBeforeIt) {
    AlphaBeta engine;
    AnalysisRequest request = request_for(
        position_of("sfen 5+R+P2/9/1pSp4p/p6p1/1G3b3/1SPN1k1P1/PPL+b4P/KGgg5/LN+p1r+p+p1L b "
                    "2SNL2Pn2p 197"),
        1);
    request.evaluation = eval::Kind::classic;
    const AnalysisAnswer answer = run(engine, request);
    const Line& line = answer.result.lines.front();
    // 6g7h takes back with the horse and leaves 391; to take with the gold left 619.
    EXPECT_EQ(text_of(line.pv), "8h7h 6g7h ");
    EXPECT_LT(line.score.value, 500);
    request.position = position_of(
        "sfen ln5nl/1r1sgkg2/2pppp1pp/6ps1/p4P1N1/1bPP2PP1/P1B1PS1RP/2S2G3/LNKG4L b Pp 43");
    EXPECT_GT(run(engine, request).result.lines.front().score.value, 0);
}

TEST(Search, ReachesEightDepthsFromTheStartWithinASecond) {
    AlphaBeta engine;
    AnalysisRequest request = request_for(Position::startpos(), 8);
    request.budget.time =
        5'000ms;  // the bound of a loaded test machine; a free one needs about 0.1 s
    const AnalysisAnswer answer = run(engine, request);
    EXPECT_EQ(answer.stopped_by, StopReason::depth);
    EXPECT_LT(answer.result.nodes, 200'000U);
}

TEST(Search, NamesTheStateOfAFinishedGame) {
    AlphaBeta engine;
    const Position mated = position_of("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1");
    EXPECT_EQ(status_of(mated), GameStatus::mated);
    AnalysisAnswer answer = run(engine, request_for(mated, 5));
    EXPECT_EQ(answer.status, GameStatus::mated);
    EXPECT_EQ(answer.stopped_by, StopReason::game_over);
    EXPECT_FALSE(answer.bestmove);
    ASSERT_EQ(answer.result.lines.size(), 1U);
    EXPECT_EQ(answer.result.lines.front().score, Score::mate(0));

    std::string moves = "startpos moves";
    for (int i = 0; i < 3; ++i)
        moves += " 2h3h 8b7b 3h2h 7b8b";
    EXPECT_EQ(status_of(position_of(moves.c_str())), GameStatus::repetition);

    std::string checks =
        "sfen lnsg1gsnl/1r5b1/ppppppppp/4k4/9/5R3/PPPPPPPPP/1B7/LNSGKGSNL b - 1 moves";
    for (int i = 0; i < 3; ++i)
        checks += " 4f5f 5d4d 5f4f 4d5d";
    EXPECT_EQ(status_of(position_of(checks.c_str())), GameStatus::perpetual_check_loss);
    answer = run(engine, request_for(position_of(checks.c_str()), 5));
    EXPECT_EQ(answer.stopped_by, StopReason::game_over);

    EXPECT_EQ(status_of(Position::startpos()), GameStatus::normal);
    EXPECT_EQ(status_of(position_of("4k4/9/4P4/9/9/9/9/9/4K4 b G 1 moves G*5b")),
              GameStatus::mated);
}

TEST(Search, LosesWithoutALegalMoveEvenWithoutCheck) {
    // White's king has no square and is not in check: in shogi that is lost.
    const Position stuck = position_of("k8/2S6/1G7/9/9/9/9/9/4K4 w - 1");
    MoveList moves;
    legal_moves(stuck, moves);
    ASSERT_EQ(moves.size(), 0U);
    EXPECT_FALSE(stuck.in_check());
    EXPECT_EQ(status_of(stuck), GameStatus::mated);
}

TEST(Search, AnswersAForcedMoveEarlyOnlyUnderATimeLimit) {
    // One legal move: the king leaves the rook's file.
    const Position forced = position_of("7lk/9/9/9/9/9/9/9/K7R w - 1");
    MoveList moves;
    legal_moves(forced, moves);
    if (moves.size() != 1) GTEST_FAIL() << moves.size() << " moves";
    AlphaBeta engine;
    AnalysisRequest request = request_for(forced, {});
    request.budget.time = 3'000ms;
    const AnalysisAnswer answer = run(engine, request);
    EXPECT_TRUE(answer.stopped_by == StopReason::one_legal_move ||
                answer.stopped_by == StopReason::mate);
    EXPECT_LT(answer.result.elapsed, 2'500ms);
    expect_legal_line(forced, answer.result.lines.front());
    const AnalysisAnswer by_nodes = run(engine, request_for(forced, {}, 20'000));
    EXPECT_NE(by_nodes.stopped_by, StopReason::one_legal_move);
}

TEST(Search, SearchesRepetitionsAsTheRulesScoreThem) {
    // Black is far behind but may force the fourth occurrence of the position: a draw is the best
    // there is. Here the search is given the game three quarters of the way, and the repeating move
    // is worth 0.
    std::string moves = "startpos moves";
    for (int i = 0; i < 2; ++i)
        moves += " 2h3h 8b7b 3h2h 7b8b";
    moves += " 2h3h 8b7b 3h2h";
    const Position position = position_of(moves.c_str());
    AnalysisRequest request = request_for(position, 4);
    request.search_moves = {*parse_usi_move("7b8b", position)};
    AlphaBeta engine;
    const AnalysisAnswer answer = run(engine, request);
    EXPECT_EQ(answer.result.lines.front().score, Score::cp(0));
}

TEST(Search, RefusesToWinByPerpetualCheck) {
    // The fourth occurrence by checks loses for the checker: the move that completes it is worth a
    // lost game.
    std::string checks =
        "sfen lnsg1gsnl/1r5b1/ppppppppp/4k4/9/5R3/PPPPPPPPP/1B7/LNSGKGSNL b - 1 moves";
    for (int i = 0; i < 2; ++i)
        checks += " 4f5f 5d4d 5f4f 4d5d";
    checks += " 4f5f 5d4d 5f4f";
    const Position position = position_of(checks.c_str());
    AnalysisRequest request = request_for(position, 3);
    request.search_moves = {*parse_usi_move("4d5d", position)};
    AlphaBeta engine;
    const AnalysisAnswer answer = run(engine, request);
    EXPECT_EQ(answer.result.lines.front().score.kind, Score::Kind::cp);
    EXPECT_GT(answer.result.lines.front().score.value, 5'000);
}

}  // namespace
}  // namespace yomi::shogi
