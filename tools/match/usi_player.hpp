#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.hpp"
#include "core/shogi/search/score.hpp"
#include "core/shogi/types.hpp"
#include "tools/match/child_process.hpp"

namespace yomi::match {

/// What one engine may spend on a move. Either fixed (nodes, movetime or both) or a clock.
struct PlayLimits {
    using Ms = std::chrono::milliseconds;
    std::optional<std::uint64_t> nodes;
    std::optional<Ms> movetime;
    Ms main_time{0};
    Ms byoyomi{0};
    Ms increment{0};      ///< may be used for the move it belongs to
    Ms grace{500};        ///< overrun that is forgiven: the machine's, not the engine's
    Ms patience{60'000};  ///< most time for a move that only nodes limit

    [[nodiscard]] bool has_clock() const noexcept {
        return main_time + byoyomi + increment > Ms(0);
    }
    friend bool operator==(const PlayLimits&, const PlayLimits&) = default;
};

/// How to start an engine and how it may play.
struct EngineSetting {
    std::string name;
    std::vector<std::string> command;
    std::string folder;  ///< working folder; empty: the runner's
    std::vector<std::pair<std::string, std::string>> options;
    PlayLimits limits;
    std::chrono::milliseconds start_timeout{30'000};  ///< for usiok and for readyok, each
};

/// What both clocks show before a move.
struct Clocks {
    std::chrono::milliseconds black{0};
    std::chrono::milliseconds white{0};
};

/// An engine's reply to one `go`.
struct Reply {
    enum class Kind { move, resign, win, timeout, gone, garbage, stopped };
    Kind kind = Kind::gone;
    std::string move;                   ///< USI text with `move`
    std::string note;                   ///< for `gone` and `garbage`: what happened
    std::optional<shogi::Score> score;  ///< of the last main line
    std::uint64_t nodes = 0;
    int depth = 0;
    std::chrono::microseconds elapsed{0};
    std::chrono::nanoseconds cpu{0};
};

/// Totals of one engine over all its moves.
struct Spent {
    std::uint64_t moves = 0;
    std::uint64_t nodes = 0;
    std::chrono::microseconds elapsed{0};
    std::chrono::nanoseconds cpu{0};

    Spent& operator+=(const Spent& other) noexcept;
    friend bool operator==(const Spent&, const Spent&) = default;
};

/// One USI engine as a process.
///
/// Threads one owner, on the thread that started it (see ChildProcess).
class UsiPlayer {
public:
    /// Starts it, sets the options, waits until it is ready.
    /// Errors  not_found, request_timeout or bad_request, naming the engine.
    static Result<UsiPlayer> start(const EngineSetting& setting);
    /// Says `quit`, waits a little, then kills it and whatever it started.
    ~UsiPlayer();
    UsiPlayer(UsiPlayer&&) noexcept = default;
    UsiPlayer& operator=(UsiPlayer&&) noexcept = default;
    UsiPlayer(const UsiPlayer&) = delete;
    UsiPlayer& operator=(const UsiPlayer&) = delete;

    /// `usinewgame` and `isready` again, so that the previous game's work is over. False: it does
    /// not answer.
    bool new_game();
    /// Asks for a move in `position` (USI text after the word "position").
    /// After anything but `move`, `resign` and `win` the engine is of no further use.
    Reply think(std::string_view position,
                shogi::Color side,
                const Clocks& clocks,
                const std::stop_token& stop);
    void game_over(std::string_view word);

private:
    UsiPlayer(const EngineSetting& setting, ChildProcess process)
        : setting_(setting), process_(std::move(process)) {}
    bool send(std::string_view line);
    Result<void> wait_for(std::string_view word);
    std::string go_line(const Clocks& clocks) const;
    ChildProcess::Clock::time_point deadline_of(shogi::Color side, const Clocks& clocks) const;

    EngineSetting setting_;
    ChildProcess process_;
};

/// Takes what an `info` line says into `reply`. Lines of a second or later multipv are not the
/// engine's choice.
void read_info(std::string_view line, Reply& reply);

}  // namespace yomi::match
