#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/hash.hpp"
#include "tests/oracle/othello_minimax.hpp"
#include "tools/othello_train/careful.hpp"
#include "tools/othello_train/check.hpp"
#include "tools/othello_train/draw.hpp"
#include "tools/othello_train/fit.hpp"
#include "tools/othello_train/probcut_fit.hpp"
#include "tools/othello_train/relabel.hpp"
#include "tools/othello_train/samples.hpp"

namespace yomi::othello_train {
namespace {

/// Positions whose score is a plain function of the board: what a fit must find.
std::vector<Sample> made_up_samples(std::size_t count, double scale) {
    SplitMix64 random(9);
    std::vector<Sample> samples;
    while (samples.size() < count) {
        const auto position =
            oracle::random_position(random, 10 + static_cast<int>(random.below(30)));
        if (othello::legal_moves(position.board) == 0) continue;
        constexpr std::uint64_t kCorners = 0x8100'0000'0000'0081;
        const int corners = std::popcount(position.board.player & kCorners) -
                            std::popcount(position.board.opponent & kCorners);
        Sample sample{.board = position.board};
        sample.score = static_cast<std::int8_t>(std::lround(8 * corners * scale));
        sample.expected = static_cast<std::int16_t>(8 * corners * 128);
        samples.push_back(sample);
    }
    return samples;
}

TEST(OthelloTrain, UnitsComeBackAsTheyWereWritten) {
    const auto folder = std::filesystem::path(testing::TempDir()) / "othello_units";
    std::filesystem::create_directories(folder);
    const std::vector<Sample> samples = made_up_samples(50, 1);
    const auto file = folder / unit_name(7);
    ASSERT_TRUE(write_unit(file, samples));
    EXPECT_EQ(units_of(folder).back(), file);
    const auto again = read_unit(file);
    ASSERT_TRUE(again);
    ASSERT_EQ(again->size(), samples.size());
    for (std::size_t i = 0; i < samples.size(); ++i) {
        EXPECT_EQ((*again)[i].board, samples[i].board);
        EXPECT_EQ((*again)[i].score, samples[i].score);
        EXPECT_EQ((*again)[i].expected, samples[i].expected);
    }
    std::filesystem::resize_file(file, std::filesystem::file_size(file) - 1);
    EXPECT_FALSE(read_unit(file));
    std::filesystem::remove_all(folder);
}

TEST(OthelloTrain, FindsWhatTheLabelsAreMadeOf) {
    FitOptions options{.epochs = 12, .prior = 5, .held_out = 0.2};
    FitReport last;
    const auto weights = fit(
        made_up_samples(3'000, 1), options, {}, [&](const FitReport& report) { last = report; });
    EXPECT_EQ(last.epoch, 12);
    double labels = 0;  // the error of an evaluation that knows nothing
    for (const Sample& sample : made_up_samples(3'000, 1))
        labels += std::abs(sample.score) / 3'000.0;
    EXPECT_LT(last.held_out, 0.9 * labels);
    EXPECT_LT(last.train, 0.35 * labels);
    EXPECT_EQ(weights.knots.size(), othello::eval::kKnots.size());
    EXPECT_EQ(stored(restored(stored(weights))), stored(weights));
}

TEST(OthelloTrain, CalibrationMeetsTheScores) {
    FitOptions options{.epochs = 2, .prior = 5, .expected_share = 1, .held_out = 0.2};
    options.calibrate = true;
    // The same labels, and games that came to as much or to twice as much.
    const auto scales_of = [&](double scale) {
        FitReport last;
        fit(made_up_samples(1'000, scale), options, {}, [&](const FitReport& report) {
            last = report;
        });
        return last.scales;
    };
    const auto once = scales_of(1);
    const auto twice = scales_of(2);
    for (std::size_t knot = 0; knot < 8; ++knot) {
        EXPECT_GT(once[knot], 0.5F) << othello::eval::kKnots[knot];
        EXPECT_NEAR(twice[knot], 2 * once[knot], 1e-3F) << othello::eval::kKnots[knot];
    }
}

TEST(OthelloTrain, WhatIsHeldOutIsNotLearned) {
    const FitOptions options{.epochs = 1, .prior = 5, .expected_share = 1, .held_out = 0};
    const auto start =
        fit(made_up_samples(500, 1), options, {}, [](const FitReport& report) { (void)report; });
    FitOptions all{.epochs = 1, .expected_share = 1, .held_out = 1, .shared = false};
    FitReport last;
    const auto keep = [&last](const FitReport& report) { last = report; };
    EXPECT_EQ(stored(fit(made_up_samples(500, 1), all, start, keep)), stored(start));
    EXPECT_EQ(last.train, 0);
    EXPECT_GT(last.held_out, 0);
    // Calibrated on games that came to twice as much, values double and a disc is a disc again.
    all.calibrate = true;
    const auto doubled = fit(made_up_samples(500, 2), all, start, keep);
    const auto same = fit(made_up_samples(500, 1), all, start, keep);
    for (std::size_t i = 0; i < doubled.knots[4].size(); ++i)
        EXPECT_NEAR(doubled.knots[4][i], 2 * same.knots[4][i], 1e-3F);
}

TEST(OthelloTrain, LabelsFarOffCountAsFarAsTheyMay) {
    // One label in ten is the greatest there is: squares of errors are drawn to it.
    std::vector<Sample> samples = made_up_samples(3'000, 1);
    const std::vector<Sample> clean = samples;
    for (std::size_t i = 0; i < samples.size(); i += 10)
        samples[i].expected = 64 * 128;
    const auto error_of = [&](double most_error) {
        FitOptions options{.epochs = 6, .prior = 5, .expected_share = 1, .held_out = 0};
        options.most_error = most_error;
        const auto weights =
            fit(samples, options, {}, [](const FitReport& report) { (void)report; });
        FitReport last;
        const FitOptions look{.epochs = 1, .expected_share = 1, .held_out = 1, .shared = false};
        fit(clean, look, weights, [&last](const FitReport& report) { last = report; });
        return last.held_out;
    };
    EXPECT_LT(error_of(4), 0.9 * error_of(128));
}

TEST(OthelloTrain, RecoversTheErrorModelThatMadeThePairs) {
    SplitMix64 random(3);
    const othello::search::ErrorModel truth = {5.0, -0.05, 0.3, -0.5, 1.0};
    std::vector<ValuePair> pairs;
    for (int i = 0; i < 40'000; ++i) {
        ValuePair pair{.empties = 14 + static_cast<int>(random.below(40)),
                       .deep = 4 + static_cast<int>(random.below(8))};
        pair.shallow =
            static_cast<int>(random.below(static_cast<std::uint32_t>(pair.deep / 2 + 1)));
        double normal = -6;  // twelve uniform numbers make one that is normal enough
        for (int k = 0; k < 12; ++k)
            normal += static_cast<double>(random.below(1'000'000)) / 1e6;
        pair.difference = normal * truth.deviation(pair.empties, pair.deep, pair.shallow);
        pairs.push_back(pair);
    }
    const auto model = fit_error_model(pairs);
    for (const int empties : {16, 30, 50}) {
        const double expected = truth.deviation(empties, 8, 4);
        EXPECT_NEAR(model.deviation(empties, 8, 4), expected, 0.05 * expected);
    }
    const auto rates = hit_rates(pairs, model);
    for (std::size_t i = 0; i < rates.size(); ++i)
        EXPECT_NEAR(100 * rates[i], othello::search::kConfidence[i], 1.5);
}

TEST(OthelloTrain, MeasuresPairsOfRealSearches) {
    const std::vector<Sample> samples = made_up_samples(200, 1);
    const ProbCutOptions options{
        .positions = 4, .solved = 3, .depth = 5, .least_solved = 10, .most_solved = 12};
    const auto pairs = measure_probcut(samples, othello::eval::Evaluator::shipped(), options);
    // Depths 4 and 5 against 0, 2 and 1, 3.
    EXPECT_EQ(pairs.midgame.size(), 4U * 4U);
    EXPECT_EQ(pairs.endgame.size(), 3U * 6U);
    for (const ValuePair& pair : pairs.endgame) {
        EXPECT_EQ(pair.deep, pair.empties);
        EXPECT_LE(std::abs(pair.difference), 128);
    }
}

TEST(OthelloTrain, RelabelsBySolvingAndBySearching) {
    SplitMix64 random(11);
    std::vector<Sample> samples;
    while (samples.size() < 12) {
        // Eight positions that are solved, then four that are searched.
        const int empties = samples.size() < 8 ? 8 : 20;
        const auto position = oracle::random_position(random, empties);
        const othello::Board& board = position.board;
        if (board.empties() != empties || othello::legal_moves(board) == 0) continue;
        samples.push_back({.board = board, .score = 2, .expected = 3});
    }
    const othello::eval::Evaluator& shipped = othello::eval::Evaluator::shipped();
    const RelabelOptions options{.depth = 1, .solve_from = 8};
    const auto labelled = relabel_unit(samples, 1, options, &shipped);
    ASSERT_EQ(labelled.size(), samples.size());
    for (std::size_t i = 0; i < labelled.size(); ++i) {
        EXPECT_EQ(labelled[i].board, samples[i].board);
        EXPECT_EQ(labelled[i].solved, i < 8);
        if (i < 8) {
            EXPECT_EQ(labelled[i].score, oracle::minimax(samples[i].board, -64, 64));
            EXPECT_EQ(labelled[i].expected, 128 * labelled[i].score);
            continue;
        }
        EXPECT_EQ(labelled[i].score, samples[i].score);  // what the game came to stays
        int best = -64;  // one ply is the best of the replies' own values
        for (std::uint64_t rest = othello::legal_moves(samples[i].board); rest != 0;
             rest &= rest - 1) {
            const auto square = lowest_bit(rest);
            const othello::Board next = othello::after_move(
                samples[i].board, square, othello::flips(samples[i].board, square));
            const double value = static_cast<double>(shipped.fine(
                                     next, othello::eval::indices_of(next), next.empties())) /
                                 othello::eval::Evaluator::kFineUnit;
            best = std::max(best, static_cast<int>(std::lround(-value)));
        }
        EXPECT_NEAR(labelled[i].expected / 128, best, 1);
    }
}

TEST(OthelloTrain, RelabelsTheSameWayTwiceAndKeepsWhatIsSolved) {
    std::vector<Sample> samples = made_up_samples(60, 1);
    samples[5].solved = true;
    const othello::eval::Evaluator& shipped = othello::eval::Evaluator::shipped();
    const RelabelOptions options{.depth = 2, .solve_from = 8, .aside_percent = 50};
    const auto once = relabel_unit(samples, 7, options, &shipped);
    const auto twice = relabel_unit(samples, 7, options, &shipped);
    ASSERT_EQ(once.size(), twice.size());
    std::size_t moved = 0;
    for (std::size_t i = 0; i < once.size(); ++i) {
        EXPECT_EQ(once[i].board, twice[i].board);
        EXPECT_EQ(once[i].expected, twice[i].expected);
        const bool there = std::any_of(samples.begin(), samples.end(), [&](const Sample& sample) {
            return sample.board == once[i].board;
        });
        moved += there ? 0 : 1;
    }
    EXPECT_GT(moved, 10U);
    EXPECT_LT(moved, 50U);
    const auto kept = std::find_if(once.begin(), once.end(), [&](const Sample& sample) {
        return sample.board == samples[5].board;
    });
    ASSERT_NE(kept, once.end());
    EXPECT_EQ(kept->score, samples[5].score);
    EXPECT_EQ(kept->expected, samples[5].expected);
}

TEST(OthelloTrain, DrawnPositionsCarryTheirExactScore) {
    const auto& evaluator = othello::eval::Evaluator::shipped();
    const DrawOptions options{.positions = 120,
                              .least_empties = 5,
                              .most_empties = 8,
                              .label = {.depth = 2, .solve_from = 8}};
    const auto samples = draw_unit(3, options, evaluator);
    ASSERT_GE(samples.size(), 120U);
    for (const Sample& sample : samples) {
        ASSERT_TRUE(sample.solved);
        ASSERT_GE(sample.board.empties(), 4);  // lines are followed
        ASSERT_LE(sample.board.empties(), 8);
        ASSERT_EQ(sample.score, oracle::minimax(sample.board, -65, 65));
        ASSERT_EQ(sample.expected, 128 * sample.score);
    }
    const auto again = draw_unit(3, options, evaluator);
    ASSERT_EQ(again.size(), samples.size());
    for (std::size_t i = 0; i < samples.size(); ++i)
        EXPECT_EQ(again[i].board, samples[i].board);
    EXPECT_NE(draw_unit(4, options, evaluator).front().board, samples.front().board);
}

TEST(OthelloTrain, DrawnMidgamePositionsAreLabelledByASearch) {
    const DrawOptions options{.positions = 40,
                              .least_empties = 30,
                              .most_empties = 34,
                              .label = {.depth = 3, .solve_from = 8}};
    for (const Sample& sample : draw_unit(5, options, othello::eval::Evaluator::shipped())) {
        EXPECT_FALSE(sample.solved);
        EXPECT_GE(sample.board.empties(), 30);
        EXPECT_LE(sample.board.empties(), 34);
        EXPECT_NE(othello::legal_moves(sample.board), 0U);
        EXPECT_EQ(sample.expected, 128 * sample.score);
    }
}

double mean_absolute(const std::vector<Sample>& samples) {
    double sum = 0;
    for (const Sample& sample : samples)
        sum += std::abs(sample.score);
    return sum / static_cast<double>(samples.size());
}

TEST(OthelloTrain, CarefulGamesAreAsLopsidedAsTheirTemperature) {
    const auto& evaluator = othello::eval::Evaluator::shipped();
    CarefulOptions options{.positions = 240,
                           .least_empties = 36,
                           .most_empties = 40,
                           .share_percent = 100,
                           .most_lead = 3,  // what is lopsided became so in the game
                           .play_depth = 2,
                           .least_temperature = 8,
                           .most_temperature = 8,
                           .label = {.depth = 1, .solve_from = 8}};
    const auto careless = careful_unit(3, options, evaluator);
    ASSERT_GE(careless.size(), 240U);
    for (const Sample& sample : careless) {
        EXPECT_GE(sample.board.empties(), 36);
        EXPECT_LE(sample.board.empties(), 40);
        EXPECT_NE(othello::legal_moves(sample.board), 0U);
        EXPECT_EQ(sample.expected, 128 * sample.score);
    }
    const auto again = careful_unit(3, options, evaluator);
    ASSERT_EQ(again.size(), careless.size());
    for (std::size_t i = 0; i < careless.size(); ++i)
        EXPECT_EQ(again[i].board, careless[i].board);

    options.least_temperature = 0.01;
    options.most_temperature = 0.01;
    const auto best = careful_unit(3, options, evaluator);
    EXPECT_LT(mean_absolute(best), 0.6 * mean_absolute(careless));

    options.least_empties = 38;
    options.most_empties = 38;
    options.aside_percent = 100;
    for (const Sample& sample : careful_unit(3, options, evaluator))
        EXPECT_EQ(sample.board.empties(), 37);
}

TEST(OthelloTrain, CarefulPlayersHaveHabitsAndLookAsFarAsTheyLike) {
    const auto& evaluator = othello::eval::Evaluator::shipped();
    const CarefulOptions plain{.positions = 240,
                               .least_empties = 36,
                               .most_empties = 40,
                               .share_percent = 100,
                               .most_lead = 3,
                               .play_depth = 1,
                               .least_temperature = 0.05,
                               .most_temperature = 0.05,
                               .label = {.depth = 3, .solve_from = 8}};
    const auto unit = careful_unit(3, plain, evaluator);
    const auto boards_equal = [&unit](const std::vector<Sample>& other) {
        return std::equal(unit.begin(),
                          unit.end(),
                          other.begin(),
                          other.end(),
                          [](const Sample& a, const Sample& b) { return a.board == b.board; });
    };
    CarefulOptions stubborn = plain;
    stubborn.habits = 24;
    const auto habits = careful_unit(3, stubborn, evaluator);
    EXPECT_FALSE(boards_equal(habits));
    EXPECT_GT(mean_absolute(habits), 1.5 * mean_absolute(unit));

    // A bound that allows no other depth changes nothing.
    CarefulOptions mixed = plain;
    mixed.most_play_depth = 1;
    EXPECT_TRUE(boards_equal(careful_unit(3, mixed, evaluator)));
    mixed.most_play_depth = 4;
    const auto unequal = careful_unit(3, mixed, evaluator);
    EXPECT_FALSE(boards_equal(unequal));
    const auto again = careful_unit(3, mixed, evaluator);
    ASSERT_EQ(again.size(), unequal.size());
    for (std::size_t i = 0; i < again.size(); ++i)
        EXPECT_EQ(again[i].board, unequal[i].board);
}

TEST(OthelloTrain, LinesAreSampledForOneSideOrForBoth) {
    const auto odd_share = [](int step) {
        const DrawOptions options{.positions = 200,
                                  .least_empties = 10,
                                  .most_empties = 10,
                                  .label = {.solve_from = 10, .follow_step = step}};
        const auto samples = draw_unit(3, options, othello::eval::Evaluator::shipped());
        double odd = 0;
        for (const Sample& sample : samples) {
            odd += sample.board.empties() % 2;
            if (sample.board.empties() <= 8) {
                EXPECT_EQ(sample.score, oracle::minimax(sample.board, -65, 65));
            }
        }
        return odd / static_cast<double>(samples.size());
    };
    EXPECT_LT(odd_share(2), 0.2);  // only where a side had to pass
    EXPECT_GT(odd_share(1), 0.3);
}

TEST(OthelloTrain, CarefulOpeningsLeaveNobodyTooFarAhead) {
    CarefulOptions options{.positions = 20,
                           .least_empties = 48,
                           .most_empties = 48,
                           .share_percent = 100,
                           .least_opening = 12,
                           .most_opening = 12,
                           .opening_temperature = 8,
                           .most_lead = 3,
                           .play_depth = 1,
                           .label = {.depth = 4, .selectivity = 5, .solve_from = 8}};
    const auto most = [&options] {
        int lead = 0;
        for (const Sample& sample : careful_unit(2, options, othello::eval::Evaluator::shipped())) {
            lead = std::max(lead, std::abs(static_cast<int>(sample.score)));
        }
        return lead;
    };
    EXPECT_LE(most(), 3);
    options.most_lead = 64;
    EXPECT_GT(most(), 8);
}

TEST(OthelloTrain, FitWithoutASharedPartLeavesOtherKnotsAlone) {
    // Samples of 10 to 39 empties cannot touch the knots at 46 and 52.
    const FitOptions options{.epochs = 1, .prior = 5, .shared = false};
    const auto weights = fit(made_up_samples(500, 1), options, {}, [](const FitReport&) {});
    const auto zero = [](float weight) { return weight == 0; };
    EXPECT_TRUE(std::all_of(weights.knots[9].begin(), weights.knots[9].end(), zero) &&
                std::all_of(weights.knots[10].begin(), weights.knots[10].end(), zero));
    EXPECT_FALSE(std::all_of(weights.knots[4].begin(), weights.knots[4].end(), zero));
    // Nor do hidden units count there, and what they add for contents that were never seen is 0.
    const auto nothing = [&](const FloatWeights::Units& units) {
        return std::all_of(units.begin(), units.end(), zero);
    };
    EXPECT_TRUE(nothing(weights.outputs[9]) && nothing(weights.outputs[10]));
    EXPECT_FALSE(nothing(weights.outputs[4]));
    const auto unseen = std::count_if(weights.hidden.begin(), weights.hidden.end(), nothing);
    EXPECT_GT(unseen, 1'000);
    EXPECT_LT(unseen, static_cast<std::ptrdiff_t>(weights.hidden.size()) - 1'000);
}

TEST(OthelloTrain, MeasuresAnEvaluationOnSolvedPositions) {
    const auto file = std::filesystem::path(testing::TempDir()) / "othello_solved.obf";
    std::ofstream(file) << "no problem\n"
                           "---------------------------OX------XO--------------------------- X; "
                           "% exact +6\n";
    const auto positions = solved_positions(file);
    ASSERT_TRUE(positions) << positions.error().message;
    ASSERT_EQ(positions->size(), 1U);
    EXPECT_EQ(positions->front().score, 6);
    othello::eval::Weights nothing;
    for (auto& knot : nothing.knots)
        knot.resize(static_cast<std::size_t>(othello::eval::packing().slots));
    nothing.hidden.resize(static_cast<std::size_t>(othello::eval::packing().hidden_slots()));
    const ErrorSummary error = measure(othello::eval::Evaluator(nothing), *positions, 0);
    EXPECT_EQ(error.positions, 1);
    EXPECT_DOUBLE_EQ(error.absolute, 6);
    EXPECT_DOUBLE_EQ(error.mean, -6);
    EXPECT_DOUBLE_EQ(error.spread, 6);
    EXPECT_FALSE(solved_positions(file / "none"));
    std::filesystem::remove(file);
}

}  // namespace
}  // namespace yomi::othello_train
