#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/result.hpp"

namespace yomi::usi {

/// The clocks and limits of a `go` (or of a `ponderhit` that carries new clocks). Absent: not
/// given.
///
/// Unit    milliseconds of wall time; GUIs send a negative clock after an overrun, it reads as 0.
struct GoLimits {
    using Ms = std::chrono::milliseconds;
    std::optional<Ms> black_time;
    std::optional<Ms> white_time;
    std::optional<Ms> byoyomi;
    std::optional<Ms> black_increment;
    std::optional<Ms> white_increment;
    std::optional<Ms> movetime;
    std::optional<int> depth;
    std::optional<std::uint64_t> nodes;
    bool infinite = false;
    bool ponder = false;
    std::vector<std::string> search_moves;  ///< as written; only a position can judge them

    /// Whether any clock was given (main time, byoyomi or increment).
    [[nodiscard]] bool has_clock() const noexcept {
        return black_time || white_time || byoyomi || black_increment || white_increment;
    }
    friend bool operator==(const GoLimits&, const GoLimits&) = default;
};

namespace command {
struct Usi {};
struct IsReady {};
struct NewGame {};
struct SetOption {
    std::string name;
    std::string value;  ///< empty for a button
};
struct SetPosition {
    std::string text;  ///< what follows the word `position`
};
struct Go {
    GoLimits limits;
    std::vector<std::string> ignored;  ///< words that this engine does not know
};
struct GoMate {
    std::optional<std::chrono::milliseconds> time;  ///< absent: as long as it takes
    std::optional<std::uint64_t> nodes;
};
struct PonderHit {
    GoLimits limits;
};
struct Stop {};
struct Quit {};
struct GameOver {};
struct Display {};  ///< `d`: shows the position
struct Perft {
    int depth = 1;
};
}  // namespace command

using Command = std::variant<command::Usi,
                             command::IsReady,
                             command::NewGame,
                             command::SetOption,
                             command::SetPosition,
                             command::Go,
                             command::GoMate,
                             command::PonderHit,
                             command::Stop,
                             command::Quit,
                             command::GameOver,
                             command::Display,
                             command::Perft>;

/// Reads one line from a GUI. Nothing for an empty line; surrounding blanks and a trailing CR are
/// dropped.
///
/// Errors  bad_value for an unknown command or a number that is none, missing_field for a missing
/// value;
///         `column` (1-based) and `value` say where. An unknown word after `go` is no error: newer
///         GUIs may add some, and a refused `go` would leave them without a `bestmove`.
Result<std::optional<Command>> parse_command(std::string_view line);

}  // namespace yomi::usi
