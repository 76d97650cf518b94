#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.hpp"

namespace yomi::store {

struct ResultStoreOptions {
    std::filesystem::path folder;                    ///< made if it is absent; holds "answers.mdb"
    std::size_t max_bytes = std::size_t{256} << 20;  ///< of the file; at least 2 MiB
    /// Part of every key: the answers of another build are never found, and age out.
    std::string generation;
    /// Answers that wait to be written, in bytes; beyond it new ones are dropped.
    std::size_t max_waiting_bytes = std::size_t{8} << 20;
    /// Gets faults of the disk, each kind once. Called on the writer's thread; must not throw.
    std::function<void(std::string_view)> on_fault;
};

struct ResultStoreStats {
    std::size_t bytes = 0;  ///< accounted, with the room that pages waste
    std::size_t entries = 0;
    std::uint64_t written = 0, evicted = 0;
    std::uint64_t dropped = 0;  ///< not written: the queue was full, or the disk refused
};

/// Answers that outlive the process: a key to bytes, the least recently used thrown out first.
///
/// What the bytes mean is the caller's business. It is a cache: a crash loses at most the last
/// fraction of a second, never the integrity of the file, and no fault of the disk is ever an error
/// of a request.
/// Threads every function from any thread.
class ResultStore {
public:
    virtual ~ResultStore() = default;

    /// Cost    a look-up in a memory map: microseconds when the page is in memory, else one read of
    ///         the disk.
    [[nodiscard]] virtual std::optional<std::string> find(std::string_view key) = 0;
    /// Returns at once; the answer can be found a moment later.
    virtual void put(std::string_view key, std::string bytes) = 0;
    /// Waits until what was put before has been written or dropped.
    virtual void flush() = 0;
    [[nodiscard]] virtual ResultStoreStats stats() const = 0;
};

/// Opens or makes the store of a folder. A file of another format version is emptied, and so is one
/// that is larger than `max_bytes`: LMDB's files never shrink.
///
/// Errors  bad_value naming the file: the folder cannot be made or written, the file is no store of
///         answers, it is damaged, or the disk is full.
/// Threads one store per folder and process; several processes may share one.
Result<std::unique_ptr<ResultStore>> open_result_store(ResultStoreOptions options);

}  // namespace yomi::store
