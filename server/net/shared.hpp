#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "server/net/address.hpp"
#include "server/net/auth.hpp"
#include "server/net/idempotency.hpp"
#include "server/net/options.hpp"
#include "server/net/router.hpp"
#include "server/net/tls.hpp"
#include "server/service/service.hpp"

namespace yomi::net {

/// What the listener counts, for /metrics.
/// Threads relaxed atomics: each is a number of its own, nothing is ordered by them.
struct NetCounters {
    std::atomic<std::uint64_t> accepted{0};
    std::atomic<std::uint64_t> refused{0};  ///< connections over a limit
    std::atomic<std::uint64_t> events_dropped{0};
    std::atomic<std::uint64_t> slow_readers{0};
    std::atomic<std::int64_t> websockets{0};
    std::atomic<std::int64_t> streams{0};
};

/// Counts one while it lives.
class Gauge {
public:
    explicit Gauge(std::atomic<std::int64_t>& value) : value_(value) {
        value_.fetch_add(1, std::memory_order_relaxed);
    }
    ~Gauge() { value_.fetch_sub(1, std::memory_order_relaxed); }
    Gauge(const Gauge&) = delete;
    Gauge& operator=(const Gauge&) = delete;

private:
    std::atomic<std::int64_t>& value_;
};

/// A policy with everything that is looked up in it prepared.
struct LivePolicy {
    explicit LivePolicy(Policy source);

    Policy policy;
    KeyRing keys;
    std::vector<Cidr> trusted;
};

/// What the server can ask of any open connection. Both calls may come from any thread.
class Connection {
public:
    virtual ~Connection() = default;
    /// Sends what is owed, then closes: an idle connection at once, a WebSocket with 1001.
    virtual void shut() = 0;
    /// Closes now.
    virtual void kill() = 0;
};

/// All open connections and how many each address has.
/// Threads one mutex; nothing is called under it.
class ConnectionTable {
public:
    /// A place in the table; gives it back when it goes.
    class Place {
    public:
        Place(ConnectionTable& table, std::string address)
            : table_(&table), address_(std::move(address)) {}
        ~Place() { table_->leave(address_); }
        Place(const Place&) = delete;
        Place& operator=(const Place&) = delete;

    private:
        ConnectionTable* table_;
        std::string address_;
    };

    /// Null when the server or this address has as many connections as it may.
    std::unique_ptr<Place> enter(const std::string& address, const Options& options);
    void add(std::weak_ptr<Connection> connection);
    [[nodiscard]] std::vector<std::shared_ptr<Connection>> all() const;
    [[nodiscard]] std::size_t size() const;

private:
    friend class Place;
    void leave(const std::string& address);

    mutable std::mutex mutex_;
    std::size_t open_ = 0;
    std::map<std::string, std::size_t> per_address_;
    std::vector<std::weak_ptr<Connection>> connections_;
    std::size_t sweep_at_ = 64;  ///< entries at which the dead ones are removed
};

/// What all connections of one server share.
struct Shared {
    Shared(service::Service& the_service, Options the_options, Pages the_pages);

    service::Service& service;
    const Options options;
    const Pages pages;
    const std::string openapi_tag;
    const Router router;
    const Router admin_router;
    const bool loopback_listener;
    NetCounters counters;
    ConnectionTable connections;
    IdempotencyTable idempotency;
    std::atomic<bool> draining{false};

    [[nodiscard]] std::shared_ptr<const LivePolicy> policy() const;
    void set_policy(Policy policy);
    /// Null: the main listener speaks plain HTTP.
    [[nodiscard]] std::shared_ptr<const TlsContext> tls() const;
    Result<void> load_tls();

private:
    mutable std::mutex policy_mutex_;
    std::shared_ptr<const LivePolicy> policy_;
    std::shared_ptr<const TlsContext> tls_;
};

}  // namespace yomi::net
