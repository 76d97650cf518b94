#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "proto/envelope.hpp"
#include "server/service/method.hpp"

namespace yomi::service {

/// One request as a transport hands it in.
struct Call {
    std::string id;      ///< the client's id, or empty: the service makes one ("r-" + 26 characters)
    std::string method;  ///< "shogi.analysis"
    Payload payload;
    std::string client;  ///< fairness and quota key: "key:NAME" or "addr:203.0.113.7"
    Role role = Role::anonymous;
    bool want_events = false;  ///< false: only the final event is delivered
};

/// Where a request's events go. A transport implements it by posting to its own strand.
///
/// Threads `deliver` may come from any thread, one call at a time per request, in seq order. It must not
///         block or throw and must not call back into the service.
/// After the final event (`proto::is_final`) no other comes.
class Reply {
public:
    virtual ~Reply() = default;
    virtual void deliver(std::shared_ptr<const proto::Event> event) noexcept = 0;
};

/// Names a subscription until its final event.
using Ticket = std::uint64_t;

/// Numbers for /metrics and /readyz.
struct ServiceStats {
    std::uint64_t requests = 0, results = 0, errors = 0, cancelled = 0, joined = 0, cache_hits = 0, nodes = 0;
    std::uint64_t rejected_busy = 0, rejected_quota = 0, progress_events = 0;
    std::size_t queued = 0, running = 0, live = 0, jobs = 0;
    std::size_t memory_bytes_leased = 0, memory_bytes_total = 0;
};

struct ServiceOptions {
    int search_workers = 1;
    int short_workers = 1;
    std::size_t memory_budget_bytes = std::size_t{1} << 30;  ///< all search memory together
    std::chrono::seconds job_ttl{600};                        ///< how long a finished job can be read
    std::size_t max_jobs = 1024;
    Limits limits;
};

/// State of an asynchronous job as its owner may read it.
struct JobView {
    std::string id;
    std::string method;
    std::string state;  ///< "queued" | "running" | "done" | "failed" | "cancelled"
    std::shared_ptr<const proto::Event> latest;  ///< latest progress or final event, may be null
    bool finished = false;
};

/// Requests in, events out. Owns searches in flight, their subscriptions and the jobs; knows no socket and no game.
///
/// A running computation is a *search*; each waiting client is a *subscription* of it. A subscription ends by its
/// final event; when the last one leaves early the search is stopped. Exactly one final event is delivered for every
/// submitted call, also for one that is refused.
/// Threads every public function may be called from any thread.
class Service {
public:
    Service(ServiceOptions options, std::vector<Method> methods);
    ~Service();  ///< `shutdown(0 ms)` if that has not happened
    Service(const Service&) = delete;
    Service& operator=(const Service&) = delete;

    [[nodiscard]] const std::vector<Method>& methods() const noexcept;
    [[nodiscard]] const Method* find_method(std::string_view name) const noexcept;
    [[nodiscard]] Limits limits() const;
    void set_limits(const Limits& limits);  ///< SIGHUP

    /// Never fails: refusals come as an `error` event. The final event may be delivered before this returns.
    Ticket submit(Call call, std::shared_ptr<Reply> reply);
    /// The client asks for an end: the final event will be `cancelled` with the best so far. No effect after the final.
    void cancel(Ticket ticket, engine::StopReason reason = engine::StopReason::cancelled);
    /// The client has gone: ends the subscription without delivering anything more. The Reply is released.
    void abandon(Ticket ticket);

    // ---- jobs: calls whose events are kept for later readers ----
    /// Starts a job; the error side carries what `submit` would have delivered at once. Returns the job id ("j-...").
    Result<std::string> start_job(Call call);
    /// Only the owner (same client) or an admin sees a job; others get not_found.
    Result<JobView> job(std::string_view id, std::string_view client, Role role) const;
    /// Cancels if it runs; removes it. not_found as above.
    Result<void> delete_job(std::string_view id, std::string_view client, Role role);
    /// Replays what is kept after `last_seq` (latest snapshot, final) and then follows. `last_seq` empty: from the start.
    /// The ticket ends the following by `abandon`.
    Result<Ticket> follow_job(std::string_view id, std::string_view client, Role role,
                              std::optional<std::uint64_t> last_seq, std::shared_ptr<Reply> reply);

    /// Stops taking calls (`draining` errors), lets running work go on for `grace`, then ends the rest with its best so
    /// far (reason `shutdown`). Returns when every final has been delivered.
    void shutdown(std::chrono::milliseconds grace);
    [[nodiscard]] bool draining() const noexcept;
    [[nodiscard]] ServiceStats stats() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace yomi::service
