#pragma once

#include <atomic>
#include <functional>
#include <stop_token>
#include <string_view>
#include <thread>

#include "core/engine/memory.hpp"
#include "core/shogi/mate/tsume.hpp"

namespace yomi::usi {

/// One running `go mate`: owns its thread from the first node to the `checkmate` line.
///
/// Threads `stop`, `wait` and `done` from the thread that made it; the destructor stops and joins.
class MateSearch {
public:
    using Say = std::function<void(std::string_view)>;

    /// `memory` is borrowed until the search is done; `say` is called on the search's thread.
    MateSearch(shogi::TsumeRequest request, engine::SearchMemory& memory, Say say);
    ~MateSearch();
    MateSearch(const MateSearch&) = delete;
    MateSearch& operator=(const MateSearch&) = delete;

    /// Ends it soon; its `checkmate` still comes.
    void stop() { stop_.request_stop(); }
    /// Returns after the `checkmate` was written.
    void wait();
    [[nodiscard]] bool done() const noexcept { return done_.load(std::memory_order_acquire); }
    /// Whether it ends without a `stop`.
    [[nodiscard]] bool limited() const noexcept {
        return request_.budget.time.has_value() || request_.budget.nodes.has_value();
    }

private:
    void run();

    shogi::TsumeRequest request_;
    engine::SearchMemory& memory_;
    Say say_;
    shogi::Tsume tsume_;
    std::stop_source stop_;
    /// Release by the search thread after its last use of memory and output; acquire by the owner.
    std::atomic<bool> done_{false};
    std::jthread thread_;  ///< last: joined before anything that it uses goes
};

}  // namespace yomi::usi
