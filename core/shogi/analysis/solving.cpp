#include "core/shogi/analysis/solving.hpp"

#include <algorithm>
#include <utility>

#include "core/shogi/movegen.hpp"

namespace yomi::shogi {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kTableBytes = std::size_t{32} << 20;
/// What a search of depth d costs at least, about: so much times d squared.
constexpr std::uint64_t kNodesOfDepth = 4'000;
constexpr std::uint64_t kMostNodesOfDepth = 4'000'000;
constexpr std::uint64_t kLeastNodes = 20;

std::uint64_t part(std::uint64_t whole, int percent) noexcept {
    return whole / 100 * static_cast<std::uint64_t>(percent) +
           whole % 100 * static_cast<std::uint64_t>(percent) / 100;
}

bool may_begin_with(const AnalysisRequest& request, Move move) {
    const auto& wanted = request.search_moves;
    return wanted.empty() || std::find(wanted.begin(), wanted.end(), move) != wanted.end();
}

/// Whether the line can be played on from `root` without the rules ending the game before its end.
bool stands(const Position& root, const std::vector<Move>& line, int plies, const RuleSet& rules) {
    if (line.empty()) return false;
    if (rules.max_plies > 0 && root.ply() + plies - 1 > rules.max_plies) return false;
    Position position = root;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (!position.is_legal(line[i])) return false;
        position.do_move(line[i]);
        const GameStatus status = status_of(position, rules);
        if (i + 1 == line.size()) return status == GameStatus::mated;
        if (is_over(status)) return false;
    }
    return false;
}

Line proven_line(std::vector<Move> pv, int plies, Bound bound) {
    return {.score = Score::mate(plies),
            .bound = bound,
            .depth = plies,
            .seldepth = plies,
            .pv = std::move(pv)};
}

/// Ranks between a king and the first rank of its promotion zone; 0: it stands there.
int ranks_to_camp(const Position& position, Color side) {
    const int rank = rank_of(position.king(side));
    return std::max(0, side == Color::black ? rank - 2 : 6 - rank);
}

bool has_check(const Position& position) {
    MoveList checks;
    checking_moves(position, checks);
    return !checks.empty();
}

}  // namespace

std::optional<engine::Budget> solver_share(const engine::Budget& whole, int percent) {
    if (percent <= 0) return std::nullopt;
    engine::Budget share;
    // A limit of nodes or depth decides alone if it can, so that the answer does not depend on the
    // machine.
    if (whole.nodes) {
        share.nodes = part(*whole.nodes, percent);
    } else if (whole.depth) {
        const auto depth = static_cast<std::uint64_t>(std::max(1, *whole.depth));
        share.nodes = part(std::min(kNodesOfDepth * depth * depth, kMostNodesOfDepth), percent);
    }
    if (share.nodes && *share.nodes < kLeastNodes) return std::nullopt;
    if (whole.time) {
        share.time = *whole.time / 100 * percent + *whole.time % 100 * percent / 100;
        if (*share.time < milliseconds(1)) return std::nullopt;
    }
    return share;
}

engine::SearchMemory& RootSolvers::memory() {
    if (memory_.size() == 0) memory_ = engine::SearchMemory(kTableBytes);
    return memory_;
}

TsumeAnswer RootSolvers::solve(const Position& position,
                               const engine::Budget& budget,
                               bool shortest,
                               const std::stop_token& stop) {
    TsumeRequest request{.position = position,
                         .attacker = position.side_to_move(),
                         .budget = budget,
                         .shortest = shortest};
    engine::NullSink<TsumeProgress> quiet;
    return tsume_.analyse(request, memory(), stop, quiet);
}

