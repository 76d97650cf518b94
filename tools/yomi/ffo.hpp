#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "core/othello/board_text.hpp"
#include "core/othello/search/analyser.hpp"
#include "tools/yomi/cpu_clock.hpp"

namespace yomi::cli {

/// A solved Othello problem: a board line of an OBF file with its best moves ("G8:+18; H1:+12") or
/// with "exact +18".
struct OthelloProblem {
    othello::Position position;
    int score = 0;
    std::vector<othello::Square> best;  ///< moves of that score; empty: any
};

/// Reads one line; false when it is no problem.
inline bool read_problem(const std::string& line, OthelloProblem& problem) {
    const auto position = othello::parse_board(line);
    if (!position) return false;
    problem = {.position = *position, .best = {}};
    if (const auto exact = line.find("exact "); exact != std::string::npos) {
        problem.score = std::atoi(line.c_str() + exact + 6);
        return true;
    }
    bool found = false;
    for (auto at = line.find(':'); at != std::string::npos; at = line.find(':', at + 1)) {
        const auto square = othello::parse_square(line.substr(at < 2 ? 0 : at - 2, 2));
        const int score = std::atoi(line.c_str() + at + 1);
        if (!square || (found && score != problem.score)) continue;
        if (!found) problem.score = score;
        found = true;
        problem.best.push_back(*square);
    }
    return found;
}

/// Solves the problems `from`..`to` of a file, each with empty tables: number, empties, score,
/// move, nodes and CPU seconds a line, then the sums; the node sum is the signature.
///
/// Shape   the number of wrong scores and moves; -1 when the file holds no problem.
inline int solve_problems(
    const std::string& path, int from, int to, std::size_t hash_mib, int threads = 1) {
    std::ifstream in(path);
    othello::Analyser analyser;
    std::uint64_t nodes = 0;
    double seconds = 0;
    double wall = 0;
    int number = 0;
    int solved = 0;
    int wrong = 0;
    for (std::string line; std::getline(in, line);) {
        OthelloProblem problem;
        if (!read_problem(line, problem) || ++number < from || number > to) continue;
        engine::SearchMemory memory(hash_mib << 20U);
        engine::NullSink<othello::AnalysisProgress> quiet;
        othello::AnalysisRequest request{.position = problem.position, .exact = true};
        request.budget.threads = threads;
        const auto begin = std::chrono::steady_clock::now();
        const CpuClock clock;
        const auto answer = analyser.analyse(request, memory, {}, quiet);
        const double spent = clock.seconds();
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
        wall += passed.count();
        const othello::AnalysisLine& best = answer.result.lines.front();
        bool good = best.exact && best.discs == problem.score && problem.best.empty();
        for (const othello::Square square : problem.best)
            good = good || (best.exact && best.discs == problem.score && square == best.pv.front());
        if (!good) ++wrong;
        ++solved;
        nodes += answer.result.nodes;
        seconds += spent;
        std::printf("%3d  %2d empties  %+3d  %s  %-5s  %12llu nodes  %8.3f s\n",
                    number,
                    problem.position.empties(),
                    best.discs,
                    othello::to_string(best.pv.front()).c_str(),
                    good ? "right" : "WRONG",
                    static_cast<unsigned long long>(answer.result.nodes),
                    spent);
        std::fflush(stdout);
    }
    if (solved == 0) return -1;
    std::printf(
        "signature %llu  %d problems, %d wrong, %.1f M nodes, %.2f CPU s, %.1f M nodes/s, "
        "%.2f s by the clock\n",
        static_cast<unsigned long long>(nodes),
        solved,
        wrong,
        static_cast<double>(nodes) / 1e6,
        seconds,
        static_cast<double>(nodes) / 1e6 / (seconds > 0 ? seconds : 1e-9),
        wall);
    return wrong;
}

}  // namespace yomi::cli
