#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/hash.hpp"
#include "core/shogi/eval/classic.hpp"
#include "core/shogi/notation/sfen.hpp"
#include "tests/oracle/shogi_random.hpp"
#include "tools/tune/game.hpp"
#include "tools/tune/hand_tables.hpp"
#include "tools/tune/regression.hpp"
#include "tools/tune/samples.hpp"
#include "tools/tune/selfplay.hpp"
#include "tools/tune/tables_source.hpp"
#include "tools/tune/weights.hpp"

namespace yomi::tune {
namespace {

using shogi::Position;
using testing::HasSubstr;

double dot(const std::vector<Feature>& features, const Weights& weights) {
    double sum = 0;
    for (const Feature f : features)
        sum += weights[f.weight] * f.count * static_cast<double>(unit_of(f.weight));
    return sum;
}

/// Real positions of random games; every few of them a random set-up.
std::vector<Position> some_positions(std::uint64_t seed, int count) {
    SplitMix64 random(seed);
    std::vector<Position> positions;
    for (int i = 0; i < count; ++i) {
        if (i % 4 == 0) {
            positions.push_back(
                *Position::from_setup(shogi::oracle::random_setup(random, 30, i % 20 == 0)));
        } else {
            positions.push_back(Position::startpos());
            shogi::oracle::play_randomly(
                positions.back(), random, 10 + static_cast<int>(random.below(120)));
        }
    }
    return positions;
}

/// Positions with results drawn from what `truth` says of them.
DataSet synthetic(const std::vector<Position>& positions,
                  const Weights& truth,
                  double scale,
                  bool exact,
                  std::uint64_t seed) {
    SplitMix64 random(seed);
    DataSet data;
    for (const Position& position : positions) {
        const auto features = features_of(position);
        const double value = position.material() + dot(features, truth);
        const double chance = 1 / (1 + std::exp(-value / scale));
        const double drawn = static_cast<double>(random.below(1'000'000)) / 1e6 < chance ? 1 : 0;
        data.add(features,
                 static_cast<float>(position.material()),
                 static_cast<float>(exact ? chance : drawn),
                 static_cast<float>(value / 2));
    }
    return data;
}

TEST(TuneWeights, SayWhatTheEvaluationSays) {
    const Weights weights = to_weights(shogi::eval::kClassicTables);
    for (const Position& position : some_positions(1, 600)) {
        const auto terms = shogi::eval::Classic::explain_fresh(position);
        // Mobility and danger are rounded towards zero, each by less than a centipawn.
        EXPECT_NEAR(position.material() + dot(features_of(position), weights), terms.total(), 2.0)
            << shogi::to_sfen(position);
    }
}

TEST(TuneWeights, GoThereAndBack) {
    EXPECT_EQ(to_tables(to_weights(shogi::eval::kClassicTables)), shogi::eval::kClassicTables);
    EXPECT_EQ(to_tables(to_weights(hand_written_tables())), hand_written_tables());
    EXPECT_EQ(to_weights(hand_written_tables()).size(), weight_count());
}

TEST(TuneRegression, GradientEqualsFiniteDifferences) {
    Weights weights = to_weights(hand_written_tables());
    const DataSet data = synthetic(some_positions(2, 60), weights, 300, false, 3);
    const Model model{.scale = 350, .result_share = 0.7};
    const Weights gradient = gradient_of(data, weights, model);
    SplitMix64 random(4);
    int felt = 0;
    for (int round = 0; round < 400; ++round) {
        // Half of them certainly occur: those of some position.
        const auto features = data.features(random.below(static_cast<std::uint32_t>(data.size())));
        const std::size_t w =
            round % 2 == 0
                ? features[random.below(static_cast<std::uint32_t>(features.size()))].weight
                : random.below(static_cast<std::uint32_t>(weights.size()));
        const double kept = weights[w];
        constexpr double kStep = 1e-2;
        weights[w] = kept + kStep;
        const double above = loss_of(data, weights, model);
        weights[w] = kept - kStep;
        const double below = loss_of(data, weights, model);
        weights[w] = kept;
        const double slope = (above - below) / (2 * kStep);
        EXPECT_NEAR(gradient[w], slope, 1e-9 + 1e-4 * std::abs(slope)) << "weight " << w;
        felt += gradient[w] != 0 ? 1 : 0;
    }
    EXPECT_GT(felt, 200);
}

TEST(TuneRegression, FitsTheScaleThatMadeTheResults) {
    const Weights weights = to_weights(hand_written_tables());
    const DataSet data = synthetic(some_positions(5, 300), weights, 420, true, 6);
    EXPECT_NEAR(fit_scale(data, weights), 420, 2);
}

TEST(TuneRegression, RecoversKnownWeights) {
    const Weights start = to_weights(hand_written_tables());
    Weights truth = start;
    // The last numbers are the weights of mobility, control, danger and the right to move.
    SplitMix64 random(7);
    for (std::size_t w = truth.size() - 8; w < truth.size(); ++w)
        truth[w] += w + 1 == truth.size() ? 30.0 : 20.0 + static_cast<double>(random.below(30));
    const auto positions = some_positions(8, 3'000);
    const DataSet train = synthetic(positions, truth, 400, true, 9);
    const DataSet validation = synthetic(some_positions(10, 300), truth, 400, true, 11);
    FitSetting setting;
    setting.model = {.scale = 400, .result_share = 1};
    setting.epochs = 30;
    setting.batch = 128;
    setting.pull = 1e-9;
    Epoch last;
    const Weights found =
        fit(train, validation, start, setting, [&](const Epoch& epoch) { last = epoch; });
    const double floor = loss_of(validation, truth, setting.model);
    const double before = loss_of(validation, start, setting.model) - floor;
    const double after = loss_of(validation, found, setting.model) - floor;
    EXPECT_EQ(last.number, setting.epochs);
    EXPECT_LT(after, before / 20);
    for (std::size_t w = truth.size() - 8; w < truth.size(); ++w) {
        EXPECT_LT(std::abs(found[w] - truth[w]), 0.35 * std::abs(start[w] - truth[w]))
            << "weight " << w << ": " << start[w] << " -> " << found[w] << ", truth " << truth[w];
    }
    EXPECT_EQ(found, fit(train, validation, start, setting, [](const Epoch&) {}));
}

TEST(TuneGames, ReadWhatTheyWrite) {
    const Game game{.result = 0.5,
                    .opening_plies = 1,
                    .scores = {12, -30, kMateScore},
                    .usi = "startpos moves 7g7f 3c3d 2g2f 8c8d"};
    const auto read = parse_game(to_line(game));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(*read, game);
}

TEST(TuneGames, NameTheWrongPlace) {
    EXPECT_THAT(parse_game("1\t4\t12").error().message, HasSubstr("four fields"));
    const auto result = parse_game("2\t4\t12\tstartpos");
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().column, 1);
    EXPECT_EQ(result.error().value, "2");
    const auto plies = parse_game("1\t-4\t12\tstartpos");
    ASSERT_FALSE(plies);
    EXPECT_EQ(plies.error().column, 3);
    const auto score = parse_game("1\t4\t12 x9\tstartpos");
    ASSERT_FALSE(score);
    EXPECT_EQ(score.error().column, 8);
    EXPECT_EQ(score.error().value, "x9");

    Game game{.result = 1, .opening_plies = 1, .scores = {5}, .usi = "startpos moves 7g7f"};
    EXPECT_THAT(make_samples({game}, {}).error().message,
                HasSubstr("game 1: 1 moves, but 1 opening plies and 1 scores"));
    game.usi = "startpos moves 7g7f 3c3e";
    EXPECT_THAT(make_samples({game}, {}).error().message, HasSubstr("game 1: "));
}

TEST(TuneSamples, TakeOnlyQuietChosenMoves) {
    // One random ply, then three quiet moves, a capture with promotion, its recapture, and a quiet
    // drop whose score is beyond the limit.
    const Game game{.result = 1,
                    .opening_plies = 1,
                    .scores = {10, 20, 30, 40, 50, 3'000},
                    .usi = "startpos moves 7g7f 3c3d 2g2f 4a3b 8h2b+ 3a2b B*4e"};
    const auto samples = make_samples({game}, {.validation_percent = 0});
    ASSERT_TRUE(samples) << samples.error().message;
    ASSERT_EQ(samples->train.size(), 3U);
    EXPECT_EQ(samples->validation.size(), 0U);
    EXPECT_EQ(samples->train.score(0), -10.0F);  // White's view turned round
    EXPECT_EQ(samples->train.score(1), 20.0F);
    EXPECT_EQ(samples->train.result(2), 1.0F);
    const auto other = make_samples({game}, {.score_limit = 5'000, .validation_percent = 100});
    EXPECT_EQ(other->train.size(), 0U);
    EXPECT_EQ(other->validation.size(), 4U);
}

TEST(TuneChain, PlaysFitsAndWritesTables) {
    SelfPlaySetting setting;
    setting.games = 6;
    setting.nodes = 60;
    setting.longest = 80;
    std::vector<Game> games;
    play_games(setting, {}, [&](const Game& game) { games.push_back(game); });
    ASSERT_EQ(games.size(), 6U);
    std::vector<Game> again;
    play_games(setting, {}, [&](const Game& game) { again.push_back(game); });
    EXPECT_EQ(games, again);

    const auto samples = make_samples(games, {.validation_percent = 40, .seed = 2});
    ASSERT_TRUE(samples) << samples.error().message;
    ASSERT_GT(samples->train.size(), 20U);
    ASSERT_GT(samples->validation.size(), 5U);
    FitSetting fitting;
    fitting.model = {.scale = 600, .result_share = 0.5};
    fitting.epochs = 5;
    fitting.batch = 64;
    fitting.pull = 1e-8;
    const Weights start = to_weights(hand_written_tables());
    double first = 0;
    double last = 0;
    const Weights found =
        fit(samples->train, samples->validation, start, fitting, [&](const Epoch& epoch) {
            (epoch.number == 0 ? first : last) = epoch.train_loss;
        });
    EXPECT_LT(last, first);
    // Never worse than the start where it counts, and written as source.
    EXPECT_LE(loss_of(samples->validation, found, fitting.model),
              loss_of(samples->validation, start, fitting.model));
    const std::string source = tables_source(to_tables(found), {"made by a test"});
    EXPECT_THAT(source, HasSubstr("// made by a test\n"));
    EXPECT_THAT(source, HasSubstr("constinit const ClassicTables kClassicTables{"));
    EXPECT_EQ(std::count(source.begin(), source.end(), '{'),
              std::count(source.begin(), source.end(), '}'));
}

TEST(TuneSelfPlay, StopsWhenAsked) {
    std::stop_source stop;
    int taken = 0;
    play_games({.games = 1'000, .nodes = 30, .longest = 40}, stop.get_token(), [&](const Game&) {
        ++taken;
        stop.request_stop();
    });
    EXPECT_EQ(taken, 1);
}

}  // namespace
}  // namespace yomi::tune
