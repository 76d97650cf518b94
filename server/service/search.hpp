#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/service/method.hpp"
#include "server/service/outbox.hpp"
#include "server/service/service.hpp"
#include "server/service/timer.hpp"

namespace yomi::service {

using Clock = std::chrono::steady_clock;

struct Search;

/// One waiting client (or job) and the search it waits for.
///
/// Threads each part has its guard, named below. `outbox` guards itself.
struct Subscription {
    Subscription(Ticket of, Call& call, std::shared_ptr<Reply> reply)
        : ticket(of),
          method(std::move(call.method)),
          client(std::move(call.client)),
          want_events(call.want_events),
          weight(std::clamp(call.weight, 1, 100)),
          question(std::move(call.question)),
          arrived(Clock::now()),
          outbox(std::move(call.id), std::move(reply)) {}

    const Ticket ticket;
    const std::string method, client;
    const bool want_events;
    const int weight;  ///< 1..100
    const std::string question;
    const Clock::time_point arrived;
    Outbox outbox;

    // Set before the payload is decoded.
    std::uint64_t era = 0;       ///< of the cache's questions
    std::uint64_t revision = 0;  ///< of what the method's answers stand on

    // ---- guarded by the registry's mutex ----
    std::shared_ptr<Search> search;  ///< null until the call is decoded and after the final
    std::uint64_t decode_job = 0;    ///< waiting or running on the short lane; 0: none
    Timer::Entry deadline;

    // ---- guarded by the search's mutex (set before the search knows it) ----
    std::chrono::milliseconds min_interval{0};
    Clock::time_point last_progress;
    std::string_view cache;  ///< "hit" | "miss" | "join" | "": not a call that can be joined

    // ---- written before the final event is posted, read after it was delivered ----
    RequestRecord record;
};
using SubscriptionPointer = std::shared_ptr<Subscription>;

/// One computation, owned by the service; its subscriptions come and go.
///
/// States  queued -> running -> done, or queued -> done when everybody left before it began.
/// Threads `mutex` guards all that is not const. Lock order: registry, then search, then the leaves
///         (outbox, pool lanes, timer, cache).
struct Search {
    enum class State : std::uint8_t { queued, running, done };

    Search(std::uint64_t number, PreparedCall prepared, std::string of_client, int of_weight)
        : id(number), call(std::move(prepared)), client(std::move(of_client)), weight(of_weight) {}

    const std::uint64_t id;  ///< also the id of its pool job
    const PreparedCall call;
    const std::string client;  ///< who queued it: whose turn it takes and whose session it uses
    const int weight;          ///< of that client
    std::stop_source stop;     ///< raised only after `reason` was stored

    std::mutex mutex;
    State state = State::queued;
    engine::StopReason reason =
        engine::StopReason::none;  ///< why it was told to stop; the first one stays
    std::vector<SubscriptionPointer> subscriptions;
    Snapshot latest;  ///< newest progress and newest best answer
    /// Progress of the completed depths, kept for the cache.
    std::vector<std::shared_ptr<const std::string>> depths;
    Clock::time_point started;
};
using SearchPointer = std::shared_ptr<Search>;

}  // namespace yomi::service
