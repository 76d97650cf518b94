#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "proto/envelope.hpp"
#include "server/pool/worker_pool.hpp"
#include "server/service/method.hpp"
#include "server/store/result_store.hpp"

namespace yomi::service {

/// One request as a transport hands it in.
struct Call {
    std::string id;  ///< the client's id, or empty: the service makes one ("r-" + 26 characters)
    std::string method;  ///< "shogi.analysis"
    Payload payload;
    std::string client;  ///< fairness and quota key: "key:NAME" or "addr:203.0.113.7"
    Role role = Role::anonymous;
    bool want_events = false;  ///< false: only the final event is delivered
    int weight = 1;            ///< this client's share of the engines beside the others', 1..100
    /// The parameters in the client's own words (a URL's query), where equal words of a method mean
    /// an equal payload; lets `Service::recall` find the answer again. Empty: not to be recalled.
    std::string question;
};

/// Where a request's events go. A transport implements it by posting to its own strand.
///
/// Threads `deliver` may come from any thread, one call at a time per request, in seq order. It
///         must not block or throw and must not call back into the service.
/// After the final event (`proto::is_final`) no other comes.
class Reply {
public:
    virtual ~Reply() = default;
    virtual void deliver(std::shared_ptr<const proto::Event> event) noexcept = 0;
};

/// Names a subscription until its final event.
using Ticket = std::uint64_t;

class Batches;

/// Numbers for /metrics and /readyz.
struct ServiceStats {
    std::uint64_t requests = 0, results = 0, errors = 0, cancelled = 0;
    std::uint64_t joined = 0, cache_hits = 0, nodes = 0;
    std::uint64_t store_hits = 0;  ///< those of `cache_hits` that came from the disk
    std::uint64_t rejected_busy = 0, rejected_quota = 0, progress_events = 0;
    std::size_t queued = 0, running = 0, live = 0, jobs = 0;
    std::size_t memory_bytes_leased = 0, memory_bytes_total = 0;
    std::size_t cache_bytes = 0, cache_entries = 0;
    store::ResultStoreStats store;  ///< all 0 without one
    pool::LaneStats search_lane, short_lane;
};

/// What the log and the metrics may know about one request, given once, when it has ended.
/// Never a position, a move or an engine's text.
struct RequestRecord {
    std::string id;
    std::string method;  ///< "unknown" for one that is not in the list
    std::string client;
    std::string_view outcome;        ///< "result" | "error" | "cancelled" | "abandoned" (literals)
    std::optional<ErrorCode> error;  ///< of an "error"
    engine::StopReason stopped_by = engine::StopReason::none;
    std::string_view cache;  ///< "miss" | "join" | "hit" or empty (literals)
    /// Arrival to start, or to the end if it never started.
    std::chrono::microseconds queue_time{0};
    std::chrono::microseconds engine_time{0};
    std::uint64_t nodes = 0;
    bool batch = false;  ///< priority
};

struct ServiceOptions {
    int search_workers = 1;
    int short_workers = 1;
    std::size_t memory_budget_bytes = std::size_t{1} << 30;  ///< all search memory together
    std::chrono::seconds job_ttl{600};  ///< how long a finished job can be read
    std::size_t max_jobs = 1024;
    Limits limits;
    std::size_t max_short_queue = 1024;  ///< waiting jobs of the short lane
    /// When a waiting batch call counts as interactive.
    std::chrono::milliseconds batch_rises_after{5000};
    int search_nice = 10;  ///< added to the search threads' nice value, 0..19
    /// What each search worker does before its first call, so that this one is as fast as the rest.
    std::function<void(pool::Worker&)> warm_up;
    std::size_t cache_bytes = std::size_t{64} << 20;  ///< finished answers kept; 0: none
    std::shared_ptr<store::ResultStore> store;        ///< behind the memory; null: none
    /// Gets defects ("error") and notes; called on any thread, must not throw or call back.
    std::function<void(std::string_view level, std::string_view message)> log;
    /// Gets every request once, after its final event was delivered or its client left. Same rules.
    std::function<void(const RequestRecord&)> on_final;
};

/// State of an asynchronous job as its owner may read it.
struct JobView {
    std::string id;
    std::string method;
    std::string state;  ///< "queued" | "running" | "done" | "failed" | "cancelled"
    std::shared_ptr<const proto::Event> latest;  ///< latest progress or final event, may be null
    bool finished = false;
    std::chrono::system_clock::time_point created = {};
};

/// Requests in, events out. Owns searches in flight, their subscriptions and the jobs; knows no
/// socket and no game.
///
/// A running computation is a *search*; each waiting client is a *subscription* of it. A
/// subscription ends by its final event; when the last one leaves early the search is stopped.
/// Exactly one final event is delivered for every submitted call, also for one that is refused.
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

