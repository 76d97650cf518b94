// The running of a search and every way in which a subscription ends.
#include <algorithm>
#include <cassert>
#include <exception>
#include <utility>

#include "server/service/result_record.hpp"
#include "server/service/service_impl.hpp"

namespace yomi::service {

using engine::StopReason;
using proto::EventKind;

namespace {

/// A client that joined a running search did not queue, and its engine time begins with its
/// arrival.
void note_times(Subscription& subscription, const Search& search, Clock::time_point now) {
    const auto begin = std::max(search.started, subscription.arrived);
    subscription.record.queue_time = between(subscription.arrived, begin);
    subscription.record.engine_time = between(begin, now);
}

}  // namespace

// ---- running ----

/// One search from begin to final, on a worker's thread. What the call throws leaves again after
/// the subscribers have their `error`: the worker's one catch logs it.
void Service::Impl::run(const SearchPointer& search, pool::Worker& worker) {
    if (!begin(search)) return;
    Result<Outcome> result = fail(ErrorCode::internal, "internal error");
    try {
        // Only search workers lease: the budget is divided by their number.
        pool::MemoryLease lease;
        const PreparedCall& call = search->call;
        if (call.lane == pool::Lane::search) {
            lease = memory.lease(call.budget.hash_bytes, search->client, call.session);
        }
        RunContext context{
            .worker = worker,
            .memory = lease.memory(),
            .stop = search->stop.get_token(),
            .progress = [this, search](Snapshot snapshot) { progress(search, snapshot); }};
        if (call.lane == pool::Lane::search && pool.lane(call.lane).workers() > 1) {
            context.share = [this, &search, &context](const Piece& piece, int at_most) {
                share(search, context, piece, at_most);
            };
        }
        try {
            result = call.run(context);
        } catch (...) {
            lease.discard();  // tables that were left half-written must not warm the next search
            throw;
        }
    } catch (...) {
        finish(search, result);
        throw;
    }
    finish(search, result);
}

/// The same on the caller's thread, which must not see exceptions.
void Service::Impl::run_inline(const SearchPointer& search) noexcept {
    try {
        pool::Worker passing(-1);  // inline work has no engine worth keeping
        run(search, passing);
    } catch (const std::exception& error) {
        log("error", error.what());
    } catch (...) {
        log("error", "an inline call threw something that is not a std::exception");
    }
}

/// False: everybody left before the worker came.
bool Service::Impl::begin(const SearchPointer& search) {
    std::vector<SubscriptionPointer> told;
    {
        const std::lock_guard lock(search->mutex);
        if (search->state != Search::State::queued) return false;
        search->state = Search::State::running;
        search->started = Clock::now();
        for (const SubscriptionPointer& subscription : search->subscriptions) {
            if (!subscription->want_events) continue;
            subscription->outbox.post(EventKind::started, empty_object());
            told.push_back(subscription);
        }
    }
    for (const SubscriptionPointer& subscription : told)
        flush(subscription);
    return true;
}

/// Every completed depth goes out; updates within a depth only as often as each subscriber asked
/// for.
void Service::Impl::progress(const SearchPointer& search, const Snapshot& snapshot) {
    std::vector<SubscriptionPointer> told;
    {
        const std::lock_guard lock(search->mutex);
        if (search->state != Search::State::running) return;
        if (snapshot.progress) {
            search->latest.progress = snapshot.progress;
            if (snapshot.depth_complete && !search->call.cache_key.empty())
                search->depths.push_back(snapshot.progress);
        }
        if (snapshot.best) {
            search->latest.best = snapshot.best;
            search->latest.best_text = snapshot.best_text;
        }
        if (!snapshot.progress) return;
        const auto now = Clock::now();
        for (const SubscriptionPointer& subscription : search->subscriptions) {
            if (!subscription->want_events) continue;
            const bool soon = now - subscription->last_progress < subscription->min_interval;
            if (soon && !snapshot.depth_complete) continue;
            subscription->last_progress = now;
            subscription->outbox.post(EventKind::progress, snapshot.progress);
            told.push_back(subscription);
        }
    }
    progress_events.fetch_add(told.size(), std::memory_order_relaxed);
    for (const SubscriptionPointer& subscription : told)
        flush(subscription);
}

/// The final for all who still wait. `cancelled` if a reason was stored before the run ended.
void Service::Impl::finish(const SearchPointer& search, const Result<Outcome>& result) {
    std::vector<SubscriptionPointer> told;
    std::optional<Effort> kept;
    const auto now = Clock::now();
    if (result) nodes.fetch_add(result->nodes, std::memory_order_relaxed);
    {
        const std::lock_guard lock(mutex);
        const std::lock_guard search_lock(search->mutex);
        search->state = Search::State::done;
        forget(*search);
        told.swap(search->subscriptions);
        const bool stopped = search->reason != StopReason::none;
        if (result && !stopped) kept = keep(*search, *result, now);
        for (const SubscriptionPointer& subscription : told) {
            RequestRecord& noted = subscription->record;
            note_times(*subscription, *search, now);
            noted.nodes = result ? result->nodes : 0;
            if (!result) {
                post_error(*subscription, {.error = result.error()});
                continue;
            }
            noted.stopped_by = stopped ? search->reason : result->stopped_by;
            proto::Event event = result_event(*result, subscription->cache);
            if (stopped) {
                event.kind = EventKind::cancelled;
                event.extra = extra_members(subscription->cache, noted.stopped_by);
            } else {
                note_question(*subscription, search->call);
            }
            post_final(*subscription, std::move(event));
        }
    }
    for (const SubscriptionPointer& subscription : told)
        flush(subscription);
    if (kept) {
        options.store->put(search->call.cache_key,
                           encode_record({.outcome = *result, .depths = search->depths}, *kept));
    }
}

// ---- ending early ----

/// Ends one subscription: `cancel`, a passed deadline, a client that is gone, a shutdown.
void Service::Impl::end(Ticket ticket, StopReason reason, Ending ending, bool only_queued) {
    SubscriptionPointer subscription;
    SearchPointer search;
    Left left = Left::no;
    {
        const std::lock_guard lock(mutex);
        const auto found = live.find(ticket);
        if (found == live.end()) return;
        subscription = found->second;
        search = subscription->search;
        left = leave(subscription, reason, ending, only_queued);
    }
    if (left == Left::when_stopped) search->stop.request_stop();
    if (ending == Ending::deliver) {
        flush(subscription);
    } else if (left != Left::no && subscription->outbox.drop()) {
        subscription->record.outcome = "abandoned";
        close(*subscription);
    }
}

/// The part of `end` under the registry's lock. `when_stopped`: the caller must raise the stop
/// token, and the final (if one is owed) comes with the engine's answer. The reason is stored
/// before that.
Service::Impl::Left Service::Impl::leave(const SubscriptionPointer& subscription,
                                         StopReason reason,
                                         Ending ending,
                                         bool only_queued) {
    const SearchPointer search = subscription->search;
    if (!search) {  // not decoded yet
        if (only_queued) return Left::no;
        if (subscription->decode_job != 0) {
            pool.lane(pool::Lane::short_).remove(subscription->decode_job);
        }
        if (ending == Ending::deliver) {
            post_early_end(*subscription, reason);
        } else {
            retire(*subscription);
        }
        return Left::at_once;
    }

    const std::lock_guard lock(search->mutex);
    const bool last = search->subscriptions.size() == 1;
    const bool running = search->state == Search::State::running;
    if (only_queued && (running || search->call.lane != pool::Lane::search)) return Left::no;
    if (running) note_times(*subscription, *search, Clock::now());
    const bool stops_already = search->reason != StopReason::none;
    if (running && (last || (stops_already && ending == Ending::deliver))) {
        if (!stops_already) search->reason = reason;
        unjoin(*search);
        if (ending == Ending::silent) {
            search->subscriptions.clear();
            retire(*subscription);
        }
        return Left::when_stopped;
    }

    std::erase(search->subscriptions, subscription);
    if (search->state == Search::State::queued && last) {
        // False when a worker has just taken it: that worker finds it done and does nothing.
        pool.lane(search->call.lane).remove(search->id);
        search->state = Search::State::done;
        forget(*search);
    }
    if (ending == Ending::silent) {
        retire(*subscription);
    } else if (running) {
        post_cancelled(*subscription, reason, search->latest);
    } else {
        post_early_end(*subscription, reason);
    }
    return Left::at_once;
}

/// The final of a call that has not begun.
void Service::Impl::post_early_end(Subscription& subscription, StopReason reason) {
    switch (reason) {
        case StopReason::deadline:
            post_error(subscription,
                       refusal(ErrorCode::deadline_exceeded,
                               "the deadline passed before the work could start",
                               pool::Lane::search));
            break;
        case StopReason::shutdown:
            post_error(
                subscription,
                refusal(ErrorCode::draining, "the server is shutting down", pool::Lane::search));
            break;
        default:
            post_cancelled(subscription, reason, {});
            break;
    }
}

void Service::Impl::post_cancelled(Subscription& subscription,
                                   StopReason reason,
                                   const Snapshot& latest) {
    subscription.record.stopped_by = reason;
    proto::Event event;
    event.kind = EventKind::cancelled;
    event.body = latest.best ? latest.best : empty_object();
    event.text = latest.best_text;
    event.extra = extra_members(subscription.cache, reason);
    post_final(subscription, std::move(event));
}

void Service::Impl::post_error(Subscription& subscription, const Refusal& refused) {
    subscription.record.error = refused.error.code;
    count(refused);
    proto::Event event;
    event.kind = EventKind::error;
    event.body = std::make_shared<const std::string>(
        proto::problem_json(refused.error, subscription.outbox.id()));
    event.status = proto::problem_kind(refused.error.code).status;
    event.retry_after_s = refused.retry_after_s;
    post_final(subscription, std::move(event));
}

/// Posts the one final of a subscription that is live and takes it out of the registry. Under its
/// lock.
void Service::Impl::post_final(Subscription& subscription, proto::Event event) {
    switch (event.kind) {
        case EventKind::result:
            results.fetch_add(1, std::memory_order_relaxed);
            break;
        case EventKind::cancelled:
            cancelled.fetch_add(1, std::memory_order_relaxed);
            break;
        default:
            break;  // errors are counted with their code
    }
    RequestRecord& record = subscription.record;
    record.outcome = proto::to_string(event.kind);
    record.cache = subscription.cache;
    retire(subscription);
    [[maybe_unused]] const bool posted = subscription.outbox.post(std::move(event));
    assert(posted);
}

void Service::Impl::count(const Refusal& refused) {
    errors.fetch_add(1, std::memory_order_relaxed);
    if (refused.error.code == ErrorCode::busy) {
        rejected_busy.fetch_add(1, std::memory_order_relaxed);
    }
    if (refused.error.code == ErrorCode::quota_exceeded) {
        rejected_quota.fetch_add(1, std::memory_order_relaxed);
    }
}

/// The final of a call that was refused on its way in.
void Service::Impl::refuse(const SubscriptionPointer& subscription, const Refusal& refused) {
    {
        const std::lock_guard lock(mutex);
        if (!live.contains(subscription->ticket)) return;  // ended meanwhile, with its own final
        post_error(*subscription, refused);
    }
    flush(subscription);
}

/// Takes a refused call back without an event. False: it has ended with a final of its own.
bool Service::Impl::withdraw(const SubscriptionPointer& subscription, const Refusal& refused) {
    {
        const std::lock_guard lock(mutex);
        if (!live.contains(subscription->ticket)) return false;
        retire(*subscription);
    }
    count(refused);
    subscription->outbox.drop();
    subscription->record.outcome = "error";
    subscription->record.error = refused.error.code;
    close(*subscription);
    return true;
}

/// Out of the registry: no longer live, no longer counted against its client. Under its lock. The
/// quota is freed before the final is delivered, so that a client may send its next request at
/// once.
void Service::Impl::retire(Subscription& subscription) {
    timer.cancel(subscription.deadline);
    subscription.search.reset();
    RequestRecord& record = subscription.record;
    if (record.queue_time.count() == 0 && record.engine_time.count() == 0) {  // it never started
        record.queue_time = between(subscription.arrived, Clock::now());
    }
    if (const auto count = live_of_client.find(subscription.client);
        count != live_of_client.end() && --count->second == 0) {
        live_of_client.erase(count);
    }
    live.erase(subscription.ticket);
}

/// Nobody joins this search any more: it stops or has ended. Under the registry's lock. By
/// identity, because a younger search may have the same key.
void Service::Impl::unjoin(const Search& search) {
    const auto found = joinable.find(search.call.join_key);
    if (found != joinable.end() && found->second.get() == &search) joinable.erase(found);
}

/// Out of the registry. Under its lock; the caller holds a reference.
void Service::Impl::forget(const Search& search) {
    unjoin(search);
    searches.erase(search.id);
}

/// Delivers what was posted. Never with a lock held.
void Service::Impl::flush(const SubscriptionPointer& subscription) {
    if (subscription->outbox.flush()) close(*subscription);
}

/// After the final event: the log's record, and shutdown need not wait for this one.
void Service::Impl::close(const Subscription& subscription) {
    if (options.on_final) {
        RequestRecord record = subscription.record;
        record.id = subscription.outbox.id();
        // Not what a client calls a method of its own: it may be long, and anything.
        record.method = find_method(subscription.method) ? subscription.method : "unknown";
        record.client = subscription.client;
        options.on_final(record);
    }
    const std::lock_guard lock(mutex);
    if (--open == 0) nothing_open.notify_all();
}

}  // namespace yomi::service
