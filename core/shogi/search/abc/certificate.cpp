#include "core/shogi/search/abc/certificate.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <utility>

#include "core/shogi/search/abc/line.hpp"
#include "core/shogi/search/value.hpp"

namespace yomi::shogi::abc {

namespace {

/// How much the score would have to be wrong, centipawns.
constexpr std::array<int, 7> kMargins{0, 50, 100, 200, 400, 800, 1600};
constexpr std::size_t kMostOptions = 16;

/// A node of the line in both trees.
struct Spot {
    NodeIndex in_max = Record::kRoot;
    NodeIndex in_min = Record::kRoot;
};

void follow(const Bracket& bracket, Spot& spot, Move move) {
    if (spot.in_max != kNoNode) spot.in_max = bracket.trees.max->tree().find(spot.in_max, move);
    if (spot.in_min != kNoNode) spot.in_min = bracket.trees.min->tree().find(spot.in_min, move);
}

/// What the mover at `spot` had beside its move: from the tree of its own strategy.
int recorded_alternatives(const Bracket& bracket, const Spot& spot, bool max_to_move) {
    const NodeIndex at = max_to_move ? spot.in_max : spot.in_min;
    if (at == kNoNode) return 0;
    return max_to_move ? bracket.trees.max->facts(at).alternatives
                       : bracket.trees.min->facts(at).alternatives;
}

void add_step(
    std::vector<PvStep>& steps, Move move, int alternatives, bool max_to_move, CostMode cost) {
    const double paid = static_cast<double>(price(cost, alternatives)) / kOne;
    PvStep step{.move = move, .alternatives = alternatives};
    if (!steps.empty()) {
        step.d_max = steps.back().d_max;
        step.d_min = steps.back().d_min;
    }
    (max_to_move ? step.d_max : step.d_min) += paid;
    steps.push_back(step);
}

std::vector<RootOption> root_options(const Record& max, Value g) {
    const std::vector<Conspiracy> numbers = conspiracy_numbers(max, g);
    std::vector<RootOption> options;
    for (NodeIndex c = max.tree()[Record::kRoot].child; c != kNoNode; c = max.tree()[c].sibling) {
        if (numbers[c].lower > 0)
            options.push_back({.move = max.tree()[c].move, .count = numbers[c].lower});
    }
    // The move that was played stays first among equals.
    std::stable_sort(options.begin(), options.end(), [](const RootOption& a, const RootOption& b) {
        return a.count > b.count;
    });
    if (options.size() > kMostOptions) options.resize(kMostOptions);
    return options;
}

/// Everything of a certificate that the two trees say by themselves.
Certificate read_trees(const Bracket& bracket, Value value, const Options& options) {
    const Record& max = *bracket.trees.max;
    const Record& min = *bracket.trees.min;
    Certificate certificate;
    certificate.cost = options.cost;
    certificate.score = search::to_score(value);
    certificate.lower = bound_score(bracket.lower);
    certificate.upper = bound_score(bracket.upper - 1);
    certificate.truncated = max.truncated() || min.truncated();
    std::array<Value, kMargins.size()> below{};
    std::array<Value, kMargins.size()> above{};
    for (std::size_t i = 0; i < kMargins.size(); ++i) {
        // To lose `margin`, the value must fall below lower - margin + 1; with margin 0 to fall at
        // all.
        below[i] = std::max(bracket.lower - std::max(kMargins[i] - 1, 0), -kBeyond);
        above[i] = std::min(bracket.upper + std::max(kMargins[i] - 1, 0), kBeyond);
    }
    const std::vector<Conspiracy> down = conspiracy_curve(max, below);
    const std::vector<Conspiracy> up = conspiracy_curve(min, above);
    for (std::size_t i = 0; i < kMargins.size(); ++i) {
        certificate.down.push_back({.margin = kMargins[i], .count = down[i].lower});
        certificate.up.push_back({.margin = kMargins[i], .count = up[i].upper});
    }
    certificate.proved =
        certificate.down.front().count == kProved && certificate.up.front().count == kProved;
    certificate.options = root_options(max, bracket.lower);
    return certificate;
}

}  // namespace

Finding finding_of(const Bracket& bracket) {
    // A mate is as long as the recorded tree proves it, whatever the width of the bracket.
    const Value shown = recorded_value(*bracket.trees.max);
    if (search::is_mate(bracket.lower) && bracket.lower > 0)
        return {.value = shown, .line = value_line(*bracket.trees.max)};
    const Value refuted = recorded_value(*bracket.trees.min);
    if (search::is_mate(bracket.upper - 1) && bracket.upper - 1 < 0)
        return {.value = refuted, .line = value_line(*bracket.trees.min)};
    return {.value = bracket.lower, .line = principal_line(*bracket.trees.max, *bracket.trees.min)};
}

Certificate certificate_of(const Bracket& bracket, const Finding& finding, const Options& options) {
    Certificate certificate = read_trees(bracket, finding.value, options);
    Spot spot;
    bool max_to_move = true;
    for (const Move move : finding.line) {
        add_step(certificate.pv,
                 move,
                 recorded_alternatives(bracket, spot, max_to_move),
                 max_to_move,
                 options.cost);
        follow(bracket, spot, move);
        max_to_move = !max_to_move;
    }
    return certificate;
}

Certificate count_fully(ShogiTree& tree, const Bracket& bracket, const Options& options) {
    const Finding finding = finding_of(bracket);
    auto max = std::make_shared<Record>(*bracket.trees.max);
    auto min = std::make_shared<Record>(*bracket.trees.min);
    std::vector<PvStep> steps;
    Spot spot;
    std::vector<Candidate> candidates;
    int ply = 0;
    for (const Move move : finding.line) {
        const bool max_to_move = tree.max_to_move();
        const Value g = max_to_move ? bracket.lower : bracket.upper;
        Record& own = max_to_move ? *max : *min;
        const NodeIndex at = max_to_move ? spot.in_max : spot.in_min;
        candidates.clear();
        tree.list_moves(candidates, ply);
        int alternatives = 0;
        for (Candidate& c : candidates) {
            if (c.move == move) continue;
            const NodeIndex known = at == kNoNode ? kNoNode : own.tree().find(at, c.move);
            if (known != kNoNode && own.facts(known).answered) {
                // Searched: its answer outweighs its estimate.
                alternatives += own.facts(known).holds == max_to_move ? 1 : 0;
                continue;
            }
            tree.refine(c, g);
            const bool good = max_to_move ? c.estimate >= g : c.estimate < g;
            if (!c.exact || !good) continue;
            ++alternatives;
            // Only where the own strategy has tried moves is the node its own.
            if (known != kNoNode || at == kNoNode || own.tree()[at].child == kNoNode) continue;
            if (const NodeIndex added = own.add_behind(at, c.move); added != kNoNode) {
                own.facts(added).estimate = c.estimate;
                own.facts(added).exact = true;
            }
        }
        if (tree.stop_reason() != engine::StopReason::none) {
            // The rest as the search left it.
            alternatives =
                std::max(alternatives, recorded_alternatives(bracket, spot, max_to_move));
        }
        add_step(steps, move, alternatives, max_to_move, options.cost);
        follow(bracket, spot, move);
        tree.do_move(move);
        ++ply;
    }
    const Bracket counted{
        .lower = bracket.lower, .upper = bracket.upper, .trees = {std::move(max), std::move(min)}};
    Certificate certificate = read_trees(counted, finding.value, options);
    certificate.pv = std::move(steps);
    return certificate;
}

Certificate certificate_of_mate(const Line& line) {
    Certificate certificate;
    certificate.cost = CostMode::exact;
    certificate.depth = line.depth;
    certificate.score = certificate.lower = certificate.upper = line.score;
    certificate.proved = true;
    for (const int margin : kMargins) {
        certificate.down.push_back({.margin = margin, .count = kProved});
        certificate.up.push_back({.margin = margin, .count = kProved});
    }
    return certificate;
}

AnalysisAnswer finished_game(const Position& root, GameStatus status, const RuleSet& rules) {
    AnalysisAnswer answer;
    answer.status = status;
    answer.stopped_by = engine::StopReason::game_over;
    if (status == GameStatus::mated) {
        answer.result.lines.push_back({.score = Score::mate(0)});
    } else if (status == GameStatus::repetition || status == GameStatus::max_plies) {
        answer.result.lines.push_back({.score = Score::cp(search::kDraw)});
    } else if (answer.declares()) {
        answer.result.lines.push_back({.score = Score::mate(1)});
        answer.bestmove = try_move(root, rules.declaration);
    }
    return answer;
}

}  // namespace yomi::shogi::abc
