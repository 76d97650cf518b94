#include "core/shogi/analysis/root_analyser.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "core/shogi/movegen.hpp"
#include "core/shogi/notation/sfen.hpp"
#include "core/shogi/notation/usi.hpp"

namespace yomi::shogi {
namespace {

using engine::StopReason;
using namespace std::chrono_literals;

static_assert(engine::Engine<RootAnalyser>);

Position position_of(std::string_view text) {
    const auto game = parse_usi_position(text);
    EXPECT_TRUE(game) << text << ": " << game.error().message;
    return game->position;
}

RootRequest request_of(std::string_view text, std::uint64_t nodes) {
    RootRequest request;
    request.search.position = position_of(text);
    request.search.budget.nodes = nodes;
    return request;
}

class Recorder final : public engine::Sink<RootProgress> {
public:
    void report(const RootProgress& progress) override { reports.push_back(progress); }
    std::vector<RootProgress> reports;
};

RootAnswer analyse(const RootRequest& request, engine::Sink<RootProgress>* sink = nullptr) {
    engine::SearchMemory memory(std::size_t{4} << 20);
    engine::NullSink<RootProgress> quiet;
    return RootAnalyser().analyse(request, memory, {}, sink != nullptr ? *sink : quiet);
}

/// Plays the line, legal move by legal move, and says whether it ends in mate.
bool ends_in_mate(Position position, const std::vector<Move>& line) {
    for (const Move move : line) {
        EXPECT_TRUE(position.is_legal(move)) << to_usi(move);
        position.do_move(move);
    }
    MoveList replies;
    legal_moves(position, replies);
    return position.in_check() && replies.empty();
}

// A mate in 3: S*2c and a gold behind it whichever way the king goes.
constexpr std::string_view kMateIn3 = "sfen 7p1/7k1/9/7B1/6S2/9/9/9/9 b 2G 1";
// E1 and E2 of the seeds: no mate, one quiet key that brings hisshi.
constexpr std::string_view kE1 = "sfen 7k1/9/5gn2/9/5L3/9/9/9/9 b 2G 1";
constexpr std::string_view kE2 = "sfen 6k2/8l/9/9/5P3/9/9/9/9 b GS 1";

TEST(RootAnalyser, SaysAMateByChecksBeforeAnySearch) {
    const RootAnswer answer = analyse(request_of(kMateIn3, 20'000));
    EXPECT_EQ(answer.source, Source::tsume);
    EXPECT_EQ(answer.solvers.tsume, Verdict::mate);
    EXPECT_EQ(answer.search.stopped_by, StopReason::mate);
    ASSERT_EQ(answer.search.result.lines.size(), 1U);
    const Line& line = answer.search.result.lines.front();
    EXPECT_EQ(line.score.kind, Score::Kind::mate);
    EXPECT_EQ(line.score.value, static_cast<int>(line.pv.size()));
    EXPECT_EQ(line.bound, Bound::exact);
    EXPECT_EQ(answer.search.bestmove, line.pv.front());
    EXPECT_TRUE(ends_in_mate(position_of(kMateIn3), line.pv));
    EXPECT_LE(answer.search.result.nodes, 20'000U);
}

TEST(RootAnalyser, SaysAHisshiBeforeASearch) {
    for (const auto& [text, key] : {std::pair{kE1, "G*2c"}, std::pair{kE2, "S*3c"}}) {
        SCOPED_TRACE(text);
        const RootAnswer answer = analyse(request_of(text, 200'000));
        EXPECT_EQ(answer.source, Source::hisshi);
        EXPECT_EQ(answer.solvers.tsume, Verdict::nomate);
        EXPECT_EQ(answer.solvers.hisshi, HisshiVerdict::hisshi);
        ASSERT_EQ(answer.search.result.lines.size(), 1U);
        const Line& line = answer.search.result.lines.front();
        EXPECT_EQ(line.score.kind, Score::Kind::mate);
        EXPECT_EQ(line.score.value, static_cast<int>(line.pv.size()));
        EXPECT_EQ(line.bound, Bound::lower);
        EXPECT_TRUE(ends_in_mate(position_of(text), line.pv));
        EXPECT_EQ(to_usi(answer.search.bestmove), key);
    }
}

TEST(RootAnalyser, SearchesWhenASolverIsNotAsked) {
    RootRequest request = request_of(kE1, 5'000);
    request.shares = {.tsume_percent = 0, .hisshi_percent = 0};
    const RootAnswer answer = analyse(request);
    EXPECT_EQ(answer.source, Source::alphabeta);
    EXPECT_FALSE(answer.solvers.tsume);
    EXPECT_FALSE(answer.solvers.hisshi);
    // Then it is the search itself, node for node.
    engine::SearchMemory memory(std::size_t{4} << 20);
    engine::NullSink<AnalysisProgress> quiet;
    const AnalysisAnswer plain = AlphaBeta().analyse(request.search, memory, {}, quiet);
    EXPECT_EQ(answer.search.result.nodes, plain.result.nodes);
    EXPECT_EQ(answer.search.bestmove, plain.bestmove);
}

TEST(RootAnalyser, FillsTheOtherLinesBehindAProvenOne) {
    RootRequest request = request_of(kE1, 30'000);
    request.shares = {.tsume_percent = 20, .hisshi_percent = 60};
    request.search.multipv = 3;
    Recorder recorder;
    const RootAnswer answer = analyse(request, &recorder);
    EXPECT_EQ(answer.source, Source::hisshi);
    const auto& lines = answer.search.result.lines;
    ASSERT_EQ(lines.size(), 3U);
    EXPECT_EQ(to_usi(lines[0].pv.front()), "G*2c");
    EXPECT_EQ(answer.search.bestmove, lines[0].pv.front());
    for (std::size_t i = 1; i < lines.size(); ++i) {
        EXPECT_NE(lines[i].pv.front(), lines[0].pv.front());
        EXPECT_EQ(lines[i].depth, lines[0].depth);
    }
    ASSERT_FALSE(recorder.reports.empty());
    int depth = 0;
    for (const RootProgress& progress : recorder.reports) {
        EXPECT_EQ(progress.source, Source::hisshi);
        EXPECT_EQ(to_usi(progress.search.lines.front().pv.front()), "G*2c");
        EXPECT_GE(progress.search.depth, depth);
        depth = progress.search.depth;
    }
}

TEST(RootAnalyser, GivesTheSameAnswerToTheSameQuestion) {
    RootAnalyser used;
    engine::NullSink<RootProgress> quiet;
    for (const std::string_view text :
         {std::string_view("startpos moves 7g7f 3c3d"), kMateIn3, kE2}) {
        RootRequest request = request_of(text, 20'000);
        request.search.budget.time = 60s;
        const RootAnswer first = analyse(request);
        engine::SearchMemory memory(std::size_t{4} << 20);
        const RootAnswer again = used.analyse(request, memory, {}, quiet);
        EXPECT_EQ(first.search.result.nodes, again.search.result.nodes);
        EXPECT_EQ(first.search.bestmove, again.search.bestmove);
        EXPECT_EQ(first.source, again.source);
        ASSERT_EQ(first.search.result.lines.size(), again.search.result.lines.size());
        EXPECT_EQ(first.search.result.lines.front().pv, again.search.result.lines.front().pv);
        EXPECT_LE(first.search.result.nodes, 20'000U);
    }
}

TEST(RootAnalyser, LeavesWarmTablesToTheSearch) {
    RootAnalyser analyser;
    engine::NullSink<RootProgress> quiet;
    // One search may go astray with a warm table; several together may not.
    std::uint64_t cold = 0;
    std::uint64_t warm = 0;
    for (const std::string_view text : {"startpos",
                                        "startpos moves 7g7f 3c3d",
                                        "startpos moves 7g7f 3c3d 8h2b+ 3a2b",
                                        "startpos moves 2g2f 8c8d 2f2e 8d8e 7g7f 4a3b",
                                        "startpos moves 7g7f 8c8d 6g6f 7a6b 7i6h 3c3d"}) {
        engine::SearchMemory memory(std::size_t{4} << 20);
        RootRequest request;
        request.search.position = position_of(text);
        request.search.budget.depth = 8;
        cold += analyser.analyse(request, memory, {}, quiet).search.result.nodes;
        warm += analyser.analyse(request, memory, {}, quiet).search.result.nodes;
    }
    EXPECT_LT(warm, cold);
    RecordProperty("cold", std::to_string(cold));
    RecordProperty("warm", std::to_string(warm));
}

TEST(RootAnalyser, KeepsToTheMovesThatItMayPlay) {
    RootRequest request = request_of(kMateIn3, 20'000);
    const Move key = analyse(request).search.bestmove;
    MoveList legal;
    legal_moves(request.search.position, legal);
    for (const Move move : legal) {
        if (move != key) request.search.search_moves.push_back(move);
    }
    const RootAnswer answer = analyse(request);
    EXPECT_NE(answer.search.bestmove, key);
    EXPECT_TRUE(answer.search.bestmove);
}

TEST(RootAnalyser, AnswersAFinishedGameByTheRules) {
    const RootAnswer mated = analyse(request_of("sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 2", 1'000));
    EXPECT_EQ(mated.source, Source::rules);
    EXPECT_EQ(mated.search.status, GameStatus::mated);
    EXPECT_FALSE(mated.search.bestmove);
    EXPECT_EQ(mated.search.result.lines.front().score, Score::mate(0));
}

TEST(RootAnalyser, ClaimsNothingThatTheRulesCutShort) {
    // The game is drawn one ply before the mate.
    RootRequest request = request_of(kE1, 50'000);
    request.search.rules.max_plies = 2;
    EXPECT_EQ(analyse(request).source, Source::alphabeta);
    request.search.rules.max_plies = 3;
    EXPECT_EQ(analyse(request).source, Source::hisshi);
}

TEST(RootAnalyser, IsStoppedFromOutside) {
    RootRequest request;
    request.search.position = position_of("startpos");
    request.search.budget.time = 60s;
    engine::SearchMemory memory(std::size_t{4} << 20);
    engine::NullSink<RootProgress> quiet;
    std::stop_source stop;
    std::jthread raiser([&stop] {
        std::this_thread::sleep_for(100ms);
        stop.request_stop();
    });
    const RootAnswer answer = RootAnalyser().analyse(request, memory, stop.get_token(), quiet);
    EXPECT_EQ(answer.search.stopped_by, StopReason::cancelled);
    EXPECT_TRUE(answer.search.bestmove);
    EXPECT_LT(answer.search.result.elapsed, 5s);
}

TEST(RootAnalyser, VerifiesTheLineOfAbcToo) {
    RootRequest request = request_of("startpos moves 7g7f 3c3d", 20'000);
    request.use_abc = true;
    request.search.verify = true;
    const RootAnswer answer = analyse(request);
    EXPECT_EQ(answer.source, Source::abc);
    ASSERT_EQ(answer.search.result.lines.size(), 1U);
    const Line& line = answer.search.result.lines.front();
    ASSERT_TRUE(line.verified);
    EXPECT_GT(line.verified->depth, 0);
    Position position = request.search.position;
    for (const Move move : line.pv)
        position.do_move(move);
    for (const Move move : line.verified->pv) {
        ASSERT_TRUE(position.is_legal(move));
        position.do_move(move);
    }
}

TEST(RootAnalyser, KeepsWithinItsTime) {
    for (const auto time : {10ms, 50ms, 200ms}) {
        RootRequest request;
        request.search.position = position_of(
            "sfen l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb 1");
        request.search.budget.time = time;
        const auto start = std::chrono::steady_clock::now();
        const RootAnswer answer = analyse(request);
        const auto took = std::chrono::steady_clock::now() - start;
        EXPECT_TRUE(answer.search.bestmove);
        // A busy machine stretches everything; ten times is a defect.
        EXPECT_LT(took, 10 * time + 1s);
    }
}

/// Whether the side to move has no mate by checks: proven.
bool is_safe(const Position& position) {
    TsumeRequest request{.position = position, .attacker = position.side_to_move()};
    request.budget.nodes = 50'000;
    request.shortest = false;
    engine::SearchMemory memory(std::size_t{8} << 20);
    engine::NullSink<TsumeProgress> quiet;
    return Tsume().analyse(request, memory, {}, quiet).verdict == Verdict::nomate;
}

TEST(RootAnalyser, DoesNotWalkIntoAMateThatTheSolverSees) {
    // A piece hangs, and whoever takes it is mated in 7 plies; some other move holds.
    for (const std::string_view text : {"sfen pkpg5/9/9/3+R5/9/9/6s2/6R2/2K6 w 3G2n 1",
                                        "sfen 1k7/nss6/9/+B1+B6/9/9/1s7/1R7/7K1 w 2GSn 1",
                                        "sfen 1k7/1ng6/9/3+R5/9/9/6s2/6R2/2K6 w GSNLgsnl 1"}) {
        SCOPED_TRACE(text);
        const RootRequest request = request_of(text, 40'000);
        const RootAnswer wary = analyse(request);
        Position after = request.search.position;
        after.do_move(wary.search.bestmove);
        EXPECT_TRUE(is_safe(after)) << to_usi(wary.search.bestmove);
        EXPECT_EQ(wary.search.result.lines.front().pv.front(), wary.search.bestmove);
        EXPECT_LE(wary.search.result.nodes, 40'000U + 8);
    }
}

TEST(SolverShare, IsAPartOfWhatLimits) {
    const engine::Budget nodes{.nodes = 1'000'000, .time = 60s};
    EXPECT_EQ(solver_share(nodes, 5)->nodes, 50'000U);
    EXPECT_EQ(solver_share(nodes, 5)->time, 3s);
    EXPECT_FALSE(solver_share(nodes, 0));
    EXPECT_FALSE(solver_share({.nodes = 100}, 5)) << "too little to be of use";
    EXPECT_FALSE(solver_share({.time = 10ms}, 5));
    EXPECT_EQ(solver_share({.time = 100ms}, 10)->time, 10ms);
    EXPECT_FALSE(solver_share({.time = 100ms}, 10)->nodes);
    const auto shallow = solver_share({.depth = 4}, 10);
    const auto deep = solver_share({.depth = 20}, 10);
    ASSERT_TRUE(shallow && deep);
    EXPECT_LT(*shallow->nodes, *deep->nodes);
    EXPECT_LE(*shallow->nodes, 10'000U);
    EXPECT_EQ(solver_share({.nodes = ~std::uint64_t{0}}, 90)->nodes,
              ~std::uint64_t{0} / 100 * 90 + 13);
}

}  // namespace
}  // namespace yomi::shogi
