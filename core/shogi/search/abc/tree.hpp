#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "core/shogi/types.hpp"

namespace yomi::shogi::abc {

/// A value of the tree, always from MAX's view; MAX is the side that the question is asked for.
using Value = int;
/// Beyond every value of every tree.
inline constexpr Value kBeyond = 32'200;
/// Thresholds beyond it ask for an end by the rules at a distance from the root. The same node lies
/// at several distances, so such answers are true for their line only and stay out of the hash.
inline constexpr Value kHashRange = 15'001;

/// How many leaf evaluations must be wrong; `kProved` when no number of them suffices.
using Conspirators = std::uint32_t;
inline constexpr Conspirators kProved = std::numeric_limits<Conspirators>::max();
/// Adds without ever leaving "proved".
constexpr Conspirators together(Conspirators a, Conspirators b) noexcept {
    return a >= kProved - b ? kProved : a + b;
}

/// A move with what is thought of the node behind it.
struct Candidate {
    Move move;
    Value estimate = 0;  ///< MAX's view
    bool exact = false;  ///< what `Tree::estimate` says behind the move; otherwise a guess
};

/// The end of a line by the rules: nobody's opinion, so no conspirator can change it.
struct Ending {
    Value value = 0;
    bool by_path = false;  ///< true only for this way to the node (a repetition)
    Move move = {};        ///< the move that ends it from here, if it takes one
};

/// What the value of a node at some ply can be at all (no mate is nearer than the next move).
struct Reach {
    Value lowest = -kBeyond;
    Value highest = kBeyond;
};

/// What the search asks of a game. Toy trees of the tests and shogi share it.
///
/// Shape   `reach` is asked where no `ending` is. `list_moves` appends the legal moves, the most
/// promising for the mover first. `refine`
///         makes an estimate exact, or leaves it a guess when the move is hopeless for the mover at
///         threshold `g` anyway. `estimate` is a function of the node alone. A node without moves
///         is worth `no_moves`, or if that is nothing its estimate: a leaf of a finite tree.
template <class T>
concept Tree = requires(T& tree,
                        const T& view,
                        Move move,
                        std::vector<Candidate>& list,
                        Candidate& candidate,
                        Value g,
                        int ply) {
    { view.max_to_move() } -> std::same_as<bool>;
    { view.key() } -> std::same_as<std::uint64_t>;
    { tree.ending(ply) } -> std::same_as<std::optional<Ending>>;
    { tree.no_moves(ply) } -> std::same_as<std::optional<Value>>;
    { view.reach(ply) } -> std::same_as<Reach>;
    { tree.estimate() } -> std::same_as<Value>;
    tree.list_moves(list, ply);
    tree.refine(candidate, g);
    tree.do_move(move);
    tree.undo_move();
    /// `move` gave its side what it wanted: for move ordering.
    tree.succeeded(move);
    /// Looks at the limits, once a node.
    { tree.should_stop() } -> std::same_as<bool>;
};

}  // namespace yomi::shogi::abc
