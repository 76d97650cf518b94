// The upper part of the tree: a table, moves sorted by the evaluation, ProbCut.

#include "core/othello/search/tree_search.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "core/base/bits.hpp"
#include "core/othello/search/endgame_parameters.hpp"
#include "core/othello/search/probcut.hpp"
#include "core/othello/stability.hpp"

namespace yomi::othello::search {
namespace {

constexpr std::uint64_t kCorners = 0x8100'0000'0000'0081;
constexpr int kShallow = 2;            // plies that need neither table nor ProbCut
constexpr int kTranspositionFrom = 5;  // plies from which children are looked up before a search
constexpr int kProbCutFrom = 4;
constexpr int kMostGuesses = 2;

/// Whether an entry answers a question of this depth and certainty.
bool answers(const TableData& known, int depth, int selectivity) noexcept {
    return known.depth >= depth && known.selectivity >= selectivity;
}

}  // namespace

TreeSearch::TreeSearch(Table& table, const eval::Evaluator* evaluator)
    : table_(table),
      evaluator_(evaluator),
      steps_(eval::feature_steps()),
      local_(std::size_t{1} << kLocalBits) {}

void TreeSearch::set_limits(const Limits& limits) noexcept {
    limits_ = limits;
    next_poll_ = 0;
    stopped_ = false;
}

int TreeSearch::evaluate(const Node& node, int empties) const noexcept {
    if (evaluator_ != nullptr) return evaluator_->discs(node.board, node.indices, empties);
    const Board& board = node.board;
    const auto mobility =
        std::popcount(legal_moves(board)) - std::popcount(legal_moves(board.swapped()));
    const auto corners =
        std::popcount(board.player & kCorners) - std::popcount(board.opponent & kCorners);
    return std::clamp(mobility + 6 * corners, -eval::Evaluator::kMost, eval::Evaluator::kMost);
}

TreeSearch::Move& TreeSearch::Moves::pick(std::size_t from) noexcept {
    std::size_t least = from;
    for (std::size_t i = from + 1; i < size; ++i) {
        if (list[i].rank < list[least].rank) least = i;
    }
    if (least != from) std::swap(list[from], list[least]);
    return list[from];
}

void TreeSearch::sort_moves(
    const Node& node, int alpha, int depth, int empties, const TableData& known, Moves& moves) {
    // How deep a move is looked at before it is searched.
    int look = 0;
    if (depth == empties) {
        look = empties < kLookOneFrom     ? 0
               : empties < kLookTwoFrom   ? 1
               : empties < kLookThreeFrom ? 2
                                          : 3;
    } else {
        look = depth < 6 ? 0 : depth < 10 ? 1 : 2;
    }
    const std::uint64_t odd = kQuarterMasks[odd_quarters(node.board.empty())];
    for (std::size_t i = 0; i < moves.size; ++i) {
        Move& move = moves.list[i];
        if (move.square == known.moves[0]) {
            move.rank = -(1 << 20);
            continue;
        }
        const Node child = child_of(node, move.square, move.flipped);
        const std::uint64_t replies = legal_moves(child.board);
        const int mobility = std::popcount(replies) + std::popcount(replies & kCorners);
        int value = 0;
        if (look == 0) {
            value = evaluator_ != nullptr
                        ? evaluator_->fine(child.board, child.indices, empties - 1, replies) / 8
                        : 16 * evaluate(child, empties - 1);
        } else {
            // Values far below alpha need no exact order: a bound will do.
            const int floor = std::max(-64, alpha - kLookMargin);
            value = 16 * shallow(child, -64, -floor, look, empties - 1);
        }
        move.rank = value + kReplyRank * mobility;
        if ((bit(move.square) & odd) != 0) move.rank -= kOddRank;
        if (move.square == known.moves[1]) move.rank -= kSecondRank;
    }
}

bool TreeSearch::transposition_cut(
    const Node& node, int alpha, int depth, int selectivity, const Moves& moves, int& score) {
    std::array<Board, 34> boards;
    std::array<std::uint64_t, 34> hashes;
    for (std::size_t i = 0; i < moves.size; ++i) {
        boards[i] = after_move(node.board, moves.list[i].square, moves.list[i].flipped);
        hashes[i] = hash_of(boards[i]);
        table_.prefetch(hashes[i]);
    }
    for (std::size_t i = 0; i < moves.size; ++i) {
        TableData known;
        if (table_.probe(boards[i], hashes[i], known) && answers(known, depth - 1, selectivity) &&
            -known.upper > alpha) {
            score = -known.upper;
            return true;
        }
    }
    return false;
}

bool TreeSearch::probcut(
    const Node& node, int alpha, int depth, int empties, int selectivity, int& score) {
    if (guesses_ >= kMostGuesses || depth < kProbCutFrom) return false;
    const bool to_the_end = depth == empties;
    const int shallow_depth = guessing_depth(depth, to_the_end);
    const ErrorModel& model = to_the_end ? kEndgameError : kMidgameError;
    const double width = kProbCutWidth[static_cast<std::size_t>(selectivity)];
    const int error =
        static_cast<int>(std::ceil(width * model.deviation(empties, depth, shallow_depth)));
    const int guess = evaluate(node, empties);
    const int static_error =
        static_cast<int>(std::ceil(width * model.deviation(empties, depth, 0) * kStaticShare));
    ++guesses_;
    bool cut = false;
    const int high = alpha + 1 + error;
    if (high <= eval::Evaluator::kMost && guess >= alpha + 1 + static_error - error) {
        if (null_window(node, high - 1, shallow_depth, empties, selectivity) >= high) {
            score = alpha + 1;
            cut = true;
        }
    }
    const int low = alpha - error;
    if (!cut && !stopped_ && low >= -eval::Evaluator::kMost &&
        guess <= alpha - static_error + error) {
        if (null_window(node, low, shallow_depth, empties, selectivity) <= low) {
            score = alpha;
            cut = true;
        }
    }
    --guesses_;
    return cut && !stopped_;
}

int TreeSearch::null_window(const Node& node, int alpha, int depth, int empties, int selectivity) {
    if (depth >= empties) {
        depth = empties;
        if (empties < kEvaluateFrom && !(empties >= kSharedTableFrom && helper_waits()))
            return endgame(node.board, alpha, empties, odd_quarters(node.board.empty()));
    } else if (depth <= kShallow) {
        return shallow(node, alpha, alpha + 1, depth, empties);
    }
    count_node();
    if (stopped_) return alpha;
    if (alpha >= kStabilityFrom[static_cast<std::size_t>(empties)]) {
        const int bound = 64 - 2 * std::popcount(stable_discs(node.board.swapped()));
        if (bound <= alpha) return bound;
    }
    const std::uint64_t hash = hash_of(node.board);
    TableData known;
    if (table_.probe(node.board, hash, known) && answers(known, depth, selectivity)) {
        if (known.lower > alpha) return known.lower;
        if (known.upper <= alpha) return known.upper;
    }
    std::uint64_t legal = legal_moves(node.board);
    if (legal == 0) {
        if (legal_moves(node.board.swapped()) == 0) return over_score(node.board.player, empties);
        return -null_window(passed(node), -alpha - 1, depth, empties, selectivity);
    }
    const std::uint64_t before = nodes_;
    int best = kNoScore;
    if (selectivity < kNoSelectivity && probcut(node, alpha, depth, empties, selectivity, best))
        return best;
    Moves moves;
    if (list_moves(node.board, legal, moves)) return 64;
    if (depth >= kTranspositionFrom &&
        transposition_cut(node, alpha, depth, selectivity, moves, best)) {
        return best;
    }
    if (moves.size > 1) sort_moves(node, alpha, depth, empties, known, moves);
    Square best_move = 64;
    for (std::size_t i = 0; i < moves.size; ++i) {
        if (i > 0 && split(node, alpha, depth, empties, selectivity, moves, i, best, best_move)) {
            if (stopped_) return alpha;
            break;
        }
        const Move& move = moves.pick(i);
        const Node child = child_of(node, move.square, move.flipped);
        const int score = -null_window(child, -alpha - 1, depth - 1, empties - 1, selectivity);
        if (stopped_) return alpha;
        if (score > best) {
            best = score;
            best_move = move.square;
            if (score > alpha) break;
        }
    }
    table_.store(
        node.board, hash, depth, selectivity, nodes_ - before, alpha, alpha + 1, best, best_move);
    return best;
}

bool TreeSearch::list_moves(const Board& board, std::uint64_t legal, Moves& moves) noexcept {
    while (legal != 0) {
        const Square square = pop_lowest_bit(legal);
        const std::uint64_t flipped = flips(board, square);
        if (flipped == board.opponent) return true;
        moves.list[moves.size++] = {square, flipped, 0};
    }
    return false;
}

int TreeSearch::principal(
    const Node& node, int alpha, int beta, int depth, int empties, int selectivity, Line& line) {
    line.clear();
    if (empties == 0) return over_score(node.board.player, 0);
    if (depth == 0) return evaluate(node, empties);
    count_node();
    if (stopped_) return alpha;
    std::uint64_t legal = legal_moves(node.board);
    Line below;
    if (legal == 0) {
        if (legal_moves(node.board.swapped()) == 0) return over_score(node.board.player, empties);
        const int score =
            -principal(passed(node), -beta, -alpha, depth, empties, selectivity, below);
        line.put_before(kPass, below);
        return score;
    }
    const std::uint64_t hash = hash_of(node.board);
    TableData known;
    (void)table_.probe(node.board, hash, known);  // for its moves; bounds would cut the line short
    Moves moves;
    if (list_moves(node.board, legal, moves)) {
        for (std::uint64_t rest = legal; rest != 0;) {
            const Square square = pop_lowest_bit(rest);
            if (flips(node.board, square) == node.board.opponent) line.put_before(square, below);
        }
        return 64;
    }
    const std::uint64_t before = nodes_;
    if (moves.size > 1) sort_moves(node, alpha, depth, empties, known, moves);
    int best = kNoScore;
    Square best_move = 64;
    const int first_alpha = alpha;
    for (std::size_t i = 0; i < moves.size && best < beta; ++i) {
        const Move& move = moves.pick(i);
        const Node child = child_of(node, move.square, move.flipped);
        int score = 0;
        bool full = i == 0;
        if (!full) {
            score = -null_window_or_leaf(child, -alpha - 1, depth - 1, empties - 1, selectivity);
            full = score > alpha && score < beta;
        }
        if (full && !stopped_) {
            score = -principal(child, -beta, -alpha, depth - 1, empties - 1, selectivity, below);
        }
        if (stopped_) return best;
        if (score > best) {
            best = score;
            best_move = move.square;
            if (score > alpha) {
                alpha = score;
                // A fail high by a null window has no line behind it.
                if (!full) below.clear();
                line.put_before(move.square, below);
            }
        }
    }
    table_.store(
        node.board, hash, depth, selectivity, nodes_ - before, first_alpha, beta, best, best_move);
    return best;
}

int TreeSearch::null_window_or_leaf(
    const Node& node, int alpha, int depth, int empties, int selectivity) {
    if (depth == 0 && empties > 0) {
        ++nodes_;
        return evaluate(node, empties);
    }
    return null_window(node, alpha, depth, empties, selectivity);
}

int TreeSearch::search(
    const Node& node, int alpha, int beta, int depth, int selectivity, Line& line) {
    const int empties = node.board.empties();
    return principal(node, alpha, beta, std::min(depth, empties), empties, selectivity, line);
}

int TreeSearch::search_null(const Node& node, int alpha, int depth, int selectivity) {
    const int empties = node.board.empties();
    return null_window_or_leaf(node, alpha, std::min(depth, empties), empties, selectivity);
}

}  // namespace yomi::othello::search
