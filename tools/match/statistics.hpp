#pragma once

#include <array>
#include <cstdint>

namespace yomi::match {

/// Results of pairs of games (one opening, colours swapped), from the first engine's view.
///
/// Shape   `count[k]` pairs in which it scored k half points, k = 0..4.
/// Pairs and not games are the sample: the two games of an opening depend on each other.
struct Pentanomial {
    std::array<std::uint64_t, 5> count{};

    void add(int half_points) { ++count.at(static_cast<std::size_t>(half_points)); }
    [[nodiscard]] std::uint64_t pairs() const noexcept;
    /// Mean score of a game, 0..1; 0.5 without games.
    [[nodiscard]] double score() const noexcept;
    /// Variance of the score of a pair's mean game.
    [[nodiscard]] double variance() const noexcept;
    friend bool operator==(const Pentanomial&, const Pentanomial&) = default;
};

/// Strength difference with its uncertainty.
///
/// Unit    Elo (logistic): expected score = 1 / (1 + 10^(-elo / 400)). Infinite at score 0 or 1.
struct EloEstimate {
    double elo = 0;
    /// 95 % interval, by the normal approximation of the pair score; infinite both ways while all
    /// pairs are alike.
    double low = 0;
    double high = 0;
    double los =
        0.5;  ///< likelihood of superiority: probability that the first engine is the stronger
};

double elo_of_score(double score) noexcept;
double score_of_elo(double elo) noexcept;
EloEstimate estimate_elo(const Pentanomial& results) noexcept;

/// A sequential test of "the difference is elo0" (H0) against "it is elo1" (H1).
struct SprtSetting {
    double elo0 = 0;
    double elo1 = 5;
    double alpha = 0.05;  ///< chance of accepting H1 when H0 holds
    double beta = 0.05;   ///< chance of accepting H0 when H1 holds
};

enum class SprtVerdict { running, h0, h1 };

struct SprtState {
    double llr = 0;    ///< log-likelihood ratio
    double lower = 0;  ///< H0 is accepted at or below
    double upper = 0;  ///< H1 is accepted at or above
    SprtVerdict verdict = SprtVerdict::running;
};

/// Log-likelihood ratio of two mean scores for the results.
///
/// Both likelihoods are those of the most likely pair distribution with that mean (empirical
/// likelihood). Empty classes count as 0.001 pairs, so that a distribution with every mean exists.
/// Source  M. Van den Bergh, "The generalized maximum likelihood ratio for the expectation value of
/// a distribution".
double log_likelihood_ratio(const Pentanomial& results, double score0, double score1) noexcept;

SprtState run_sprt(const Pentanomial& results, const SprtSetting& setting) noexcept;

}  // namespace yomi::match
