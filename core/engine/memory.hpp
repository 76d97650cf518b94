#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace yomi::engine {

/// The table memory that one search leases and that all of its threads share.
///
/// Shape   one block of `size()` bytes, aligned to 2 MiB (a huge page) from that size on and to a
/// page
///         below it, all zero when fresh. An engine lays its tables out in it by itself; a table
///         must treat all-zero bytes as empty.
/// Errors  the constructor throws std::bad_alloc when the system has no memory.
/// Threads the owner hands it to one search at a time.
/// Cost    fresh pages are zeroed by the kernel at first touch; `clear` gives them back.
class SearchMemory {
public:
    SearchMemory() noexcept = default;
    explicit SearchMemory(std::size_t bytes);
    ~SearchMemory();
    SearchMemory(SearchMemory&& other) noexcept;
    SearchMemory& operator=(SearchMemory&& other) noexcept;
    SearchMemory(const SearchMemory&) = delete;
    SearchMemory& operator=(const SearchMemory&) = delete;

    /// Part `index` of `count` equal ones of a block, which stays its owner's and must outlive it:
    /// for searches side by side within one lease. Claim the block first for a layout of your own,
    /// so that nobody takes what the parts leave for theirs, and `clear` each part.
    static SearchMemory part_of(const SearchMemory& whole, std::size_t index, std::size_t count);

    [[nodiscard]] std::span<std::byte> bytes() const noexcept { return {data_, size_}; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }

    /// Makes every byte zero again.
    void clear() noexcept;

    /// Claims the block for a table layout (engine + evaluation + size). Warm contents of another
    /// layout are cleared; contents of the same layout stay. Returns true when something warm
    /// stayed. `layout` 0 means "nobody's": never warm. Write only after a claim.
    bool claim(std::uint64_t layout) noexcept;

private:
    std::byte* data_ = nullptr;
    std::size_t size_ = 0;
    std::uint64_t layout_ = 0;
    bool borrowed_ = false;
};

}  // namespace yomi::engine
