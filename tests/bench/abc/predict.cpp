// Does a certificate tell which answers a longer search will change?
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "core/base/hash.hpp"
#include "core/shogi/movegen.hpp"
#include "core/shogi/notation/sfen.hpp"
#include "core/shogi/notation/usi.hpp"
#include "core/shogi/rules.hpp"
#include "core/shogi/search/abc/abc.hpp"
#include "core/shogi/search/alpha_beta.hpp"
#include "tests/bench/abc/bench.hpp"

namespace yomi::shogi::abc_bench {

namespace {

constexpr std::uint64_t kPlayNodes = 1'000;
constexpr int kRandomPlies = 8;
constexpr int kFirstPly = 16;
constexpr int kLastPly = 100;
constexpr int kUndecided = 1'500;
constexpr std::uint64_t kCertifyNodes = 50'000;  // the server's
constexpr std::size_t kHashBytes = std::size_t{32} << 20;

AnalysisAnswer ask(AlphaBeta& engine,
                   const Position& position,
                   const Judge& judge,
                   std::uint64_t nodes,
                   std::size_t hash_bytes) {
    engine::SearchMemory memory(hash_bytes);
    engine::NullSink<AnalysisProgress> sink;
    AnalysisRequest request{.position = position, .evaluation = judge.kind, .net = judge.net};
    request.budget.nodes = nodes;
    return engine.analyse(request, memory, {}, sink);
}

/// Random plies, then the engine against itself up to `plies`. False when the game ends before.
bool play_game(
    AlphaBeta& engine, const Judge& judge, SplitMix64& random, int plies, Position& position) {
    position = Position::startpos();
    for (int ply = 0; ply < plies; ++ply) {
        MoveList moves;
        legal_moves(position, moves);
        if (is_over(status_of(position)) || moves.size() == 0) return false;
        Move move = moves[random.below(static_cast<std::uint32_t>(moves.size()))];
        if (ply >= kRandomPlies) move = ask(engine, position, judge, kPlayNodes, 1 << 20).bestmove;
        if (!move) return false;
        position.do_move(move);
    }
    return !is_over(status_of(position));
}

/// The places of the curves, and what stands for "no number suffices".
constexpr std::array<int, 7> kMargins{0, 50, 100, 200, 400, 800, 1600};
constexpr double kNoNumber = 1e6;

/// One answer: how solid it looked, and whether it fell.
struct Case {
    bool changed = false;
    std::vector<abc::CurvePoint> down = {};
    std::vector<abc::CurvePoint> up = {};
};

/// A line as `certify` writes it; nothing when there was no certificate.
std::optional<Case> read_case(const std::string& line) {
    std::istringstream fields(line.substr(line.find('\t') + 1));
    std::string early;
    std::string late;
    int depth = 0;
    fields >> early >> late >> depth;
    std::vector<double> counts;
    for (double count = 0; fields >> count;)
        counts.push_back(count);
    if (counts.size() != 2 * kMargins.size()) return std::nullopt;
    Case found{.changed = early != late};
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const abc::Conspirators count =
            counts[i] >= kNoNumber ? abc::kProved : static_cast<abc::Conspirators>(counts[i]);
        auto& curve = i < kMargins.size() ? found.down : found.up;
        curve.push_back({.margin = kMargins[i % kMargins.size()], .count = count});
    }
    return found;
}

double number(abc::Conspirators count) {
    return count == abc::kProved ? kNoNumber : static_cast<double>(count);
}

/// L, U or the lesser of both at a margin's place in the curve.
double measure(const Case& c, std::size_t margin, int which) {
    const double lower = number(c.down[margin].count);
    const double upper = number(c.up[margin].count);
    return which == 0 ? lower : which == 1 ? upper : std::min(lower, upper);
}

/// How often a changed answer had the smaller number, ties half: 1/2 is chance.
double auc(const std::vector<Case>& cases, const std::vector<double>& numbers) {
    double right = 0;
    double pairs = 0;
    for (std::size_t i = 0; i < cases.size(); ++i) {
        if (!cases[i].changed) continue;
        for (std::size_t k = 0; k < cases.size(); ++k) {
            if (cases[k].changed) continue;
            pairs += 1;
            right += numbers[i] < numbers[k] ? 1 : numbers[i] == numbers[k] ? 0.5 : 0;
        }
    }
    return pairs > 0 ? right / pairs : 0.5;
}

/// Correlation of "changed" with the logarithm of the number.
double correlation(const std::vector<Case>& cases, const std::vector<double>& numbers) {
    double sx = 0;
    double sy = 0;
    double sxx = 0;
    double syy = 0;
    double sxy = 0;
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const double x = std::log(1 + numbers[i]);
        const double y = cases[i].changed ? 1 : 0;
        sx += x;
        sy += y;
        sxx += x * x;
        syy += y * y;
        sxy += x * y;
    }
    const auto n = static_cast<double>(cases.size());
    return (n * sxy - sx * sy) / std::sqrt((n * sxx - sx * sx) * (n * syy - sy * sy));
}

