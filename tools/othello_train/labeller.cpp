#include "tools/othello_train/labeller.hpp"

#include <algorithm>
#include <cstdint>

#include "core/othello/position.hpp"

namespace yomi::othello_train {
namespace {

/// The line of a solved position is followed down to so many empties.
constexpr int kLeastFollowed = 4;

using othello::Board;
using othello::search::kNoSelectivity;
using othello::search::Line;
using othello::search::Node;

}  // namespace

Labeller::Labeller(const LabelOptions& options, const othello::eval::Evaluator& evaluator)
    : options_(options), memory_(options.hash_bytes), table_(memory_), search_(table_, &evaluator) {
    search_.set_limits({});
}

void Labeller::label(const Board& board, std::vector<Sample>& samples) {
    const Node root = search_.root_of(board);
    const int empties = board.empties();
    const bool solved = empties <= std::max(options_.solve_from, options_.depth);
    const int depth = solved ? empties : options_.depth;
    table_.new_search();
    Line line;
    int value = 0;
    const int last_guess = solved ? empties - 7 : depth - 1;
    for (int shallow = 1 + (depth - 1) % 2; shallow <= last_guess; shallow += 2)
        value = search_.search(root, -65, 65, shallow, 0, line);
    value = full_value(root, value, depth, solved ? kNoSelectivity : options_.selectivity, line);
    const int follow = solved ? empties - kLeastFollowed : (depth - 1) / 3;
    Board at = board;
    for (int ply = 0; ply <= follow && ply <= line.length; ++ply) {
        if (ply % options_.follow_step == 0 && othello::legal_moves(at) != 0) {
            samples.push_back({.board = at,
                               .score = static_cast<std::int8_t>(value),
                               .solved = solved,
                               .expected = static_cast<std::int16_t>(128 * value)});
        }
        if (ply == line.length) break;
        const othello::Square square = line.moves[static_cast<std::size_t>(ply)];
        at = square == othello::kPass ? at.swapped()
                                      : othello::after_move(at, square, othello::flips(at, square));
        value = -value;
    }
}

int Labeller::full_value(const Node& root, int guess, int depth, int selectivity, Line& line) {
    int alpha = std::max(-65, guess - 3);
    int beta = std::min(65, guess + 3);
    for (int step = 6;; step *= 3) {
        const int value = search_.search(root, alpha, beta, depth, selectivity, line);
        if (value <= alpha && alpha > -65) {
            beta = value + 1;
            alpha = std::max(-65, value - step);
        } else if (value >= beta && beta < 65) {
            alpha = value - 1;
            beta = std::min(65, value + step);
        } else {
            return value;
        }
    }
}

}  // namespace yomi::othello_train
