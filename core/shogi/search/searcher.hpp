#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>
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
    /// Nodes that other threads of the same search have spent.
    [[nodiscard]] virtual std::uint64_t other_nodes() const { return 0; }
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

    /// Takes a copy of `root` with its history and forgets everything learned before, unless
    /// `keep_learning`.
    void begin(const Position& root,
               TranspositionTable& table,
               const Limits& limits,
               SearchObserver& observer,
               eval::Kind evaluation = eval::Kind::classic,
               const RuleSet& rules = {},
               const eval::NetChoice& net = {},
               bool keep_learning = false);

    /// Searches root moves `first`.. of `moves` in the window; scores and lines go into `moves`.
    /// Returns the best score (fail-soft); meaningless once `stopped()`.
    Value search_root(
        std::vector<RootMove>& moves, std::size_t first, Value alpha, Value beta, int depth);

    /// Scores each root move by the evaluation after it: an order and an answer before depth 1.
    void score_statically(std::vector<RootMove>& moves);

    /// Writes the moves of `line` (from the root) into the table where it knows no move yet, so
    /// that they are searched first. Stops at an illegal move; returns how many moves it followed.
    int follow(const std::vector<Move>& line);

    /// From now on the search knows that the side to move at the end of `pv` mates by `mate`, a
    /// line up to the mate.
    void know_mate(const std::vector<Move>& pv, std::vector<Move> mate);

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
        Value static_eval = kNoValue;        ///< corrected
        Value raw_eval = kNoValue;           ///< as the evaluation gave it
        int reduced = 0;                     ///< plies taken from the search of `move`
        int cutoffs = 0;                     ///< fail-highs among the children searched so far
        bool on_pv = false;                  ///< on the principal variation now or in the table
        bool in_check = false;
        bool tactical = false;  ///< whether `move` is
        std::uint64_t board_key = 0;
        Hand hand;  ///< of the side to move
    };

    /// A node on its way through the steps of `search`.
    struct Node {
        Value alpha;
        Value beta;
        int depth;
        int ply;
        bool cut_node;
        bool pv = false;
        bool in_check = false;
        bool improving = false;
        bool on_pv = false;
        Value raw_eval = kNoValue;
        Value static_eval = kNoValue;  ///< raw, corrected by what earlier searches found
        Value eval = kNoValue;         ///< the static evaluation, sharpened by the table
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

    /// A move of a node on its way to its child.
    struct Try {
        Move move;
        bool tactical;
        int history;  ///< what was learned of a quiet move, else 0
        bool gives_check;
        int count;  ///< 1 for the first move of the node
    };

    template <bool Pv>
    Value search(Value alpha, Value beta, int depth, int ply, bool cut_node);
    template <bool Pv>
    Value search_moves(Node& node);
    /// Searches the child behind `move`: reduced by `less` (1,024 a ply), then whole, then with the
    /// full window.
    template <bool Pv>
    Value search_child(const Node& node, const Try& move, int new_depth, int less, Value best);
    template <bool Pv>
    Value quiescence(Value alpha, Value beta, int ply);
    template <bool Pv>
    Value quiescence_moves(Node& node, Value stand_pat);

    /// The value if rules or bounds end the line here.
    std::optional<Value> ends_here(int ply);
    /// The key of the current position in the table.
    [[nodiscard]] std::uint64_t table_key() const noexcept { return table_key_of(position_); }
    [[nodiscard]] std::uint64_t table_key_of(const Position& position) const noexcept;
    /// Whether this board stood on the line before with the same side to move, and that side holds
    /// more now (1) or less (-1); 0 otherwise.
    [[nodiscard]] int gained_since(int ply) noexcept;
    void look_up(Node& node);
    [[nodiscard]] static bool table_cuts(const Node& node) noexcept;
    /// Whether the table puts the node so far above beta that a little depth may be missing.
    [[nodiscard]] bool far_above(const Node& node);
    void judge_statically(Node& node);
    /// A mate in one for the side to move, unless the table has seen the node before.
    [[nodiscard]] Move mate_in_one(const Node& node);
    /// A mate in at most three plies at a node of the principal variation: its value, the line put
    /// into the row of its ply.
    [[nodiscard]] std::optional<Value> mate_in_three(const Node& node);
    /// Notes for good that the node mates by `first`; returns `value`.
    Value store_mate(const Node& node, Value value, Move first);

    // pruning.cpp: reasons to leave a node, or a move, unsearched.
    std::optional<Value> prune_node(Node& node);
    std::optional<Value> try_null_move(const Node& node);
    std::optional<Value> try_captures(const Node& node);
    /// Raises `reach` to what the move could still be worth where that is known.
    [[nodiscard]] bool prune_move(const Node& node,
                                  const Try& move,
                                  MovePicker& picker,
                                  Value& reach);
    [[nodiscard]] bool prune_evasion(const Node& node, const Try& move);

    /// Plies to extend `move` by; sets `cut` when the node itself may be cut (multi-cut).
    int extension(const Node& node, const Try& move, std::optional<Value>& cut);
    int singular_extension(const Node& node, Move move, std::optional<Value>& cut);
    [[nodiscard]] OrderingHints hints(const Node& node);

    // reductions.cpp: 1,024 is a ply.
    /// By how much a late move is searched less deep, below 0 for deeper; 0 when it is not late.
    [[nodiscard]] int reduction(const Node& node, const Try& move);
    [[nodiscard]] int log_product(const Node& node, const Try& move) const noexcept;
    /// Plies that pruning may count on behind `move`; may be below 0.
    [[nodiscard]] int plies_left(const Node& node, const Try& move) const noexcept;
    [[nodiscard]] static int reduced_depth(const Node& node, int new_depth, int less) noexcept;
    /// Corrects the depth of a node whose move before was reduced, now that it can be judged.
    void look_back(Node& node) noexcept;

    // learning.cpp: what a finished node teaches.
    [[nodiscard]] int quiet_history(int ply, Move move);
    void reward(const Node& node, Move best, const Tried& tried);
    void learn_quiet(int ply, Move move, int bonus);
    void learn_from_table_cut(const Node& node);
    void learn_from_fail_low(const Node& node);
    void learn_correction(const Node& node, Value best);
    [[nodiscard]] Value correction(int ply);

    void do_move(Move move, int ply);
    void undo_move();
    Value evaluate();
    /// A mate that the search was told of: its value, the line put into the row of `ply`.
    [[nodiscard]] std::optional<Value> known_mate(int ply);
    bool enter(int ply);  ///< counts nothing, looks at limits; false when stopped
    void set_pv(int ply, Move move);

    // Frames before the root spare every look-back a bounds test.
    static constexpr int kFramesBefore = 6;
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
    std::array<int, 128> logs_{};  ///< 1,024 times the logarithm, for reductions

    std::unordered_map<std::uint64_t, std::vector<Move>> mates_;  ///< by table key

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
