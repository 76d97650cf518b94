#pragma once

#include <chrono>
#include <optional>

#include "core/shogi/types.hpp"
#include "tools/usi/command.hpp"

namespace yomi::usi {

/// How long to think about one move.
///
/// Unit    wall milliseconds from the moment the clock started (`go`, or `ponderhit` after a
/// ponder).
struct TimePlan {
    std::chrono::milliseconds soft{0};  ///< what the move should cost
    std::chrono::milliseconds hard{0};  ///< what it must not exceed; >= soft
    friend bool operator==(const TimePlan&, const TimePlan&) = default;
};

/// Divides the clock of `side`. Nothing when `limits` give that side no clock.
///
/// `ply` is the number of the move (SFEN's), `margin` what transport and scheduling may eat.
/// - Byoyomi alone is used up to the margin: unused byoyomi is lost.
/// - Main time is spread over the moves that a game of usual length still has; most of the byoyomi
/// or
///   increment of this move comes on top.
/// - The hard limit is three times the target, never a third of the main time above what the
/// byoyomi gives. Whether an increment is already in the clock differs between GUIs: it is counted
/// as extra only when the clock is lower than the increment itself, where only one reading is
/// possible.
std::optional<TimePlan> plan_time(const GoLimits& limits,
                                  shogi::Color side,
                                  int ply,
                                  std::chrono::milliseconds margin);

/// Whether to stop at a completed iteration instead of starting one that will not finish.
///
/// `stable_iterations` counts the completed iterations since the best move last changed. An
/// iteration costs about twice all before it, so a quiet search stops at 0.6 of its target; one
/// that has just changed its mind may go on to 1.4 of it.
bool enough_time_spent(const TimePlan& plan,
                       std::chrono::milliseconds elapsed,
                       int stable_iterations) noexcept;

}  // namespace yomi::usi
