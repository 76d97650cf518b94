#include "server/service/timer.hpp"

#include <pthread.h>

namespace yomi::service {

Timer::Timer() : thread_([this] { work(); }) {}

Timer::Entry Timer::at(Clock::time_point when, Call call) {
    Entry entry;
    bool soonest = false;
    {
        const std::lock_guard lock(mutex_);
        if (stopping_) return {};
        entry = {when, next_++};
        entries_.emplace(entry, std::move(call));
        soonest = entries_.begin()->first == entry;
    }
    if (soonest) wake_.notify_one();
    return entry;
}

void Timer::cancel(Entry entry) {
    Call dropped;  // destroyed outside the lock: it may own anything
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(entry);
    if (found == entries_.end()) return;
    dropped = std::move(found->second);
    entries_.erase(found);
}

std::size_t Timer::size() const {
    const std::lock_guard lock(mutex_);
    return entries_.size();
}

void Timer::stop() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    wake_.notify_all();
    if (thread_.joinable()) thread_.join();
}

void Timer::work() {
    ::pthread_setname_np(::pthread_self(), "yomi-timer");
    std::unique_lock lock(mutex_);
    while (!stopping_) {
        if (entries_.empty()) {
            wake_.wait(lock);
            continue;
        }
        const auto first = entries_.begin();
        const auto when = first->first.first;
        if (when > Clock::now()) {
            wake_.wait_until(lock, when);
            continue;
        }
        const Call call = std::move(first->second);
        entries_.erase(first);
        lock.unlock();
        call();
        lock.lock();
    }
}

}  // namespace yomi::service
