// The generated problems of data/shogi: the only key found again, and that there is no other. A
// part of the easier ones; YOMI_HISSHI_ALL=1 asks all.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/shogi/mate/hisshi.hpp"
#include "core/shogi/notation/sfen.hpp"
#include "core/shogi/notation/usi.hpp"

namespace yomi::shogi {
namespace {

struct Problem {
    std::string sfen;
    std::string line;
    std::set<std::string> keys;
    std::size_t replies = 0;
};

std::vector<Problem> problems(const std::string& file) {
    std::vector<Problem> all;
    std::ifstream in(std::filesystem::path(YOMI_SOURCE_DIR) / "data/shogi" / file);
    for (std::string text; std::getline(in, text);) {
        if (text.empty() || text.front() == '#') continue;
        std::istringstream fields(text);
        Problem problem;
        std::string keys;
        std::getline(fields, problem.sfen, '\t');
        std::getline(fields, problem.line, '\t');
        std::getline(fields, keys, '\t');
        fields >> problem.replies;
        std::istringstream words(keys);
        for (std::string word; words >> word;)
            problem.keys.insert(word);
        all.push_back(std::move(problem));
    }
    return all;
}

void solve_again(const Problem& problem, int moves) {
    SCOPED_TRACE(problem.sfen);
    HisshiRequest request{.position = *Position::from_setup(*parse_sfen(problem.sfen)),
                          .attacker = Color::black};
    request.extra = false;
    request.max_moves = moves;
    request.max_tree = 0;
    request.budget.nodes = 2'000'000;
    engine::SearchMemory memory(std::size_t{16} << 20);
    engine::NullSink<HisshiProgress> sink;
    const HisshiAnswer answer = Hisshi().analyse(request, memory, {}, sink);
    ASSERT_EQ(answer.verdict, HisshiVerdict::hisshi);
    EXPECT_EQ(answer.moves, moves);
    EXPECT_TRUE(answer.shortest);
    EXPECT_TRUE(answer.keys_complete);
    std::set<std::string> keys;
    for (const HisshiKey& key : answer.keys)
        keys.insert(to_usi(key.move));
    EXPECT_EQ(keys, problem.keys);
    EXPECT_EQ(answer.keys.front().replies, problem.replies);
    std::string line;
    for (const Move move : answer.line)
        line += (line.empty() ? "" : " ") + to_usi(move);
    EXPECT_EQ(line, problem.line);
    // Of one move all keys are quiet, since there is no mate.
    EXPECT_TRUE(moves > 1 || answer.keys.front().quiet);
}

void solve_some(const std::string& file, int moves, std::size_t wanted) {
    const std::vector<Problem> all = problems(file);
    ASSERT_FALSE(all.empty());
    const bool whole = std::getenv("YOMI_HISSHI_ALL") != nullptr;
    // The file begins with the problems that took the fewest nodes.
    const std::size_t step = whole ? 1 : std::max<std::size_t>(1, all.size() / 2 / wanted);
    const std::size_t last = whole ? all.size() : std::min(all.size(), step * wanted);
    for (std::size_t i = 0; i < last; i += step)
        solve_again(all[i], moves);
}

TEST(HisshiProblems, OfOneMoveHaveOneQuietKey) {
    solve_some("hisshi1.tsv", 1, 8);
}

TEST(HisshiProblems, OfTwoMovesHaveOneKey) {
    solve_some("hisshi2.tsv", 2, 12);
}

}  // namespace
}  // namespace yomi::shogi
