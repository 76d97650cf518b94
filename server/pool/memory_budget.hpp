#pragma once

#include <atomic>
#include <cstddef>
#include <list>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/engine/memory.hpp"

namespace yomi::pool {

class MemoryBudget;

/// One search's hold on its table memory; gives it back when it dies.
///
/// Threads one owner at a time.
class MemoryLease {
public:
    MemoryLease() noexcept = default;
    MemoryLease(MemoryLease&& other) noexcept;
    MemoryLease& operator=(MemoryLease&& other) noexcept;
    MemoryLease(const MemoryLease&) = delete;
    MemoryLease& operator=(const MemoryLease&) = delete;
    ~MemoryLease() { release(); }

    [[nodiscard]] engine::SearchMemory& memory() noexcept { return memory_; }
    /// True when the block came warm from the named session.
    [[nodiscard]] bool warm() const noexcept { return warm_; }
    /// Gives the block back now. A named session keeps it warm.
    void release() noexcept;
    /// Gives the block back without keeping it: for a search that failed half-way through its
    /// tables.
    void discard() noexcept;

private:
    friend class MemoryBudget;
    MemoryBudget* budget_ = nullptr;
    engine::SearchMemory memory_;
    std::string key_;  ///< session key, empty: fresh memory that nobody asks for again
    bool warm_ = false;
};

/// All search memory of the process under one bound.
///
/// A lease never fails and never waits as long as at most `holders` are out at once, because each
/// is at most `max_lease()` = total / holders; warm blocks of idle sessions give way (least
/// recently used first). Memory without a session is always fresh, so it is all zero.
///
/// Unit    bytes.
/// Errors  `lease` lets std::bad_alloc through when the system refuses the mapping; nothing is
///         lost.
/// Threads every function from any thread. Mapping and unmapping happen inside the lock on
///         purpose: the bound then holds for the real mappings and not only for the count. The
///         counters are atomics, so metrics never wait for an unmap.
/// Cost    one mmap a lease; a big unmap may take milliseconds.
class MemoryBudget {
public:
    /// Unit    `total_bytes` for everything; `holders` is the number of search workers, at least 1.
    MemoryBudget(std::size_t total_bytes, int holders);
    ~MemoryBudget();  ///< every lease must have come back
    MemoryBudget(const MemoryBudget&) = delete;
    MemoryBudget& operator=(const MemoryBudget&) = delete;

    /// The most that one request may ask for; larger wishes are cut to it.
    [[nodiscard]] std::size_t max_lease() const noexcept { return max_lease_; }
    [[nodiscard]] std::size_t total() const noexcept { return total_; }
    /// In use by searches now.
    [[nodiscard]] std::size_t leased() const noexcept {
        return leased_.load(std::memory_order_relaxed);
    }
    /// Kept warm for idle sessions now.
    [[nodiscard]] std::size_t warm() const noexcept {
        return warm_.load(std::memory_order_relaxed);
    }
    /// The highest sum of both that ever was: never above `total()`.
    [[nodiscard]] std::size_t peak() const noexcept {
        return peak_.load(std::memory_order_relaxed);
    }

    /// Leases `bytes`. With a session name the block that this client's session last gave back is
    /// reused if it has the same size and is idle; a session in use by another search gets a fresh
    /// one.
    MemoryLease lease(std::size_t bytes,
                      std::string_view client = {},
                      std::string_view session = {});

private:
    friend class MemoryLease;
    struct Idle {
        std::string key;
        engine::SearchMemory memory;
    };

    void give_back(engine::SearchMemory memory, std::string key) noexcept;
    void evict(std::list<Idle>::iterator idle) noexcept;
    void note_peak() noexcept;

    const std::size_t total_;
    const std::size_t max_lease_;
    std::mutex mutex_;
    std::list<Idle> idle_;  ///< most recently used first
    std::unordered_map<std::string, std::list<Idle>::iterator> by_key_;
    // Written under the mutex and read by anybody; each is a number of its own, so relaxed order
    // suffices.
    std::atomic<std::size_t> leased_{0};
    std::atomic<std::size_t> warm_{0};
    std::atomic<std::size_t> peak_{0};
};

}  // namespace yomi::pool
