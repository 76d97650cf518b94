#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

#include "core/engine/engine.hpp"
#include "core/shogi/analysis/root_analyser.hpp"
#include "core/shogi/position.hpp"

namespace yomi::shogi {

/// What a move was worth beside the best one, by the win-rate points that it lost.
enum class MoveLabel : std::uint8_t {
    forced,      ///< there was no other legal move
    best,        ///< the engine's own choice, whatever the next search says
    good,        ///< lost less than `kInaccuracy`
    inaccuracy,  ///< from `kInaccuracy` on
    mistake,     ///< from `kMistake` on
    blunder,     ///< from `kBlunder` on
};
/// The word on the wire, e.g. "inaccuracy".
std::string_view to_string(MoveLabel label) noexcept;

/// Thresholds of the labels. Unit    win-rate points, 0..100.
inline constexpr double kInaccuracy = 5.0;
inline constexpr double kMistake = 10.0;
inline constexpr double kBlunder = 20.0;

/// What a position of the game is worth to its side to move.
struct PositionValue {
    GameStatus status = GameStatus::normal;
    Source source = Source::alphabeta;
    Line line = {};        ///< empty when the game is over here
    double winrate = 0.5;  ///< expected score, 0..1
    Move bestmove = {};    ///< no move when the game is over
    std::uint64_t nodes = 0;
};

/// A move of the game judged.
struct MoveJudgement {
    double best = 0;    ///< win rate of the mover before the move; at least `played`
    double played = 0;  ///< win rate of the mover after it
    double loss = 0;    ///< win-rate points, 0..100; 0 for the engine's own choice
    MoveLabel label = MoveLabel::good;
    bool missed_mate = false;  ///< a mate was there and is gone
    bool allows_mate = false;  ///< the opponent has a mate now that it did not have
};

struct GameMove {
    Move move;
    Color side = Color::black;
    std::optional<MoveJudgement> judgement = {};  ///< none: one of its positions was not reached
};

/// One side's judged moves added up.
struct GameSide {
    int moves = 0;
    int best_moves = 0;  ///< `best` and `forced`
    int inaccuracies = 0;
    int mistakes = 0;
    int blunders = 0;
    int missed_mates = 0;
    double total_loss = 0;  ///< win-rate points
};

struct GameAnalysis {
    std::vector<GameMove> moves;
    /// Of each position from the root to the end, one more than moves; none: not reached.
    std::vector<std::optional<PositionValue>> values;
    std::array<GameSide, 2> sides{};  ///< by `Color`
    /// Index of the move with which the side that stands worse at the end gave the lead away for
    /// the last time; none when nobody did.
    std::optional<std::size_t> turning_point = {};
    std::size_t done = 0;    ///< positions analysed
    std::size_t latest = 0;  ///< index of the one that was finished last
    std::uint64_t nodes = 0;
    std::chrono::microseconds elapsed{0};
    engine::StopReason stopped_by = engine::StopReason::none;
};

struct GameRequest {
    Position root = Position::startpos();
    std::vector<Move> moves = {};  ///< legal, one after the other
    /// How each position is analysed; `root.search.position` is not looked at, and
    /// `root.search.budget` is for one position.
    RootRequest analysis = {};
    /// Positions analysed at once, each on a thread of its own with its part of the memory; 0: who
    /// runs it decides, alone it is one.
    int side_by_side = 1;
};

/// A game on its way through the analysis, for whoever has workers of his own.
///
/// Shape   `request` and `sink` outlive it. The answer does not depend on who takes which position.
/// Threads `step` from several threads at once, each with an analyser and memory of its own;
///         `finish` when none is in it any more. Progress as in `GameAnalyser`.
class GameInSteps {
public:
    GameInSteps(const GameRequest& request, std::stop_token stop, engine::Sink<GameAnalysis>& sink);
    ~GameInSteps();
    GameInSteps(const GameInSteps&) = delete;
    GameInSteps& operator=(const GameInSteps&) = delete;

    [[nodiscard]] std::size_t positions() const noexcept;
    /// Analyses the next position from empty tables. False: none was left, or it was stopped.
    bool step(RootAnalyser& analyser, engine::SearchMemory& memory);
    /// What there is, also of a game that was stopped.
    GameAnalysis finish();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// Analyses every position of a game, each from empty tables, and judges the moves by the values
/// before and after them.
///
/// Shape   with a limit of nodes or depth the answer does not depend on `side_by_side` as long as
///         the tables do not fill up.
/// Threads one call at a time per instance; `stop` may be raised from any thread. Progress is the
///         analysis so far after every position, reported by one thread at a time but by any.
/// Cost    that of a `RootAnalyser` for each position at once.
class GameAnalyser {
public:
    using Request = GameRequest;
    using Progress = GameAnalysis;
    using Answer = GameAnalysis;

    Answer analyse(const Request& request,
                   engine::SearchMemory& memory,
                   std::stop_token stop,
                   engine::Sink<Progress>& sink);

private:
    std::vector<std::unique_ptr<RootAnalyser>> analysers_;
};

/// The move between two positions judged; `legal` counts the moves there were.
MoveJudgement judge_move(const PositionValue& before,
                         const PositionValue& after,
                         Move move,
                         std::size_t legal);

}  // namespace yomi::shogi