void print_measure(const char* name,
                   const std::vector<Case>& cases,
                   std::size_t margin,
                   int which) {
    std::vector<double> numbers;
    for (const Case& c : cases)
        numbers.push_back(measure(c, margin, which));
    // 95 % by drawing the cases again.
    constexpr int kDraws = 1'000;
    SplitMix64 random(1);
    std::vector<double> areas;
    std::vector<double> correlations;
    for (int draw = 0; draw < kDraws; ++draw) {
        std::vector<Case> some;
        std::vector<double> their;
        for (std::size_t i = 0; i < cases.size(); ++i) {
            const std::size_t k = random.below(static_cast<std::uint32_t>(cases.size()));
            some.push_back({.changed = cases[k].changed});
            their.push_back(numbers[k]);
        }
        areas.push_back(auc(some, their));
        correlations.push_back(correlation(some, their));
    }
    std::sort(areas.begin(), areas.end());
    std::sort(correlations.begin(), correlations.end());
    std::printf("%s at %d cp: AUC %.3f [%.3f, %.3f], correlation %+.3f [%+.3f, %+.3f]\n",
                name,
                cases.front().down[margin].margin,
                auc(cases, numbers),
                areas[kDraws / 40],
                areas[kDraws - kDraws / 40],
                correlation(cases, numbers),
                correlations[kDraws / 40],
                correlations[kDraws - kDraws / 40]);
    for (const auto& [from, to] : {std::pair{0.0, 1.0},
                                   {2.0, 2.0},
                                   {3.0, 4.0},
                                   {5.0, 8.0},
                                   {9.0, 16.0},
                                   {17.0, 32.0},
                                   {33.0, 1e9}}) {
        int all = 0;
        int changed = 0;
        for (std::size_t i = 0; i < cases.size(); ++i) {
            if (numbers[i] < from || numbers[i] > to) continue;
            ++all;
            changed += cases[i].changed ? 1 : 0;
        }
        if (all > 0)
            std::printf("  %.0f to %.0f: %d answers, %d changed, %.0f %%\n",
                        from,
                        to,
                        all,
                        changed,
                        100.0 * changed / all);
    }
}

}  // namespace

int run_positions(Words words, const Judge& judge) {
    if (words.size() != 2) return 1;
    const int count = std::atoi(std::string(words[0]).c_str());
    SplitMix64 random(std::strtoull(std::string(words[1]).c_str(), nullptr, 10));
    AlphaBeta engine;
    for (int found = 0; found < count;) {
        Position position = Position::startpos();
        const int plies = kFirstPly + static_cast<int>(random.below(kLastPly - kFirstPly + 1));
        if (!play_game(engine, judge, random, plies, position)) continue;
        if (position.in_check()) continue;
        const AnalysisAnswer answer = ask(engine, position, judge, kPlayNodes, 1 << 20);
        const Score score = answer.result.lines.front().score;
        if (score.kind != Score::Kind::cp || std::abs(score.value) >= kUndecided) continue;
        if (position.is_capture(answer.bestmove)) continue;
        std::printf("%s\n", to_sfen(position).c_str());
        std::fflush(stdout);
        ++found;
    }
    return 0;
}

int run_deep(Words words, const Judge& judge) {
    if (words.size() != 4) return 1;
    const std::string out(words[1]);
    const auto few = std::strtoull(std::string(words[2]).c_str(), nullptr, 10);
    const auto many = std::strtoull(std::string(words[3]).c_str(), nullptr, 10);
    std::size_t done = 0;
    std::string line;
    for (std::ifstream before(out); std::getline(before, line);)
        ++done;
    std::ifstream in{std::string(words[0])};
    AlphaBeta engine;
    for (std::size_t i = 0; std::getline(in, line); ++i) {
        if (i < done) continue;
        const auto game = parse_usi_position(line);
        if (!game) return 1;
        const AnalysisAnswer early = ask(engine, game->position, judge, few, kHashBytes);
        const AnalysisAnswer late = ask(engine, game->position, judge, many, kHashBytes);
        std::ofstream(out, std::ios::app)
            << line << '\t' << to_usi(early.bestmove) << '\t' << to_usi(late.bestmove) << '\n';
    }
    return 0;
}

int run_certify(Words words, const Judge& judge) {
    if (words.size() != 3) return 1;
    const auto few = std::strtoull(std::string(words[2]).c_str(), nullptr, 10);
    std::ifstream in{std::string(words[0])};
    std::ifstream before{std::string(words[1])};
    std::ofstream out(std::string(words[1]), std::ios::app);
    AlphaBeta engine;
    abc::Abc judge_of_answers;
    std::vector<Case> cases;
    int without = 0;
    for (std::string line; std::getline(in, line);) {
        // What an interrupted run has found out is not asked again.
        if (std::string old; std::getline(before, old)) {
            if (const auto known = read_case(old))
                cases.push_back(*known);
            else
                ++without;
            continue;
        }
        std::istringstream fields(line);
        std::string sfen;
        std::string early;
        std::string late;
        std::getline(fields, sfen, '\t');
        fields >> early >> late;
        const auto game = parse_usi_position(sfen);
        if (!game) return 1;
        const AnalysisAnswer answer = ask(engine, game->position, judge, few, kHashBytes);
        if (to_usi(answer.bestmove) != early) {
            std::fprintf(stderr, "%s: the answer is not the one of the file\n", sfen.c_str());
            return 1;
        }
        const AnalysisRequest request{
            .position = game->position, .evaluation = judge.kind, .net = judge.net};
        const abc::Certificate c = judge_of_answers.certify(request, answer, kCertifyNodes, {});
        out << sfen << '\t' << early << '\t' << late << '\t' << c.depth;
        for (const auto* curve : {&c.down, &c.up}) {
            for (const abc::CurvePoint& point : *curve)
                out << '\t' << number(point.count);
        }
        out << std::endl;
        if (c.down.empty()) {
            ++without;
            continue;
        }
        cases.push_back({.changed = early != late, .down = c.down, .up = c.up});
    }
    if (cases.empty()) return 1;
    std::printf("%zu answers with a certificate, %d without\n", cases.size(), without);
    for (const std::size_t margin : {0, 2, 3}) {
        print_measure("L", cases, margin, 0);
        print_measure("U", cases, margin, 1);
        print_measure("the lesser", cases, margin, 2);
    }
    return 0;
}

}  // namespace yomi::shogi::abc_bench
