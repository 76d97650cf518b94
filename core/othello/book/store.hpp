#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/othello/book/edit.hpp"
#include "core/othello/book/reader.hpp"

namespace yomi::othello::book {

struct StoreOptions {
    std::string path;                                ///< of the file; beside it stands "PATH-lock"
    std::size_t map_bytes = std::size_t{16} << 30U;  ///< most bytes of the file, all virtual
    std::size_t max_records = Opening::kNoQuota;     ///< rounded down to blocks of 65,536
    bool read_only = false;
    unsigned max_readers = 1024;  ///< snapshots alive at one moment, of all processes
    /// Memory for what look-ups have found, 64 bytes a position (`StoreCache`); 0: none.
    std::size_t cache_bytes = std::size_t{16} << 20U;
};

struct StoreStats {
    std::size_t records = 0;
    std::size_t room = 0;  ///< records that fit before the next block is counted
    std::size_t quota_records = 0;
    std::size_t file_bytes = 0;
    std::size_t map_bytes = 0;
    std::uint64_t commits = 0;  ///< since the file was made
};

/// A book on disk: one LMDB environment in one file. Docs: docs/formats/othello-book.md.
///
/// Any number of readers see a frozen state each while one writer goes on; a crash at any moment,
/// of the program or the machine, leaves the last acknowledged state.
///
/// Errors  quota_exceeded: the records' quota, the map's size or the disk; forbidden: a read-only
///         file or disk; unsupported: another format or version; not_found: no such file;
///         internal: anything else the system says, in words. The book stays as it was.
/// Threads every function from any thread.
class Store {
public:
    /// Opens the file and makes it where it is missing. One `Store` a file and process.
    static Result<std::unique_ptr<Store>> open(const StoreOptions& options);
    ~Store();
    Store(const Store&) = delete;
    Store& operator=(const Store&) = delete;

    /// A frozen state of the book. Old states keep their pages alive, so end it soon.
    /// Threads one at a time; may move between threads.
    class Snapshot final : public Frozen {
    public:
        Snapshot(Snapshot&& other) noexcept;
        Snapshot& operator=(Snapshot&&) = delete;
        ~Snapshot() override;

        [[nodiscard]] std::optional<PositionInfo> find(const PositionKey& key) const override;
        [[nodiscard]] std::size_t size() const override;
        /// In the order of `FlowOrder`, then of the words of the key.
        void each(const std::function<bool(const PositionData&)>& visit) const override;
        [[nodiscard]] std::vector<PositionData> chunk(const std::optional<PositionKey>& after,
                                                      std::size_t most) const override;

    private:
        friend class Store;
        Snapshot(const Store& store, void* transaction, std::uint64_t state)
            : store_(&store), txn_(transaction), state_(state) {}
        const Store* store_;
        void* txn_;
        std::uint64_t state_;  ///< number of the commit that is seen
    };
    [[nodiscard]] Result<Snapshot> snapshot() const;

    /// Lets `change` lay changes over the newest state and commits them: all or, when it fails,
    /// nothing. Returns after the state is on the disk (synced). Calls that wait together share
    /// one commit. `change` may run on another caller's thread.
    Result<void> write(const std::function<Result<void>(Edit&)>& change);

    /// Small texts beside the records (jobs under way, provenance). Empty: no such note.
    [[nodiscard]] Result<std::optional<std::string>> note(std::string_view name) const;
    /// Durable on return, as `write`. An empty text removes the note.
    Result<void> set_note(std::string_view name, std::string_view text);

    [[nodiscard]] Result<StoreStats> stats() const;

    /// Number of the newest commit, also of other processes: while it stays, so does the book.
    /// Cost    no lock, no transaction.
    [[nodiscard]] std::uint64_t revision() const;

private:
    struct Impl;
    explicit Store(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace yomi::othello::book
