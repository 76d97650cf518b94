#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/engine/budget.hpp"
#include "core/engine/engine.hpp"
#include "core/shogi/eval/evaluator.hpp"
#include "core/shogi/position.hpp"
#include "core/shogi/rules.hpp"
#include "core/shogi/search/score.hpp"

namespace yomi::shogi {

/// What a search beyond the end of a line makes of the line's score.
struct Verification {
    Score score;    ///< from the root's side to move, like the line's
    int depth = 0;  ///< plies searched beyond the line's end
    /// Whether the line's score stands: within a pawn and a half of this one.
    bool holds = true;
    std::vector<Move> pv = {};  ///< how the line goes on
};

/// One line of play from the root.
struct Line {
    Score score;
    Bound bound = Bound::exact;
    int depth = 0;
    int seldepth = 0;
    std::vector<Move> pv = {};  ///< legal to its last move, never empty in an answer
    /// In an answer, when it was asked for and the score is no mate.
    std::optional<Verification> verified = {};
};

/// State of a search at one moment; `lines` are sorted best first and all belong to `depth`.
///
/// With one line, a move that turns out better half-way through a depth is taken over at once:
/// `depth` is then the running one and `depth_complete` false. With several lines only whole depths
/// count. Depth 0 (an answer stopped before depth 1) holds the evaluation after each move.
struct AnalysisProgress {
    int depth = 0;
    int seldepth = 0;
    bool depth_complete = false;  ///< false for an update within a depth
    std::uint64_t nodes = 0;
    std::chrono::microseconds elapsed{0};
    int hashfull = 0;  ///< permille
    std::vector<Line> lines = {};
};

struct AnalysisRequest {
    Position position = Position::startpos();  ///< with the history that matters for repetition
    engine::Budget budget = {};
    int multipv = 1;
    /// Empty: all; otherwise only these root moves. Illegal ones are passed over; when none is
    /// legal the answer has no line.
    std::vector<Move> search_moves = {};
    std::chrono::milliseconds min_interval{100};  ///< least time between two updates within a depth
    RuleSet rules = {};
    eval::Kind evaluation = eval::Kind::classic;
    eval::NetChoice net = {};  ///< for the evaluation nnue, which needs one
    /// Lines from the root whose moves are searched first wherever nothing better is known. A line
    /// is followed up to its first illegal move.
    std::vector<std::vector<Move>> guide = {};
    /// Search on from the end of each line of the answer. Takes a tenth of a time limit, and up to
    /// 20,000 nodes a line beside a node limit.
    bool verify = false;
    /// Start from what this instance learned in its last search, if `memory` is warm: for the moves
    /// of one game. The answer depends on that search then.
    bool keep_learning = false;
};

struct AnalysisAnswer {
    GameStatus status = GameStatus::normal;
    /// No move when the game is over; but for a try the king's move that makes it.
    Move bestmove;
    Move ponder;  ///< may be no move
    AnalysisProgress result;
    int guided = 0;  ///< moves of the guide that could be followed
    engine::StopReason stopped_by = engine::StopReason::none;

    /// Whether the side to move need not move: it declares itself the winner.
    [[nodiscard]] bool declares() const noexcept { return status == GameStatus::declared; }
};

/// Shogi search: iterative deepening principal variation search with quiescence.
///
/// Threads one call at a time per instance; `stop` may be raised from any thread, noticed within
/// 1,024 nodes. A search that is stopped before its first depth still answers with a legal move.
/// Fresh `SearchMemory`, one thread and a node or depth limit give the same answer every time.
/// With `budget.threads` beyond 1, helpers on threads of their own share the memory; nodes are then
/// those of all threads, and answers depend on the scheduler.
///
/// Unit    centipawns saturate at 9,999. A mate stops the search once as many plies as it is long
/// have been
///         searched (every line, with multipv); a time limit is used up otherwise.
/// Shape   a mate line has exactly as many moves as its score says and ends in mate. A declaration
///         counts as a mate in one that is no move: a line that ends where the side to move may
///         declare is one move shorter than its score.
/// Cost    about 14 MiB an instance and helper, beside the leased memory.
class AlphaBeta {
public:
    using Request = AnalysisRequest;
    using Progress = AnalysisProgress;
    using Answer = AnalysisAnswer;

    AlphaBeta();
    ~AlphaBeta();
    AlphaBeta(AlphaBeta&&) noexcept;
    AlphaBeta& operator=(AlphaBeta&&) noexcept;
    AlphaBeta(const AlphaBeta&) = delete;
    AlphaBeta& operator=(const AlphaBeta&) = delete;

    Answer analyse(const Request& request,
                   engine::SearchMemory& memory,
                   std::stop_token stop,
                   engine::Sink<Progress>& sink);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace yomi::shogi
