#include "core/engine/memory.hpp"

#include <cstdint>
#include <cstring>
#include <new>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace yomi::engine {

namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;

// An anonymous mapping is zero without being written, so an idle megabyte costs nothing.
std::byte* map_bytes(std::size_t bytes) {
    void* block =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) throw std::bad_alloc();
    return static_cast<std::byte*>(block);
}

// mmap aligns to small pages only: maps one huge page too much and gives both ends back.
std::byte* map_aligned(std::size_t bytes) {
    const std::size_t page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const std::size_t rounded = (bytes + page - 1) / page * page;
    const std::size_t mapped = rounded + kHugePage;
    if (mapped < bytes) throw std::bad_alloc();
    std::byte* block = map_bytes(mapped);
    const std::size_t head =
        (kHugePage - reinterpret_cast<std::uintptr_t>(block) % kHugePage) % kHugePage;
    if (head != 0) ::munmap(block, head);
    if (kHugePage > head) ::munmap(block + head + rounded, kHugePage - head);
    return block + head;
}

}  // namespace

SearchMemory::SearchMemory(std::size_t bytes) {
    if (bytes == 0) return;
    data_ = bytes >= kHugePage ? map_aligned(bytes) : map_bytes(bytes);
    size_ = bytes;
#ifdef MADV_HUGEPAGE
    // Advice only: a refusal changes speed, not meaning.
    if (bytes >= kHugePage) ::madvise(data_, size_, MADV_HUGEPAGE);
#endif
}

SearchMemory::~SearchMemory() {
    if (data_ != nullptr && !borrowed_) ::munmap(data_, size_);
}

SearchMemory SearchMemory::part_of(const SearchMemory& whole,
                                   std::size_t index,
                                   std::size_t count) {
    // Whole pages, so that clearing a part touches no other.
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const std::size_t grain = whole.size_ / count >= kHugePage ? kHugePage : page;
    const std::size_t size = whole.size_ / count / grain * grain;
    SearchMemory part;
    if (size == 0) return part;
    part.data_ = whole.data_ + index * size;
    part.size_ = size;
    part.borrowed_ = true;
    return part;
}

SearchMemory::SearchMemory(SearchMemory&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      layout_(std::exchange(other.layout_, 0)),
      borrowed_(std::exchange(other.borrowed_, false)) {}

SearchMemory& SearchMemory::operator=(SearchMemory&& other) noexcept {
    if (this != &other) {
        SearchMemory gone(std::move(*this));
        data_ = std::exchange(other.data_, nullptr);
        size_ = std::exchange(other.size_, 0);
        layout_ = std::exchange(other.layout_, 0);
        borrowed_ = std::exchange(other.borrowed_, false);
    }
    return *this;
}

void SearchMemory::clear() noexcept {
    layout_ = 0;
    if (data_ == nullptr) return;
    // MADV_DONTNEED on an anonymous private mapping gives zero pages at the next touch. It refuses
    // locked memory (mlockall, a strict service manager): then the zeros are written.
    if (::madvise(data_, size_, MADV_DONTNEED) != 0) std::memset(data_, 0, size_);
}

bool SearchMemory::claim(std::uint64_t layout) noexcept {
    const bool warm = layout_ == layout && layout_ != 0;
    if (!warm) {
        if (layout_ != 0) clear();
        layout_ = layout;
    }
    return warm;
}

}  // namespace yomi::engine
