#pragma once

// Trees drawn by hand or by dice, the slow plain twins of the ABC procedure, and its numbers.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/hash.hpp"
#include "core/shogi/search/abc/null_window.hpp"

namespace yomi::shogi::abc::toy {

struct ToyNode {
    std::string name;
    Value value = 0;  ///< static
    bool max_to_move = true;
    bool proved = false;
    std::vector<std::size_t> children = {};
};

/// A whole tree (or directed graph without cycles) in memory; node 0 is the root.
struct ToyGame {
    std::vector<ToyNode> nodes;

    std::size_t add(std::string name, Value value, bool max_to_move) {
        nodes.push_back({.name = std::move(name), .value = value, .max_to_move = max_to_move});
        return nodes.size() - 1;
    }
    /// Adds leaves "<name>a", "<name>b" ... below a node.
    void leaves(std::size_t parent, std::initializer_list<Value> values) {
        char letter = 'a';
        for (const Value value : values) {
            const std::size_t leaf =
                add(nodes[parent].name + letter++, value, !nodes[parent].max_to_move);
            nodes[parent].children.push_back(leaf);
        }
    }
    std::size_t child(std::size_t parent, std::string name, Value value) {
        const std::size_t node = add(std::move(name), value, !nodes[parent].max_to_move);
        nodes[parent].children.push_back(node);
        return node;
    }
    /// The children in the mover's order: by static value, equal ones as they were added.
    [[nodiscard]] std::vector<std::size_t> ordered(std::size_t node) const {
        std::vector<std::size_t> order = nodes[node].children;
        const bool max_side = nodes[node].max_to_move;
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return max_side ? nodes[a].value > nodes[b].value : nodes[a].value < nodes[b].value;
        });
        return order;
    }
    [[nodiscard]] Value minimax(std::size_t node = 0,
                                int depth = std::numeric_limits<int>::max()) const {
        const ToyNode& n = nodes[node];
        if (n.children.empty() || n.proved || depth == 0) return n.value;
        Value best = n.max_to_move ? -kBeyond : kBeyond;
        for (const std::size_t child : n.children) {
            const Value v = minimax(child, depth - 1);
            best = n.max_to_move ? std::max(best, v) : std::min(best, v);
        }
        return best;
    }
};

/// A `ToyGame` as the search sees it; writes down where it has been.
class ToyTree {
public:
    explicit ToyTree(const ToyGame& game, bool entered_root = true) : game_(game) {
        if (entered_root) entered.push_back(0);
    }

    [[nodiscard]] bool max_to_move() const { return node().max_to_move; }
    [[nodiscard]] std::uint64_t key() const { return mix64(path_.back() + 1); }
    std::optional<Ending> ending(int) {
        if (!node().proved) return std::nullopt;
        return Ending{.value = node().value};
    }
    std::optional<Value> no_moves(int) { return std::nullopt; }
    [[nodiscard]] Reach reach(int) const { return {}; }
    Value estimate() { return node().value; }
    void list_moves(std::vector<Candidate>& list, int) {
        for (const std::size_t child : game_.ordered(path_.back()))
            list.push_back(
                {.move = move_to(child), .estimate = game_.nodes[child].value, .exact = true});
    }
    void refine(Candidate&, Value) {}
    void do_move(Move move) {
        path_.push_back(move.bits() - 1);
        entered.push_back(path_.back());
    }
    void undo_move() { path_.pop_back(); }
    void succeeded(Move) {}
    bool should_stop() { return node_limit != 0 && entered.size() > node_limit; }

    static Move move_to(std::size_t child) {
        return Move::from_bits(static_cast<std::uint32_t>(child) + 1);
    }
    /// Names of the nodes entered, in order.
    [[nodiscard]] std::string trail() const {
        std::string text;
        for (const std::size_t n : entered)
            text += (text.empty() ? "" : " ") + game_.nodes[n].name;
        return text;
    }

    std::vector<std::size_t> entered;
    std::size_t node_limit = 0;  ///< 0: none

private:
    [[nodiscard]] const ToyNode& node() const { return game_.nodes[path_.back()]; }

    const ToyGame& game_;
    std::vector<std::size_t> path_{0};
};
static_assert(Tree<ToyTree>);

/// The procedure as the specification writes it down: no table, no guide, no laziness, no record.
class PlainAbc {
public:
    PlainAbc(const ToyGame& game, const Options& options) : game_(game), options_(options) {}

