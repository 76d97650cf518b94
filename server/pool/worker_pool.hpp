#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>
#include <vector>

#include "server/pool/fair_queue.hpp"
#include "server/pool/job.hpp"

namespace yomi::pool {

struct LaneOptions {
    int workers = 1;  ///< threads, at least 1
    FairQueue::Options queue;
    /// Added to the threads' nice value (0..19), so that engines never starve the network thread.
    /// Best effort: where the system refuses, the lane runs at normal priority.
    int nice = 0;
    const char* name = "yomi";  ///< of the threads, at most 11 characters
    /// What a thread does before its first job, e.g. making its engines; may throw.
    std::function<void(Worker&)> warm_up = {};
};

struct LaneStats {
    std::size_t queued = 0;
    std::size_t queued_batch = 0;  ///< those of `queued` that wait behind interactive ones
    std::size_t clients = 0;       ///< who wait
    std::chrono::milliseconds oldest_wait{0};
    std::size_t running = 0;
    std::uint64_t done = 0;    ///< jobs that have run, failed ones included
    std::uint64_t failed = 0;  ///< jobs that threw
};

/// The threads of one lane and the queue they serve. Each thread owns one `Worker`.
///
/// Threads every function from any thread, except that `stop` may not be called by a job.
class LanePool {
public:
    /// `on_failure` gets the text of what a job threw; it is called on the worker's thread and must
    /// not throw.
    LanePool(LaneOptions options, std::function<void(std::string_view)> on_failure);
    ~LanePool() { stop(); }
    LanePool(const LanePool&) = delete;
    LanePool& operator=(const LanePool&) = delete;

    /// Queues a job; the number of waiting jobs that go first, or nothing when the queue is full or
    /// stopped.
    std::optional<std::size_t> submit(Job job);
    /// True: the job was waiting and will never run. False: it runs, has run or was never here.
    bool remove(std::uint64_t id);
    /// Makes a waiting batch job interactive.
    bool raise(std::uint64_t id);
    [[nodiscard]] std::optional<std::size_t> ahead(std::uint64_t id) const;
    void set_capacity(std::size_t jobs);

    /// Waits until nothing waits and nothing runs.
    void drain();
    /// Drops what waits, lets what runs end, joins the threads. Later submits are refused.
    void stop();

    [[nodiscard]] int workers() const noexcept { return std::max(options_.workers, 1); }
    [[nodiscard]] LaneStats stats() const;
    /// How long `jobs` more jobs take with all workers at it, from the mean of recent runs (from
    /// the estimates of the waiting ones until a job has run).
    [[nodiscard]] std::chrono::milliseconds expected_wait(std::size_t jobs) const;

private:
    void work(int number);
    void run_guarded(const std::function<void(Worker&)>& run, Worker& worker) noexcept;

    const LaneOptions options_;
    const std::function<void(std::string_view)> on_failure_;
    mutable std::mutex mutex_;
    std::condition_variable wake_;  ///< a job came, or stop
    std::condition_variable idle_;  ///< the last running job ended with an empty queue
    FairQueue queue_;
    bool stopping_ = false;
    std::size_t running_ = 0;
    std::uint64_t done_ = 0;
    double mean_run_ms_ = 0;  ///< exponential mean over about eight runs; 0: none yet
    // A counter on its own, read for metrics only: relaxed order suffices.
    std::atomic<std::uint64_t> failed_{0};
    std::vector<std::jthread> threads_;
};

struct PoolOptions {
    LaneOptions short_lane;
    LaneOptions search_lane;
    std::function<void(std::string_view)> on_failure;  ///< see `LanePool`
};

/// The two lanes that have threads. A position query never waits behind a search.
class WorkerPool {
public:
    explicit WorkerPool(PoolOptions options);

    /// Shape   `lane` is `short_` or `search`; inline work never becomes a job.
    [[nodiscard]] LanePool& lane(Lane lane) noexcept {
        return lane == Lane::search ? search_ : short_;
    }
    [[nodiscard]] const LanePool& lane(Lane lane) const noexcept {
        return lane == Lane::search ? search_ : short_;
    }
    void drain();
    void stop();

private:
    LanePool short_;
    LanePool search_;
};

}  // namespace yomi::pool
