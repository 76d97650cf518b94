#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/shogi/types.hpp"

namespace yomi::shogi::abc {

/// A value of the tree, always from MAX's view; MAX is the side that the question is asked for.
using Value = int;
/// Beyond every value of every tree.
inline constexpr Value kBeyond = 32'200;

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

/// What the search asks of a game. Toy trees of the tests and shogi share it.
///
/// Shape   `list_moves` appends the legal moves, the most promising for the mover first. `refine`
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
