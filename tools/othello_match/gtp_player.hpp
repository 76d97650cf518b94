#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/othello/position.hpp"
#include "tools/match/child_process.hpp"

namespace yomi::othello_match {

/// How to start a program and how long to wait for it.
struct PlayerSetting {
    std::string name;
    std::vector<std::string> command;
    std::string folder;                          ///< working folder; empty: the runner's
    std::chrono::milliseconds patience{60'000};  ///< most wall time for one answer
};

/// A program that plays Othello by the Go Text Protocol, version 2.
///
/// Threads one owner, on the thread that started it (see match::ChildProcess).
class GtpPlayer {
public:
    /// Starts it and sets up a board of 8. Errors  not_found, request_timeout or bad_request,
    /// naming the program.
    static Result<GtpPlayer> start(const PlayerSetting& setting);

    /// What it says to one command, without "= ". Errors  bad_request when it says "?", has gone
    /// or says nothing in time.
    Result<std::string> ask(std::string_view command);

    /// An empty board for the next game.
    Result<void> new_game();
    /// Tells it a move. A forced pass that it refuses is one that it played by itself.
    Result<void> tell(othello::Color side, othello::Square square);
    /// Asks for a move, which it has then played on its own board.
    Result<othello::Square> think(othello::Color side);

    /// CPU time of the process so far; zero where the system does not tell.
    [[nodiscard]] std::chrono::nanoseconds cpu_time() const {
        return process_.cpu_time().value_or(std::chrono::nanoseconds(0));
    }

private:
    GtpPlayer(PlayerSetting setting, match::ChildProcess process)
        : setting_(std::move(setting)), process_(std::move(process)) {}

    PlayerSetting setting_;
    match::ChildProcess process_;
};

}  // namespace yomi::othello_match
