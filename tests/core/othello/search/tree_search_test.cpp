#include "core/othello/search/tree_search.hpp"

#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include "tests/oracle/othello_minimax.hpp"

namespace yomi::othello::search {
namespace {

class TreeSearchTest : public testing::Test {
protected:
    TreeSearchTest() : memory_(std::size_t{4} << 20), table_(memory_) {}

    int solve(const Board& board, Line& line) {
        TreeSearch search(table_, nullptr);
        search.set_limits({});
        return search.search(search.root_of(board), -65, 65, board.empties(), kNoSelectivity, line);
    }

    std::vector<std::byte> memory_;
    Table table_;
};

/// Plays the line and gives the score that it leads to for the side to move at its start.
int score_of_line(Position position, const Line& line) {
    const Color root = position.side;
    for (int i = 0; i < line.length; ++i) {
        const auto move = position.make_move(line.moves[static_cast<std::size_t>(i)]);
        if (!move) return -1000;
        position.do_move(*move);
    }
    if (!position.is_over()) return -2000;
    const int score = final_score(position.board);
    return position.side == root ? score : -score;
}

TEST_F(TreeSearchTest, SolvesLikeMinimaxWithALineToTheEnd) {
    SplitMix64 random(31);
    for (int i = 0; i < 300; ++i) {
        const Position position = oracle::random_position(random, 1 + i % 10);
        const int exact = oracle::minimax(position.board, -65, 65);
        Line line;
        ASSERT_EQ(solve(position.board, line), exact) << i;
        ASSERT_EQ(score_of_line(position, line), exact) << i;
    }
}

TEST_F(TreeSearchTest, NullWindowsBracketTheExactScore) {
    SplitMix64 random(32);
    TreeSearch search(table_, nullptr);
    search.set_limits({});
    for (int i = 0; i < 60; ++i) {
        const Position position = oracle::random_position(random, 14);
        Line line;
        const int exact = solve(position.board, line);
        const Node root = search.root_of(position.board);
        for (int alpha = -64; alpha < 64; alpha += 9) {
            const int score = search.search_null(root, alpha, 14, kNoSelectivity);
            ASSERT_EQ(score > alpha, exact > alpha) << i << " alpha " << alpha;
        }
    }
}

TEST_F(TreeSearchTest, StopsAtItsNodeLimitAndAtAStopToken) {
    SplitMix64 random(33);
    const Position position = oracle::random_position(random, 30);
    TreeSearch search(table_, nullptr);
    Line line;
    search.set_limits({.nodes = 20'000});
    search.search(search.root_of(position.board), -65, 65, 30, kNoSelectivity, line);
    EXPECT_TRUE(search.stopped());
    EXPECT_LT(search.nodes(), 30'000U);

    std::stop_source source;
    source.request_stop();
    search.set_limits({.stop = source.get_token()});
    const std::uint64_t before = search.nodes();
    search.search(search.root_of(position.board), -65, 65, 30, kNoSelectivity, line);
    EXPECT_TRUE(search.stopped());
    EXPECT_LT(search.nodes() - before, 1'024U);
}

TEST_F(TreeSearchTest, CountsTheSameNodesEveryTime) {
    SplitMix64 random(34);
    const Position position = oracle::random_position(random, 16);
    std::uint64_t first = 0;
    for (int run = 0; run < 2; ++run) {
        std::vector<std::byte> memory(std::size_t{4} << 20);
        Table table(memory);
        TreeSearch search(table, nullptr);
        search.set_limits({});
        Line line;
        search.search(search.root_of(position.board), -65, 65, 16, kNoSelectivity, line);
        if (run == 0) first = search.nodes();
        EXPECT_EQ(search.nodes(), first);
    }
}

TEST(SearchTable, GivesBackWhatWasStoredAndNothingElse) {
    std::vector<std::byte> memory(std::size_t{96} * 64);
    Table table(memory);
    SplitMix64 random(35);
    std::vector<Board> boards;
    for (int i = 0; i < 100; ++i) {
        const Board board = oracle::random_position(random, 20).board;
        boards.push_back(board);
        table.store(board, hash_of(board), 20, kNoSelectivity, 100, 3, 4, i % 2 == 0 ? 6 : 2, 5);
    }
    int found = 0;
    for (std::size_t i = 0; i < boards.size(); ++i) {
        TableData data;
        if (!table.probe(boards[i], hash_of(boards[i]), data)) continue;
        ++found;
        EXPECT_EQ(data.depth, 20);
        EXPECT_EQ(data.lower, i % 2 == 0 ? 6 : -64);
        EXPECT_EQ(data.upper, i % 2 == 0 ? 64 : 2);
        TableData other;
        EXPECT_FALSE(table.probe(boards[i].swapped(), hash_of(boards[i]), other));
    }
    EXPECT_GT(found, 60);
}

TEST(SearchTable, ReplacesOlderSearchesAndCheaperWorkFirst) {
    std::vector<std::byte> memory(96);  // one bucket
    Table table(memory);
    const auto board = [](std::uint64_t i) { return Board{.player = i, .opponent = ~i}; };
    for (std::uint64_t i = 1; i <= 4; ++i)
        table.store(board(i), 0, 10, 5, std::uint64_t{1} << (10 * i), 0, 1, 2, 5);
    TableData data;
    table.store(board(9), 0, 10, 5, 5, 0, 1, 2, 5);
    EXPECT_FALSE(table.probe(board(1), 0, data));  // the cheapest went
    EXPECT_TRUE(table.probe(board(4), 0, data));
    table.new_search();
    for (std::uint64_t i = 11; i <= 13; ++i)
        table.store(board(i), 0, 10, 5, 1, 0, 1, 2, 5);
    EXPECT_FALSE(table.probe(board(3), 0, data));
    EXPECT_TRUE(table.probe(board(11), 0, data));
    EXPECT_TRUE(table.probe(board(13), 0, data));
}

}  // namespace
}  // namespace yomi::othello::search
