#include "tools/usi/time_plan.hpp"

#include <algorithm>

namespace yomi::usi {
namespace {

using Ms = std::chrono::milliseconds;

/// Moves of one side that a game still has at `ply`: games between engines last about 120 plies,
/// and one that is longer than that may last much longer.
int moves_left(int ply) {
    return std::max(20, 60 - ply / 2);
}

}  // namespace

std::optional<TimePlan> plan_time(const GoLimits& limits, shogi::Color side, int ply, Ms margin) {
    const bool black = side == shogi::Color::black;
    const auto& clock = black ? limits.black_time : limits.white_time;
    const auto& increment = black ? limits.black_increment : limits.white_increment;
    if (!clock && !increment && !limits.byoyomi) return std::nullopt;

    const Ms time = clock.value_or(Ms(0));
    const Ms inc = increment.value_or(Ms(0));
    const Ms byoyomi = limits.byoyomi.value_or(Ms(0));
    constexpr Ms kLeast(1);

    const Ms all = time + byoyomi + (time < inc ? inc : Ms(0));
    const Ms usable = std::max(kLeast, all - margin);
    if (time == Ms(0)) return TimePlan{usable, usable};  // byoyomi or the increment is all there is

    const Ms bonus = byoyomi * 9 / 10 + inc * 8 / 10;
    const Ms soft = std::clamp(time / moves_left(ply) + bonus - margin, kLeast, usable);
    const Ms ceiling = std::max(soft, std::min(usable, byoyomi + inc + time / 3 - margin));
    return TimePlan{soft, std::clamp(soft * 3, soft, ceiling)};
}

bool enough_time_spent(const TimePlan& plan, Ms elapsed, int stable_iterations) noexcept {
    if (plan.soft == plan.hard) return elapsed >= plan.hard;
    const int percent = stable_iterations == 0 ? 140 : stable_iterations == 1 ? 100 : 60;
    return elapsed * 100 >= plan.soft * percent;
}

}  // namespace yomi::usi
