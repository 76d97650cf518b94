// The ABC engine on shogi: rules, mates, limits, certificates, and the plain twin of its fixed
// depth.
#include "core/shogi/search/abc/abc.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/hash.hpp"
#include "core/shogi/movegen.hpp"
#include "core/shogi/notation/usi.hpp"
#include "core/shogi/search/abc/shogi_tree.hpp"
#include "core/shogi/search/value.hpp"
#include "tests/oracle/shogi_random.hpp"

namespace yomi::shogi::abc {
namespace {

using engine::StopReason;

static_assert(engine::Engine<Abc>);

constexpr std::size_t kBytes = 1 << 20;

Position position_of(const std::string& text) {
    const auto game = parse_usi_position(text);
    EXPECT_TRUE(game) << text << ": " << (game ? "" : game.error().message);
    return game ? game->position : Position::startpos();
}

AbcRequest request_for(const Position& position, std::uint64_t nodes) {
    AbcRequest request;
    request.search.position = position;
    request.search.budget.nodes = nodes;
    return request;
}

AbcAnswer search(const AbcRequest& request) {
    Abc engine;
    engine::SearchMemory memory(kBytes);
    engine::NullSink<AbcProgress> sink;
    return engine.analyse(request, memory, {}, sink);
}

/// Plays the line; fails when it is not legal. Returns the position at its end.
Position play(Position position, const std::vector<Move>& line) {
    for (const Move move : line) {
        EXPECT_TRUE(position.is_legal(move)) << to_usi(move);
        if (!position.is_legal(move)) return position;
        position.do_move(move);
    }
    return position;
}

const Line& only_line(const AbcAnswer& answer) {
    EXPECT_EQ(answer.search.result.lines.size(), 1U);
    return answer.search.result.lines.front();
}

/// Positions of random games, from the opening to the end.
std::vector<Position> random_positions(std::uint64_t seed, int count) {
    SplitMix64 random(seed);
    std::vector<Position> positions;
    while (static_cast<int>(positions.size()) < count) {
        Position position = Position::startpos();
        oracle::play_randomly(position, random, static_cast<int>(random.below(120)));
        if (!is_over(status_of(position))) positions.push_back(position);
    }
    return positions;
}

TEST(Abc, FindsMatesAndProvesThem) {
    std::ifstream in(std::filesystem::path(YOMI_SOURCE_DIR) / "tests/data/shogi_mates.tsv");
    std::string text;
    int seen = 0;
    while (std::getline(in, text)) {
        if (text.empty() || text[0] == '#') continue;
        const std::string sfen = text.substr(0, text.find('\t'));
        const int plies = std::atoi(text.c_str() + text.find('\t') + 1);
        if (plies > 3) continue;
        ++seen;
        const Position position = position_of(sfen);
        const AbcAnswer answer = search(request_for(position, 300'000));
        const Line& line = only_line(answer);
        EXPECT_EQ(line.score, Score::mate(plies)) << sfen << " value " << line.score.value;
        EXPECT_EQ(static_cast<int>(line.pv.size()), plies) << sfen;
        EXPECT_EQ(count_legal_moves(play(position, line.pv)), 0U) << sfen;
        EXPECT_EQ(answer.search.stopped_by, StopReason::mate) << sfen;
        ASSERT_FALSE(answer.certificate.down.empty());
        EXPECT_EQ(answer.certificate.down.front().count, kProved) << sfen;
    }
    EXPECT_GE(seen, 5);
}

TEST(Abc, SeesThatItIsMated) {
    const Position position = position_of("7p1/7k1/9/7B1/6S2/9/9/9/9 b 2G 1 moves G*1c");
    const AbcAnswer answer = search(request_for(position, 200'000));
    EXPECT_EQ(only_line(answer).score, Score::mate(-2));
    EXPECT_EQ(only_line(answer).pv.size(), 2U);
    EXPECT_EQ(answer.search.stopped_by, StopReason::mate);
    EXPECT_EQ(answer.certificate.up.front().count, kProved);
}

TEST(Abc, KnowsTheRules) {
    // One step from a declaration; the opponent's declaration; the try.
    const AbcAnswer steps =
        search(request_for(position_of("1RBGGSS+N+N/LLP6/9/K8/9/9/9/9/8k b 9P 1"), 100'000));
    EXPECT_EQ(only_line(steps).score, Score::mate(3));
    EXPECT_EQ(only_line(steps).pv.size(), 2U);
    const AbcAnswer threatened =
        search(request_for(position_of("KRBGGSS+N+N/LLP6/9/9/9/9/9/9/8k w 9P 1"), 100'000));
    EXPECT_EQ(only_line(threatened).score, Score::mate(-2));
    AbcRequest request = request_for(position_of("9/9/4K4/9/9/9/9/9/k8 b - 1"), 100'000);
    request.search.rules.declaration = Declaration::try_rule;
    EXPECT_EQ(only_line(search(request)).score, Score::mate(3));
}

TEST(Abc, AnswersFinishedGamesLikeTheOtherEngine) {
    for (const char* const text :
         {"KRBGGSS+N+N/LLP6/9/9/9/9/9/9/8k b 9P 1",
          "7pk/7GG/9/9/9/9/9/9/9 w - 1",
          "startpos moves 2h3h 8b7b 3h2h 7b8b 2h3h 8b7b 3h2h 7b8b 2h3h 8b7b 3h2h 7b8b"}) {
        AbcRequest request = request_for(position_of(text), 1'000);
        const AbcAnswer answer = search(request);
        AlphaBeta other;
        engine::SearchMemory memory(kBytes);
        engine::NullSink<AnalysisProgress> sink;
        const AnalysisAnswer expected = other.analyse(request.search, memory, {}, sink);
        EXPECT_TRUE(is_over(expected.status)) << text;
        EXPECT_EQ(answer.search.status, expected.status) << text;
        EXPECT_EQ(answer.search.bestmove, expected.bestmove) << text;
        EXPECT_EQ(answer.search.stopped_by, StopReason::game_over) << text;
        ASSERT_EQ(answer.search.result.lines.size(), expected.result.lines.size()) << text;
        for (std::size_t i = 0; i < expected.result.lines.size(); ++i)
            EXPECT_EQ(answer.search.result.lines[i].score, expected.result.lines[i].score) << text;
    }
}

TEST(Abc, AvoidsARepetitionThatIsAllItWouldLoseBy) {
    // Black is a rook up and may repeat for a draw; it does not.
    const Position position = position_of(
        "4k4/9/9/9/9/9/9/4G4/4K3R b R 1 moves 1i2i 5a4a 2i1i 4a5a 1i2i 5a4a 2i1i 4a5a 1i2i 5a4a");
    const AbcAnswer answer = search(request_for(position, 20'000));
    EXPECT_NE(to_usi(answer.search.bestmove), "2i1i");
    EXPECT_GT(
        only_line(answer).score.kind == Score::Kind::mate ? 9'999 : only_line(answer).score.value,
        500);
}

TEST(Abc, GivesALegalLineAndAnHonestCertificateEverywhere) {
    int completed = 0;
    for (const Position& position : random_positions(21, 24)) {
        for (const CostMode cost : kCostModes) {
            AbcRequest request = request_for(position, 3'000);
            request.options.cost = cost;
            const AbcAnswer answer = search(request);
            const Line& line = only_line(answer);
            ASSERT_FALSE(line.pv.empty());
            EXPECT_EQ(answer.search.bestmove, line.pv.front());
            play(position, line.pv);
            EXPECT_LE(answer.search.result.nodes, 3'000U);
            const Certificate& c = answer.certificate;
            if (line.depth == 0) continue;
            ++completed;
            EXPECT_EQ(c.depth, line.depth);
            EXPECT_EQ(c.pv.size(), line.pv.size());
            EXPECT_FALSE(c.options.empty());
            for (std::size_t i = 1; i < c.down.size(); ++i) {
                EXPECT_GE(c.down[i].count, c.down[i - 1].count);
                EXPECT_GE(c.up[i].count, c.up[i - 1].count);
            }
            EXPECT_GE(c.down.front().count, 1U);
            EXPECT_GE(c.up.front().count, 1U);
            if (cost != CostMode::exact) continue;
            // The theorem: at least D + 1 evaluations must be wrong.
            EXPECT_GT(c.down.front().count, static_cast<Conspirators>(c.depth));
            EXPECT_GT(c.up.front().count, static_cast<Conspirators>(c.depth));
        }
        if (HasFailure()) break;
    }
    EXPECT_GT(completed, 24);
}

TEST(Abc, DepthNeverFallsAndTheLastEventIsTheAnswer) {
    AbcRequest request = request_for(position_of("startpos moves 7g7f 3c3d 2g2f 8c8d"), 40'000);
    request.options.cost = CostMode::exact;
    request.search.min_interval = std::chrono::milliseconds(0);
    Abc engine;
    engine::SearchMemory memory(kBytes);
    std::vector<AbcProgress> events;
    engine::CallSink<AbcProgress, std::function<void(const AbcProgress&)>> sink(
        [&](const AbcProgress& progress) { events.push_back(progress); });
    const AbcAnswer answer = engine.analyse(request, memory, {}, sink);
    ASSERT_GE(events.size(), 3U);
    for (std::size_t i = 1; i < events.size(); ++i) {
        EXPECT_GE(events[i].search.depth, events[i - 1].search.depth);
        const SearchingDepth& now = events[i].certificate.searching;
        const SearchingDepth& before = events[i - 1].certificate.searching;
        EXPECT_GE(now.depth, before.depth);
        if (now.depth != before.depth) continue;
        // Within a depth the bounds only shrink.
        const auto cp = [](const std::optional<Score>& score, int unknown) {
            if (!score) return unknown;
            return score->kind == Score::Kind::cp ? score->value
                   : score->value > 0             ? 50'000
                                                  : -50'000;
        };
        EXPECT_GE(cp(now.lower, -100'000), cp(before.lower, -100'000));
        EXPECT_LE(cp(now.upper, 100'000), cp(before.upper, 100'000));
    }
    const AbcProgress& last = events.back();
    EXPECT_EQ(last.search.depth, answer.search.result.depth);
    EXPECT_EQ(last.search.lines.front().pv, answer.search.result.lines.front().pv);
    EXPECT_EQ(last.certificate.down, answer.certificate.down);
    EXPECT_EQ(answer.search.stopped_by, StopReason::nodes);
}

TEST(Abc, MoreNodesNeverCompleteLess) {
    for (const Position& position : random_positions(22, 6)) {
        int last = -1;
        for (const std::uint64_t nodes : {100U, 1'000U, 4'000U, 16'000U}) {
            const int depth = search(request_for(position, nodes)).search.result.depth;
            EXPECT_GE(depth, last);
            last = depth;
        }
    }
}

TEST(Abc, AnswersWithTheLastCompleteDepthWhenCancelled) {
    AbcRequest request = request_for(Position::startpos(), 0);
    request.search.budget = {};
    Abc engine;
    engine::SearchMemory memory(kBytes);
    std::stop_source stop;
    std::vector<AbcProgress> whole;
    engine::CallSink<AbcProgress, std::function<void(const AbcProgress&)>> sink(
        [&](const AbcProgress& progress) {
            if (progress.search.depth_complete) whole.push_back(progress);
            if (progress.search.depth >= 2) stop.request_stop();
        });
    const AbcAnswer answer = engine.analyse(request, memory, stop.get_token(), sink);
    ASSERT_FALSE(whole.empty());
    EXPECT_EQ(answer.search.stopped_by, StopReason::cancelled);
    EXPECT_EQ(answer.search.result.depth, whole.back().search.depth);
    EXPECT_EQ(answer.search.result.lines.front().pv, whole.back().search.lines.front().pv);
    // Noticed soon.
    EXPECT_LE(answer.search.result.nodes, whole.back().search.nodes + 1'024);

    std::stop_source before;
    before.request_stop();
    const AbcAnswer at_once = engine.analyse(request, memory, before.get_token(), sink);
    EXPECT_TRUE(at_once.search.bestmove);
    EXPECT_EQ(at_once.search.result.depth, 0);
    EXPECT_TRUE(at_once.certificate.down.empty());
}

TEST(Abc, KeepsItsTimeAndItsDepth) {
    AbcRequest request = request_for(Position::startpos(), 0);
    request.search.budget = {.time = std::chrono::milliseconds(50)};
    const AbcAnswer timed = search(request);
    EXPECT_EQ(timed.search.stopped_by, StopReason::time);
    request.search.budget = {.depth = 1};
    const AbcAnswer shallow = search(request);
    EXPECT_EQ(shallow.search.stopped_by, StopReason::depth);
    EXPECT_EQ(shallow.search.result.depth, 1);
}

TEST(Abc, AnswersTheSameEveryTime) {
    const AbcRequest request =
        request_for(position_of("startpos moves 2g2f 8c8d 2f2e 8d8e"), 8'000);
    Abc engine;
    engine::NullSink<AbcProgress> sink;
    engine::SearchMemory first(kBytes);
    const AbcAnswer a = engine.analyse(request, first, {}, sink);
    engine::SearchMemory second(kBytes);
    const AbcAnswer b = engine.analyse(request, second, {}, sink);
    EXPECT_EQ(a.search.result.nodes, b.search.result.nodes);
    EXPECT_EQ(a.search.result.lines.front().pv, b.search.result.lines.front().pv);
    EXPECT_EQ(a.search.result.lines.front().score, b.search.result.lines.front().score);
    EXPECT_EQ(a.certificate.down, b.certificate.down);
    EXPECT_EQ(a.certificate.up, b.certificate.up);
    EXPECT_EQ(a.certificate.options, b.certificate.options);
}

TEST(Abc, PlaysTheGivenRootMovesOnly) {
    AbcRequest request = request_for(Position::startpos(), 4'000);
    request.search.search_moves = {*parse_usi_move("9g9f", request.search.position),
                                   *parse_usi_move("1g1f", request.search.position)};
    const AbcAnswer answer = search(request);
    const auto& only = request.search.search_moves;
    EXPECT_NE(std::find(only.begin(), only.end(), answer.search.bestmove), only.end());
    for (const RootOption& option : answer.certificate.options)
        EXPECT_NE(std::find(only.begin(), only.end(), option.move), only.end());
}

TEST(Abc, FollowsAGuideAndPassesOverABrokenOne) {
    const Position root = position_of("startpos moves 7g7f 3c3d");
    AbcRequest request = request_for(root, 8'000);
    request.guide = {*parse_usi_move("8h2b+", root)};
    const AbcAnswer guided = search(request);
    play(root, only_line(guided).pv);
    request.guide = {Move::from_bits(12345)};
    const AbcAnswer broken = search(request);
    const AbcAnswer plain = search(request_for(root, 8'000));
    EXPECT_EQ(broken.search.result.nodes, plain.search.result.nodes);
    EXPECT_EQ(broken.search.result.lines.front().pv, plain.search.result.lines.front().pv);
}

TEST(AbcCertificate, TellsSolidFromHangingByOneMove) {
    // A silver has just taken a silver: everything but taking back loses it.
    AbcRequest hanging = request_for(position_of("4k4/9/9/4p4/4s4/4P4/9/9/4K4 b - 1"), 20'000);
    hanging.count_fully = true;
    const AbcAnswer one = search(hanging);
    ASSERT_FALSE(one.certificate.pv.empty());
    EXPECT_EQ(to_usi(one.search.bestmove), "5f5e");
    EXPECT_EQ(one.certificate.pv.front().alternatives, 0);
    // At the start nearly every move is as good.
    AbcRequest start = request_for(Position::startpos(), 20'000);
    start.options.margin = 100;
    start.count_fully = true;
    const AbcAnswer many = search(start);
    ASSERT_GE(many.certificate.down.size(), 3U);
    EXPECT_GT(many.certificate.down[3].count, one.certificate.down[3].count);
    EXPECT_EQ(many.certificate.down[3].margin, 200);
}

TEST(AbcCertificate, IsTheSameWithAndWithoutHash) {
    int compared = 0;
    for (const Position& position : random_positions(24, 16)) {
        AbcRequest request = request_for(position, 60'000);
        request.options.cost = CostMode::exact;
        request.count_fully = true;
        const int depth = search(request).search.result.depth;
        if (depth == 0) continue;
        ++compared;
        request.search.budget = {.depth = depth};
        Abc engine;
        engine::NullSink<AbcProgress> sink;
        engine::SearchMemory large(std::size_t{8} << 20);
        engine::SearchMemory none(0);
        const AbcAnswer a = engine.analyse(request, large, {}, sink);
        const AbcAnswer b = engine.analyse(request, none, {}, sink);
        EXPECT_EQ(only_line(a).score, only_line(b).score);
        EXPECT_EQ(only_line(a).pv, only_line(b).pv);
        EXPECT_EQ(a.certificate.down, b.certificate.down);
        EXPECT_EQ(a.certificate.up, b.certificate.up);
        EXPECT_EQ(a.certificate.options, b.certificate.options);
        EXPECT_LT(a.search.result.nodes, b.search.result.nodes);
    }
    EXPECT_GE(compared, 8);
}

TEST(AbcCertificate, OfAnotherEnginesAnswer) {
    AnalysisRequest request{.position = position_of("startpos moves 7g7f 3c3d 2g2f 4c4d")};
    request.budget.nodes = 5'000;
    AlphaBeta other;
    engine::SearchMemory memory(kBytes);
    engine::NullSink<AnalysisProgress> sink;
    const AnalysisAnswer answer = other.analyse(request, memory, {}, sink);
    Abc abc;
    const Certificate certificate = abc.certify(request, answer, 60'000, {});
    EXPECT_GE(certificate.depth, 1);
    EXPECT_LE(certificate.nodes, 60'000U);
    EXPECT_EQ(certificate.cost, CostMode::exact);
    EXPECT_GT(certificate.down.front().count, static_cast<Conspirators>(certificate.depth));
    EXPECT_FALSE(certificate.pv.empty());
    EXPECT_FALSE(certificate.proved);

    AnalysisAnswer mate = answer;
    mate.result.lines.front().score = Score::mate(5);
    const Certificate proved = abc.certify(request, mate, 60'000, {});
    EXPECT_TRUE(proved.proved);
    EXPECT_EQ(proved.nodes, 0U);
    EXPECT_EQ(proved.down.front().count, kProved);
    EXPECT_TRUE(abc.certify(request, AnalysisAnswer{}, 60'000, {}).down.empty());
}

// ---- the plain twin: minimax of fixed depth over the same estimates ----------------------------

Value minimax(ShogiTree& tree, int depth, int ply) {
    if (const auto end = tree.ending(ply)) return end->value;
    if (depth == 0) return tree.estimate();
    std::vector<Candidate> moves;
    tree.list_moves(moves, ply);
    if (moves.empty()) return *tree.no_moves(ply);
    const bool max_side = tree.max_to_move();
    Value best = max_side ? -kBeyond : kBeyond;
    for (const Candidate& c : moves) {
        tree.do_move(c.move);
        const Value value = minimax(tree, depth - 1, ply + 1);
        tree.undo_move();
        best = max_side ? std::max(best, value) : std::min(best, value);
    }
    return best;
}

TEST(Abc, UniformCostIsMinimaxOfFixedDepth) {
    for (const Position& position : random_positions(23, 8)) {
        ShogiTree tree;
        tree.begin(position,
                   {},
                   {},
                   eval::Kind::classic,
                   {},
                   nullptr,
                   search::Limits(engine::Budget{}, std::stop_token{}));
        const Value truth = minimax(tree, 2, 0);
        AbcRequest request = request_for(position, std::numeric_limits<std::uint64_t>::max());
        request.search.budget = {.depth = 1};
        request.options = {.cost = CostMode::uniform, .resolution = 1};
        EXPECT_EQ(only_line(search(request)).score, search::to_score(truth));
    }
}

}  // namespace
}  // namespace yomi::shogi::abc
