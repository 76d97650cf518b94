#pragma once

#include <chrono>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/engine/memory.hpp"
#include "core/othello/search/analyser.hpp"

namespace yomi::gtp {

struct Options {
    std::optional<int> level = {};  ///< of every move, when no clock is set
    /// For each move when no level and no clock is given.
    std::chrono::milliseconds move_time{1'000};
    std::size_t hash_mib = 64;
};

/// Othello by the Go Text Protocol, version 2, as gtp-rhino, Edax and Egaroucid speak it: board
/// size 8, vertices a1..h8 as in a transcript, "pass".
///
/// Shape   one command a line, answers "= ..." or "? ..." and an empty line. Moves must be legal; a
///         forced pass of the side that has no move is played by itself when the other side moves
///         twice.
/// Threads one at a time.
class FrontEnd {
public:
    explicit FrontEnd(const Options& options);

    /// The answer to one line, ready to be written; empty for an empty line or a comment.
    std::string answer(std::string_view line);
    /// Whether `quit` was given.
    [[nodiscard]] bool done() const noexcept { return done_; }

    /// Reads commands until `quit` or the end of the input.
    void run(std::istream& in, std::ostream& out);

private:
    struct Reply {
        bool good = true;
        std::string text = {};
    };
    struct Clock {
        std::chrono::milliseconds left{0};
        int moves = 0;  ///< 0: for the rest of the game
    };

    Reply dispatch(const std::string& command, const std::vector<std::string>& words);
    Reply play(const std::vector<std::string>& words);
    Reply generate(const std::vector<std::string>& words, bool play_it);
    Reply undo();
    Reply set_clock(const std::vector<std::string>& words);
    Reply clock_left(const std::vector<std::string>& words);
    /// Makes `side` the side to move, passing for the other one if that is forced.
    bool turn_to(othello::Color side);
    [[nodiscard]] std::chrono::milliseconds time_for_move(othello::Color side) const;

    Options options_;
    othello::Analyser analyser_;
    engine::SearchMemory memory_;
    othello::Position position_;
    std::vector<othello::Move> played_;
    std::optional<std::chrono::milliseconds> main_time_ = {};
    std::optional<Clock> clocks_[2];
    bool done_ = false;
};

}  // namespace yomi::gtp
