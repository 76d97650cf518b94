#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/othello/board.hpp"
#include "core/othello/eval/evaluator.hpp"
#include "core/othello/search/few_empties.hpp"
#include "core/othello/search/table.hpp"

namespace yomi::othello::search {

/// A position in the upper part of the tree: the board and what the evaluation reads of it.
struct Node {
    Board board;
    eval::Indices indices;
};

/// Moves of a line, first move first; passes are written as `kPass`.
struct Line {
    std::array<std::uint8_t, 64> moves{};
    int length = 0;

    void clear() noexcept { length = 0; }
    void put_before(Square move, const Line& rest) noexcept {
        moves[0] = static_cast<std::uint8_t>(move);
        length = rest.length < 63 ? rest.length + 1 : 63;
        for (int i = 1; i < length; ++i)
            moves[static_cast<std::size_t>(i)] = rest.moves[static_cast<std::size_t>(i - 1)];
    }
};

/// When a search has to end, shared by its threads.
struct Limits {
    std::stop_token stop = {};
    std::optional<std::chrono::steady_clock::time_point> until = {};
    std::uint64_t nodes = ~std::uint64_t{0};
};

class Team;

/// One thread's alpha-beta search: midgame to a depth, endgame to the end, both with the same
/// table. When depth equals the number of empties the leaves are finished games and, without
/// selectivity, the score is exact.
///
/// Unit    scores are discs for the side to move, -64..64; ±64 only when proved.
/// Threads one per thread; the table and the evaluation are shared.
class TreeSearch {
public:
    /// Without an evaluation (null) a plain count of mobility and corners stands in.
    TreeSearch(Table& table, const eval::Evaluator* evaluator);

    void set_limits(const Limits& limits) noexcept;

    /// From now on nodes are split with the helpers of `team`, which must outlive the searches.
    /// Answers then depend on the scheduler, though never the score of an exact search.
    void join(Team* team) noexcept { team_ = team; }

    /// The score of `node` within the window, fail-soft; `line` receives the best line.
    ///
    /// Shape   `depth` 1..empties; a position without moves is fine. -65 < alpha < beta <= 65.
    ///         When `stopped()` afterwards, the value means nothing.
    int search(const Node& node, int alpha, int beta, int depth, int selectivity, Line& line);

    /// The same for a null window, without a line: is the score above `alpha`?
    int search_null(const Node& node, int alpha, int depth, int selectivity);

    [[nodiscard]] Node root_of(const Board& board) const noexcept {
        return {board, eval::indices_of(board)};
    }
    [[nodiscard]] std::uint64_t nodes() const noexcept { return nodes_; }
    [[nodiscard]] bool stopped() const noexcept { return stopped_; }
    [[nodiscard]] int evaluate(const Node& node, int empties) const noexcept;

    /// The node after a move.
    [[nodiscard]] Node child_of(const Node& node,
                                Square square,
                                std::uint64_t flipped) const noexcept {
        Node child;
        child.board = after_move(node.board, square, flipped);
        eval::after_move(steps_, node.indices, square, flipped, child.indices);
        return child;
    }
    [[nodiscard]] static Node passed(const Node& node) noexcept {
        Node other;
        other.board = node.board.swapped();
        eval::after_pass(node.indices, other.indices);
        return other;
    }

private:
    struct Move {
        Square square;
        std::uint64_t flipped;
        int rank;  ///< the least is tried first
    };
    struct Moves {
        std::array<Move, 34> list;
        std::size_t size = 0;

        /// Brings the best of the rest to `from` and gives it.
        Move& pick(std::size_t from) noexcept;
    };

    // Endgame without evaluation (endgame.cpp).
    int endgame(const Board& board, int alpha, int empties, unsigned odd);
    /// Below the shared table, with the thread's own.
    int local_endgame(const LaneBoard& lanes,
                      std::uint64_t empty,
                      std::uint64_t moves,
                      int alpha,
                      int empties,
                      unsigned odd);
    int endgame_children(const LaneBoard& lanes,
                         std::uint64_t empty,
                         int alpha,
                         int empties,
                         unsigned odd,
                         std::uint64_t moves,
                         Square hint,
                         Square& best_move);

    // Upper part (tree_search.cpp).
    int null_window(const Node& node, int alpha, int depth, int empties, int selectivity);
    int principal(
        const Node& node, int alpha, int beta, int depth, int empties, int selectivity, Line& line);
    int null_window_or_leaf(const Node& node, int alpha, int depth, int empties, int selectivity);
    bool probcut(const Node& node, int alpha, int depth, int empties, int selectivity, int& score);
    bool transposition_cut(
        const Node& node, int alpha, int depth, int selectivity, const Moves& moves, int& score);
    void sort_moves(
        const Node& node, int alpha, int depth, int empties, const TableData& known, Moves& moves);
    /// All moves, unsorted; true if one of them leaves the opponent without a disc.
    static bool list_moves(const Board& board, std::uint64_t legal, Moves& moves) noexcept;

    // Shallow midgame (shallow.cpp): no table.
    int shallow(const Node& node, int alpha, int beta, int depth, int empties);
    int one_ply(const Node& node, int alpha, int beta, int empties);

    // Several threads (team.cpp).
    friend class Team;
    struct SplitPoint;
    /// Shares the moves of a node from `next` on out; false when nobody would come.
    bool split(const Node& node,
               int alpha,
               int depth,
               int empties,
               int selectivity,
               Moves& moves,
               std::size_t next,
               int& best,
               Square& best_move);
    /// Whether a split would find a thread that has nothing to do.
    [[nodiscard]] bool helper_waits() const noexcept;
    void take_moves(std::unique_lock<std::mutex>& lock, SplitPoint& point);
    void flush_nodes() noexcept;
    /// After a node that was decided elsewhere: goes on unless what is above it is decided too.
    void resume() noexcept;

    [[nodiscard]] bool limits_reached() noexcept;
    void poll() noexcept;
    void count_node() noexcept {
        if (++nodes_ >= next_poll_) poll();
    }

    Table& table_;
    const eval::Evaluator* evaluator_;
    const eval::FeatureSteps& steps_;
    Limits limits_;
    std::uint64_t nodes_ = 0;
    std::uint64_t next_poll_ = 0;
    bool stopped_ = false;
    int guesses_ = 0;  ///< ProbCut searches that are open above this node
    Team* team_ = nullptr;
    SplitPoint* split_ = nullptr;   ///< where this thread is taking moves
    std::uint64_t told_nodes_ = 0;  ///< nodes that the team knows of
    static constexpr int kPollEvery = 512;
    static constexpr int kSplitFrom = 8;  ///< plies below a node that is worth the trouble

    /// Small endgame table of this thread: fits the second-level cache.
    struct Slot {
        Board board;
        std::int8_t lower = -64;
        std::int8_t upper = 64;
        std::uint8_t move = 64;
    };
    static constexpr std::size_t kLocalBits = 12;
    std::vector<Slot> local_;
};

}  // namespace yomi::othello::search
