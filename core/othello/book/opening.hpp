#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <vector>

#include "core/base/result.hpp"
#include "core/othello/book/reader.hpp"

namespace yomi::othello::book {

/// A book in memory: the tutorial's `Opening` {Num, Max, Data} with a hash index beside it.
///
/// Shape   `Data` is a list of blocks of 65,536 records, so growing never moves a record and never
///         needs twice the room. The index is open addressing over record numbers.
/// Errors  quota_exceeded when a record would need a block beyond the quota, std::bad_alloc when
///         the machine has no memory; either way everything that was there stays.
/// Threads one writer or any number of readers.
/// Cost    find about 60 ns in a book of millions (tests/bench/book_bench).
/// Source  `Opening_New`, `Opening_Delete` and their kin of the ES-Cube tutorial.
class Opening final : public Reader {
public:
    static constexpr std::size_t kNoQuota = std::numeric_limits<std::size_t>::max();

    /// An empty book with room for one block. `max_records` is rounded down to whole blocks, at
    /// least one.
    explicit Opening(std::size_t max_records = kNoQuota);
    Opening(const Opening& other);
    Opening(Opening&& other) = default;
    Opening& operator=(const Opening&) = delete;
    Opening& operator=(Opening&&) = default;
    ~Opening() override = default;

    [[nodiscard]] std::size_t num() const noexcept { return num_; }  ///< records
    [[nodiscard]] std::size_t max() const noexcept { return blocks_.size() * kBlock; }
    [[nodiscard]] const PositionData& data(std::size_t number) const noexcept {
        return blocks_[number / kBlock][number % kBlock];
    }
    /// Bytes held: records and index.
    [[nodiscard]] std::size_t bytes() const noexcept {
        return max() * sizeof(PositionData) + index_.size() * sizeof(std::uint32_t);
    }

    /// Registers a record, or updates the one that has its key. True: it is new.
    Result<bool> set(const PositionKey& key, const PositionInfo& info);
    /// True: it was there. The last record takes its number; the room stays.
    bool remove(const PositionKey& key);
    /// Removes all records and gives the room but one block back.
    void clear();
    /// Makes the room that the tutorial's loader makes for so many records.
    Result<void> reserve_for_load(std::size_t records);

    [[nodiscard]] const PositionInfo* lookup(const PositionKey& key) const noexcept;
    [[nodiscard]] std::optional<PositionInfo> find(const PositionKey& key) const override;
    [[nodiscard]] std::size_t size() const override { return num_; }
    void each(const std::function<bool(const PositionData&)>& visit) const override;

private:
    struct Place {
        std::size_t slot;
        bool found;
    };
    [[nodiscard]] Place place(const PositionKey& key) const noexcept;
    PositionData& at(std::size_t number) noexcept {
        return blocks_[number / kBlock][number % kBlock];
    }
    Result<void> grow_to(std::size_t blocks);
    void rebuild_index(std::size_t slots);
    void close_gap(std::size_t slot);

    std::size_t num_ = 0;
    std::size_t max_blocks_;
    /// Memory that is touched as it is filled: most books of a moment (an `Edit`) hold little.
    struct FreeBlock {
        void operator()(PositionData* block) const noexcept { ::operator delete(block); }
    };
    using Block = std::unique_ptr<PositionData[], FreeBlock>;
    static Block new_block();
    std::vector<Block> blocks_;
    std::vector<std::uint32_t> index_;  ///< 1 + record number; 0: free. A power of two of slots.
};

}  // namespace yomi::othello::book
