#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/engine/budget.hpp"
#include "core/engine/engine.hpp"
#include "core/othello/eval/evaluator.hpp"
#include "core/othello/position.hpp"
#include "core/othello/search/levels.hpp"

namespace yomi::othello {

enum class Bound : std::uint8_t { exact, lower, upper };

/// The value of a move and the line behind it.
struct AnalysisLine {
    int discs = 0;  ///< final difference for the side to move, -64..64
    /// Proved by a search to the end of the game without a guess; never said early.
    bool exact = false;
    int confidence = 0;  ///< percent that the cuts of this search were right; 100: none was a guess
    Bound bound = Bound::exact;
    int depth = 0;                ///< plies
    bool to_end = false;          ///< `depth` reaches the end of the game
    std::vector<Square> pv = {};  ///< legal to its last move, passes included; never empty
};

/// State of a search at one moment; `lines` are sorted best first and belong to one stage.
struct AnalysisProgress {
    search::Stage stage;
    bool to_end = false;
    bool depth_complete = false;
    std::uint64_t nodes = 0;
    std::chrono::microseconds elapsed{0};
    int hashfull = 0;  ///< permille
    std::vector<AnalysisLine> lines = {};
};

/// What a search is to find out.
enum class Goal : std::uint8_t {
    score,  ///< the final difference
    wld,    ///< only who wins: scores are bounds, cheaper by far
};

struct AnalysisRequest {
    Position position = {};
    engine::Budget budget = {};
    /// Where to stop reading: a level, or `budget.depth` with `selectivity`, or the end (`exact`).
    /// Without any of them the search deepens until another limit ends it or the game is solved.
    std::optional<int> level = {};
    std::optional<int> selectivity = {};  ///< 0..5, of the last stage
    bool exact = false;
    Goal goal = Goal::score;
    int multipv = 1;
    std::vector<Square> search_moves = {};  ///< empty: all; illegal ones are passed over
    /// Other searches in the same memory are to find what this one leaves. It then spreads over all
    /// of the memory, where it would otherwise keep to as much as it can make use of.
    bool leaves_table = false;
    std::chrono::milliseconds min_interval{100};
};

struct AnalysisAnswer {
    bool game_over = false;
    std::optional<Square> bestmove = {};  ///< `kPass` when the side to move must pass
    AnalysisProgress result;
    engine::StopReason stopped_by = engine::StopReason::none;
};

/// Othello search: iterative deepening to a depth, then to the end of the game at rising certainty.
///
/// Threads one call at a time per instance; `stop` may be raised from any thread, noticed within
///         1,024 nodes of the upper tree. Fresh memory, one thread and no time limit give the same
///         answer every time; with `budget.threads` beyond 1 only exact scores are always the same.
/// Unit    discs from the side to move. Passes count as no ply of depth.
class Analyser {
public:
    using Request = AnalysisRequest;
    using Progress = AnalysisProgress;
    using Answer = AnalysisAnswer;

    /// With the shipped evaluation.
    Analyser() : Analyser(eval::Evaluator::shipped()) {}
    /// `evaluator` must outlive the instance.
    explicit Analyser(const eval::Evaluator& evaluator) : evaluator_(&evaluator) {}

    Answer analyse(const Request& request,
                   engine::SearchMemory& memory,
                   std::stop_token stop,
                   engine::Sink<Progress>& sink);

private:
    const eval::Evaluator* evaluator_;
};

}  // namespace yomi::othello
