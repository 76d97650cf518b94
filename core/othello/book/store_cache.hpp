#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/engine/memory.hpp"
#include "core/othello/book/position_data.hpp"

namespace yomi::othello::book {

/// What look-ups in a stored book have found, and that they found nothing. LMDB's search touches a
/// dozen cache lines all over the file; this one touches one.
///
/// An entry belongs to one state of the book, the number of a commit, and answers for no other. So
/// nothing has to be told of changes, not even of those that other processes make; after a commit
/// the cache fills anew.
///
/// Shape   slots of 64 bytes, one cache line each, eight to a bucket; a power of two of them. A
///         bucket is filled from the place that the key names, around its end, and a slot never
///         becomes free within a state: so a search ends at the first slot of another state.
/// Threads any, without a lock: a slot that is being written answers nobody.
/// Cost    one cache miss; memory is taken as it is touched.
class StoreCache {
public:
    explicit StoreCache(std::size_t bytes);

    /// Empty: not known here. Else what the book says: a record, or that there is none.
    [[nodiscard]] std::optional<std::optional<PositionInfo>> find(
        const PositionKey& key, std::uint64_t state) const noexcept;
    void put(const PositionKey& key,
             std::uint64_t state,
             const std::optional<PositionInfo>& info) noexcept;

    [[nodiscard]] std::size_t slots() const noexcept { return buckets_ * kWays; }

private:
    static constexpr std::size_t kWays = 8;
    static constexpr std::size_t kInfoWords = sizeof(PositionInfo) / sizeof(std::uint64_t);

    /// All zero is empty. Whoever writes makes `turn` odd first and even when done; a reader that
    /// meets another number afterwards has read nothing. Words are written with release and read
    /// with acquire: who has seen a new word sees the turn that came before it.
    struct alignas(64) Slot {
        std::atomic<std::uint64_t> turn;
        std::atomic<std::uint64_t> state;  ///< 1 + number of the commit, times 2, plus 1: a record
        std::atomic<std::uint64_t> player;
        std::atomic<std::uint64_t> opponent;
        std::atomic<std::uint64_t> info[kInfoWords];
    };
    static_assert(sizeof(Slot) == 64);

    [[nodiscard]] Slot* bucket_of(std::uint64_t hash) const noexcept {
        return slots_ + (hash & (buckets_ - 1)) * kWays;
    }
    /// The slot that is looked at after `looked` others.
    static constexpr std::size_t way_of(std::uint64_t hash, std::size_t looked) noexcept {
        return ((hash >> 61U) + looked) % kWays;
    }

    engine::SearchMemory memory_;
    Slot* slots_;
    std::size_t buckets_;
};

}  // namespace yomi::othello::book
