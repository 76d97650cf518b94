#include "tools/othello_train/relabel.hpp"

#include "core/base/hash.hpp"
#include "core/othello/search/tree_search.hpp"
#include "tools/othello_train/random_move.hpp"

namespace yomi::othello_train {
namespace {

using othello::Board;
using othello::search::kNoSelectivity;
using othello::search::Line;
using othello::search::TreeSearch;

/// The value of `board` for the side to move, by a search of `depth` plies or to the end.
int value_of(TreeSearch& search, const Board& board, int depth, int selectivity) {
    const auto root = search.root_of(board);
    Line line;
    int value = 0;
    for (int shallow = 1 + (depth - 1) % 2; shallow <= depth; shallow += 2)  // fills the table
        value = search.search(root, -65, 65, shallow, selectivity, line);
    return value;
}

}  // namespace

std::vector<Sample> relabel_unit(const std::vector<Sample>& samples,
                                 std::uint64_t seed,
                                 const RelabelOptions& options,
                                 const othello::eval::Evaluator* evaluator) {
    std::vector<std::byte> memory(options.hash_bytes);
    othello::search::Table table(memory);
    TreeSearch search(table, evaluator);
    search.set_limits({});
    SplitMix64 random(seed);
    std::vector<Sample> result;
    result.reserve(samples.size());
    for (const Sample& old : samples) {
        const bool aside = random.below(100) < static_cast<std::uint32_t>(options.aside_percent);
        if (old.solved) {
            result.push_back(old);
            continue;
        }
        Sample sample = old;
        if (aside &&
            (!play_random(random, sample.board) || othello::legal_moves(sample.board) == 0)) {
            continue;
        }
        table.new_search();
        const int empties = sample.board.empties();
        sample.solved = empties <= options.solve_from || empties <= options.depth;
        const int value = value_of(search,
                                   sample.board,
                                   sample.solved ? empties : options.depth,
                                   sample.solved ? kNoSelectivity : options.selectivity);
        sample.expected = static_cast<std::int16_t>(128 * value);
        if (aside || sample.solved) sample.score = static_cast<std::int8_t>(value);
        result.push_back(sample);
    }
    return result;
}

}  // namespace yomi::othello_train
