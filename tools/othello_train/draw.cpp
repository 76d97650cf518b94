#include "tools/othello_train/draw.hpp"

#include <algorithm>
#include <cstddef>

#include "core/base/bits.hpp"
#include "core/base/hash.hpp"
#include "core/othello/search/tree_search.hpp"
#include "tools/othello_train/random_move.hpp"

namespace yomi::othello_train {
namespace {

/// The line of a solved position is followed down to so many empties.
constexpr int kLeastFollowed = 4;

using othello::Board;
using othello::eval::Evaluator;
using othello::search::kNoSelectivity;
using othello::search::Line;
using othello::search::Node;
using othello::search::TreeSearch;

double uniform(SplitMix64& random) {
    return static_cast<double>(random() >> 11) * 0x1p-53;
}

/// Nearly normal, standard deviation 1.
double noise(SplitMix64& random) {
    double sum = -6;
    for (int i = 0; i < 12; ++i)
        sum += uniform(random);
    return sum;
}

class Drawer {
public:
    Drawer(const DrawOptions& options, const Evaluator& evaluator)
        : options_(options),
          evaluator_(evaluator),
          memory_(options.hash_bytes),
          table_(memory_),
          search_(table_, &evaluator) {
        search_.set_limits({});
    }

    /// Plays a game to a position with so many empties; false when it ended before.
    bool play_to(SplitMix64& random, int empties, Board& board) {
        const int span = options_.most_random - options_.least_random + 1;
        const int plies = options_.least_random +
                          static_cast<int>(random.below(static_cast<std::uint32_t>(span)));
        const double deviation = options_.most_noise * uniform(random);
        board = othello::kStartBoard;
        for (int ply = 0; ply < plies && board.empties() > empties; ++ply) {
            if (!play_random(random, board)) return false;
        }
        Node node = search_.root_of(board);
        while (node.board.empties() > empties) {
            std::uint64_t legal = othello::legal_moves(node.board);
            if (legal == 0) {
                node = TreeSearch::passed(node);
                legal = othello::legal_moves(node.board);
                if (legal == 0) return false;
            }
            Node best;
            double most = -1e9;
            while (legal != 0) {
                const othello::Square square = pop_lowest_bit(legal);
                const Node child =
                    search_.child_of(node, square, othello::flips(node.board, square));
                const int fine = evaluator_.fine(child.board, child.indices, child.board.empties());
                const double value =
                    -static_cast<double>(fine) / Evaluator::kFineUnit + deviation * noise(random);
                if (value > most) {
                    most = value;
                    best = child;
                }
            }
            node = best;
        }
        board = node.board;
        return othello::legal_moves(board) != 0;
    }

    /// The sample of `board`, and those of every second position of the line that was found, as
    /// long as what is left of the search looks far enough.
    void label(const Board& board, std::vector<Sample>& samples) {
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
        value =
            full_value(root, value, depth, solved ? kNoSelectivity : options_.selectivity, line);
        const int follow = solved ? empties - kLeastFollowed : (depth - 1) / 3;
        Board at = board;
        for (int ply = 0; ply <= follow && ply <= line.length; ++ply) {
            if (ply % 2 == 0 && othello::legal_moves(at) != 0) {
                samples.push_back({.board = at,
                                   .score = static_cast<std::int8_t>(value),
                                   .solved = solved,
                                   .expected = static_cast<std::int16_t>(128 * value)});
            }
            if (ply == line.length) break;
            const othello::Square square = line.moves[static_cast<std::size_t>(ply)];
            at = square == othello::kPass
                     ? at.swapped()
                     : othello::after_move(at, square, othello::flips(at, square));
            value = -value;
        }
    }

private:
    /// The value of a search in a window around `guess` that opens where it fails.
    int full_value(const Node& root, int guess, int depth, int selectivity, Line& line) {
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

    DrawOptions options_;
    const Evaluator& evaluator_;
    std::vector<std::byte> memory_;
    othello::search::Table table_;
    TreeSearch search_;
};

}  // namespace

std::vector<Sample> draw_unit(std::uint64_t seed,
                              const DrawOptions& options,
                              const Evaluator& evaluator) {
    SplitMix64 random(seed);
    Drawer drawer(options, evaluator);
    std::vector<Sample> samples;
    const int span = options.most_empties - options.least_empties + 1;
    while (static_cast<int>(samples.size()) < options.positions) {
        const int empties = options.least_empties +
                            static_cast<int>(random.below(static_cast<std::uint32_t>(span)));
        Board board;
        if (drawer.play_to(random, empties, board)) drawer.label(board, samples);
    }
    return samples;
}

}  // namespace yomi::othello_train
