#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <stop_token>

#include "core/engine/budget.hpp"

namespace yomi::shogi::mate {

/// What the threads that work on one search tell each other.
///
/// Threads everybody. Relaxed order everywhere: a count and a hint; what was found is in the table,
///         under the table's locks.
struct Crew {
    std::atomic<std::uint64_t> nodes{0};  ///< of all but the owner of the meter
    std::atomic<bool> found{false};       ///< one of them has decided the root
};

/// The limits of one request, counted over all searches that it needs.
///
/// Threads one owner; `overdue` is for everybody.
class Meter {
public:
    Meter(const engine::Budget& budget, std::stop_token stop);
    /// Counts a node; true when it is time to end. Looks at clock and token every 256 nodes.
    bool tick() {
        if (ended()) return true;
        ++nodes_;
        if (nodes_ >= max_nodes_) {
            reason_ = engine::StopReason::nodes;
            return true;
        }
        return (nodes_ & 255U) == 0 && look();
    }
    /// Looks at clock and token now.
    bool look();
    [[nodiscard]] bool ended() const noexcept {
        return reason_ != engine::StopReason::none || nodes_ >= pause_at_ || found_;
    }
    /// Lets a side question cost `nodes` more at most: `ended` is true then, until `resume`. The
    /// reason stays what it is.
    void pause_after(std::uint64_t nodes) noexcept { pause_at_ = nodes_ + nodes; }
    void resume() noexcept { pause_at_ = ~std::uint64_t{0}; }
    [[nodiscard]] engine::StopReason reason() const noexcept { return reason_; }
    void end(engine::StopReason reason) noexcept { reason_ = reason; }
    /// All nodes, those of the crew too.
    [[nodiscard]] std::uint64_t nodes() const noexcept {
        return nodes_ + (crew_ == nullptr ? 0 : crew_->nodes.load(std::memory_order_relaxed));
    }
    /// Nodes that the budget still allows.
    [[nodiscard]] std::uint64_t left() const noexcept {
        return max_nodes_ - std::min(max_nodes_, nodes());
    }
    [[nodiscard]] std::chrono::microseconds elapsed() const;
    /// Whether the token or the clock says that it is time to end. Changes nothing.
    [[nodiscard]] bool overdue() const;
    /// Called from `look` now and then; for progress.
    std::function<void()> on_look;

    /// Counts a crew's nodes as well, and ends (`ended`, without a reason) once one of it has found
    /// the answer, until `part`. The crew must live till then.
    void join(Crew& crew) noexcept { crew_ = &crew; }
    void part() noexcept {
        nodes_ = nodes();
        crew_ = nullptr;
        found_ = false;
    }

private:
    std::chrono::steady_clock::time_point start_;
    std::uint64_t nodes_ = 0;
    std::uint64_t max_nodes_;
    std::uint64_t pause_at_ = ~std::uint64_t{0};
    std::chrono::milliseconds time_;
    std::stop_token stop_;
    engine::StopReason reason_ = engine::StopReason::none;
    Crew* crew_ = nullptr;
    bool found_ = false;
};

}  // namespace yomi::shogi::mate
