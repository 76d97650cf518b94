#include "core/shogi/analysis/game_analyser.hpp"

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "core/shogi/analysis/winrate.hpp"
#include "core/shogi/notation/usi.hpp"

namespace yomi::shogi {
namespace {

using engine::StopReason;
using namespace std::chrono_literals;

static_assert(engine::Engine<GameAnalyser>);

GameRequest request_of(std::string_view text, std::uint64_t nodes) {
    const auto game = parse_usi_position(text);
    EXPECT_TRUE(game) << text;
    GameRequest request;
    request.root = *Position::from_setup(game->root);
    request.moves = game->moves;
    request.analysis.search.budget.nodes = nodes;
    return request;
}

class Recorder final : public engine::Sink<GameAnalysis> {
public:
    void report(const GameAnalysis& analysis) override {
        done.push_back(analysis.done);
        if (stop != nullptr && analysis.done == 2) stop->request_stop();
    }
    std::vector<std::size_t> done;
    std::stop_source* stop = nullptr;
};

GameAnalysis analyse(const GameRequest& request, Recorder* recorder = nullptr) {
    engine::SearchMemory memory(std::size_t{8} << 20);
    engine::NullSink<GameAnalysis> quiet;
    engine::Sink<GameAnalysis>& sink =
        recorder != nullptr ? static_cast<engine::Sink<GameAnalysis>&>(*recorder) : quiet;
    std::stop_token token = recorder != nullptr && recorder->stop != nullptr
                                ? recorder->stop->get_token()
                                : std::stop_token{};
    return GameAnalyser().analyse(request, memory, std::move(token), sink);
}

PositionValue value_of(double winrate, Move best = {}, Score score = Score::cp(0)) {
    PositionValue value{.winrate = winrate, .bestmove = best};
    value.line.score = score;
    return value;
}

const Move kA = Move::from_bits(0x1234);
const Move kB = Move::from_bits(0x2345);

TEST(JudgeMove, LabelsByTheLoss) {
    const auto label = [](double before, double after) {
        return judge_move(value_of(before, kA), value_of(1 - after), kB, 30).label;
    };
    EXPECT_EQ(label(0.5, 0.5), MoveLabel::good);
    EXPECT_EQ(label(0.5, 0.46), MoveLabel::good);
    EXPECT_EQ(label(0.75, 0.6875), MoveLabel::inaccuracy);
    EXPECT_EQ(label(0.75, 0.625), MoveLabel::mistake);
    EXPECT_EQ(label(0.75, 0.5), MoveLabel::blunder);
    EXPECT_EQ(label(0.5, 0.75), MoveLabel::good) << "better than the search thought";
}

TEST(JudgeMove, NeverCallsTheEnginesOwnChoiceBad) {
    const MoveJudgement own = judge_move(value_of(0.9, kA), value_of(0.9), kA, 30);
    EXPECT_EQ(own.label, MoveLabel::best);
    EXPECT_EQ(own.loss, 0.0);
    const MoveJudgement forced = judge_move(value_of(0.9, kA), value_of(0.9), kA, 1);
    EXPECT_EQ(forced.label, MoveLabel::forced);
    EXPECT_EQ(forced.loss, 0.0);
}

TEST(JudgeMove, SeesMatesMissedAndAllowed) {
    const auto mate = [](int plies, Move best) {
        return value_of(plies > 0 ? 1.0 : 0.0, best, Score::mate(plies));
    };
    const MoveJudgement missed = judge_move(mate(5, kA), value_of(0.4), kB, 30);
    EXPECT_TRUE(missed.missed_mate);
    EXPECT_FALSE(missed.allows_mate);
    EXPECT_EQ(missed.label, MoveLabel::blunder);
    const MoveJudgement longer = judge_move(mate(5, kA), mate(-8, kB), kB, 30);
    EXPECT_FALSE(longer.missed_mate);
    EXPECT_EQ(longer.label, MoveLabel::good) << "another way to the same end";
    const MoveJudgement allowed = judge_move(value_of(0.5, kA), mate(3, kA), kB, 30);
    EXPECT_TRUE(allowed.allows_mate);
    EXPECT_EQ(allowed.label, MoveLabel::blunder);
    const MoveJudgement lost = judge_move(mate(-6, kA), mate(3, kA), kB, 30);
    EXPECT_FALSE(lost.allows_mate) << "it was there before";
}

TEST(GameAnalyser, JudgesEveryMoveOfAGame) {
    // Black gives the bishop away on move 5; White does not take it.
    const GameRequest request =
        request_of("startpos moves 7g7f 3c3d 2g2f 8c8d 8h5e 4a3b 5e8h", 4'000);
    Recorder recorder;
    const GameAnalysis analysis = analyse(request, &recorder);
    EXPECT_EQ(analysis.stopped_by, StopReason::completed);
    EXPECT_EQ(analysis.done, 8U);
    ASSERT_EQ(analysis.moves.size(), 7U);
    ASSERT_EQ(analysis.values.size(), 8U);
    ASSERT_EQ(recorder.done.size(), 8U);
    for (std::size_t i = 0; i < analysis.moves.size(); ++i) {
        ASSERT_TRUE(analysis.moves[i].judgement) << i;
        const MoveJudgement& judgement = *analysis.moves[i].judgement;
        const PositionValue& before = *analysis.values[i];
        EXPECT_NEAR(before.winrate, winrate(before.line.score), 1e-9);
        EXPECT_GE(judgement.best, judgement.played);
        EXPECT_NEAR(judgement.loss, 100 * (judgement.best - judgement.played), 1e-9);
        if (analysis.moves[i].move == before.bestmove) {
            EXPECT_EQ(judgement.label, MoveLabel::best);
        }
    }
    int moves = 0;
    double loss = 0;
    for (const GameSide& side : analysis.sides) {
        moves += side.moves;
        loss += side.total_loss;
    }
    EXPECT_EQ(moves, 7);
    double sum = 0;
    for (const GameMove& move : analysis.moves)
        sum += move.judgement->loss;
    EXPECT_NEAR(loss, sum, 1e-9);
}

TEST(GameAnalyser, CallsAGivenAwayRookABlunderAndFindsTheTurningPoint) {
    // The rook goes where a pawn takes it.
    const GameAnalysis analysis =
        analyse(request_of("startpos moves 2g2f 8c8d 2f2e 8d8e 2e2d 2c2d 2h2e 2d2e", 8'000));
    ASSERT_EQ(analysis.moves.size(), 8U);
    const MoveJudgement& rook = *analysis.moves[6].judgement;
    EXPECT_EQ(rook.label, MoveLabel::blunder) << rook.loss;
    EXPECT_EQ(analysis.sides[0].blunders, 1);
    EXPECT_EQ(analysis.sides[1].blunders, 0);
    EXPECT_EQ(analysis.moves[7].judgement->label, MoveLabel::best);
    ASSERT_TRUE(analysis.turning_point);
    EXPECT_EQ(analysis.moves[*analysis.turning_point].side, Color::black);
}

TEST(GameAnalyser, GivesTheSameValuesHoweverManyAreAnalysedAtOnce) {
    GameRequest request = request_of("startpos moves 7g7f 3c3d 2g2f 8c8d 2f2e 8d8e", 3'000);
    const GameAnalysis one = analyse(request);
    for (const int threads : {2, 3, 20}) {
        request.side_by_side = threads;
        const GameAnalysis many = analyse(request);
        EXPECT_EQ(many.nodes, one.nodes);
        ASSERT_EQ(many.values.size(), one.values.size());
        for (std::size_t i = 0; i < one.values.size(); ++i) {
            EXPECT_EQ(many.values[i]->line.score, one.values[i]->line.score);
            EXPECT_EQ(many.values[i]->line.pv, one.values[i]->line.pv);
        }
    }
}

TEST(GameAnalyser, HandlesMatesAndTheEndOfTheGame) {
    // The line of a mate in 3, played to its end; then one move astray instead.
    const std::string root = "sfen 7p1/7k1/9/7B1/6S2/9/9/9/9 b 2G 1";
    GameRequest probe = request_of(root, 10'000);
    const GameAnalysis only = analyse(probe);
    ASSERT_EQ(only.values.size(), 1U);
    ASSERT_EQ(only.values.front()->source, Source::tsume);
    const std::vector<Move> mate = only.values.front()->line.pv;
    probe.moves = mate;
    const GameAnalysis played = analyse(probe);
    EXPECT_EQ(played.values.back()->status, GameStatus::mated);
    EXPECT_EQ(played.values.back()->winrate, 0.0);
    EXPECT_FALSE(played.values.back()->bestmove);
    for (const GameMove& move : played.moves)
        EXPECT_EQ(move.judgement->loss, 0.0) << to_usi(move.move);
    EXPECT_FALSE(played.turning_point);

    Position position = probe.root;
    const auto astray = parse_usi_move("G*9i", position);
    ASSERT_TRUE(astray);
    probe.moves = {*astray};
    const GameAnalysis missed = analyse(probe);
    EXPECT_TRUE(missed.moves.front().judgement->missed_mate);
    EXPECT_GT(missed.moves.front().judgement->loss, 0.0);
}

TEST(GameAnalyser, HandlesARepetitionInTheGame) {
    std::string text = "startpos moves";
    for (int i = 0; i < 3; ++i)
        text += " 2h3h 8b7b 3h2h 7b8b";
    const GameAnalysis analysis = analyse(request_of(text, 500));
    EXPECT_EQ(analysis.values.back()->status, GameStatus::repetition);
    EXPECT_EQ(analysis.values.back()->winrate, 0.5);
    EXPECT_FALSE(analysis.turning_point);
}

TEST(GameAnalyser, KeepsWhatItHasWhenStopped) {
    std::stop_source stop;
    Recorder recorder;
    recorder.stop = &stop;
    const GameAnalysis analysis =
        analyse(request_of("startpos moves 7g7f 3c3d 2g2f 8c8d", 2'000), &recorder);
    EXPECT_EQ(analysis.stopped_by, StopReason::cancelled);
    EXPECT_EQ(analysis.done, 2U);
    EXPECT_TRUE(analysis.values[0]);
    EXPECT_FALSE(analysis.values[4]);
    EXPECT_TRUE(analysis.moves[0].judgement);
    EXPECT_FALSE(analysis.moves[3].judgement);
}

}  // namespace
}  // namespace yomi::shogi
