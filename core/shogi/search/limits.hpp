#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <stop_token>
#include <utility>

#include "core/engine/budget.hpp"

namespace yomi::shogi::search {

/// Watches the limits of one search: nodes exactly, the clock and the stop token every 256 nodes.
///
/// Threads used by the searching thread; the token may be raised from any.
/// Cost    one compare a node; a clock read (about 25 ns) every 256.
class Limits {
public:
    using Clock = std::chrono::steady_clock;

    Limits() = default;
    Limits(const engine::Budget& budget, std::stop_token stop)
        : start_(Clock::now()), stop_(std::move(stop)) {
        // A time that does not fit the clock's range does not bind.
        constexpr std::chrono::hours kYear{24 * 365};
        if (budget.time && *budget.time < kYear) deadline_ = start_ + *budget.time;
        if (budget.nodes) node_limit_ = *budget.nodes;
        next_look_ = 0;
    }

    /// Whether `look` is due. Call at each node.
    [[nodiscard]] bool due(std::uint64_t nodes) const noexcept { return nodes >= next_look_; }

    /// Looks at everything; any other answer than `none` is final. `others` is what other threads
    /// of the same search have spent of the node limit.
    engine::StopReason look(std::uint64_t nodes, std::uint64_t others = 0) noexcept {
        const std::uint64_t left = node_limit_ > others ? node_limit_ - others : 0;
        next_look_ = std::min(nodes + kInterval, left);
        if (reason_ != engine::StopReason::none) return reason_;
        now_ = Clock::now();
        if (stop_.stop_requested()) {
            reason_ = engine::StopReason::cancelled;
        } else if (nodes >= left) {
            reason_ = engine::StopReason::nodes;
        } else if (deadline_ && now_ >= *deadline_) {
            reason_ = engine::StopReason::time;
        }
        return reason_;
    }

    [[nodiscard]] const std::stop_token& token() const noexcept { return stop_; }
    [[nodiscard]] const std::optional<Clock::time_point>& deadline() const noexcept {
        return deadline_;
    }
    [[nodiscard]] Clock::time_point start() const noexcept { return start_; }
    /// Time of the latest `look`.
    [[nodiscard]] Clock::time_point last_look() const noexcept { return now_; }
    [[nodiscard]] std::chrono::microseconds elapsed() const {
        return std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - start_);
    }

private:
    static constexpr std::uint64_t kInterval = 256;

    Clock::time_point start_{};
    Clock::time_point now_{};
    std::optional<Clock::time_point> deadline_;
    std::uint64_t node_limit_ = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t next_look_ = 0;
    std::stop_token stop_;
    engine::StopReason reason_ = engine::StopReason::none;
};

}  // namespace yomi::shogi::search
