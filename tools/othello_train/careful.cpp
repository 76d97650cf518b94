#include "tools/othello_train/careful.hpp"

#include <algorithm>
#include <array>
#include <bit>
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
/// Of a habit's strength in squares: its strength in each disc turned over and in each reply.
constexpr double kCountHabit = 0.15;

/// A value drawn from the Gumbel distribution: the greatest of values with such noise each is a
/// draw by the exponentials of the values.
double gumbel(SplitMix64& random) {
    return -std::log(-std::log(uniform(random) + 0x1p-54));
}

/// What a player likes or avoids beside what is good, in discs.
struct Habits {
    std::array<double, 64> squares{};
    double turned = 0;   ///< each disc turned over
    double replies = 0;  ///< each move that the other side is left with

    [[nodiscard]] int of(othello::Square square, std::uint64_t flipped, const Board& child) const {
        return static_cast<int>(std::lround(squares[static_cast<std::size_t>(square)] +
                                            turned * std::popcount(flipped) +
                                            replies * std::popcount(othello::legal_moves(child))));
    }
};

/// The habits of one player: the same for squares that are images of each other.
Habits draw_habits(SplitMix64& random, double most_strength) {
    Habits habits;
    if (most_strength <= 0) return habits;
    const double strength = most_strength * uniform(random);
    std::array<double, 16> classes{};
    for (double& liking : classes)
        liking = strength * noise(random);
    for (int square = 0; square < 64; ++square) {
        const int file = std::min(square % 8, 7 - square % 8);
        const int rank = std::min(square / 8, 7 - square / 8);
        habits.squares[static_cast<std::size_t>(square)] =
            classes[static_cast<std::size_t>(4 * std::max(file, rank) + std::min(file, rank))];
    }
    habits.turned = kCountHabit * strength * noise(random);
    habits.replies = kCountHabit * strength * noise(random);
    return habits;
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
        std::array<Habits, 2> habits;
        for (Habits& side_habits : habits)
            side_habits = draw_habits(random, options_.habits);
        std::array<int, 2> depths{};
        for (int& depth : depths) {
            depth = options_.play_depth;
            if (options_.most_play_depth > depth)
                depth = between(random, depth, options_.most_play_depth);
        }
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
            node = next(random, node, depths[side], temperatures[side], habits[side]);
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
            node = next(random, node, 2, options_.opening_temperature, {});
        }
        Line line;
        const int lead = search_.search(node, -65, 65, kLeadDepth, kNoSelectivity, line);
        return std::abs(lead) <= options_.most_lead;
    }

    struct Child {
        int value = 0;
        int habit = 0;
        Node node;
    };

    /// The node after a move that is drawn by the values `depth` plies ahead and by habits.
    Node next(
        SplitMix64& random, const Node& node, int depth, double temperature, const Habits& habits) {
        std::array<Child, 33> children;
        std::size_t count = 0;
        for (std::uint64_t legal = othello::legal_moves(node.board); legal != 0;) {
            const othello::Square square = pop_lowest_bit(legal);
            const std::uint64_t flipped = othello::flips(node.board, square);
            const Node child = search_.child_of(node, square, flipped);
            children[count++] = {search_.evaluate(child, child.board.empties()),
                                 habits.of(square, flipped, child.board),
                                 child};
        }
        std::stable_sort(children.begin(),
                         children.begin() + static_cast<std::ptrdiff_t>(count),
                         [](const Child& a, const Child& b) { return a.value < b.value; });
        const int window = 1 + static_cast<int>(kWindow * temperature);
        int best = -128;  // with its habit
        double most = -1e9;
        std::size_t drawn = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const Child& child = children[i];
            const int least = std::clamp(best - window - child.habit, -65, 64);
            Line line;
            const int value =
                depth < 2
                    ? -child.value
                    : -search_.search(child.node, -65, -least, depth - 1, kNoSelectivity, line);
            best = std::max(best, value + child.habit);
            const double draw = value + child.habit + temperature * gumbel(random);
            if (value > least && draw > most) {
                most = draw;
                drawn = i;
            }
        }
        return children[drawn].node;
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
