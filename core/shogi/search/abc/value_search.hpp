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
    /// Returns false when stopped: then `bracket` is what this depth has established so far.
    template <class Answered>
    bool deepen(Budgets budgets, Value guess, Bracket& bracket, Answered answered) {
        bracket = {};
        const int resolution = std::max(options_.resolution, 1);
        Value g = guess;
        int questions = 0;
        while (!bracket.found(resolution)) {
            g = std::clamp(g, bracket.lower + 1, bracket.upper - 1);
            auto record = std::make_shared<Record>();
            const Verdict verdict = window_.ask(g, budgets, guides_, *record);
            if (window_.stopped()) return false;
            ++questions;
            if (verdict.holds) {
                bracket.lower = g;
                bracket.trees.max = record;
                guides_.max = std::move(record);
                g = std::max(verdict.bound, g);
                g += step_at(g, resolution);
            } else {
                bracket.upper = g;
                bracket.trees.min = record;
                guides_.min = std::move(record);
                g = std::min(verdict.bound, g - 1);
                g -= step_at(g, resolution) - 1;
            }
            answered(std::as_const(bracket));
            // The answers' bounds usually lead there at once; when they creep, halve.
            if (questions >= kCreeping) g = middle(bracket);
        }
        return true;
    }

    [[nodiscard]] const NullWindow<T>& window() const noexcept { return window_; }

private:
    static constexpr int kCreeping = 6;

    static int step_at(Value g, int resolution) noexcept {
        return g > kHashRange || g < -kHashRange ? 1 : resolution;
    }

    static Value middle(const Bracket& bracket) noexcept {
        return bracket.lower + (bracket.upper - bracket.lower) / 2;
    }

    Options options_;
    NullWindow<T> window_;
    Guides guides_;
};

}  // namespace yomi::shogi::abc
