#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/engine/engine.hpp"
#include "core/shogi/search/abc/conspiracy.hpp"
#include "core/shogi/search/abc/cost.hpp"
#include "core/shogi/search/alpha_beta.hpp"

namespace yomi::shogi::abc {

/// Conspirators against the answer by how much the score would have to be wrong.
struct CurvePoint {
    int margin = 0;  ///< centipawns away from the score, >= 0
    Conspirators count = 0;

    friend bool operator==(const CurvePoint&, const CurvePoint&) = default;
};

/// A root move that the proof still counts on.
struct RootOption {
    Move move;
    Conspirators count = 0;  ///< L of this move alone: what holds the answer up behind it

    friend bool operator==(const RootOption&, const RootOption&) = default;
};

/// One move of the principal variation with what its side had beside it.
struct PvStep {
    Move move;
    int alternatives = 0;  ///< other moves that keep its side on its side of the score
    double d_max = 0;      ///< paid so far by the side to move at the root, plies
    double d_min = 0;      ///< paid so far by the other side, plies
};

/// The depth that is being searched and how far it has come.
struct SearchingDepth {
    int depth = 0;  ///< 0: none
    std::optional<Score> lower = {};
    std::optional<Score> upper = {};
};

/// How solid an answer is: the conspiracy numbers of its value over the recorded trees of both
/// strategies.
///
/// Shape   `down` and `up` by rising margin. Empty curves: nothing was completed.
struct Certificate {
    int depth = 0;        ///< D, the conspiracy depth completed, in plies
    Score score;          ///< of the side to move at the root; what the curves are about
    Score lower;          ///< shown: the value is at least this
    Score upper;          ///< shown: it is at most this
    bool proved = false;  ///< ended by the rules in all lines that matter: no number suffices
    std::vector<CurvePoint> down = {};  ///< L: leaves that must be wrong to lose `margin` or more
    std::vector<CurvePoint> up = {};    ///< U: leaves that must be wrong to gain `margin` or more
    std::vector<RootOption> options = {};
    std::vector<PvStep> pv = {};
    CostMode cost = CostMode::uniform;
    std::uint64_t nodes = 0;        ///< spent on it, positions entered
    SearchingDepth searching = {};  ///< in progress only
    bool truncated = false;         ///< the trees outgrew their room; the counts are too small
};

struct AbcRequest {
    /// `multipv` beyond 1 gives one line all the same; `budget.depth` limits D.
    AnalysisRequest search = {};
    Options options = {.resolution = 8};
    /// Tried first along this line, before the lines of `search.guide`.
    std::vector<Move> guide = {};
    /// Counts alternatives along the line in full at the end, not only as far as prices needed.
    bool count_fully = false;
};

struct AbcProgress {
    AnalysisProgress search;  ///< `depth` is D
    Certificate certificate;
};

struct AbcAnswer {
    AnalysisAnswer search;
    Certificate certificate;
};

/// Alpha-beta-conspiracy search as an engine.
///
/// The value is found by null-window questions, depth by depth in D, each following the strategy
/// trees of the one before. Between D and D + 1 lies a step in which the side to move alone may
/// spend D + 1; both have spent D then, so D stays. An answer is always that of the last completed
/// step, so D never falls and more time never answers with less. Before D = 1 is complete the
/// answer is the move with the best estimate, at depth 0.
///
/// With exact costs the hash only keeps estimates, and the answer is the same without it.
///
/// Shape   one line, legal to its last move; a mate line has as many moves as its score says (one
///         less when it ends by a declaration) and is proved by the recorded tree.
/// Threads one call at a time per instance; `stop` may be raised from any thread.
/// Cost    76 bytes a recorded node, two trees at a time, beside the leased memory.
/// Source  KFEnd's search (Arioka 2000); McAllester and Yuret (1993, 2002). See docs/abc.md.
class Abc {
public:
    using Request = AbcRequest;
    using Progress = AbcProgress;
    using Answer = AbcAnswer;

    Abc();
    ~Abc();
    Abc(Abc&&) noexcept;
    Abc& operator=(Abc&&) noexcept;
    Abc(const Abc&) = delete;
    Abc& operator=(const Abc&) = delete;

    Answer analyse(const Request& request,
                   engine::SearchMemory& memory,
                   std::stop_token stop,
                   engine::Sink<Progress>& sink);

    /// The certificate of another engine's answer: regrows both strategies from the neighbourhood
    /// of its line, with exact costs, within `nodes` positions. A proved mate needs none.
    Certificate certify(const AnalysisRequest& request,
                        const AnalysisAnswer& answer,
                        std::uint64_t nodes,
                        std::stop_token stop);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace yomi::shogi::abc
