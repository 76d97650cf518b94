#include <limits>
#include <utility>

#include "core/shogi/mate/dfpn.hpp"

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

bool Meter::look() {
    if (stop_.stop_requested()) {
        reason_ = engine::StopReason::cancelled;
    } else if (std::chrono::floor<std::chrono::milliseconds>(elapsed()) >= time_) {
        // Whole milliseconds on both sides: the longest limits do not fit into microseconds.
        reason_ = engine::StopReason::time;
    }
    if (on_look) on_look();
    return ended();
}

}  // namespace yomi::shogi::mate
