#include "tools/othello_train/draw.hpp"

#include <cstddef>

#include "core/base/bits.hpp"
#include "core/base/hash.hpp"
#include "core/othello/search/tree_search.hpp"
#include "tools/othello_train/random_move.hpp"

namespace yomi::othello_train {
namespace {

using othello::Board;
using othello::eval::Evaluator;
using othello::search::Node;
using othello::search::TreeSearch;

class Drawer {
public:
    Drawer(const DrawOptions& options, const Evaluator& evaluator, TreeSearch& search)
        : options_(options), evaluator_(evaluator), search_(search) {}

    /// Plays a game to a position with so many empties; false when it ended before.
    bool play_to(SplitMix64& random, int empties, Board& board) {
        const int plies = between(random, options_.least_random, options_.most_random);
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

private:
    DrawOptions options_;
    const Evaluator& evaluator_;
    TreeSearch& search_;
};

}  // namespace

std::vector<Sample> draw_unit(std::uint64_t seed,
                              const DrawOptions& options,
                              const Evaluator& evaluator) {
    SplitMix64 random(seed);
    Labeller labeller(options.label, evaluator);
    Drawer drawer(options, evaluator, labeller.search());
    std::vector<Sample> samples;
    while (static_cast<int>(samples.size()) < options.positions) {
        const int empties = between(random, options.least_empties, options.most_empties);
        Board board;
        if (drawer.play_to(random, empties, board)) labeller.label(board, samples);
    }
    return samples;
}

}  // namespace yomi::othello_train
