#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

namespace yomi::service {

/// One thread that calls functions at points in time: deadlines and expiry, so that neither waits
/// for a worker to be free.
///
/// Threads every function from any thread. A call runs on the timer's thread with no lock held;
///         it must be quick and must not throw.
/// Cost    O(log n) to set and to cancel; a cancelled entry leaves at once, so finished requests
///         with long deadlines hold no memory.
class Timer {
public:
    using Clock = std::chrono::steady_clock;
    using Call = std::function<void()>;
    /// Names an entry; the default one names none.
    using Entry = std::pair<Clock::time_point, std::uint64_t>;

    Timer();
    ~Timer() { stop(); }
    Timer(const Timer&) = delete;
    Timer& operator=(const Timer&) = delete;

    /// Calls `call` at `when`, at once if that is past. After `stop` nothing is called.
    Entry at(Clock::time_point when, Call call);
    /// The call will not begin after this; one that is running is not waited for.
    void cancel(Entry entry);
    [[nodiscard]] std::size_t size() const;
    /// Joins the thread; entries that are not due are dropped. Not from a timer call.
    void stop();

private:
    void work();

    mutable std::mutex mutex_;
    std::condition_variable wake_;
    std::map<Entry, Call> entries_;  ///< soonest first; the number tells equal times apart
    std::uint64_t next_ = 1;
    bool stopping_ = false;
    std::jthread thread_;
};

}  // namespace yomi::service
