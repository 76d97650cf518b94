#include "tools/train/suite.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>
#include <utility>

#include "core/base/split.hpp"
#include "core/engine/memory.hpp"
#include "core/shogi/notation/usi.hpp"

namespace yomi::train {

namespace {

constexpr std::size_t kMemory = std::size_t{16} << 20;

bool is_number(std::string_view text) {
    int plies = 0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), plies);
    return end.ec == std::errc() && end.ptr == text.data() + text.size() && plies > 0;
}

Result<Problem> parse_problem(std::string_view line, int column) {
    const auto columns = split(line, '\t');
    if (columns.size() < static_cast<std::size_t>(column)) {
        return fail(ErrorCode::bad_value,
                    "there is no column " + std::to_string(column) + " with the answer");
    }
    auto game = shogi::parse_usi_position(columns.front());
    if (!game) return fail(game.error());
    Problem problem{.position = std::move(game->position), .keys = {}};
    const std::string_view answer = columns[static_cast<std::size_t>(column) - 1];
    if (is_number(answer)) return problem;
    for (const std::string_view text : split(answer, ' ')) {
        const auto key = shogi::parse_usi_move(text, problem.position);
        if (!key) return fail(key.error());
        problem.keys.push_back(*key);
    }
    return problem;
}

}  // namespace

Result<std::vector<Problem>> parse_suite(std::string_view text, int column) {
    std::vector<Problem> problems;
    int number = 0;
    for (std::string_view line : split(text, '\n')) {
        ++number;
        if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
        if (line.empty() || line.front() == '#') continue;
        auto problem = parse_problem(line, column);
        if (!problem) {
            Error error = problem.error();
            error.message = "line " + std::to_string(number) + ": " + error.message;
            error.line = number;
            return fail(std::move(error));
        }
        problems.push_back(std::move(*problem));
    }
    return problems;
}

Result<std::vector<Problem>> read_suite(const std::filesystem::path& file, int column) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    if (!in) return fail(ErrorCode::not_found, "cannot read '" + file.string() + "'");
    auto problems = parse_suite(text.str(), column);
    if (problems) return problems;
    Error error = problems.error();
    error.message = "'" + file.string() + "', " + error.message;
    return fail(std::move(error));
}

SuiteScore run_suite(const std::vector<Problem>& problems,
                     const shogi::eval::NetChoice& net,
                     std::uint64_t nodes) {
    shogi::AlphaBeta engine;
    engine::SearchMemory memory(kMemory);
    engine::NullSink<shogi::AnalysisProgress> sink;
    SuiteScore score{.problems = problems.size()};
    for (const Problem& problem : problems) {
        memory.clear();
        shogi::AnalysisRequest request{.position = problem.position};
        request.budget.nodes = nodes;
        if (net.psq || net.net) {
            request.evaluation = shogi::eval::Kind::nnue;
            request.net = net;
        }
        const auto answer = engine.analyse(request, memory, {}, sink);
        score.nodes += answer.result.nodes;
        const auto& keys = problem.keys;
        bool solved = std::find(keys.begin(), keys.end(), answer.bestmove) != keys.end();
        if (keys.empty() && !answer.result.lines.empty()) {
            const shogi::Score& value = answer.result.lines.front().score;
            solved = value.kind == shogi::Score::Kind::mate && value.value > 0;
        }
        if (solved) ++score.solved;
    }
    return score;
}

}  // namespace yomi::train
