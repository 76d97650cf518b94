#include "core/base/perft.hpp"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

namespace yomi {
namespace {

// One heap of stones; a move takes 1, 2 or 3. Its tree has a closed form: the number of ways to
// write the stones taken as a sum.
struct Heap {
    struct Position {
        int stones = 0;
        int plies = 0;
        friend bool operator==(const Position&, const Position&) = default;
    };
    using Move = int;

    static std::uint64_t count_moves(const Position& position) { return moves(position).size(); }
    static std::vector<Move> moves(const Position& position) {
        std::vector<Move> list(static_cast<std::size_t>(std::min(position.stones, 3)));
        std::iota(list.begin(), list.end(), 1);
        return list;
    }
    static void do_move(Position& position, Move taken) {
        position.stones -= taken;
        ++position.plies;
    }
    static void undo_move(Position& position, Move taken) {
        position.stones += taken;
        --position.plies;
    }
};
static_assert(PerftRules<Heap>);

struct NoUndo {
    using Position = Heap::Position;
    using Move = int;
    static std::uint64_t count_moves(const Position&);
    static std::vector<Move> moves(const Position&);
    static void do_move(Position&, Move);
};
static_assert(!PerftRules<NoUndo>);

// Sequences of exactly `depth` numbers 1..3 whose sum is at most `stones`, by a table.
std::uint64_t sequences(int stones, int depth) {
    std::vector<std::uint64_t> ways(static_cast<std::size_t>(stones) + 1, 0);
    ways[0] = 1;
    for (int ply = 0; ply < depth; ++ply) {
        std::vector<std::uint64_t> next(ways.size(), 0);
        for (std::size_t taken = 0; taken < ways.size(); ++taken) {
            for (std::size_t move = 1; move <= 3 && taken + move < ways.size(); ++move) {
                next[taken + move] += ways[taken];
            }
        }
        ways = next;
    }
    return std::accumulate(ways.begin(), ways.end(), std::uint64_t{0});
}

TEST(Perft, CountsAToyGame) {
    for (int stones = 0; stones <= 14; ++stones) {
        for (int depth = 0; depth <= 10; ++depth) {
            Heap::Position position{.stones = stones};
            ASSERT_EQ(perft<Heap>(position, depth), sequences(stones, depth))
                << stones << " stones, depth " << depth;
            ASSERT_EQ(position, (Heap::Position{.stones = stones}));  // all taken back
        }
    }
    Heap::Position position{.stones = 3};
    EXPECT_EQ(perft<Heap>(position, 3), 1U);  // 1+1+1
    EXPECT_EQ(perft<Heap>(position, 2), 3U);  // 1+1, 1+2, 2+1
    EXPECT_EQ(perft<Heap>(position, 4), 0U);
    EXPECT_EQ(perft<Heap>(position, -1), 1U);
}

TEST(Perft, DividesByRootMoveInGenerationOrder) {
    Heap::Position position{.stones = 4};
    const auto table = perft_divide<Heap>(position, 2);
    const std::vector<std::pair<int, std::uint64_t>> expected = {{1, 3}, {2, 2}, {3, 1}};
    EXPECT_EQ(table, expected);
    EXPECT_EQ(position, (Heap::Position{.stones = 4}));
    EXPECT_TRUE(perft_divide<Heap>(position, 0).empty());
}

}  // namespace
}  // namespace yomi
