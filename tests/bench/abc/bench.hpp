#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "core/shogi/eval/evaluator.hpp"
#include "core/shogi/position.hpp"
#include "core/shogi/search/score.hpp"

namespace yomi::shogi::abc_bench {

/// What judges the leaves of all sides alike: a net, or without one the classic evaluation.
struct Judge {
    eval::Kind kind = eval::Kind::classic;
    eval::NetChoice net = {};
};

struct Choice {
    Move move;
    Score score = {};
};
/// Chooses a move within a number of nodes; every call starts with empty memory.
using Player = std::function<Choice(const Position&, std::uint64_t nodes)>;

/// `full` (the alpha-beta engine), `plain` (fixed-depth alpha-beta, deepened ply by ply, over the
/// estimates of the ABC search), or ABC by its cost: `exact`, `log`, `uniform`, with a margin if
/// one follows: `log:60`. Empty for another name.
Player make_player(std::string_view name, const Judge& judge);

/// The words behind the name of a command.
using Words = std::span<const std::string_view>;

/// Games between two players, one line a game; those in the file already are not played again.
int run_match(Words words, const Judge& judge);
/// Quiet, undecided positions of the full engine's own games.
int run_positions(Words words, const Judge& judge);
/// What the full engine says of them at a small and at a large budget.
int run_deep(Words words, const Judge& judge);

/// The certificates of the answers at the small budget against what the large one changed.
int run_certify(Words words, const Judge& judge);
/// Mates and wins of material with their keys, from self-play.
int run_find_tactics(Words words, const Judge& judge);
/// How many of them each player solves at each budget: mates + wins.
int run_tactics(Words words, const Judge& judge);

}  // namespace yomi::shogi::abc_bench
