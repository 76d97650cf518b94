#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/hash.hpp"
#include "core/shogi/search/abc/cost.hpp"
#include "core/shogi/search/abc/record.hpp"
#include "core/shogi/search/abc/table.hpp"
#include "core/shogi/search/abc/tree.hpp"

namespace yomi::shogi::abc {

/// An answer to "is the value at least g?".
struct Verdict {
    bool holds = false;
    /// Holds: the value of the recorded proof, at least g. Otherwise: the same, below g.
    Value bound = 0;
    /// Leaves of that proof that must be wrong to overturn the answer.
    Conspirators count = 1;
    /// Leans on a repetition or on the cap, so it is true for this line to the node only.
    bool tainted = false;
};

/// Trees of earlier questions that a new one follows: their first moves are tried first, and what
/// they answered on the same line with enough budget is not asked again.
struct Guides {
    std::shared_ptr<const Record> max = {};  ///< the latest that held: MAX's strategy
    std::shared_ptr<const Record> min = {};  ///< the latest that did not: MIN's
};

/// The null-window procedure with two budgets.
///
/// A node where the value looks good enough for MAX is a leaf when MAX has spent its budget; one
/// where it looks too bad, when MIN has. A move costs its side by the number of other good moves
/// that the side has at that moment, so forced lines are read deeper, and a refuted move makes
/// those tried after it cheaper.
///
/// Threads one owner. Cost: the recursion is as deep as the line, `Options::cap` at most.
/// Source  McAllester and Yuret, "Alpha-beta-conspiracy search" (1993, 2002), for the idea;
///         procedure and proofs are this project's own reconstruction.
template <Tree T>
class NullWindow {
public:
    /// `table` may be null. All are borrowed.
    NullWindow(T& tree, const Options& options, Table* table)
        : tree_(tree), options_(options), table_(table) {
        lists_.resize(static_cast<std::size_t>(options.cap) + 2);
    }

    /// Asks at the tree's current node and writes the tree of the answer to `record`, which is
    /// fresh. Meaningless once `stopped()`.
    Verdict ask(Value g, Budgets left, const Guides& guides, Record& record) {
        guides_ = guides;
        record_ = &record;
        const Candidate root{};
        return visit({Record::kRoot,
                      {guides.max ? Record::kRoot : kNoNode, guides.min ? Record::kRoot : kNoNode}},
                     root,
                     g,
                     left,
                     0);
    }

    [[nodiscard]] bool stopped() const noexcept { return stopped_; }
    /// Nodes entered by all questions.
    [[nodiscard]] std::uint64_t visited() const noexcept { return visited_; }
    /// Longest line so far, plies.
    [[nodiscard]] int longest_line() const noexcept { return longest_line_; }

private:
    /// A node in the record and in both guides; `kNoNode` where it is in none.
    struct Place {
        NodeIndex node = kNoNode;
        std::array<NodeIndex, 2> guide{kNoNode, kNoNode};
    };
    /// A node on its way through `visit`.
    struct Node {
        Place place;
        Value g;
        Budgets left;
        int ply;
        bool max_to_move = false;
        std::uint64_t key = 0;
    };
    /// A move of a node and how it stands.
    struct Choice {
        Candidate candidate;
        bool tested = false;   ///< whether `good` is known
        bool good = false;     ///< alive: on the mover's side of the threshold
        bool counted = false;  ///< among the alternatives
        bool tried = false;
    };

    Verdict visit(const Place& place, const Candidate& known, Value g, Budgets left, int ply) {
        ++visited_;
        longest_line_ = std::max(longest_line_, ply);
        if (stopped_ || tree_.should_stop()) {
            stopped_ = true;
            return {};
        }
        Node node{.place = place, .g = g, .left = left, .ply = ply};
        node.max_to_move = tree_.max_to_move();
        note(
            [&](NodeFacts& f) {
                f.visited = true;
                f.max_to_move = node.max_to_move;
                f.estimate = known.estimate;
                f.exact = known.exact;
            },
            place);
        if (const auto ending = tree_.ending(ply)) return end_here(node, *ending);
        const Reach reach = tree_.reach(ply);
        if (reach.highest < g) return end_here(node, {.value = reach.highest});
        if (reach.lowest >= g) return end_here(node, {.value = reach.lowest});
        if (!known.exact && ply > 0 && is_leaf(known.estimate >= g, left))
            return answer(node, {.holds = known.estimate >= g, .bound = known.estimate});
        node.key = key_of(left);
        const TableHit hit = hash_answers() ? table_->probe(node.key) : TableHit{};
        // Estimates are dear: only where a side has spent its budget do looks matter.
        if (may_be_leaf(left) || ply >= options_.cap) {
            Verdict standing = judge(node, known);
            if (is_leaf(standing.holds, left)) return answer(node, standing);
            if (ply >= options_.cap) {
                note([](NodeFacts& f) { f.capped = true; }, place);
                standing.tainted = true;
                return answer(node, standing);
            }
        }
        Verdict verdict;
        if (follow_guides(node, verdict)) return verdict;
        if (ply > 0 && is_hashed(g) && ask_table(node, hit, verdict)) return verdict;
        return try_moves(node, hit);
    }

