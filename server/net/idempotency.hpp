#pragma once

#include <chrono>
#include <cstddef>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/base/result.hpp"
#include "server/net/answer.hpp"

namespace yomi::net {

/// Answers kept by a client's `Idempotency-Key`, so that a request which is sent again because its
/// answer was lost does not act again.
///
/// Shape   bounded in entries, bytes and time; the oldest answer goes first.
/// Threads any; one mutex.
/// Source  draft-ietf-httpapi-idempotency-key-header: 409 while the first one runs and for another
///         request under the same key, the same answer afterwards.
class IdempotencyTable {
public:
    using Clock = std::chrono::steady_clock;
    struct Limits {
        std::size_t max_entries = 4096;
        std::size_t max_bytes = std::size_t{16} << 20;
        std::chrono::seconds ttl{600};
    };

    IdempotencyTable() = default;
    explicit IdempotencyTable(const Limits& limits) : limits_(limits) {}
    IdempotencyTable(const IdempotencyTable&) = delete;
    IdempotencyTable& operator=(const IdempotencyTable&) = delete;

    /// The kept answer, or nothing: the caller runs the request and ends with `keep` or `forget`.
    /// Errors  conflict: it runs now, or the key was used for another request.
    Result<std::optional<Answer>> begin(const std::string& key,
                                        const std::string& fingerprint,
                                        Clock::time_point now);
    void keep(const std::string& key, Answer answer, Clock::time_point now);
    void forget(const std::string& key);

    [[nodiscard]] std::size_t entries() const;

private:
    struct Entry {
        std::string key, fingerprint;
        std::optional<Answer> answer;  ///< none: it runs
        Clock::time_point expires;
        std::size_t bytes = 0;
    };
    using Entries = std::list<Entry>;

    void erase(Entries::iterator entry);

    const Limits limits_;
    mutable std::mutex mutex_;
    Entries entries_;  ///< oldest first
    std::unordered_map<std::string_view, Entries::iterator> by_key_;
    std::size_t bytes_ = 0;
};

/// A key that is in use by the request that holds it: freed at the end unless its answer was kept.
class IdempotencyHold {
public:
    IdempotencyHold() = default;
    IdempotencyHold(IdempotencyTable& table, std::string key)
        : table_(&table), key_(std::move(key)) {}
    ~IdempotencyHold() {
        if (table_ != nullptr) table_->forget(key_);
    }
    IdempotencyHold(IdempotencyHold&& other) noexcept
        : table_(std::exchange(other.table_, nullptr)), key_(std::move(other.key_)) {}
    IdempotencyHold& operator=(IdempotencyHold&& other) noexcept {
        std::swap(table_, other.table_);
        std::swap(key_, other.key_);
        return *this;
    }

    /// Keeps an answer that another try would not change; forgets the key after one that it might
    /// (timeouts, quotas, faults of the server).
    void answered(const Answer& answer);

private:
    IdempotencyTable* table_ = nullptr;
    std::string key_;
};

/// The key of an `Idempotency-Key` header: a structured-field string, or bare.
/// Errors  bad_request: empty, longer than 255 bytes, or with other than printable ASCII.
Result<std::string> read_idempotency_key(std::string_view header);

}  // namespace yomi::net
