#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string_view>
#include <thread>

#include "core/engine/memory.hpp"
#include "core/shogi/search/alpha_beta.hpp"
#include "tools/usi/command.hpp"
#include "tools/usi/time_plan.hpp"

namespace yomi::usi {

/// One running `go`: owns its thread from the first node to the `bestmove`.
///
/// Threads `stop`, `ponderhit`, `wait` and `done` from the thread that made it; the destructor
/// stops and joins.
class Search {
public:
    using Say = std::function<void(std::string_view)>;
    struct Setting {
        shogi::AnalysisRequest request;
        GoLimits limits;
        std::chrono::milliseconds margin{0};
        Say say;  ///< called on the search's thread
    };

    /// `engine` and `memory` are borrowed until the search is done.
    Search(Setting setting, shogi::AlphaBeta& engine, engine::SearchMemory& memory);
    ~Search();
    Search(const Search&) = delete;
    Search& operator=(const Search&) = delete;

    /// Ends it soon; its `bestmove` still comes.
    void stop();
    /// The opponent played the expected move: the clocks run from now. `limits` replace those of
    /// `go` when they carry clocks.
    void ponderhit(const GoLimits& limits);
    /// Returns after the `bestmove` was written.
    void wait();
    [[nodiscard]] bool done() const noexcept { return done_.load(std::memory_order_acquire); }
    /// Whether it ends without a `stop`.
    [[nodiscard]] bool limited() const;

private:
    using Clock = std::chrono::steady_clock;
    class Reporter;

    void run();
    void report(const shogi::AnalysisProgress& progress);
    void start_clock(const TimePlan& plan);
    void answer(const shogi::AnalysisAnswer& answer);
    shogi::AnalysisAnswer analyse(const shogi::AnalysisRequest& request);

    Setting setting_;
    shogi::AlphaBeta& engine_;
    engine::SearchMemory& memory_;

    std::stop_source stop_;
    mutable std::mutex mutex_;
    std::condition_variable_any changed_;
    bool withheld_ = false;          ///< infinite or pondering: no bestmove yet
    std::optional<TimePlan> plan_;   ///< set when a clock runs
    Clock::time_point clock_start_;  ///< of `plan_`

    // Search thread only.
    shogi::Move best_;
    int stable_iterations_ = 0;
    std::uint64_t reported_nodes_ = 0;

    /// Release by the search thread after its last use of engine, memory and output; acquire by the
    /// owner.
    std::atomic<bool> done_{false};
    std::jthread timer_;
    std::jthread thread_;  ///< last: joined before anything that it uses goes
};

}  // namespace yomi::usi
