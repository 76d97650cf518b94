#pragma once

#include <algorithm>
#include <memory>
#include <utility>

#include "core/shogi/search/abc/null_window.hpp"

namespace yomi::shogi::abc {

/// What one depth has established: the value lies in [lower, upper).
struct Bracket {
    Value lower = -kBeyond;  ///< shown with MAX's strategy in `trees.max`, unless it is -kBeyond
    Value upper = kBeyond;   ///< refuted with MIN's strategy in `trees.min`, unless it is kBeyond
    Guides trees = {};

    /// Whether it is as narrow as wanted; ends by the rules are told apart to the ply.
    [[nodiscard]] bool found(int resolution) const noexcept {
        const bool by_rules = lower > kHashRange || upper < -kHashRange;
        return upper - lower <= (by_rules ? 1 : resolution);
    }
};

/// Finds the value of the tree's current node by null-window questions, depth after depth.
///
/// Each question follows the trees of the latest answers of both kinds, and so does each depth.
///
/// Threads one owner.
template <Tree T>
class ValueSearch {
public:
    ValueSearch(T& tree, const Options& options, Table* table)
        : options_(options), window_(tree, options, table) {}

    /// What the first questions follow beside the trees of this search.
    void set_guides(Guides guides) { guides_ = std::move(guides); }

    /// Searches one depth from the guess on; calls `answered(bracket)` after each question.
    /// `bracket` comes with what is established for these budgets already, or empty. Returns false
    /// when stopped: then it is what has been established so far.
    template <class Answered>
    bool deepen(Budgets budgets, Value guess, Bracket& bracket, Answered answered) {
        const int resolution = std::max(options_.resolution, 1);
        // What the recorded trees show beyond the thresholds asked: the next question's best guess,
        // and where no number is promised an answer by itself.
        Value shown_lower = bracket.lower;
        Value shown_upper = kBeyond;
        const bool by_bounds = takes_bounds(options_.cost);
        Value g = guess;
        int run = 0;  // answers of the same kind in a row, negative for refusals
        for (int questions = 1; !bracket.found(resolution); ++questions) {
            g = std::clamp(g, bracket.lower + 1, bracket.upper - 1);
            auto record = std::make_shared<Record>();
            const Verdict verdict = window_.ask(g, budgets, guides_, *record);
            if (window_.stopped()) return false;
            if (verdict.holds) {
                bracket.lower = by_bounds ? std::clamp(verdict.bound, g, bracket.upper - 1) : g;
                bracket.trees.max = record;
                guides_.max = std::move(record);
                shown_lower = std::max(shown_lower, verdict.bound);
                run = std::max(run, 0) + 1;
                g = std::max(verdict.bound, g) + step_at(g, resolution) * stride(run);
            } else {
                bracket.upper = by_bounds ? std::clamp(verdict.bound + 1, bracket.lower + 1, g) : g;
                bracket.trees.min = record;
                guides_.min = std::move(record);
                shown_upper = std::min(shown_upper, verdict.bound);
                run = std::min(run, 0) - 1;
                g = std::min(verdict.bound, g - 1) - step_at(g, resolution) * stride(-run) + 1;
                g = std::max(g, std::min(shown_lower, shown_upper));
            }
            answered(std::as_const(bracket));
            // The answers' bounds usually lead there at once; when they creep, halve.
            const bool closed = bracket.lower > -kBeyond && bracket.upper < kBeyond;
            if (closed && (questions >= kCreeping || g <= bracket.lower || g >= bracket.upper))
                g = middle(bracket);
        }
        return true;
    }

    [[nodiscard]] const NullWindow<T>& window() const noexcept { return window_; }

private:
    static constexpr int kCreeping = 6;

    static int step_at(Value g, int resolution) noexcept {
        return g > kHashRange || g < -kHashRange ? 1 : resolution;
    }

    /// How many steps to go on after so many answers of one kind: twice as many each time.
    static int stride(int answers) noexcept { return 1 << std::min(answers - 1, 10); }

    static Value middle(const Bracket& bracket) noexcept {
        return bracket.lower + (bracket.upper - bracket.lower) / 2;
    }

    Options options_;
    NullWindow<T> window_;
    Guides guides_;
};

}  // namespace yomi::shogi::abc
