#include "tools/othello_train/selfplay.hpp"

#include <cmath>
#include <cstddef>

#include "core/base/hash.hpp"
#include "core/othello/position.hpp"
#include "core/othello/search/tree_search.hpp"
#include "tools/othello_train/random_move.hpp"

namespace yomi::othello_train {
namespace {

using othello::Board;
using othello::Square;
using othello::search::Line;
using othello::search::TreeSearch;

constexpr int kAll = 64;
constexpr std::uint32_t kAsideEvery = 4;  // solved moves between two other moves, on average

Sample solved_sample(const Board& board, int score) {
    return {.board = board,
            .score = static_cast<std::int8_t>(score),
            .solved = true,
            .expected = static_cast<std::int16_t>(128 * score)};
}

class Player {
public:
    Player(const SelfPlayOptions& options, const othello::eval::Evaluator* evaluator)
        : options_(options),
          memory_(options.hash_bytes),
          table_(memory_),
          search_(table_, evaluator) {
        search_.set_limits({});
    }

    /// One game's samples, appended.
    void play(SplitMix64& random, std::vector<Sample>& samples) {
        table_.new_search();
        Board board = othello::kStartBoard;
        const int plies = between(random, options_.least_random, options_.most_random);
        for (int ply = 0; ply < plies; ++ply) {
            if (!play_random(random, board)) return;
        }
        const std::size_t begin = samples.size();
        std::vector<int> thoughts;
        std::vector<int> signs;  // whose view a sample has: +1 the side to move at its first
        int sign = 1;
        while (board.empties() > options_.solve_from && !othello::is_over(board)) {
            if (othello::legal_moves(board) == 0) {
                board = board.swapped();
                sign = -sign;
                continue;
            }
            samples.push_back({.board = board});
            signs.push_back(sign);
            Line line;
            int thought = 0;
            for (int depth = 1; depth <= options_.depth; ++depth)
                thought = search_.search(search_.root_of(board), -kAll, kAll, depth, 0, line);
            thoughts.push_back(thought);
            const Square square = line.moves[0];
            board = othello::after_move(board, square, othello::flips(board, square));
            sign = -sign;
        }
        Line line;
        const int score = solve(board, line);
        double expected = score * sign;  // as the side to move at the first sample sees it
        for (std::size_t i = signs.size(); i-- > 0;) {
            Sample& sample = samples[begin + i];
            sample.score = static_cast<std::int8_t>(score * signs[i] * sign);
            expected = options_.lambda * expected + (1 - options_.lambda) * thoughts[i] * signs[i];
            sample.expected = static_cast<std::int16_t>(std::lround(expected * signs[i] * 128));
        }
        follow(random, board, score, line, samples);
    }

private:
    int solve(const Board& board, Line& line) {
        const auto root = search_.root_of(board);
        const int empties = board.empties();
        if (empties == 0) return othello::final_score(board);
        for (int depth = 2; depth + 6 <= empties; depth += 2)
            search_.search(root, -kAll, kAll, depth, 0, line);
        return search_.search(
            root, -kAll - 1, kAll + 1, empties, othello::search::kNoSelectivity, line);
    }

    /// The solved rest of a game, with a random other move beside each of its moves.
    void follow(SplitMix64& random,
                Board board,
                int score,
                const Line& line,
                std::vector<Sample>& samples) {
        for (int i = 0; i < line.length; ++i) {
            const Square square = line.moves[static_cast<std::size_t>(i)];
            if (square == othello::kPass) {
                board = board.swapped();
                score = -score;
                continue;
            }
            samples.push_back(solved_sample(board, score));
            Board other = board;
            if (random.below(kAsideEvery) == 0 && board.empties() > 2 &&
                play_random(random, other) && othello::legal_moves(other) != 0) {
                Line ignored;
                const int value = solve(other, ignored);
                samples.push_back(solved_sample(other, value));
            }
            board = othello::after_move(board, square, othello::flips(board, square));
            score = -score;
        }
    }

    SelfPlayOptions options_;
    std::vector<std::byte> memory_;
    othello::search::Table table_;
    TreeSearch search_;
};

}  // namespace

std::vector<Sample> play_unit(std::uint64_t seed,
                              const SelfPlayOptions& options,
                              const othello::eval::Evaluator* evaluator) {
    SplitMix64 random(seed);
    Player player(options, evaluator);
    std::vector<Sample> samples;
    for (int game = 0; game < options.games; ++game)
        player.play(random, samples);
    return samples;
}

}  // namespace yomi::othello_train
