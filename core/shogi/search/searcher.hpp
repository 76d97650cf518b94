#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/shogi/eval/evaluator.hpp"
#include "core/shogi/position.hpp"
#include "core/shogi/rules.hpp"
#include "core/shogi/search/history.hpp"
#include "core/shogi/search/limits.hpp"
#include "core/shogi/search/ordering.hpp"
#include "core/shogi/search/tt.hpp"
#include "core/shogi/search/value.hpp"

namespace yomi::shogi::search {

/// One move of the root with what the search knows about it.
struct RootMove {
    Move move;
    Value score = -kInfinite;  ///< of the running pass; -kInfinite when it did not raise alpha
    int seldepth = 0;
    std::vector<Move> pv = {};  ///< starts with `move`
};

/// What the searcher tells its driver while it runs.
class SearchObserver {
public:
    virtual ~SearchObserver() = default;
    /// Called every 256 nodes or so, on the searching thread.
    virtual void on_poll() = 0;
    /// Root move `index` (not the first of its pass) has just become the best, with an exact score.
    virtual void on_new_best(const RootMove& best) = 0;
};

/// The tree search of one thread: principal variation search with quiescence on its own position.
///
/// Threads one owner; only the table may be shared with other searchers.
/// Source  the techniques are those of the open literature: PVS (Marsland & Campbell 1982), null
/// move (Donninger
///         1993), late move reductions (Romstad 2006), history heuristic (Schaeffer 1989),
///         countermove history, reverse futility, singular extensions (Anantharaman et al. 1988).
class Searcher {
public:
    Searcher();

    /// Takes a copy of `root` with its history and forgets everything learned before.
    void begin(const Position& root,
               TranspositionTable& table,
               const Limits& limits,
               SearchObserver& observer,
               eval::Kind evaluation = eval::Kind::classic,
               const RuleSet& rules = {},
               const eval::NetChoice& net = {});

    /// Searches root moves `first`.. of `moves` in the window; scores and lines go into `moves`.
    /// Returns the best score (fail-soft); meaningless once `stopped()`.
    Value search_root(
        std::vector<RootMove>& moves, std::size_t first, Value alpha, Value beta, int depth);

    /// Scores each root move by the evaluation after it: an order and an answer before depth 1.
    void score_statically(std::vector<RootMove>& moves);

    /// Prolongs `pv` with table moves while it is shorter than `length`; legal to the last, no
    /// repetition.
    void prolong(std::vector<Move>& pv, int length);

    [[nodiscard]] bool stopped() const noexcept { return stop_reason_ != engine::StopReason::none; }
    [[nodiscard]] engine::StopReason stop_reason() const noexcept { return stop_reason_; }
    [[nodiscard]] std::uint64_t nodes() const noexcept { return nodes_; }
    [[nodiscard]] int seldepth() const noexcept { return seldepth_; }
    void reset_seldepth() noexcept { seldepth_ = 0; }
    [[nodiscard]] const Limits& limits() const noexcept { return limits_; }
    [[nodiscard]] const Position& position() const noexcept { return position_; }
    /// Looks at the limits now; for the driver, between passes.
    bool poll();

private:
    /// What is remembered of each ply of the current line.
    struct Frame {
        Move move;      ///< being searched, no move for a null move
        Move excluded;  ///< left out by a singular search
        std::array<Move, 2> killers{};
        ContinuationRow* answers = nullptr;  ///< row of answers to `move`
        Value static_eval = kNoValue;
        int history = 0;  ///< history score of `move`
    };

    /// A node on its way through the steps of `search`.
    struct Node {
        Value alpha;
        Value beta;
        int depth;
        int ply;
        bool cut_node;
        bool in_check = false;
        bool improving = false;
        Value static_eval = kNoValue;
        Value eval = kNoValue;  ///< the static evaluation, corrected by the table
        TableHit hit{};
        Move table_move{};
    };

    /// Moves tried at a node before the cut-off, which then lose some of their credit.
    struct Tried {
        std::array<Move, 64> quiets;
        std::array<Move, 32> captures;
        std::size_t quiet_count = 0;
        std::size_t capture_count = 0;
        void add(Move move, bool tactical) noexcept;
    };

    template <bool Pv>
    Value search(Value alpha, Value beta, int depth, int ply, bool cut_node);
    template <bool Pv>
    Value search_moves(Node& node);
    template <bool Pv>
    Value search_child(const Node& node, Move move, int new_depth, int reduction, bool first);
    template <bool Pv>
    Value quiescence(Value alpha, Value beta, int ply);
    template <bool Pv>
    Value quiescence_moves(Node& node, Value stand_pat);

    /// The value if rules or bounds end the line here.
    std::optional<Value> ends_here(int ply);
    /// The key of the current position in the table.
    [[nodiscard]] std::uint64_t table_key() const noexcept { return table_key_of(position_); }
    [[nodiscard]] std::uint64_t table_key_of(const Position& position) const noexcept;
    void look_up(Node& node);
    [[nodiscard]] static bool table_cuts(const Node& node) noexcept;
    void judge_statically(Node& node);
    std::optional<Value> prune_node(const Node& node);
    std::optional<Value> try_null_move(const Node& node);
    [[nodiscard]] bool prune_move(const Node& node,
                                  Move move,
                                  bool tactical,
                                  bool gives_check,
                                  int move_count,
                                  MovePicker& picker);
    /// Plies to extend `move` by; sets `cut` when the node itself may be cut (multi-cut).
    int extension(
        const Node& node, Move move, bool pv, bool gives_check, std::optional<Value>& cut);
    [[nodiscard]] int reduction(
        const Node& node, Move move, bool tactical, bool pv, bool gives_check, int move_count);
    [[nodiscard]] OrderingHints hints(const Node& node);
    [[nodiscard]] int quiet_history(int ply, Move move);
    void reward(const Node& node, Move best, const Tried& tried);
    void learn_quiet(int ply, Move move, int bonus);

    void do_move(Move move, int ply);
    void undo_move();
    Value evaluate();
    bool enter(int ply);  ///< counts nothing, looks at limits; false when stopped
    void set_pv(int ply, Move move);

    // Frames of four plies before the root spare every look-back a bounds test.
    static constexpr int kFramesBefore = 4;
    Frame& frame(int ply) noexcept {
        return frames_[static_cast<std::size_t>(ply + kFramesBefore)];
    }

    Position position_ = Position::startpos();
    eval::Evaluator evaluator_;
    Histories histories_;
    std::array<Frame, kMaxPly + kFramesBefore + 2> frames_;
    // Triangular table: row p holds the best line found from ply p on.
    std::array<std::array<Move, kMaxPly + 1>, kMaxPly + 1> pv_;
    std::array<int, kMaxPly + 2> pv_end_{};
    std::array<std::array<std::uint8_t, 64>, 64> reductions_{};

    RuleSet rules_;
    std::uint64_t rules_key_ = 0;  ///< keeps values of other rules apart; 0 for the usual ones
    TranspositionTable* table_ = nullptr;
    SearchObserver* observer_ = nullptr;
    Limits limits_;
    engine::StopReason stop_reason_ = engine::StopReason::none;
    std::uint64_t nodes_ = 0;
    int seldepth_ = 0;
    int root_depth_ = 0;
    int null_move_from_ = 0;  ///< no null move before this ply (verification)
};

}  // namespace yomi::shogi::search
