#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/othello/search/analyser.hpp"
#include "core/othello/transcript.hpp"

namespace yomi::othello {

/// What a search says about one move of a game. Values are discs for the mover.
struct PlyAnalysis {
    int best = 0;                 ///< value of the best move
    int played = 0;               ///< value of the move that was played
    int loss = 0;                 ///< best - played, never negative
    bool exact = false;           ///< both values are proved
    int confidence = 0;           ///< percent, of the weaker of the two searches
    int depth = 0;                ///< plies
    std::vector<Square> pv = {};  ///< best line
};

struct GamePly {
    int number = 0;  ///< of the placement, from 1; passes are not counted and have no entry
    Color side = Color::black;
    Square move = kPass;
    std::optional<PlyAnalysis> analysis = {};  ///< none: the budget ended before
};

/// A mistake costs at least 3 discs, a blunder at least 8.
inline constexpr int kMistake = 3;
inline constexpr int kBlunder = 8;

/// One side's moves added up.
struct SideSummary {
    int moves = 0;  ///< analysed
    int total_loss = 0;
    int errors = 0;    ///< moves that lost anything
    int mistakes = 0;  ///< `kMistake` to below `kBlunder`
    int blunders = 0;
    int best_moves = 0;
};

struct GameAnalysis {
    std::vector<GamePly> plies;
    std::array<SideSummary, 2> sides{};  ///< by `Color`
    /// Index of the ply at which the loser let the game slip for the last time: before it the
    /// loser's best value was no loss, after it the played one was. None for a draw, or when no
    /// such ply was analysed.
    std::optional<std::size_t> lost_at = {};
    std::uint64_t nodes = 0;
    std::chrono::microseconds elapsed{0};
    engine::StopReason stopped_by = engine::StopReason::none;
};

struct GameRequest {
    Game game;
    engine::Budget budget = {};  ///< for the whole game
    int level = 12;              ///< of the search of each position
};

/// Goes through a game from its end to its start, so that what is exact about the end serves what
/// comes before.
///
/// Threads as `Analyser`. Progress is the analysis so far, after every move.
/// Shape   the value of a move is from a search of the position before it, never from the one
///         after it, so that two searches of different parity are not compared; but exact values
///         are taken from where they were proved.
class GameAnalyser {
public:
    using Request = GameRequest;
    using Progress = GameAnalysis;
    using Answer = GameAnalysis;

    Answer analyse(const Request& request,
                   engine::SearchMemory& memory,
                   std::stop_token stop,
                   engine::Sink<Progress>& sink);
};

}  // namespace yomi::othello
