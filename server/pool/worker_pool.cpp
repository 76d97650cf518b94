#include "server/pool/worker_pool.hpp"

#include <algorithm>
#include <exception>
#include <pthread.h>
#include <string>
#include <sys/resource.h>
#include <unistd.h>
#include <utility>

namespace yomi::pool {

namespace {

/// On Linux a thread has a nice value of its own, addressed by its thread id.
void describe_thread(const LaneOptions& options, int number) {
    const std::string name = std::string(options.name) + "-" + std::to_string(number);
    ::pthread_setname_np(::pthread_self(), name.substr(0, 15).c_str());
    if (options.nice > 0) {
        const auto thread = static_cast<id_t>(::gettid());
        // On top of what the process was started with: a server under nice(1) stays below it.
        const int inherited = ::getpriority(PRIO_PROCESS, thread);
        (void)::setpriority(PRIO_PROCESS, thread, std::min(inherited + options.nice, 19));
    }
}

}  // namespace

LanePool::LanePool(LaneOptions options, std::function<void(std::string_view)> on_failure)
    : options_(std::move(options)), on_failure_(std::move(on_failure)), queue_(options_.queue) {
    threads_.reserve(static_cast<std::size_t>(workers()));
    try {
        for (int number = 0; number < workers(); ++number) {
            threads_.emplace_back([this, number] { work(number); });
        }
    } catch (...) {
        stop();  // else joining the threads that did start would wait for ever
        throw;
    }
}

std::optional<std::size_t> LanePool::submit(Job job) {
    std::optional<std::size_t> ahead;
    {
        const std::lock_guard lock(mutex_);
        if (stopping_) return std::nullopt;
        ahead = queue_.push(std::move(job), FairQueue::Clock::now());
    }
    if (ahead) wake_.notify_one();
    return ahead;
}

bool LanePool::remove(std::uint64_t id) {
    const std::lock_guard lock(mutex_);
    const bool removed = queue_.remove(id);
    if (removed && queue_.empty() && running_ == 0) idle_.notify_all();
    return removed;
}

bool LanePool::raise(std::uint64_t id) {
    const std::lock_guard lock(mutex_);
    return queue_.raise(id);
}

std::optional<std::size_t> LanePool::ahead(std::uint64_t id) const {
    const std::lock_guard lock(mutex_);
    return queue_.ahead(id);
}

void LanePool::set_capacity(std::size_t jobs) {
    const std::lock_guard lock(mutex_);
    queue_.set_capacity(jobs);
}

void LanePool::drain() {
    std::unique_lock lock(mutex_);
    idle_.wait(lock, [this] { return stopping_ || (queue_.empty() && running_ == 0); });
}

void LanePool::stop() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    wake_.notify_all();
    idle_.notify_all();
    threads_.clear();  // joins
    // What waited is destroyed only now and outside the lock: a job may own the last reference to
    // anything.
    for (;;) {
        std::optional<Job> dropped;
        {
            const std::lock_guard lock(mutex_);
            dropped = queue_.take(FairQueue::Clock::now());
        }
        if (!dropped) return;
    }
}

LaneStats LanePool::stats() const {
    const std::lock_guard lock(mutex_);
    return {.queued = queue_.size(),
            .queued_batch = queue_.batch_size(),
            .clients = queue_.clients(),
            .oldest_wait = queue_.oldest_wait(FairQueue::Clock::now()),
            .running = running_,
            .done = done_,
            .failed = failed_.load(std::memory_order_relaxed)};
}

std::chrono::milliseconds LanePool::expected_wait(std::size_t jobs) const {
    const std::lock_guard lock(mutex_);
    double each_ms = mean_run_ms_;
    if (done_ == 0 && !queue_.empty()) {
        each_ms =
            static_cast<double>(queue_.estimate().count()) / static_cast<double>(queue_.size());
    }
    return std::chrono::milliseconds(
        static_cast<std::int64_t>(each_ms * static_cast<double>(jobs) / workers()));
}

void LanePool::work(int number) {
    describe_thread(options_, number);
    Worker worker(number);
    if (options_.warm_up) run_guarded(options_.warm_up, worker);
    std::unique_lock lock(mutex_);
    for (;;) {
        wake_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
        if (stopping_) return;
        auto job = queue_.take(FairQueue::Clock::now());
        if (!job) continue;
        ++running_;
        lock.unlock();

        const auto begin = FairQueue::Clock::now();
        run_guarded(job->run, worker);
        job.reset();
        const double ms =
            std::chrono::duration<double, std::milli>(FairQueue::Clock::now() - begin).count();

        lock.lock();
        mean_run_ms_ = done_ == 0 ? ms : mean_run_ms_ + (ms - mean_run_ms_) / 8;
        ++done_;
        --running_;
        if (running_ == 0 && queue_.empty()) idle_.notify_all();
    }
}

/// The one place where an exception of a job ends.
void LanePool::run_guarded(const std::function<void(Worker&)>& run, Worker& worker) noexcept {
    try {
        run(worker);
        return;
    } catch (const std::exception& error) {
        failed_.fetch_add(1, std::memory_order_relaxed);
        if (on_failure_) on_failure_(error.what());
    } catch (...) {
        failed_.fetch_add(1, std::memory_order_relaxed);
        if (on_failure_) on_failure_("a job threw something that is not a std::exception");
    }
}

WorkerPool::WorkerPool(PoolOptions options)
    : short_(std::move(options.short_lane), options.on_failure),
      search_(std::move(options.search_lane), options.on_failure) {}

void WorkerPool::drain() {
    short_.drain();
    search_.drain();
}

void WorkerPool::stop() {
    short_.stop();
    search_.stop();
}

}  // namespace yomi::pool
