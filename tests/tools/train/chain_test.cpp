// The whole chain in small: generate, train, export, load, play; and its parts against slow twins.
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/hash.hpp"
#include "core/engine/memory.hpp"
#include "core/shogi/eval/nnue/psq_accumulators.hpp"
#include "core/shogi/movegen.hpp"
#include "core/shogi/notation/sfen.hpp"
#include "core/shogi/search/alpha_beta.hpp"
#include "tools/selfplay/self_play.hpp"
#include "tools/train/model.hpp"
#include "tools/train/samples.hpp"
#include "tools/train/trainer.hpp"

namespace yomi::train {
namespace {

namespace nnue = shogi::eval::nnue;
using selfplay::Game;
using selfplay::GameEnd;
using selfplay::SelfPlayer;
using selfplay::SelfPlaySetting;
using shogi::Color;
using shogi::Position;

SelfPlaySetting small_setting() {
    SelfPlaySetting setting;
    setting.seed = 21;
    setting.soft_nodes = 1;
    setting.longest = 70;
    setting.table_bytes = std::size_t{64} << 10;
    return setting;
}

/// Two hundred games, made once for all tests.
const std::vector<Game>& fixture_games() {
    static const std::vector<Game> kGames = [] {
        SelfPlayer player(small_setting());
        std::vector<Game> games;
        for (std::uint32_t i = 0; i < 200; ++i) {
            if (auto game = player.play(i, {})) games.push_back(std::move(*game));
        }
        return games;
    }();
    return kGames;
}

Samples fixture_samples(const SampleSetting& setting) {
    SampleMaker maker(setting);
    for (const Game& game : fixture_games()) {
        const auto added = maker.add(game, 21);
        EXPECT_TRUE(added) << added.error().message;
    }
    return maker.take();
}

TEST(SelfPlay, EndsGamesByTheRules) {
    const SelfPlaySetting setting = small_setting();
    ASSERT_EQ(fixture_games().size(), 200U);
    for (const Game& game : fixture_games()) {
        ASSERT_EQ(game.moves.size(), game.opening_plies + game.scores.size());
        Position position = Position::startpos();
        for (const std::uint16_t bits : game.moves) {
            const shogi::Move move = position.move_from_bits16(bits);
            ASSERT_TRUE(move && position.is_legal(move)) << game.index;
            ASSERT_FALSE(shogi::is_over(shogi::status_of(position))) << game.index;
            position.do_move(move);
        }
        const auto status = shogi::status_of(position, {.max_plies = setting.longest});
        const auto winner = shogi::winner_of(status, position.side_to_move());
        switch (game.end) {
            case GameEnd::mate:
                EXPECT_EQ(status, shogi::GameStatus::mated);
                break;
            case GameEnd::declared:
                EXPECT_EQ(status, shogi::GameStatus::declared);
                break;
            case GameEnd::repetition:
                EXPECT_EQ(status, shogi::GameStatus::repetition);
                break;
            case GameEnd::perpetual:
                EXPECT_TRUE(winner.has_value());
                break;
            case GameEnd::length:
                EXPECT_EQ(status, shogi::GameStatus::max_plies);
                break;
            case GameEnd::adjudicated: {
                // The last four scores say it, seen alternately by both sides.
                ASSERT_GE(game.scores.size(), 4U);
                const int last_mover = position.side_to_move() == Color::black ? -1 : 1;
                for (std::size_t back = 1; back <= 4; ++back) {
                    const int score = game.scores[game.scores.size() - back];
                    const int mover = back % 2 == 1 ? last_mover : -last_mover;
                    EXPECT_GE(mover * game.result * score, setting.decided) << game.index;
                }
                continue;
            }
        }
        EXPECT_EQ(game.result, !winner ? 0 : *winner == Color::black ? 1 : -1) << game.index;
    }
}

TEST(SelfPlay, MakesTheSameGameWhateverWasPlayedBefore) {
    SelfPlayer player(small_setting());
    for (const std::uint32_t index : {7U, 3U, 7U})
        EXPECT_EQ(player.play(index, {}), fixture_games()[index]);
    SelfPlaySetting other = small_setting();
    other.seed = 22;
    EXPECT_NE(SelfPlayer(other).play(7, {}), fixture_games()[7]);
}

TEST(SelfPlay, StopsWithoutAGame) {
    std::stop_source stop;
    stop.request_stop();
    EXPECT_EQ(SelfPlayer(small_setting()).play(0, stop.get_token()), std::nullopt);
}

TEST(SelfPlay, HoldsTheSoftLimit) {
    SelfPlaySetting setting = small_setting();
    setting.soft_nodes = 200;
    setting.longest = 24;
    SelfPlayer player(setting);
    const auto game = player.play(1, {});
    ASSERT_TRUE(game);
    // Openings that were dropped count too, so only the order of magnitude is certain.
    const auto a_move = player.nodes() / std::max<std::size_t>(game->scores.size(), 1);
    EXPECT_GE(a_move, 150U);
    EXPECT_LE(a_move, 1'600U);
}

TEST(SelfPlay, RelabelsWithoutTouchingTheMoves) {
    SelfPlaySetting setting = small_setting();
    setting.soft_nodes = 60;
    SelfPlayer player(setting);
    const Game& old = fixture_games()[2];
    const auto game = player.relabel(old, {});
    ASSERT_TRUE(game) << game.error().message;
    ASSERT_TRUE(game->has_value());
    EXPECT_EQ((*game)->moves, old.moves);
    EXPECT_EQ((*game)->result, old.result);
    EXPECT_EQ((*game)->scores.size(), old.scores.size());
    EXPECT_NE((*game)->scores, old.scores);
    Game wrong = old;
    wrong.moves[0] = 0xFFFF;
    EXPECT_FALSE(player.relabel(wrong, {}));
}

TEST(Samples, AreQuietNewAndDividedByGame) {
    const Samples samples = fixture_samples({.held_out_percent = 20, .teacher = 2});
    EXPECT_EQ(samples.games, 200U);
    EXPECT_GT(samples.train.size(), samples.held_out.size());
    EXPECT_GT(samples.held_out.size(), 100U);
    EXPECT_GT(samples.teacher.size(), samples.train.size());
    for (const auto* part : {&samples.train, &samples.held_out}) {
        for (const Sample& s : *part)
            ASSERT_LE(std::abs(s.score), 2'500);
    }
    const Samples fewer = fixture_samples({.held_out_percent = 20, .every = 3});
    EXPECT_LT(fewer.train.size() * 2, samples.train.size());
    // The other seed divides otherwise.
    const Samples other = fixture_samples({.held_out_percent = 20, .seed = 2});
    EXPECT_NE(other.train.size(), samples.train.size());
    Game wrong = fixture_games()[0];
    wrong.moves.back() = 0xFFFF;
    const auto refused = SampleMaker({}).add(wrong, 1);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("not a legal move"), std::string::npos);
}

TEST(Samples, FindTheScaleThatMadeThem) {
    SplitMix64 random(5);
    std::vector<Sample> samples(60'000);
    for (Sample& s : samples) {
        s.score = static_cast<std::int16_t>(static_cast<int>(random.below(4'001)) - 2'000);
        const double wins = 1 / (1 + std::exp(-s.score / 450.0));
        s.result = random.below(1'000'000) < 1e6 * wins ? 1 : -1;
    }
    EXPECT_NEAR(fit_scale(samples), 450, 10);
    EXPECT_EQ(fit_scale({}), 600);
}

/// Every number of the gradient against the difference quotient of the loss.
void check_gradient(int buckets) {
    const Layout layout{.buckets = buckets, .width = 16};
    Model model = fresh_model(layout, 3);
    SplitMix64 random(4);
    for (float& n : model.numbers)
        n += 0.05F * (static_cast<float>(random.below(1'000)) / 500 - 1);
    const Samples samples = fixture_samples({});
    const std::vector<std::uint32_t> picks{5, 17, 300};
    const Target target{.scale = 500, .result_share = 0.3};
    Pass pass(layout);
    std::vector<float> working;
    std::vector<float> gradient(layout.size());
    const auto loss = [&] {
        Pass::merge(model, working);
        return pass.run(model, working, samples.train, picks, target, nullptr);
    };
    Pass::merge(model, working);
    EXPECT_NEAR(
        pass.run(model, working, samples.train, picks, target, gradient.data()), loss(), 1e-12);
    int checked = 0;
    for (std::size_t i = 0; i < layout.size(); ++i) {
        const bool shared = i >= layout.shared() && i < layout.rows();
        if (shared || (gradient[i] == 0 && i % 997 != 0)) continue;
        if (i > layout.rows() && i < layout.output() && i % 13 != 0) continue;
        constexpr float kStep = 2e-3F;
        const float before = model.numbers[i];
        model.numbers[i] = before + kStep;
        const double above = loss();
        model.numbers[i] = before - kStep;
        const double below = loss();
        model.numbers[i] = before;
        ASSERT_NEAR(gradient[i], (above - below) / (2 * double{kStep}), 2e-3) << i;
        ++checked;
    }
    EXPECT_GT(checked, 60);
}

TEST(Training, ComputesTheGradient) {
    check_gradient(1);
    check_gradient(5);
}

FitSetting small_fit() {
    FitSetting setting;
    setting.epochs = 3;
    setting.batch = 256;
    return setting;
}

TEST(Training, GivesTheSameNumbersOnAnyNumberOfThreads) {
    const Samples samples = fixture_samples({.held_out_percent = 20});
    std::vector<Model> models;
    for (const int threads : {1, 1, 3}) {
        Model model = fresh_model({.buckets = 1, .width = 16}, 1);
        FitSetting setting = small_fit();
        setting.threads = threads;
        setting.epochs = 1;
        fit(model, samples.train, samples.held_out, {}, setting, "games", {}, [](const Epoch&) {});
        models.push_back(std::move(model));
    }
    EXPECT_EQ(models[0].numbers, models[1].numbers);
    EXPECT_EQ(models[0].numbers, models[2].numbers);
}

TEST(Training, TurnsCurvesIntoTablesAndPictures) {
    const std::vector<Epoch> curve{{.phase = "games", .number = 0, .held_out_loss = 0.09},
                                   {.phase = "games",
                                    .number = 1,
                                    .samples = 10,
                                    .rate = 0.002,
                                    .train_loss = 0.08,
                                    .held_out_loss = 0.085}};
    EXPECT_EQ(to_csv(curve),
              "phase,epoch,samples,rate,train_loss,held_out_loss\n"
              "games,0,0,0,0.000000,0.090000\n"
              "games,1,10,0.002,0.080000,0.085000\n");
    const std::string svg = to_svg(curve, "a net");
    EXPECT_EQ(svg.find("<svg xmlns"), 0U);
    EXPECT_NE(svg.find("a net"), std::string::npos);
    EXPECT_EQ(svg.find("nan"), std::string::npos);
}

/// Float and integers on ten thousand positions of games and of random play.
void compare_paths(const Model& model, const std::shared_ptr<const nnue::PsqNet>& net) {
    SplitMix64 random(8);
    int positions = 0;
    double worst = 0;
    for (std::size_t g = 0; positions < 10'000; ++g) {
        const Game& game = fixture_games()[g % fixture_games().size()];
        Position position = Position::startpos();
        nnue::PsqAccumulators accumulators;
        accumulators.reset(net, position);
        for (const std::uint16_t bits : game.moves) {
            shogi::Move move = position.move_from_bits16(bits);
            if (g >= fixture_games().size()) {
                shogi::MoveList moves;
                shogi::legal_moves(position, moves);
                if (moves.empty()) break;
                move = moves[random.below(static_cast<std::uint32_t>(moves.size()))];
            }
            accumulators.do_move(position, move);
            position.do_move(move);
            const double apart =
                std::abs(evaluate(model, position) - accumulators.evaluate(position));
            worst = std::max(worst, apart);
            ASSERT_LE(apart, 2.0) << shogi::to_sfen(position);
            ++positions;
        }
    }
    testing::Test::RecordProperty("worst_centipawns", std::to_string(worst));
}

TEST(Chain, GeneratesTrainsExportsLoadsAndPlays) {
    const Samples samples = fixture_samples({.held_out_percent = 20, .teacher = 1});
    const Target target{.scale = 600};
    Model model = fresh_model({.buckets = 5, .width = 16}, 1);
    std::vector<Epoch> curve;
    const auto note = [&curve](const Epoch& epoch) { curve.push_back(epoch); };
    fit(model, samples.teacher, samples.teacher_held_out, target, small_fit(), "teacher", {}, note);
    fit(model, samples.train, samples.held_out, target, small_fit(), "games", {}, note);
    ASSERT_EQ(curve.size(), 8U);
    EXPECT_LT(curve[3].held_out_loss, curve[0].held_out_loss);
    EXPECT_LT(loss_of(model, samples.held_out, target), curve[4].held_out_loss + 1e-9);

    auto weights = rounded(model);
    ASSERT_TRUE(weights) << weights.error().message;
    weights->provenance = "made_by a test\n";
    const auto made = nnue::PsqNet::make(std::move(*weights));
    ASSERT_TRUE(made) << made.error().message;
    const auto net = nnue::PsqNet::parse((*made)->encode());
    ASSERT_TRUE(net) << net.error().message;
    EXPECT_GE((*net)->weights().unit_shift, 10);
    compare_paths(model, *net);

    // A game by the net, from a start of its own, has legal moves to the end.
    SelfPlaySetting setting = small_setting();
    setting.seed = 99;
    SelfPlayer player(setting, shogi::eval::Kind::nnue, {.psq = *net});
    const auto game = player.play(0, {});
    ASSERT_TRUE(game);
    EXPECT_TRUE(SampleMaker({}).add(*game, 99));
    EXPECT_GT(game->scores.size(), 3U);
    // Training goes on from a file.
    const Model again = model_of((*net)->weights());
    EXPECT_NEAR(
        loss_of(again, samples.held_out, target), loss_of(model, samples.held_out, target), 1e-4);
}

}  // namespace
}  // namespace yomi::train