    bool ask(Value g, int r_max, int r_min) { return visit(0, g, r_max, r_min, 0); }
    std::vector<std::size_t> entered;

private:
    bool visit(std::size_t n, Value g, int r_max, int r_min, int ply) {
        entered.push_back(n);
        const ToyNode& node = game_.nodes[n];
        const bool hi = node.value >= g;
        if (node.proved) return hi;
        if (options_.cost == CostMode::uniform) {
            if (r_max <= 0 && r_min <= 0) return hi;
        } else {
            if (hi && r_max <= 0) return true;
            if (!hi && r_min <= 0) return false;
        }
        if (ply >= options_.cap || node.children.empty()) return hi;
        std::vector<std::size_t> order = game_.ordered(n);
        std::set<std::size_t> alive;
        for (const std::size_t m : order) {
            const Value v = game_.nodes[m].value;
            if (node.max_to_move ? v >= g - options_.margin : v < g + options_.margin)
                alive.insert(m);
        }
        for (const std::size_t m : order) {
            const int k = price(options_.cost, static_cast<int>(alive.size() - alive.count(m)));
            const bool result = node.max_to_move ? visit(m, g, r_max - k, r_min, ply + 1)
                                                 : visit(m, g, r_max, r_min - k, ply + 1);
            if (result == node.max_to_move) return result;
            alive.erase(m);
        }
        return !node.max_to_move;
    }

    const ToyGame& game_;
    Options options_;
};

struct Dice {
    int depth = 6;
    int branch = 4;      ///< children 1..branch; 0 now and then, too
    bool exact = false;  ///< statics are the minimax values; otherwise noisy
    bool proved = true;  ///< the frontier of the finite tree counts as the end of the game
    int range = 20;      ///< values of leaves 0..range-1
    int noise = 6;
};

namespace detail {
inline void grow(ToyGame& game, std::size_t node, int depth, const Dice& dice, SplitMix64& random) {
    if (game.nodes.size() > 400 || depth == 0 || (node != 0 && random.below(8) == 0)) {
        game.nodes[node].value =
            static_cast<Value>(random.below(static_cast<std::uint32_t>(dice.range)));
        game.nodes[node].proved = dice.proved;
        return;
    }
    const std::uint32_t count = 1 + random.below(static_cast<std::uint32_t>(dice.branch));
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::size_t child = game.child(node, std::to_string(game.nodes.size()), 0);
        grow(game, child, depth - 1, dice, random);
    }
}
inline Value set_statics(ToyGame& game, std::size_t node, const Dice& dice, SplitMix64& random) {
    ToyNode& n = game.nodes[node];
    if (n.children.empty()) return n.value;
    Value best = n.max_to_move ? -kBeyond : kBeyond;
    for (const std::size_t child : n.children) {
        const Value v = set_statics(game, child, dice, random);
        best = n.max_to_move ? std::max(best, v) : std::min(best, v);
    }
    const auto width = static_cast<std::uint32_t>(2 * dice.noise + 1);
    game.nodes[node].value =
        dice.exact ? best : best + static_cast<Value>(random.below(width)) - dice.noise;
    return best;
}
}  // namespace detail

/// A random tree with alternating movers, the root MAX's.
inline ToyGame random_game(const Dice& dice, SplitMix64& random) {
    ToyGame game;
    game.add("0", 0, true);
    detail::grow(game, 0, dice.depth, dice, random);
    detail::set_statics(game, 0, dice, random);
    return game;
}

// ---- the three trees worked out by hand --------------------------------------------------------

inline ToyGame tree_one() {
    ToyGame game;
    const std::size_t root = game.add("R", 6, true);
    const std::size_t a = game.child(root, "A", 6);
    const std::size_t b = game.child(root, "B", 6);
    const std::size_t c = game.child(root, "C", 2);
    game.leaves(a, {6, 7});
    game.leaves(b, {6, 9});
    game.leaves(c, {2, 8});
    return game;
}

/// A forced line: fixed depth 2 and 3 believe in 5, the truth is 0.
inline ToyGame tree_two() {
    ToyGame game;
    const std::size_t root = game.add("R", 5, true);
    const std::size_t a = game.child(root, "A", 5);
    const std::size_t a1 = game.child(a, "A1", 5);
    const std::size_t a2 = game.child(a, "A2", 6);
    const std::size_t x = game.child(a1, "A1x", 5);
    game.leaves(x, {5, -3});
    const std::size_t y = game.child(a1, "A1y", 0);
    game.leaves(y, {0});
    game.leaves(a2, {6, 6, 5});
    const std::size_t b = game.child(root, "B", 0);
    game.leaves(b, {0, 1});
    return game;
}

/// Many options: three independent evaluations must be wrong.
inline ToyGame tree_three() {
    ToyGame game;
    const std::size_t root = game.add("R", 5, true);
    for (const char* name : {"X", "Y", "Z"})
        game.leaves(game.child(root, name, 5), {5, 4});
    return game;
}

}  // namespace yomi::shogi::abc::toy
