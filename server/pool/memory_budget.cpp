#include "server/pool/memory_budget.hpp"

#include <algorithm>
#include <cassert>
#include <new>

namespace yomi::pool {

namespace {

/// Neither part can imitate another pair: the length of the client's name is part of the key.
std::string session_key(std::string_view client, std::string_view session) {
    if (session.empty()) return {};
    std::string key = std::to_string(client.size());
    key += ':';
    key += client;
    key += session;
    return key;
}

}  // namespace

MemoryLease::MemoryLease(MemoryLease&& other) noexcept
    : budget_(std::exchange(other.budget_, nullptr)),
      memory_(std::move(other.memory_)),
      key_(std::move(other.key_)),
      warm_(std::exchange(other.warm_, false)) {}

MemoryLease& MemoryLease::operator=(MemoryLease&& other) noexcept {
    if (this != &other) {
        release();
        budget_ = std::exchange(other.budget_, nullptr);
        memory_ = std::move(other.memory_);
        key_ = std::move(other.key_);
        warm_ = std::exchange(other.warm_, false);
    }
    return *this;
}

void MemoryLease::release() noexcept {
    if (MemoryBudget* const budget = std::exchange(budget_, nullptr)) {
        budget->give_back(std::move(memory_), std::move(key_));
    }
}

void MemoryLease::discard() noexcept {
    key_.clear();
    release();
}

MemoryBudget::MemoryBudget(std::size_t total_bytes, int holders)
    : total_(total_bytes),
      max_lease_(total_bytes / static_cast<std::size_t>(std::max(holders, 1))) {}

MemoryBudget::~MemoryBudget() {
    assert(leased() == 0);
}

MemoryLease MemoryBudget::lease(std::size_t bytes,
                                std::string_view client,
                                std::string_view session) {
    MemoryLease lease;
    bytes = std::min(bytes, max_lease_);
    if (bytes == 0) return lease;
    std::string key = session_key(client, session);

    const std::lock_guard lock(mutex_);
    if (const auto found = by_key_.find(key); found != by_key_.end()) {
        if (found->second->memory.size() == bytes) {
            lease.memory_ = std::move(found->second->memory);
            idle_.erase(found->second);
            by_key_.erase(found);
            warm_.fetch_sub(bytes, std::memory_order_relaxed);
            leased_.fetch_add(bytes, std::memory_order_relaxed);
            lease.warm_ = true;
            lease.key_ = std::move(key);
            lease.budget_ = this;
            return lease;
        }
        evict(found->second);  // another size is another table: its contents cannot be used
    }
    while (!idle_.empty() && leased() + warm() + bytes > total_)
        evict(std::prev(idle_.end()));
    // With more holders than promised there may be less room than asked for; the bound still holds.
    bytes = std::min(bytes, total_ - leased() - warm());
    if (bytes == 0) return lease;
    lease.memory_ = engine::SearchMemory(bytes);
    leased_.fetch_add(bytes, std::memory_order_relaxed);
    note_peak();
    lease.key_ = std::move(key);
    lease.budget_ = this;
    return lease;
}

void MemoryBudget::give_back(engine::SearchMemory memory, std::string key) noexcept {
    const std::size_t bytes = memory.size();
    const std::lock_guard lock(mutex_);
    bool kept = false;
    if (!key.empty()) {
        try {
            // Two searches of one session: the later one knows more about what its client looks at.
            if (const auto found = by_key_.find(key); found != by_key_.end()) evict(found->second);
            idle_.push_front(Idle{.key = key, .memory = std::move(memory)});
            by_key_.emplace(std::move(key), idle_.begin());
            kept = true;
        } catch (const std::bad_alloc&) {
            // No room for the index of it: the block is dropped below, which is always correct.
            if (!idle_.empty() && !by_key_.contains(idle_.front().key)) idle_.pop_front();
        }
    }
    if (!kept) memory = engine::SearchMemory();
    leased_.fetch_sub(bytes, std::memory_order_relaxed);
    if (kept) warm_.fetch_add(bytes, std::memory_order_relaxed);
}

void MemoryBudget::evict(std::list<Idle>::iterator idle) noexcept {
    warm_.fetch_sub(idle->memory.size(), std::memory_order_relaxed);
    by_key_.erase(idle->key);
    idle_.erase(idle);
}

void MemoryBudget::note_peak() noexcept {
    peak_.store(std::max(peak(), leased() + warm()), std::memory_order_relaxed);
}

}  // namespace yomi::pool
