#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "server/pool/memory_budget.hpp"
#include "server/pool/worker_pool.hpp"
#include "server/service/batches.hpp"
#include "server/service/jobs.hpp"
#include "server/service/result_cache.hpp"
#include "server/service/search.hpp"
#include "server/service/service.hpp"
#include "server/service/timer.hpp"

namespace yomi::service {

/// Why a call does not go on, and when another try makes sense (0: never, it is the call that is
/// wrong).
struct Refusal {
    Error error;
    int retry_after_s = 0;
};

inline std::chrono::microseconds between(Clock::time_point from, Clock::time_point to) {
    return std::chrono::duration_cast<std::chrono::microseconds>(to - from);
}

// answers.cpp
std::shared_ptr<const std::string> empty_object();
std::uint64_t revision_of(const Method& method);  ///< 0: it has none
/// The members of a final event that are this subscription's own.
std::string extra_members(std::string_view cache, engine::StopReason stopped_by);
/// The final event of an outcome, without its request's id.
proto::Event result_event(const Outcome& outcome, std::string_view cache);

/// The registry of live subscriptions and searches, and the steps of a request's life.
///
/// service.cpp: arrival, decoding, joining, queueing. answers.cpp: stored answers. shared_work.cpp:
/// one call on several workers. search_run.cpp: running, progress, the final, and every way in
/// which a subscription ends early. shutdown.cpp: the end of the whole.
struct Service::Impl {
    Impl(ServiceOptions service_options, std::vector<Method> list);

    // ---- service.cpp: from arrival to the queue ----
    Ticket submit(Call call, std::shared_ptr<Reply> reply);
    void admit(const SubscriptionPointer& subscription);
    std::optional<Refusal> start(const SubscriptionPointer& subscription,
                                 Payload payload,
                                 Role role);
    std::optional<Refusal> check(const Subscription& subscription, const Method* method, Role role);
    std::optional<Refusal> decode_and_attach(const SubscriptionPointer& subscription,
                                             const Method& method,
                                             const Payload& payload,
                                             pool::Worker* here);
    std::optional<Refusal> attach(const SubscriptionPointer& subscription,
                                  PreparedCall call,
                                  pool::Worker* here);
    bool join(const SubscriptionPointer& subscription, const PreparedCall& call);
    std::optional<std::size_t> enqueue(const SearchPointer& search);
    void set_deadline(Subscription& subscription, Clock::time_point when);
    [[nodiscard]] const Method* find_method(std::string_view name) const noexcept;
    [[nodiscard]] std::shared_ptr<const Limits> current_limits() const;
    void apply_limits(const Limits& wanted);
    [[nodiscard]] Refusal refusal(ErrorCode code, std::string message, pool::Lane lane) const;
    [[nodiscard]] int wait_s(pool::Lane lane, std::size_t jobs) const;

    // ---- answers.cpp: stored answers ----
    std::optional<proto::Event> recall(const Call& call);
    bool answer_from_cache(PreparedCall& call, const Subscription& subscription);
    std::optional<Stored> find_on_disk(const PreparedCall& call);
    void note_question(const Subscription& subscription, const PreparedCall& call);
    std::optional<Effort> keep(const Search& search, const Outcome& outcome, Clock::time_point now);

    // ---- shared_work.cpp: one call on several workers ----
    class SharedWork;
    void share(const SearchPointer& search, RunContext& context, const Piece& piece, int at_most);

    // ---- search_run.cpp: running and ending ----
    void run(const SearchPointer& search, pool::Worker& worker);
    void run_inline(const SearchPointer& search) noexcept;
    bool begin(const SearchPointer& search);
    void progress(const SearchPointer& search, const Snapshot& snapshot);
    void finish(const SearchPointer& search, const Result<Outcome>& result);

    enum class Ending : std::uint8_t { deliver, silent };
    void end(Ticket ticket, engine::StopReason reason, Ending ending, bool only_queued = false);
    enum class Left : std::uint8_t { no, at_once, when_stopped };
    Left leave(const SubscriptionPointer& subscription,
               engine::StopReason reason,
               Ending ending,
               bool only_queued);
    void post_early_end(Subscription& subscription, engine::StopReason reason);
    void post_error(Subscription& subscription, const Refusal& refusal);
    void post_cancelled(Subscription& subscription,
                        engine::StopReason reason,
                        const Snapshot& latest);
    void post_final(Subscription& subscription, proto::Event event);
    void refuse(const SubscriptionPointer& subscription, const Refusal& refusal);
    bool withdraw(const SubscriptionPointer& subscription, const Refusal& refusal);
    void count(const Refusal& refusal);
    void retire(Subscription& subscription);
    void unjoin(const Search& search);
    void forget(const Search& search);
    void flush(const SubscriptionPointer& subscription);
    void close(const Subscription& subscription);
    void log(std::string_view level, std::string_view message) const;

    // ---- shutdown.cpp ----
    void shutdown(std::chrono::milliseconds grace);

    const ServiceOptions options;
    const std::vector<Method> methods;
    std::unordered_map<std::string_view, const Method*> by_name;

    mutable std::mutex mutex;  ///< the registry's: guards all down to `open`
    std::shared_ptr<const Limits> limits;
    std::unordered_map<Ticket, SubscriptionPointer> live;  ///< no final event posted yet
    std::unordered_map<std::string, int> live_of_client;
    std::unordered_map<std::uint64_t, SearchPointer> searches;  ///< queued or running
    std::unordered_map<std::string, SearchPointer> joinable;    ///< by join key
    std::size_t open = 0;  ///< subscriptions whose final event is not yet delivered (or dropped)
    std::condition_variable nothing_open;

    std::mutex shutdown_mutex;  ///< one shutdown at a time; the second caller waits for the first
    std::atomic<bool> draining{false};  ///< written under `mutex`; read without it only for /readyz

    // Single counters for metrics: relaxed order suffices.
    std::atomic<std::uint64_t> next_number{1};
    std::atomic<std::uint64_t> requests{0}, results{0}, errors{0}, cancelled{0}, joined{0},
        cache_hits{0}, store_hits{0}, nodes{0};
    std::atomic<std::uint64_t> rejected_busy{0}, rejected_quota{0}, progress_events{0};

    ResultCache cache;
    pool::MemoryBudget memory;
    Timer timer;
    Jobs jobs;
    Batches batches;
    pool::WorkerPool pool;  ///< last: its threads use everything above
};

}  // namespace yomi::service