std::optional<Line> RootSolvers::tsume(const AnalysisRequest& request,
                                       const SolverShares& shares,
                                       std::stop_token stop,
                                       SolverReport& report) {
    const Position& root = request.position;
    const auto share = solver_share(request.budget, shares.tsume_percent);
    if (!share || !check_tsume(root, root.side_to_move())) return std::nullopt;
    if (!has_check(root)) {
        report.tsume = Verdict::nomate;
        return std::nullopt;
    }
    TsumeAnswer answer = solve(root, *share, false, stop);
    report.nodes += answer.nodes;
    report.tsume = answer.verdict;
    if (answer.verdict != Verdict::mate) return std::nullopt;
    // It is decided now; what is left goes into the shortest form.
    if (answer.length_raw > 1) {
        if (const auto half = solver_share(request.budget, 50)) {
            TsumeAnswer shorter = solve(root, *half, true, stop);
            report.nodes += shorter.nodes;
            if (shorter.verdict == Verdict::mate && shorter.length_raw <= answer.length_raw)
                answer = std::move(shorter);
        }
    } else {
        answer.shortest = true;
    }
    if (!may_begin_with(request, answer.line.empty() ? kNoMove : answer.line.front()))
        return std::nullopt;
    if (!stands(root, answer.line, answer.length_raw, request.rules)) return std::nullopt;
    return proven_line(
        std::move(answer.line), answer.length_raw, answer.shortest ? Bound::exact : Bound::lower);
}

std::optional<Line> RootSolvers::hisshi(const AnalysisRequest& request,
                                        const SolverShares& shares,
                                        std::stop_token stop,
                                        SolverReport& report) {
    const Position& root = request.position;
    const Color attacker = root.side_to_move();
    const auto share = solver_share(request.budget, shares.hisshi_percent);
    if (!share || !check_tsume(root, attacker)) return std::nullopt;
    const bool may_declare = request.rules.declaration != Declaration::none;
    const int ranks = may_declare ? ranks_to_camp(root, ~attacker) : kSquares;
    if (ranks == 0) return std::nullopt;
    const HisshiRequest question{.position = root,
                                 .attacker = attacker,
                                 .budget = *share,
                                 .all_keys = false,
                                 .extra = false,
                                 .max_tree = 0};
    engine::NullSink<HisshiProgress> quiet;
    const HisshiAnswer answer = hisshi_.analyse(question, memory(), std::move(stop), quiet);
    report.nodes += answer.nodes;
    report.hisshi = answer.verdict;
    if (answer.verdict == HisshiVerdict::mate) {
        const std::vector<Move> pv = answer.line;
        const int plies = static_cast<int>(pv.size());
        if (pv.empty() || !may_begin_with(request, pv.front())) return std::nullopt;
        if (!stands(root, pv, plies, request.rules)) return std::nullopt;
        const bool exact = answer.mate && answer.mate->exact;
        return proven_line(pv, plies, exact ? Bound::exact : Bound::lower);
    }
    if (answer.verdict != HisshiVerdict::hisshi || answer.line.empty()) return std::nullopt;
    // Each move of the attack but the last lets the king come one rank nearer.
    if (ranks < answer.moves) return std::nullopt;
    std::vector<Move> pv = answer.line;
    pv.insert(pv.end(), answer.finish.begin(), answer.finish.end());
    const int plies = static_cast<int>(pv.size());
    if (!may_begin_with(request, pv.front())) return std::nullopt;
    if (!stands(root, pv, plies, request.rules)) return std::nullopt;
    return proven_line(std::move(pv), plies, Bound::lower);
}

std::optional<Line> RootSolvers::quick_tsume(const Position& position,
                                             const RuleSet& rules,
                                             const engine::Budget& budget,
                                             std::stop_token stop,
                                             std::uint64_t& nodes) {
    if (!check_tsume(position, position.side_to_move()) || !has_check(position))
        return std::nullopt;
    TsumeAnswer answer = solve(position, budget, false, stop);
    nodes += answer.nodes;
    if (answer.verdict != Verdict::mate) return std::nullopt;
    if (!stands(position, answer.line, answer.length_raw, rules)) return std::nullopt;
    return proven_line(std::move(answer.line), answer.length_raw, Bound::lower);
}

}  // namespace yomi::shogi