    /// Never fails: refusals come as an `error` event. The final event may be delivered before this
    /// returns.
    Ticket submit(Call call, std::shared_ptr<Reply> reply);
    /// The final event of a call whose `question` was answered before and whose answer is still in
    /// memory, as `submit` would deliver it, counted and recorded like it; `payload` is not looked
    /// at. Nothing: `submit` it (also when it is to be refused).
    /// Cost    two look-ups instead of decoding the payload and building its key.
    std::optional<proto::Event> recall(const Call& call);
    /// Questions may mean something else from now on: what methods decode with has changed.
    /// `set_limits` says so by itself.
    void forget_questions();
    /// Runs `work` on the short lane in the client's turn: what a transport does not want to do on
    /// its own thread. Without room there, or at the end of the service, `work` is destroyed unrun.
    void lend(std::string client, std::function<void()> work);
    /// The client asks for an end: the final event will be `cancelled` with the best so far. No
    /// effect after the final.
    void cancel(Ticket ticket, engine::StopReason reason = engine::StopReason::cancelled);
    /// The client has gone: ends the subscription without delivering anything more. The Reply is
    /// released. A `deliver` that runs at this moment on another thread may still return later.
    void abandon(Ticket ticket);

    // ---- jobs: calls whose events are kept for later readers ----
    /// Starts a job; the error side carries what `submit` would have delivered at once. Returns the
    /// job id ("j-...").
    Result<std::string> start_job(Call call);
    /// Only the owner (same client) or an admin sees a job; others get not_found.
    Result<JobView> job(std::string_view id, std::string_view client, Role role) const;
    /// The client's own jobs, oldest first.
    [[nodiscard]] std::vector<JobView> jobs(std::string_view client) const;
    /// Cancels if it runs; removes it. not_found as above.
    Result<void> delete_job(std::string_view id, std::string_view client, Role role);
    /// Replays what is kept after `last_seq` (queued, started, latest snapshot) and then follows.
    /// `last_seq` empty: from the start. The final event always comes, also when `last_seq` is at
    /// or past it, so that a reader's stream ends. The ticket ends the following by `abandon`;
    /// `cancel` has no effect on it.
    Result<Ticket> follow_job(std::string_view id,
                              std::string_view client,
                              Role role,
                              std::optional<std::uint64_t> last_seq,
                              std::shared_ptr<Reply> reply);

    // ---- batches: many calls that take turns, so that one client's quota bounds them all ----
    /// Runs the calls, a few at once and in any order. `each` gets every event of call i under slot
    /// i; a call's own refusal is its own final.
    /// The ticket ends the rest by `abandon`; it has no effect after the last final.
    /// Threads `each` may be called from several threads at once, never for one slot at once.
    Ticket submit_batch(std::vector<Call> calls,
                        std::function<void(std::size_t, std::shared_ptr<const proto::Event>)> each);
    /// The same as a job of the method "batch": `progress` tells each answer as it comes, the
    /// `result` all of them in the order of the calls. Errors  as `start_job`.
    Result<std::string> start_batch_job(std::vector<Call> calls, std::string client);

    /// Stops taking calls (`draining` errors), lets running work go on for `grace`, then ends the
    /// rest with its best so far (reason `shutdown`). Returns when every final has been delivered.
    void shutdown(std::chrono::milliseconds grace);
    [[nodiscard]] bool draining() const noexcept;
    /// Seconds (at least 1) after which a call refused with `code` is worth repeating: for
    /// `start_job`, whose error side has no room for it.
    [[nodiscard]] int retry_after_s(ErrorCode code) const;
    [[nodiscard]] ServiceStats stats() const;

private:
    friend class Batches;
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace yomi::service