    /// Whether the node need not be looked into.
    [[nodiscard]] bool is_leaf(bool looks_good, Budgets left) const noexcept {
        if (options_.cost == CostMode::uniform) return left.max <= 0 && left.min <= 0;
        return looks_good ? left.max <= 0 : left.min <= 0;
    }

    /// Whether its looks can make such a node a leaf.
    [[nodiscard]] bool may_be_leaf(Budgets left) const noexcept {
        return is_leaf(true, left) || is_leaf(false, left);
    }

    [[nodiscard]] bool hash_answers() const noexcept {
        return table_ != nullptr && options_.hash_answers;
    }

    [[nodiscard]] static bool is_hashed(Value g) noexcept {
        return g >= -kHashRange && g <= kHashRange;
    }

    Verdict end_here(const Node& node, const Ending& ending) {
        if (ending.move) {
            // The move that ends it is part of the tree, so that a line can be shown to its end.
            const NodeIndex child = record_child(node.place.node, ending.move, true);
            note(
                [&](NodeFacts& f) {
                    f.estimate = ending.value;
                    f.exact = f.proved = true;
                    f.by_path = ending.by_path;
                },
                {child, {}});
        }
        note(
            [&](NodeFacts& f) {
                f.estimate = ending.value;
                f.exact = true;
                f.proved = true;
                f.by_path = ending.by_path;
            },
            node.place);
        return answer(node,
                      {.holds = ending.value >= node.g,
                       .bound = ending.value,
                       .count = kProved,
                       .tainted = ending.by_path});
    }

    /// What the node looks like at the threshold.
    Verdict judge(const Node& node, const Candidate& known) {
        const Value estimate = estimate_of(node, known);
        note(
            [&](NodeFacts& f) {
                f.estimate = estimate;
                f.exact = true;
            },
            node.place);
        return {.holds = estimate >= node.g, .bound = estimate};
    }

    Value estimate_of(const Node& node, const Candidate& known) {
        if (known.exact) return known.estimate;
        for (std::size_t i = 0; i < 2; ++i) {
            const NodeIndex at = node.place.guide[i];
            if (at != kNoNode && guide(i).facts(at).exact && !guide(i).facts(at).proved)
                return guide(i).facts(at).estimate;
        }
        return tree_.estimate();
    }

    /// Takes over an earlier answer of the same line, tree and all.
    bool follow_guides(const Node& node, Verdict& verdict) {
        for (std::size_t i = 0; i < 2; ++i) {
            const NodeIndex at = node.place.guide[i];
            if (at == kNoNode) continue;
            const NodeFacts& f = guide(i).facts(at);
            if (!f.answered || f.from_table) continue;
            const Value shown = shown_at(f.holds, f.g, f.bound);
            if (!serves(f.holds, shown, f.left, node.g, node.left)) continue;
            if (node.place.node != kNoNode) record_->graft(guide(i), at, node.place.node);
            verdict = {.holds = f.holds, .bound = f.bound, .count = f.count, .tainted = f.tainted};
            return true;
        }
        return false;
    }

    /// The threshold that an answer is good for.
    [[nodiscard]] Value shown_at(bool holds, Value g, Value bound) const noexcept {
        if (!takes_bounds(options_.cost)) return g;
        return holds ? bound : bound + 1;
    }

    [[nodiscard]] bool serves(
        bool holds, Value g, Budgets with, Value asked, Budgets left) const noexcept {
        if (holds ? g < asked : g > asked) return false;
        if (options_.cost == CostMode::uniform) return with == left;
        return holds ? with.max >= left.max : with.min >= left.min;
    }

