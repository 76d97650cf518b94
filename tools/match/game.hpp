#pragma once

#include <array>
#include <optional>
#include <stop_token>
#include <string>

#include "tools/match/arbiter.hpp"
#include "tools/match/usi_player.hpp"

namespace yomi::match {

/// The two engines of a match by number: 0 is A, whose view all results take.
using Engine = std::size_t;

/// When both engines' scores decide a game early.
struct Adjudication {
    int score = 0;  ///< centipawns both must agree on; 0: never
    int plies = 8;  ///< consecutive plies, both sides, for which they must
};

/// Counts agreement. A mate score counts as any number of centipawns; a missing score breaks the
/// run.
class ScoreWatch {
public:
    explicit ScoreWatch(const Adjudication& setting) : setting_(setting) {}
    /// `score` is the mover's view. The winner once the run is long enough.
    std::optional<shogi::Color> add(shogi::Color mover, const std::optional<shogi::Score>& score);

private:
    Adjudication setting_;
    std::array<int, 2> run_{};  ///< plies in a row that said "this colour wins"
};

/// Time on the clock of one side.
/// `increment` may be used for the move that it belongs to; byoyomi starts anew at every move.
std::chrono::milliseconds clock_after(const PlayLimits& limits,
                                      std::chrono::milliseconds left,
                                      std::chrono::milliseconds elapsed) noexcept;

struct GameRecord {
    GameEnd end;
    Engine black = 0;
    std::string usi;  ///< the whole game as USI position text
    int plies = 0;
    std::array<Spent, 2> spent{};
    /// Engines that must be started again before the next game.
    std::array<bool, 2> broken{};
};

/// What a game needs to know of each engine.
struct Seat {
    UsiPlayer* player = nullptr;  ///< borrowed
    PlayLimits limits;
};

/// Plays one game from the arbiter's position to its end. Nothing when `stop` was raised before
/// that.
std::optional<GameRecord> play_game(Arbiter arbiter,
                                    const std::array<Seat, 2>& seats,
                                    Engine black,
                                    const Adjudication& adjudication,
                                    const std::stop_token& stop);

}  // namespace yomi::match
