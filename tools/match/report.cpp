#include "tools/match/report.hpp"

#include <algorithm>
#include <cstdarg>
#include <cstdio>

namespace yomi::match {
namespace {

[[gnu::format(printf, 1, 2)]] std::string print(const char* format, ...) {
    std::array<char, 512> text{};
    va_list values;
    va_start(values, format);
    const int length = std::vsnprintf(text.data(), text.size(), format, values);
    va_end(values);
    return {text.data(), static_cast<std::size_t>(std::min(std::max(length, 0), 511))};
}

std::string elo_text(const EloEstimate& estimate) {
    return print("Elo %+.1f [%+.1f, %+.1f]  LOS %.1f %%",
                 estimate.elo,
                 estimate.low,
                 estimate.high,
                 100 * estimate.los);
}

std::string llr_text(const SprtState& state) {
    return print("LLR %.2f (%.2f, %.2f)", state.llr, state.lower, state.upper);
}

std::string pentanomial_text(const Pentanomial& pairs) {
    std::string text;
    for (const std::uint64_t count : pairs.count) {
        text += (text.empty() ? "[" : ", ") + std::to_string(count);
    }
    return text + ']';
}

std::string score_text(const Standing& standing) {
    const auto& [losses, draws, wins] = standing.games;
    return print("+%llu =%llu -%llu",
                 static_cast<unsigned long long>(wins),
                 static_cast<unsigned long long>(draws),
                 static_cast<unsigned long long>(losses));
}

std::string spent_row(const std::string& name, const Spent& spent) {
    const double cpu = std::chrono::duration<double>(spent.cpu).count();
    const double wall = std::chrono::duration<double>(spent.elapsed).count();
    const double nodes = static_cast<double>(spent.nodes);
    const std::string speed =
        spent.nodes > 0 && cpu > 0 ? print("%.0f", nodes / cpu) : std::string("-");
    return print("%-24s %10llu %14llu %12.3f %12.3f %14s\n",
                 name.substr(0, 24).c_str(),
                 static_cast<unsigned long long>(spent.moves),
                 static_cast<unsigned long long>(spent.nodes),
                 wall,
                 cpu,
                 speed.c_str());
}

}  // namespace

std::string progress_line(const MatchProgress& progress, std::uint64_t pairs) {
    const Standing& standing = progress.standing;
    std::string line = print("pairs %llu/%llu  ",
                             static_cast<unsigned long long>(standing.pairs.pairs()),
                             static_cast<unsigned long long>(pairs));
    line += score_text(standing) + "  " + pentanomial_text(standing.pairs) + "  " +
            elo_text(estimate_elo(standing.pairs));
    if (progress.sprt) line += "  " + llr_text(*progress.sprt);
    return line;
}

std::string final_report(const MatchSetting& setting, const MatchOutcome& outcome) {
    const Standing& standing = outcome.standing;
    const std::string& a = setting.engines[0].name;
    const std::string& b = setting.engines[1].name;
    std::string text = a + " against " + b + (outcome.interrupted ? " (interrupted)\n" : "\n");
    text += print("games        %llu  %s from %s's view, score %.2f %%\n",
                  static_cast<unsigned long long>(2 * standing.pairs.pairs()),
                  score_text(standing).c_str(),
                  a.substr(0, 60).c_str(),
                  100 * standing.pairs.score());
    text += "pentanomial  " + pentanomial_text(standing.pairs) + "\n";
    text += "difference   " + elo_text(estimate_elo(standing.pairs)) + "\n";
    if (outcome.sprt) {
        const SprtSetting& sprt = *setting.sprt;
        const char* const verdict = outcome.sprt->verdict == SprtVerdict::h1   ? "H1 accepted"
                                    : outcome.sprt->verdict == SprtVerdict::h0 ? "H0 accepted"
                                                                               : "undecided";
        text += print("sprt         elo0 %.2f elo1 %.2f alpha %.3f beta %.3f  %s  %s\n",
                      sprt.elo0,
                      sprt.elo1,
                      sprt.alpha,
                      sprt.beta,
                      llr_text(*outcome.sprt).c_str(),
                      verdict);
    }
    text += "ends        ";
    for (const auto& [reason, count] : standing.ends) {
        text += ' ' + std::string(to_string(reason)) + ' ' + std::to_string(count);
    }
    text += print("\nfaults       %s %llu, %s %llu\n",
                  a.substr(0, 60).c_str(),
                  static_cast<unsigned long long>(standing.faults[0]),
                  b.substr(0, 60).c_str(),
                  static_cast<unsigned long long>(standing.faults[1]));
    text += print("%-24s %10s %14s %12s %12s %14s\n",
                  "engine",
                  "moves",
                  "nodes",
                  "wall s",
                  "cpu s",
                  "nodes/cpu s");
    text += spent_row(a, standing.spent[0]) + spent_row(b, standing.spent[1]);
    return text;
}

}  // namespace yomi::match
