#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "core/othello/position.hpp"
#include "tools/match/statistics.hpp"
#include "tools/othello_match/gtp_player.hpp"

namespace yomi::othello_match {

/// A start of a game: the moves that lead there from the usual start.
struct Opening {
    std::vector<othello::Square> moves;
    int value = 0;  ///< discs for the side to move, by our own search
};

/// Different openings (also under the symmetries) of random moves that our own search calls even.
struct OpeningOptions {
    int count = 100;
    int plies = 8;
    int margin = 4;  ///< discs that the value may be away from 0
    int depth = 10;  ///< plies of the search that judges
    std::uint64_t seed = 1;
};
/// Shape   the same options and evaluation give the same openings. Errors  out_of_range when there
///         are not that many.
Result<std::vector<Opening>> make_openings(const OpeningOptions& options);

/// One finished game.
struct GameResult {
    std::uint64_t opening = 0;
    int black = 0;          ///< which program, 0 or 1
    int discs = 0;          ///< final difference for program 0, empties to the winner
    bool ruled = false;     ///< lost by an illegal move, a crash or silence, not on the board
    std::string note = {};  ///< what happened then
    std::vector<othello::Square> moves = {};
};

/// What both programs have used.
struct Spent {
    std::uint64_t moves = 0;
    std::chrono::nanoseconds cpu{0};
};

struct Standing {
    std::array<std::uint64_t, 3> games{};  ///< losses, draws, wins of program 0
    match::Pentanomial pairs;
    std::int64_t discs = 0;  ///< sum of the differences
    std::uint64_t ruled = 0;
    std::array<Spent, 2> spent{};
    std::string first_note = {};

    [[nodiscard]] std::uint64_t played() const noexcept { return games[0] + games[1] + games[2]; }
};

struct MatchSetting {
    std::array<PlayerSetting, 2> players;
    std::vector<Opening> openings;  ///< each is played twice, colours swapped
};

/// Plays the match, one game at a time. Forced passes are told to both programs. An illegal move, a
/// crash or silence loses the game 64-0, and the program is started again.
///
/// Errors  a program that cannot be started.
Result<Standing> play_match(
    const MatchSetting& setting,
    const std::stop_token& stop,
    const std::function<void(const GameResult&, const Standing&)>& progress);

/// The result as text for people, a few lines.
std::string report_of(const MatchSetting& setting, const Standing& standing);

}  // namespace yomi::othello_match
