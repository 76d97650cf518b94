#include "tools/othello_train/probcut_fit.hpp"

#include <cmath>
#include <numbers>
#include <utility>

#include "core/base/hash.hpp"
#include "core/othello/search/tree_search.hpp"

namespace yomi::othello_train {
namespace {

using othello::search::ErrorModel;
using othello::search::Line;
using othello::search::TreeSearch;

constexpr int kLeastDeep = 4;  // ProbCut begins there
constexpr std::size_t kTerms = 4;

/// Solves the normal equations by elimination; a term that nothing determines gets 0.
std::array<double, kTerms> solve(std::array<std::array<double, kTerms + 1>, kTerms> rows) {
    for (std::size_t i = 0; i < kTerms; ++i) {
        std::size_t pivot = i;
        for (std::size_t row = i + 1; row < kTerms; ++row) {
            if (std::abs(rows[row][i]) > std::abs(rows[pivot][i])) pivot = row;
        }
        std::swap(rows[i], rows[pivot]);
        if (std::abs(rows[i][i]) < 1e-9) continue;
        for (std::size_t row = 0; row < kTerms; ++row) {
            if (row == i) continue;
            const double factor = rows[row][i] / rows[i][i];
            for (std::size_t at = i; at <= kTerms; ++at)
                rows[row][at] -= factor * rows[i][at];
        }
    }
    std::array<double, kTerms> result{};
    for (std::size_t i = 0; i < kTerms; ++i) {
        if (std::abs(rows[i][i]) >= 1e-9) result[i] = rows[i][kTerms] / rows[i][i];
    }
    return result;
}

std::array<double, kTerms> terms_of(const ValuePair& pair) {
    return {1.0,
            static_cast<double>(pair.empties),
            static_cast<double>(pair.deep),
            static_cast<double>(pair.shallow)};
}

double deviation_of(const ErrorModel& model, const ValuePair& pair) {
    return model.deviation(pair.empties, pair.deep, pair.shallow);
}

/// To the end of the game the depth is the number of empties, which must not be counted twice.
bool to_the_end(const std::vector<ValuePair>& pairs) {
    for (const ValuePair& pair : pairs) {
        if (pair.deep != pair.empties) return false;
    }
    return true;
}

}  // namespace

ProbCutPairs measure_probcut(const std::vector<Sample>& samples,
                             const othello::eval::Evaluator& evaluator,
                             const ProbCutOptions& options) {
    std::vector<std::byte> memory(options.hash_bytes);
    othello::search::Table table(memory);
    TreeSearch search(table, &evaluator);
    search.set_limits({});
    SplitMix64 random(options.seed);
    ProbCutPairs pairs;

    /// Values of all depths from 0 on; the last one to the end of the game if `solve`.
    const auto values_of = [&](const othello::Board& board, bool solve) {
        const int empties = board.empties();
        const auto root = search.root_of(board);
        Line line;
        table.new_search();
        std::vector<int> values = {search.evaluate(root, empties)};
        const auto add = [&](int depth) {
            values.push_back(
                search.search(root, -65, 65, depth, othello::search::kNoSelectivity, line));
        };
        for (int depth = 1; depth <= options.depth && depth < empties; ++depth)
            add(depth);
        if (solve) add(empties);
        return values;
    };
    /// Calls `use` for positions with `least` to `most` empties, until there are enough.
    const auto draw = [&](int count, int least, int most, auto&& use) {
        for (int tries = 1'000 * count; count > 0 && tries > 0 && !samples.empty(); --tries) {
            const auto at = random.below(static_cast<std::uint32_t>(samples.size()));
            const othello::Board& board = samples[at].board;
            const int empties = board.empties();
            if (empties < least || empties > most || othello::legal_moves(board) == 0) continue;
            use(board, empties);
            --count;
        }
    };

    draw(
        options.positions, options.least_solved, 60, [&](const othello::Board& board, int empties) {
            const std::vector<int> values = values_of(board, false);
            for (int deep = kLeastDeep; deep < static_cast<int>(values.size()); ++deep) {
                for (int low = deep % 2; low <= othello::search::guessing_depth(deep, false);
                     low += 2) {
                    const int difference = values[static_cast<std::size_t>(deep)] -
                                           values[static_cast<std::size_t>(low)];
                    pairs.midgame.push_back({empties, deep, low, static_cast<double>(difference)});
                }
            }
        });
    draw(options.solved,
         options.least_solved,
         options.most_solved,
         [&](const othello::Board& board, int empties) {
             const std::vector<int> values = values_of(board, true);
             for (int low = 0; low + 1 < static_cast<int>(values.size()); ++low) {
                 const int difference = values.back() - values[static_cast<std::size_t>(low)];
                 pairs.endgame.push_back({empties, empties, low, static_cast<double>(difference)});
             }
         });
    return pairs;
}

ErrorModel fit_error_model(const std::vector<ValuePair>& pairs) {
    ErrorModel model;
    const double to_deviation = std::sqrt(std::numbers::pi / 2);
    const bool solved = to_the_end(pairs);
    for (int round = 0; round < 3; ++round) {
        std::array<std::array<double, kTerms + 1>, kTerms> rows{};
        for (const ValuePair& pair : pairs) {
            auto terms = terms_of(pair);
            if (solved) terms[1] = 0;
            const double sigma = round == 0 ? 1 : deviation_of(model, pair);
            const double weight = 1 / (sigma * sigma);
            for (std::size_t row = 0; row < kTerms; ++row) {
                for (std::size_t at = 0; at < kTerms; ++at)
                    rows[row][at] += weight * terms[row] * terms[at];
                rows[row][kTerms] += weight * terms[row] * std::abs(pair.difference) * to_deviation;
            }
        }
        const auto plane = solve(rows);
        model = {.constant = plane[0],
                 .empties = plane[1],
                 .depth = plane[2],
                 .shallow = plane[3],
                 .least = 1.0};
    }
    return model;
}

std::array<double, 5> hit_rates(const std::vector<ValuePair>& pairs, const ErrorModel& model) {
    std::array<double, 5> rates{};
    for (const ValuePair& pair : pairs) {
        for (std::size_t i = 0; i < rates.size(); ++i) {
            const double reach = othello::search::kProbCutWidth[i] * deviation_of(model, pair);
            if (std::abs(pair.difference) <= reach) rates[i] += 1;
        }
    }
    for (double& rate : rates)
        rate /= pairs.empty() ? 1 : static_cast<double>(pairs.size());
    return rates;
}

}  // namespace yomi::othello_train
