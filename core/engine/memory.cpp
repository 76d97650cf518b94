#include "core/engine/memory.hpp"

#include <sys/mman.h>

#include <new>
#include <utility>

namespace yomi::engine {

SearchMemory::SearchMemory(std::size_t bytes) {
    if (bytes == 0) return;
    // An anonymous mapping is zero without being written, so an idle megabyte costs nothing.
    void* block = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
    ::madvise(block, bytes, MADV_HUGEPAGE);  // advice only: a refusal changes speed, not meaning
#endif
    data_ = static_cast<std::byte*>(block);
    size_ = bytes;
}

SearchMemory::~SearchMemory() {
    if (data_ != nullptr) ::munmap(data_, size_);
}

SearchMemory::SearchMemory(SearchMemory&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      layout_(std::exchange(other.layout_, 0)) {}

SearchMemory& SearchMemory::operator=(SearchMemory&& other) noexcept {
    if (this != &other) {
        SearchMemory gone(std::move(*this));
        data_ = std::exchange(other.data_, nullptr);
        size_ = std::exchange(other.size_, 0);
        layout_ = std::exchange(other.layout_, 0);
    }
    return *this;
}

void SearchMemory::clear() noexcept {
    layout_ = 0;
    // MADV_DONTNEED on an anonymous private mapping gives zero pages at the next touch.
    if (data_ != nullptr) ::madvise(data_, size_, MADV_DONTNEED);
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
