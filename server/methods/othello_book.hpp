#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/othello/book/learn.hpp"
#include "core/othello/book/opening.hpp"
#include "core/othello/book/store.hpp"
#include "proto/othello_book.hpp"

namespace yomi::server {

struct OthelloBookOptions {
    std::string path;  ///< empty: the shipped book in memory; changes go with the process
    std::size_t map_bytes = std::size_t{16} << 30U;
    std::size_t max_records = othello::book::Opening::kNoQuota;
};

/// The server's one Othello book: on disk, or in memory without a path. A new
/// file begins with the shipped starter book.
///
/// Threads every function from any thread; a read sees one state and never
/// waits for a writer on disk, in memory it waits for the end of a change.
class OthelloBook final : public othello::book::Access {
public:
    static Result<std::shared_ptr<OthelloBook>> open(const OthelloBookOptions& options);
    /// The shipped book in memory, read in at its first use.
    static std::shared_ptr<OthelloBook> shipped();

    Result<void> read(const std::function<void(const othello::book::Reader&)>& use) override;
    Result<void> write(const std::function<Result<void>(othello::book::Edit&)>& change) override;
    /// The book as it is now, for a walk that takes its time while writers go on. On disk it keeps
    /// the pages of its state from being used again, in memory the first change after it copies the
    /// book; so end it soon. It must not outlive the book.
    Result<std::unique_ptr<othello::book::Frozen>> freeze();

    /// How many exports walk over the book at this moment; they count themselves.
    [[nodiscard]] std::atomic<int>& walks() noexcept { return walks_; }

    /// Where the book stands, without a walk over it.
    Result<proto::OthelloBookState> state();
    /// Remembers a job over a restart, and that it runs; empty parameters: it has ended.
    Result<void> remember(std::string_view job, std::string_view parameters);
    Result<std::optional<std::string>> remembered(std::string_view job);
    /// A job ended before its work was done: it stays remembered, and unless the server itself
    /// is ending it does not go on by itself.
    Result<void> stopped(std::string_view job);
    /// From now on whatever stops is stopped by the end of the server.
    void close() noexcept { closing_.store(true, std::memory_order_relaxed); }
    /// Jobs that ran when the last server ended or was killed.
    Result<std::vector<std::string>> interrupted();

    /// The book's state as a number: another one after each change, also by another process.
    /// Cost    no lock, no table.
    [[nodiscard]] std::uint64_t revision() const;

private:
    /// The book in memory, and how many walks of `freeze` look at it.
    struct Version {
        Version() = default;
        explicit Version(const othello::book::Opening& other) : book(other) {}
        othello::book::Opening book;
        std::atomic<int> walks{0};
    };
    class FrozenVersion;

    OthelloBook() = default;
    [[nodiscard]] Result<void> begin();

    std::atomic<bool> closing_{false};
    std::atomic<int> walks_{0};
    std::atomic<std::uint64_t> changes_{0};  ///< of a memory book
    std::unique_ptr<othello::book::Store> store_;
    std::once_flag begun_;     ///< of a memory book
    std::shared_mutex mutex_;  ///< guards `memory_`
    std::shared_ptr<Version> memory_;
};

}  // namespace yomi::server
