#include "tools/othello_train/careful.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <utility>

#include "core/base/bits.hpp"
#include "core/base/hash.hpp"
#include "core/othello/position.hpp"
#include "tools/othello_train/random_move.hpp"

namespace yomi::othello_train {
namespace {

using othello::Board;
using othello::eval::Evaluator;
using othello::search::kNoSelectivity;
using othello::search::Line;
using othello::search::Node;
using othello::search::TreeSearch;

/// Moves so many temperatures below the best are not told apart: one in 400 would be played.
constexpr double kWindow = 6;
constexpr int kLeadDepth = 4;

/// A value drawn from the Gumbel distribution: the greatest of values with such noise each is a
/// draw by the exponentials of the values.
double gumbel(SplitMix64& random) {
    return -std::log(-std::log(uniform(random) + 0x1p-54));
}

class Player {
public:
    Player(const CarefulOptions& options, Labeller& labeller)
        : options_(options), labeller_(labeller), search_(labeller.search()) {}

    void play(SplitMix64& random, std::vector<Sample>& samples) {
        labeller_.table().new_search();
        Node node = search_.root_of(othello::kStartBoard);
        if (!open(random, node)) return;
        const double span = std::log(options_.most_temperature / options_.least_temperature);
        std::array<double, 2> temperatures{};
        for (double& temperature : temperatures)
            temperature = options_.least_temperature * std::exp(span * uniform(random));
        std::vector<Board> chosen;
        std::size_t side = 0;
        while (true) {
            if (othello::legal_moves(node.board) == 0) {
                if (othello::is_over(node.board)) break;
                node = TreeSearch::passed(node);
                side ^= 1;
            }
            const int empties = node.board.empties();
            if (empties < options_.least_empties) break;
            if (empties <= options_.most_empties && chance(random, options_.share_percent))
                chosen.push_back(node.board);
            node = next(random, node, options_.play_depth, temperatures[side]);
            side ^= 1;
        }
        for (Board& board : chosen) {
            if (chance(random, options_.aside_percent) &&
                (!play_random(random, board) || othello::legal_moves(board) == 0)) {
                continue;
            }
            labeller_.label(board, samples);
        }
    }

private:
    static bool chance(SplitMix64& random, int percent) {
        return random.below(100) < static_cast<std::uint32_t>(percent);
    }

    /// Plays the opening; false when a side is too far ahead.
    bool open(SplitMix64& random, Node& node) {
        const int plies = between(random, options_.least_opening, options_.most_opening);
        for (int ply = 0; ply < plies; ++ply) {
            if (othello::legal_moves(node.board) == 0) return false;
            node = next(random, node, 2, options_.opening_temperature);
        }
        Line line;
        const int lead = search_.search(node, -65, 65, kLeadDepth, kNoSelectivity, line);
        return std::abs(lead) <= options_.most_lead;
    }

    /// The node after a move that is drawn by the values `depth` plies ahead.
    Node next(SplitMix64& random, const Node& node, int depth, double temperature) {
        std::array<std::pair<int, Node>, 33> children;
        std::size_t count = 0;
        for (std::uint64_t legal = othello::legal_moves(node.board); legal != 0;) {
            const othello::Square square = pop_lowest_bit(legal);
            const Node child = search_.child_of(node, square, othello::flips(node.board, square));
            children[count++] = {search_.evaluate(child, child.board.empties()), child};
        }
        std::stable_sort(children.begin(),
                         children.begin() + static_cast<std::ptrdiff_t>(count),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        const int window = 1 + static_cast<int>(kWindow * temperature);
        int best = -64;
        double most = -1e9;
        std::size_t drawn = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const int least = std::max(-65, best - window);
            Line line;
            const int value =
                depth < 2 ? -children[i].first
                          : -search_.search(
                                children[i].second, -65, -least, depth - 1, kNoSelectivity, line);
            best = std::max(best, value);
            const double draw = value + temperature * gumbel(random);
            if (value > least && draw > most) {
                most = draw;
                drawn = i;
            }
        }
        return children[drawn].second;
    }

    CarefulOptions options_;
    Labeller& labeller_;
    TreeSearch& search_;
};

}  // namespace

std::vector<Sample> careful_unit(std::uint64_t seed,
                                 const CarefulOptions& options,
                                 const Evaluator& evaluator) {
    SplitMix64 random(seed);
    Labeller labeller(options.label, evaluator);
    Player player(options, labeller);
    std::vector<Sample> samples;
    while (static_cast<int>(samples.size()) < options.positions)
        player.play(random, samples);
    return samples;
}

}  // namespace yomi::othello_train