    bool ask_table(const Node& node, const TableHit& hit, Verdict& verdict) {
        const Half* half = nullptr;
        if (hit.lower.known && hit.lower.g >= node.g && hit.lower.left >= node.left.max)
            half = &hit.lower;
        if (half == nullptr && hit.upper.known && hit.upper.g <= node.g &&
            hit.upper.left >= node.left.min)
            half = &hit.upper;
        if (half == nullptr) return false;
        const bool holds = half == &hit.lower;
        const Value bound = holds ? half->g : half->g - 1;
        note(
            [&](NodeFacts& f) {
                f.from_table = true;
                f.exact = false;
                f.estimate = bound;
            },
            node.place);
        verdict = answer(node, {.holds = holds, .bound = bound, .count = half->count});
        return true;
    }

    /// The key of the current node. With uniform costs an answer is for its budgets only.
    [[nodiscard]] std::uint64_t key_of(Budgets left) const {
        const std::uint64_t key = tree_.key();
        if (options_.cost != CostMode::uniform) return key;
        return key ^
               mix64((static_cast<std::uint64_t>(static_cast<std::uint32_t>(left.max)) << 32) |
                     static_cast<std::uint32_t>(left.min));
    }

    Verdict try_moves(const Node& node, const TableHit& hit) {
        std::vector<Choice>& choices = lists_[static_cast<std::size_t>(node.ply)];
        list_choices(node, hit, choices);
        if (choices.empty()) {
            const auto value = tree_.no_moves(node.ply);
            if (value) return end_here(node, {.value = *value});
            return answer(node, judge(node, {}));
        }
        const bool max_side = node.max_to_move;
        const int enough = enough_alternatives(options_.cost, node.left.of(max_side));
        std::size_t scanned = 0;  // choices before it have been looked at for counting
        int alive = 0;            // counted among the alternatives
        // Every move refuted: one wrong refutation is enough, so the weakest counts.
        Verdict fail{.holds = !max_side, .bound = max_side ? -kBeyond : kBeyond, .count = kProved};
        for (std::size_t i = 0; i < choices.size(); ++i) {
            Choice& choice = choices[i];
            const auto others = [&] { return alive - (choice.counted ? 1 : 0); };
            while (scanned < choices.size() && others() < enough) {
                Choice& c = choices[scanned++];
                if (&c == &choice) continue;
                c.counted = !c.tried && test(node, c);
                if (c.counted) ++alive;
            }
            const int alternatives = others();
            Quarters paid = price(options_.cost, alternatives);
            if (options_.cost == CostMode::log) paid = std::max(paid, options_.floor);
            note([&](NodeFacts& f) { f.alternatives = alternatives; }, node.place);
            Verdict verdict = enter(node, choice, paid);
            if (stopped_) return {};
            if (verdict.holds == max_side) {
                tree_.succeeded(choice.candidate.move);
                choice.tried = true;
                verdict.count = together(verdict.count, record_untried(node, choices));
                keep(node, verdict, choice.candidate.move);
                return answer(node, verdict);
            }
            fail.bound = max_side ? std::max(fail.bound, verdict.bound)
                                  : std::min(fail.bound, verdict.bound);
            fail.count = std::min(fail.count, verdict.count);
            fail.tainted = fail.tainted || verdict.tainted;
            // Refuted: no conspirator any more, and no alternative to the moves that follow.
            if (choice.counted) --alive;
            choice.counted = false;
            choice.tried = true;
        }
        keep(node, fail, kNoMove);
        return answer(node, fail);
    }

    /// Plays one move and asks behind it.
    Verdict enter(const Node& node, Choice& choice, Quarters paid) {
        const Budgets left = node.left.less(node.max_to_move, paid);
        // Where looks will matter, a hopeless move does with a guess.
        if (may_be_leaf(left)) test(node, choice);
        // Estimates count nodes, too.
        stopped_ = stopped_ || tree_.should_stop();
        if (stopped_) return {};
        const Candidate candidate = choice.candidate;
        Place place;
        place.node = record_child(node.place.node, candidate.move, true);
        note([&](NodeFacts& f) { f.paid = paid; }, place);
        for (std::size_t i = 0; i < 2; ++i) {
            if (node.place.guide[i] != kNoNode)
                place.guide[i] = guide(i).tree().find(node.place.guide[i], candidate.move);
        }
        tree_.do_move(candidate.move);
        const Verdict verdict = visit(place, candidate, node.g, left, node.ply + 1);
        tree_.undo_move();
        return verdict;
    }

