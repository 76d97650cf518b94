#include "tools/match/statistics.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "core/base/hash.hpp"

namespace yomi::match {
namespace {

Pentanomial pairs(
    std::uint64_t n0, std::uint64_t n1, std::uint64_t n2, std::uint64_t n3, std::uint64_t n4) {
    return Pentanomial{{n0, n1, n2, n3, n4}};
}

TEST(Elo, FollowsTheLogisticCurve) {
    EXPECT_DOUBLE_EQ(elo_of_score(0.5), 0);
    // 400 log10(3) = 190.848501887..., 400 log10(9) = 381.697003775...
    EXPECT_NEAR(elo_of_score(0.75), 190.848501888, 1e-8);
    EXPECT_NEAR(elo_of_score(0.10), -381.697003775, 1e-8);
    EXPECT_NEAR(score_of_elo(400), 10.0 / 11.0, 1e-12);
    EXPECT_EQ(elo_of_score(1), std::numeric_limits<double>::infinity());
    EXPECT_EQ(elo_of_score(0), -std::numeric_limits<double>::infinity());
    for (double elo = -700; elo <= 700; elo += 12.5) {
        EXPECT_NEAR(elo_of_score(score_of_elo(elo)), elo, 1e-8);
    }
}

TEST(Pentanomial, MeanAndVarianceByHand) {
    // Mean game scores 0, 1/4, 1/2, 3/4, 1 with weights 1, 2, 4, 2, 1: mean 1/2,
    // variance (2 * 1/4 + 4 * 1/16) / 10 = 0.075.
    const Pentanomial symmetric = pairs(1, 2, 4, 2, 1);
    EXPECT_EQ(symmetric.pairs(), 10U);
    EXPECT_DOUBLE_EQ(symmetric.score(), 0.5);
    EXPECT_DOUBLE_EQ(symmetric.variance(), 0.075);
    // 0 once, 1 three times: mean 0.75, variance 0.75 * 0.25.
    EXPECT_DOUBLE_EQ(pairs(1, 0, 0, 0, 3).score(), 0.75);
    EXPECT_DOUBLE_EQ(pairs(1, 0, 0, 0, 3).variance(), 0.1875);
    EXPECT_DOUBLE_EQ(Pentanomial{}.score(), 0.5);
}

TEST(EloEstimate, IntervalAndLosByHand) {
    // 100 pairs, 25 lost and 75 won twice: score 0.75, error sqrt(0.1875 / 100) = 0.04330127.
    // 0.75 -+ 1.95996398 * 0.04330127 = 0.66513107 and 0.83486893; elo 119.23 and 281.51.
    const EloEstimate estimate = estimate_elo(pairs(25, 0, 0, 0, 75));
    EXPECT_NEAR(estimate.elo, 190.8485, 1e-4);
    EXPECT_NEAR(estimate.low, -400 * std::log10(1 / 0.66513107 - 1), 1e-4);
    EXPECT_NEAR(estimate.high, -400 * std::log10(1 / 0.83486893 - 1), 1e-4);
    EXPECT_NEAR(estimate.low, 119.23, 0.02);
    EXPECT_NEAR(estimate.high, 281.51, 0.02);
    EXPECT_GT(estimate.los, 0.9999);

    // One error above one half: LOS is the normal distribution at 1, 0.841344746.
    // Weights 3 and 5 of 8 at 0 and 1: mean 0.625, variance 0.234375, error sqrt(0.234375 / 8) =
    // 0.17116.
    const EloEstimate weak = estimate_elo(pairs(3, 0, 0, 0, 5));
    EXPECT_NEAR(
        weak.los, 0.5 * (1 + std::erf(0.125 / std::sqrt(0.234375 / 8) / std::sqrt(2.0))), 1e-12);
    EXPECT_NEAR(weak.los, 0.7674, 1e-3);
    EXPECT_NEAR(estimate_elo(pairs(5, 0, 0, 0, 3)).los, 1 - weak.los, 1e-12);
}

TEST(EloEstimate, CorrelatedPairsAreWorthMoreThanTheirGames) {
    // 50 % in single points either way, but when every pair is 1:1 there is nothing left to doubt.
    const EloEstimate loud = estimate_elo(pairs(50, 0, 1, 0, 50));
    const EloEstimate still = estimate_elo(pairs(1, 0, 99, 0, 1));
    EXPECT_LT(still.high - still.low, (loud.high - loud.low) / 5);
}

TEST(EloEstimate, SaysNothingAboutTheSpreadOfEqualPairs) {
    EXPECT_EQ(estimate_elo(pairs(0, 0, 7, 0, 0)).elo, 0);
    EXPECT_EQ(estimate_elo(pairs(0, 0, 7, 0, 0)).high, std::numeric_limits<double>::infinity());
    EXPECT_EQ(estimate_elo(pairs(0, 0, 0, 0, 3)).low, -std::numeric_limits<double>::infinity());
    EXPECT_EQ(estimate_elo(pairs(0, 0, 0, 0, 3)).los, 1.0);
    EXPECT_EQ(estimate_elo({}).low, -std::numeric_limits<double>::infinity());
}

TEST(Llr, IsTheBinomialOneForTwoValues) {
    // Only 0 and 1 occur: the most likely distribution with mean s is (1 - s, s), so
    // LLR = won ln(s1 / s0) + lost ln((1 - s1) / (1 - s0)). 60 won, 40 lost, 0.5 against 0.6:
    // 60 * 0.1823215568 - 40 * 0.2231435513 = 2.0135513550.
    const double by_hand = 60 * std::log(1.2) + 40 * std::log(0.8);
    EXPECT_NEAR(by_hand, 2.0135513550, 1e-8);
    // The three empty classes weigh 0.001 pairs each.
    EXPECT_NEAR(log_likelihood_ratio(pairs(40, 0, 0, 0, 60), 0.5, 0.6), by_hand, 2e-3);
}

/// The slow twin: three classes leave one free parameter when the mean is given; maximise over it.
double best_log_likelihood(double lost, double drawn, double won, double score) {
    const auto value = [&](double middle) {  // p(1/2) = middle, p(1) = score - middle/2
        return lost * std::log(1 - score - middle / 2) + drawn * std::log(middle) +
               won * std::log(score - middle / 2);
    };
    double low = 0;
    double high = 2 * std::min(score, 1 - score);
    for (int step = 0; step < 300; ++step) {  // concave: ternary search
        const double left = low + (high - low) / 3;
        const double right = high - (high - low) / 3;
        (value(left) < value(right) ? low : high) = value(left) < value(right) ? left : right;
    }
    return value((low + high) / 2);
}

TEST(Llr, EqualsADirectMaximisationOverThreeValues) {
    SplitMix64 random(20260601);
    for (int round = 0; round < 300; ++round) {
        const std::uint64_t lost = 1 + random.below(500);
        const std::uint64_t drawn = 1 + random.below(500);
        const std::uint64_t won = 1 + random.below(500);
        const double score0 = 0.2 + 0.6 * random.below(1000) / 1000.0;
        const double score1 = 0.2 + 0.6 * random.below(1000) / 1000.0;
        const auto fit = [&](double score) {
            return best_log_likelihood(static_cast<double>(lost),
                                       static_cast<double>(drawn),
                                       static_cast<double>(won),
                                       score);
        };
        const double slow = fit(score1) - fit(score0);
        EXPECT_NEAR(log_likelihood_ratio(pairs(lost, 0, drawn, 0, won), score0, score1), slow, 0.02)
            << lost << ' ' << drawn << ' ' << won << ' ' << score0 << ' ' << score1;
    }
}

TEST(Llr, TurnsItsSignWithTheHypothesesAndWithTheSides) {
    const Pentanomial results = pairs(11, 40, 73, 52, 19);
    const Pentanomial turned = pairs(19, 52, 73, 40, 11);
    const double llr = log_likelihood_ratio(results, 0.5, 0.51);
    EXPECT_GT(llr, 0);
    EXPECT_NEAR(log_likelihood_ratio(results, 0.51, 0.5), -llr, 1e-9);
    EXPECT_NEAR(log_likelihood_ratio(turned, 0.5, 0.49), llr, 1e-9);
}

TEST(Sprt, HasWaldsBoundsAndStopsAtThem) {
    const SprtSetting setting{0, 10, 0.05, 0.05};
    const SprtState fresh = run_sprt({}, setting);
    EXPECT_NEAR(fresh.upper, 2.9444389792, 1e-9);  // ln 19
    EXPECT_NEAR(fresh.lower, -2.9444389792, 1e-9);
    EXPECT_EQ(fresh.llr, 0);
    EXPECT_EQ(fresh.verdict, SprtVerdict::running);
    // alpha 0.01, beta 0.1: ln(0.1 / 0.99) = -2.2925347571, ln(0.9 / 0.01) = 4.4998096703.
    const SprtState skew = run_sprt({}, {0, 10, 0.01, 0.10});
    EXPECT_NEAR(skew.lower, -2.2925347571, 1e-9);
    EXPECT_NEAR(skew.upper, 4.4998096703, 1e-9);

    EXPECT_EQ(run_sprt(pairs(100, 400, 1000, 520, 180), setting).verdict, SprtVerdict::h1);
    EXPECT_EQ(run_sprt(pairs(180, 520, 1000, 400, 100), setting).verdict, SprtVerdict::h0);
    EXPECT_EQ(run_sprt(pairs(2, 4, 10, 5, 2), setting).verdict, SprtVerdict::running);
    // All pairs won: no distribution of that support has mean 1/2, yet the test must not break.
    const SprtState sweep = run_sprt(pairs(0, 0, 0, 0, 500), setting);
    EXPECT_TRUE(std::isfinite(sweep.llr));
    EXPECT_EQ(sweep.verdict, SprtVerdict::h1);
}

/// With the truth at elo0 the test may accept H1 in about alpha of its runs (Wald: at most alpha /
/// (1 - beta)).
TEST(Sprt, KeepsItsErrorRates) {
    const SprtSetting setting{0, 40, 0.10, 0.10};
    SplitMix64 random(7);
    const auto wrong = [&](double score, SprtVerdict mistake) {
        int mistakes = 0;
        for (int run = 0; run < 400; ++run) {
            Pentanomial results;
            SprtState state;
            while (state.verdict == SprtVerdict::running && results.pairs() < 4000) {
                int half_points = 0;
                for (int game = 0; game < 2; ++game) {
                    const double u = random.below(1'000'000) / 1e6;
                    half_points += u < score - 0.15 ? 2 : u < score + 0.15 ? 1 : 0;  // 30 % draws
                }
                results.add(half_points);
                state = run_sprt(results, setting);
            }
            mistakes += state.verdict == mistake ? 1 : 0;
        }
        return mistakes;
    };
    // 400 runs at 10 %: 40 expected, deviation 6.
    EXPECT_LT(wrong(0.5, SprtVerdict::h1), 65);
    EXPECT_LT(wrong(score_of_elo(40), SprtVerdict::h0), 65);
}

}  // namespace
}  // namespace yomi::match
