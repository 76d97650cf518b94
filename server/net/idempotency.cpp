#include "server/net/idempotency.hpp"

#include <algorithm>
#include <iterator>

#include "server/net/text.hpp"

namespace yomi::net {
namespace {

constexpr std::size_t kMaxKey = 255;
constexpr std::size_t kEntryOverhead = 300;

}  // namespace

Result<std::optional<Answer>> IdempotencyTable::begin(const std::string& key,
                                                      const std::string& fingerprint,
                                                      Clock::time_point now) {
    const std::lock_guard lock(mutex_);
    auto found = by_key_.find(key);
    if (found != by_key_.end() && found->second->answer && found->second->expires <= now) {
        erase(found->second);
        found = by_key_.end();
    }
    if (found != by_key_.end()) {
        const Entry& entry = *found->second;
        if (entry.fingerprint != fingerprint) {
            return fail(Error{.code = ErrorCode::conflict,
                              .message = "this Idempotency-Key was used for another request",
                              .hint = "take a new key for a new request"});
        }
        if (!entry.answer) {
            return fail(Error{.code = ErrorCode::conflict,
                              .message = "the request with this Idempotency-Key is still running"});
        }
        return entry.answer;
    }
    entries_.push_back(Entry{.key = key,
                             .fingerprint = fingerprint,
                             .answer = {},
                             .expires = {},
                             .bytes = kEntryOverhead + key.size() + fingerprint.size()});
    by_key_.emplace(entries_.back().key, std::prev(entries_.end()));
    bytes_ += entries_.back().bytes;
    return std::optional<Answer>();
}

void IdempotencyTable::keep(const std::string& key, Answer answer, Clock::time_point now) {
    const std::lock_guard lock(mutex_);
    const auto found = by_key_.find(key);
    if (found == by_key_.end()) return;
    const auto entry = found->second;
    bytes_ -= entry->bytes;
    entry->bytes += answer.body.size();
    bytes_ += entry->bytes;
    entry->answer = std::move(answer);
    entry->expires = now + limits_.ttl;
    // What runs is never thrown out: its key must stay taken.
    for (auto oldest = entries_.begin();
         oldest != entries_.end() &&
         (entries_.size() > limits_.max_entries || bytes_ > limits_.max_bytes);) {
        const auto next = std::next(oldest);
        if (oldest->answer) erase(oldest);
        oldest = next;
    }
}

void IdempotencyTable::forget(const std::string& key) {
    const std::lock_guard lock(mutex_);
    if (const auto found = by_key_.find(key); found != by_key_.end()) erase(found->second);
}

std::size_t IdempotencyTable::entries() const {
    const std::lock_guard lock(mutex_);
    return entries_.size();
}

void IdempotencyTable::erase(Entries::iterator entry) {
    bytes_ -= entry->bytes;
    by_key_.erase(entry->key);
    entries_.erase(entry);
}

void IdempotencyHold::answered(const Answer& answer) {
    if (table_ == nullptr) return;
    IdempotencyTable& table = *std::exchange(table_, nullptr);
    const bool settled = answer.status < 500 && answer.status != 408 && answer.status != 429;
    if (settled) {
        table.keep(key_, answer, IdempotencyTable::Clock::now());
    } else {
        table.forget(key_);
    }
}

Result<std::string> read_idempotency_key(std::string_view header) {
    header = trim(header);
    if (header.size() >= 2 && header.front() == '"' && header.back() == '"') {
        header = header.substr(1, header.size() - 2);
    }
    const bool printable =
        std::all_of(header.begin(), header.end(), [](char c) { return c >= ' ' && c <= '~'; });
    if (header.empty() || header.size() > kMaxKey || !printable) {
        return fail(ErrorCode::bad_request,
                    "an Idempotency-Key has 1 to 255 printable ASCII characters");
    }
    return std::string(header);
}

}  // namespace yomi::net
