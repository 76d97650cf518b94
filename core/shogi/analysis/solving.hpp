#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/engine/budget.hpp"
#include "core/engine/memory.hpp"
#include "core/shogi/mate/hisshi.hpp"
#include "core/shogi/mate/tsume.hpp"
#include "core/shogi/position.hpp"
#include "core/shogi/rules.hpp"
#include "core/shogi/search/alpha_beta.hpp"

namespace yomi::shogi {

/// How much of a limit the solvers may use before the search. 0: that solver is not asked.
///
/// Unit    percent of the time and of the nodes; beside a limit of depth alone, percent of the
///         nodes that a search so deep is worth.
struct SolverShares {
    int tsume_percent = 5;
    int hisshi_percent = 10;

    friend bool operator==(const SolverShares&, const SolverShares&) = default;
};

/// The part of `whole` that a solver gets; nothing when it would be too little to be of use.
std::optional<engine::Budget> solver_share(const engine::Budget& whole, int percent);

/// What a solver has proven for the side to move.
struct Proven {
    /// Legal to its end. The score is a mate within so many plies; the bound is `exact` when no
    /// mate by checks is shorter, `lower` when it may be nearer than said.
    Line line;
    std::uint64_t nodes = 0;
};

/// The verdicts, for those who want to know what was tried; empty: not asked.
struct SolverReport {
    std::optional<Verdict> tsume = {};
    std::optional<HisshiVerdict> hisshi = {};
    std::uint64_t nodes = 0;
};

/// Asks the solvers about one root.
///
/// Threads one owner at a time; `stop` as for every engine.
/// Cost    beside the shares, 32 MiB of table from the first question on.
class RootSolvers {
public:
    /// A mate by checks, or none. When there is one, up to half of `whole` is spent on its shortest
    /// form.
    std::optional<Line> tsume(const AnalysisRequest& request,
                              const SolverShares& shares,
                              std::stop_token stop,
                              SolverReport& report);
    /// A hisshi: the key, the reply that lasts longest, and the mate. Keys are asked for only when
    /// the defender's king is too far from its promotion zone to declare itself the winner first.
    std::optional<Line> hisshi(const AnalysisRequest& request,
                               const SolverShares& shares,
                               std::stop_token stop,
                               SolverReport& report);
    /// A mate by checks of the side to move, within so many nodes: of positions beside the root.
    std::optional<Line> quick_tsume(const Position& position,
                                    const RuleSet& rules,
                                    const engine::Budget& budget,
                                    std::stop_token stop,
                                    std::uint64_t& nodes);

private:
    engine::SearchMemory& memory();
    TsumeAnswer solve(const Position& position,
                      const engine::Budget& budget,
                      bool shortest,
                      const std::stop_token& stop);

    engine::SearchMemory memory_;
    Tsume tsume_;
    Hisshi hisshi_;
};

}  // namespace yomi::shogi