    /// Whether the choice is alive; makes its estimate exact for that.
    bool test(const Node& node, Choice& choice) {
        if (!choice.tested) {
            if (!choice.candidate.exact) tree_.refine(choice.candidate, node.g);
            const Value estimate = choice.candidate.estimate;
            choice.good = node.max_to_move ? estimate >= node.g - options_.margin
                                           : estimate < node.g + options_.margin;
            choice.tested = true;
        }
        return choice.good;
    }

    /// The moves in the order of trying: what worked in the guides, what worked in the table, then
    /// as the tree lists them.
    void list_choices(const Node& node, const TableHit& hit, std::vector<Choice>& choices) {
        candidates_.clear();
        tree_.list_moves(candidates_, node.ply);
        choices.clear();
        for (const Candidate& candidate : candidates_)
            choices.push_back({.candidate = candidate});
        const bool max_side = node.max_to_move;
        const Half& half = max_side ? hit.lower : hit.upper;
        if (half.known && half.move_bits != 0) {
            bring_forward(choices, [&](Move m) { return m.bits16() == half.move_bits; });
        }
        // The guide of the mover's own strategy comes last here, so its move comes first there.
        for (const std::size_t i : {max_side ? std::size_t{1} : std::size_t{0},
                                    max_side ? std::size_t{0} : std::size_t{1}}) {
            const NodeIndex at = node.place.guide[i];
            if (at == kNoNode) continue;
            const NodeFacts& f = guide(i).facts(at);
            const NodeIndex first = guide(i).tree()[at].child;
            if (first == kNoNode || !f.answered || f.holds != max_side) continue;
            const Move move = guide(i).tree()[first].move;
            bring_forward(choices, [&](Move m) { return m == move; });
        }
    }

    template <class Match>
    static void bring_forward(std::vector<Choice>& choices, Match match) {
        const auto found = std::find_if(choices.begin(), choices.end(), [&](const Choice& c) {
            return match(c.candidate.move);
        });
        if (found != choices.end()) std::rotate(choices.begin(), found, found + 1);
    }

    /// Moves that were estimated but not tried are leaves of the recorded tree. Returns how many of
    /// them are on the mover's side: so many more would have to be wrong.
    Conspirators record_untried(const Node& node, const std::vector<Choice>& choices) {
        Conspirators alive = 0;
        for (const Choice& c : choices) {
            if (c.tried || !c.candidate.exact) continue;
            if ((c.candidate.estimate >= node.g) == node.max_to_move) ++alive;
            const NodeIndex child = record_child(node.place.node, c.candidate.move, false);
            note(
                [&](NodeFacts& f) {
                    f.estimate = c.candidate.estimate;
                    f.exact = true;
                },
                {child, {}});
        }
        return alive;
    }

    NodeIndex record_child(NodeIndex parent, Move move, bool in_front) {
        return in_front ? record_->add(parent, move) : record_->add_behind(parent, move);
    }

    void keep(const Node& node, const Verdict& verdict, Move move) {
        if (!hash_answers() || verdict.tainted || !is_hashed(node.g)) return;
        const Value shown = shown_at(verdict.holds, node.g, verdict.bound);
        table_->store(node.key,
                      verdict.holds,
                      {.g = is_hashed(shown) ? shown : node.g,
                       .left = verdict.holds ? node.left.max : node.left.min,
                       .move_bits = move.bits16(),
                       .count = verdict.count});
    }

    Verdict answer(const Node& node, const Verdict& verdict) {
        note(
            [&](NodeFacts& f) {
                f.answered = true;
                f.holds = verdict.holds;
                f.tainted = verdict.tainted;
                f.g = node.g;
                f.bound = verdict.bound;
                f.count = verdict.count;
                f.left = node.left;
            },
            node.place);
        return verdict;
    }

    template <class Write>
    void note(Write write, const Place& place) {
        if (place.node != kNoNode) write(record_->facts(place.node));
    }

    [[nodiscard]] const Record& guide(std::size_t i) const noexcept {
        return i == 0 ? *guides_.max : *guides_.min;
    }

    T& tree_;
    Options options_;
    Table* table_;
    Guides guides_;
    Record* record_ = nullptr;
    std::vector<std::vector<Choice>> lists_;  ///< one a ply, so that the recursion allocates little
    std::vector<Candidate> candidates_;
    bool stopped_ = false;
    std::uint64_t visited_ = 0;
    int longest_line_ = 0;
};

}  // namespace yomi::shogi::abc
