#include "tools/match/statistics.hpp"

#include <cmath>
#include <limits>
#include <numeric>

namespace yomi::match {
namespace {

constexpr double kEmptyClass = 1e-3;
constexpr double kTwoSided95 = 1.959963984540054;  // normal quantile of 0.975

using Frequencies = std::array<double, 5>;

/// Score of the mean game of a pair with k half points.
double value_of(std::size_t k) {
    return static_cast<double>(k) / 4.0;
}

/// The multiplier t of the most likely distribution with mean `score`: p_k = f_k / (1 + t (value_k
/// - score)).
///
/// The condition sum f_k (v_k - s) / (1 + t (v_k - s)) = 0 falls strictly in t between the poles at
/// the extreme values, so halving the interval finds its one root.
double multiplier(const Frequencies& frequencies, double score) {
    double low = -1.0 / (1.0 - score);  // pole of the largest value, 1
    double high = 1.0 / score;          // pole of the smallest value, 0
    for (int step = 0; step < 200; ++step) {
        const double t = (low + high) / 2;
        double sum = 0;
        for (std::size_t k = 0; k < frequencies.size(); ++k) {
            const double distance = value_of(k) - score;
            sum += frequencies[k] * distance / (1.0 + t * distance);
        }
        (sum > 0 ? low : high) = t;
    }
    return (low + high) / 2;
}

}  // namespace

std::uint64_t Pentanomial::pairs() const noexcept {
    return std::accumulate(count.begin(), count.end(), std::uint64_t{0});
}

double Pentanomial::score() const noexcept {
    if (pairs() == 0) return 0.5;
    double sum = 0;
    for (std::size_t k = 0; k < count.size(); ++k) {
        sum += static_cast<double>(count[k]) * value_of(k);
    }
    return sum / static_cast<double>(pairs());
}

double Pentanomial::variance() const noexcept {
    if (pairs() == 0) return 0;
    const double mean = score();
    double sum = 0;
    for (std::size_t k = 0; k < count.size(); ++k) {
        const double distance = value_of(k) - mean;
        sum += static_cast<double>(count[k]) * distance * distance;
    }
    return sum / static_cast<double>(pairs());
}

double elo_of_score(double score) noexcept {
    if (score <= 0) return -std::numeric_limits<double>::infinity();
    if (score >= 1) return std::numeric_limits<double>::infinity();
    return 400.0 * std::log10(score / (1.0 - score));
}

double score_of_elo(double elo) noexcept {
    return 1.0 / (1.0 + std::pow(10.0, -elo / 400.0));
}

EloEstimate estimate_elo(const Pentanomial& results) noexcept {
    EloEstimate estimate;
    const std::uint64_t pairs = results.pairs();
    estimate.low = -std::numeric_limits<double>::infinity();
    estimate.high = std::numeric_limits<double>::infinity();
    if (pairs == 0) return estimate;

    const double score = results.score();
    const double error = std::sqrt(results.variance() / static_cast<double>(pairs));
    estimate.elo = elo_of_score(score);
    if (error <= 0) {
        // All pairs alike say nothing about the spread, so there is no interval to give.
        estimate.los = score > 0.5 ? 1.0 : score < 0.5 ? 0.0 : 0.5;
        return estimate;
    }
    estimate.low = elo_of_score(score - kTwoSided95 * error);
    estimate.high = elo_of_score(score + kTwoSided95 * error);
    estimate.los = 0.5 * std::erfc(-(score - 0.5) / error / std::sqrt(2.0));
    return estimate;
}

double log_likelihood_ratio(const Pentanomial& results, double score0, double score1) noexcept {
    if (results.pairs() == 0) return 0;
    Frequencies counts{};
    double total = 0;
    for (std::size_t k = 0; k < counts.size(); ++k) {
        counts[k] = results.count[k] == 0 ? kEmptyClass : static_cast<double>(results.count[k]);
        total += counts[k];
    }
    Frequencies frequencies{};
    for (std::size_t k = 0; k < counts.size(); ++k)
        frequencies[k] = counts[k] / total;

    const double t0 = multiplier(frequencies, score0);
    const double t1 = multiplier(frequencies, score1);
    double ratio = 0;
    for (std::size_t k = 0; k < counts.size(); ++k) {
        ratio += counts[k] * (std::log1p(t0 * (value_of(k) - score0)) -
                              std::log1p(t1 * (value_of(k) - score1)));
    }
    return ratio;
}

SprtState run_sprt(const Pentanomial& results, const SprtSetting& setting) noexcept {
    SprtState state;
    state.lower = std::log(setting.beta / (1.0 - setting.alpha));
    state.upper = std::log((1.0 - setting.beta) / setting.alpha);
    state.llr =
        log_likelihood_ratio(results, score_of_elo(setting.elo0), score_of_elo(setting.elo1));
    if (state.llr >= state.upper) state.verdict = SprtVerdict::h1;
    if (state.llr <= state.lower) state.verdict = SprtVerdict::h0;
    return state;
}

}  // namespace yomi::match
