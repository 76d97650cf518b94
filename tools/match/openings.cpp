#include "tools/match/openings.hpp"

#include <cstdlib>
#include <fstream>
#include <unordered_set>
#include <utility>

#include "core/base/hash.hpp"
#include "core/engine/memory.hpp"
#include "core/shogi/movegen.hpp"
#include "core/shogi/notation/usi.hpp"
#include "core/shogi/search/alpha_beta.hpp"
#include "tools/match/arbiter.hpp"

namespace yomi::match {
namespace {

constexpr std::size_t kTableBytes = std::size_t{8} << 20;

/// A random walk from the start; empty when it ran into an end or into a check.
struct Walk {
    shogi::Position position = shogi::Position::startpos();
    std::string usi = "startpos moves";
    bool usable = true;
};

Walk random_walk(SplitMix64& random, int plies) {
    Walk walk;
    for (int ply = 0; ply < plies; ++ply) {
        shogi::MoveList moves;
        shogi::legal_moves(walk.position, moves);
        if (moves.empty()) {
            walk.usable = false;
            return walk;
        }
        const shogi::Move move = moves[random.below(static_cast<std::uint32_t>(moves.size()))];
        walk.usi += ' ' + shogi::to_usi(move);
        walk.position.do_move(move);
    }
    walk.usable = !walk.position.in_check() && walk.position.occurrences_before() == 0;
    return walk;
}

}  // namespace

Result<std::vector<std::string>> load_openings(const std::filesystem::path& file) {
    std::ifstream in(file);
    if (!in) return fail(ErrorCode::not_found, "cannot read '" + file.string() + "'");
    std::vector<std::string> openings;
    int number = 0;
    for (std::string line; std::getline(in, line);) {
        ++number;
        if (!line.empty() && line.back() == '\r') line.pop_back();
        if (line.empty() || line.front() == '#') continue;
        if (const auto arbiter = Arbiter::from_opening(line, 0); !arbiter) {
            Error error = arbiter.error();
            error.line = number;
            return fail(std::move(error));
        }
        openings.push_back(std::move(line));
    }
    if (openings.empty()) {
        return fail(ErrorCode::bad_value, "no openings in '" + file.string() + "'");
    }
    return openings;
}

OpeningReport make_openings(const OpeningSetting& setting,
                            const std::stop_token& stop,
                            const std::function<void(std::size_t, std::uint64_t)>& progress) {
    OpeningReport report;
    SplitMix64 random(setting.seed);
    shogi::AlphaBeta engine;
    engine::SearchMemory memory(kTableBytes);
    engine::NullSink<shogi::AnalysisProgress> sink;
    std::unordered_set<std::uint64_t> seen;
    const auto range = static_cast<std::uint32_t>(setting.max_plies - setting.min_plies + 1);

    while (report.openings.size() < static_cast<std::size_t>(setting.count)) {
        if (stop.stop_requested()) break;
        ++report.tried;
        Walk walk = random_walk(random, setting.min_plies + static_cast<int>(random.below(range)));
        if (!walk.usable || seen.contains(walk.position.key())) continue;

        memory.clear();
        shogi::AnalysisRequest request;
        request.position = walk.position;
        request.budget.nodes = setting.nodes;
        request.budget.hash_bytes = memory.size();
        const shogi::AnalysisAnswer answer = engine.analyse(request, memory, stop, sink);
        if (stop.stop_requested() || answer.result.lines.empty()) continue;
        const shogi::Score score = answer.result.lines.front().score;
        if (score.kind != shogi::Score::Kind::cp || std::abs(score.value) > setting.window)
            continue;

        seen.insert(walk.position.key());
        report.openings.push_back(std::move(walk.usi));
        progress(report.openings.size(), report.tried);
    }
    return report;
}

}  // namespace yomi::match
