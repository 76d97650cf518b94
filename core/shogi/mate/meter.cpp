#include "core/shogi/mate/meter.hpp"

#include <limits>
#include <utility>

namespace yomi::shogi::mate {

Meter::Meter(const engine::Budget& budget, std::stop_token stop)
    : start_(std::chrono::steady_clock::now()),
      max_nodes_(budget.nodes.value_or(std::numeric_limits<std::uint64_t>::max())),
      time_(budget.time.value_or(std::chrono::milliseconds::max())),
      stop_(std::move(stop)) {
    look();
}

std::chrono::microseconds Meter::elapsed() const {
    return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() -
                                                                 start_);
}

bool Meter::overdue() const {
    // Whole milliseconds on both sides: the longest limits do not fit into microseconds.
    return stop_.stop_requested() ||
           std::chrono::floor<std::chrono::milliseconds>(elapsed()) >= time_;
}

bool Meter::look() {
    if (overdue()) {
        reason_ = stop_.stop_requested() ? engine::StopReason::cancelled : engine::StopReason::time;
    } else if (nodes() >= max_nodes_) {
        reason_ = engine::StopReason::nodes;
    }
    found_ = crew_ != nullptr && crew_->found.load(std::memory_order_relaxed);
    if (on_look) on_look();
    return ended();
}

}  // namespace yomi::shogi::mate
