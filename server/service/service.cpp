#include "server/service/service.hpp"

#include <algorithm>
#include <cassert>
#include <exception>
#include <utility>

#include "server/service/ids.hpp"
#include "server/service/service_impl.hpp"

namespace yomi::service {

namespace {

/// Up to here a payload is decoded where it arrives; above, reading it would hold up the network
/// thread.
constexpr std::size_t kInlineDecodeBytes = 4096;

std::size_t size_of(const Payload& payload) {
    std::size_t bytes = payload.body.size();
    for (const auto& [name, value] : payload.query)
        bytes += name.size() + value.size();
    return bytes;
}

std::shared_ptr<const std::string> queued_body(std::size_t ahead) {
    return std::make_shared<const std::string>("{\"ahead\":" + std::to_string(ahead) + "}");
}

pool::PoolOptions pool_options(const ServiceOptions& options) {
    using std::chrono::milliseconds;
    // No larger than the cheapest job: with more, a client's turn is as many cheap jobs as fit into
    // it, and whoever has one waits for all of them. Idle rounds are skipped, so it costs nothing.
    constexpr auto kQuantum = milliseconds(1);
    return {.short_lane = {.workers = options.short_workers,
                           .queue = {.capacity = options.max_short_queue,
                                     .quantum = kQuantum,
                                     .rise_after = options.batch_rises_after},
                           .nice = 0,
                           .name = "yomi-short"},
            .search_lane = {.workers = options.search_workers,
                            .queue = {.capacity = options.limits.max_queue,
                                      .quantum = kQuantum,
                                      .rise_after = options.batch_rises_after},
                            .nice = options.search_nice,
                            .name = "yomi-search",
                            .warm_up = options.warm_up},
            .on_failure = [log = options.log](std::string_view message) {
                if (log) log("error", message);
            }};
}

}  // namespace

Service::Impl::Impl(ServiceOptions service_options, std::vector<Method> list)
    : options(std::move(service_options)),
      methods(std::move(list)),
      cache(options.cache_bytes),
      memory(options.memory_budget_bytes, options.search_workers),
      jobs(timer, options.job_ttl, options.max_jobs),
      batches(*this),
      pool(pool_options(options)) {
    for (const Method& method : methods)
        by_name.emplace(method.name, &method);
    apply_limits(options.limits);
}

const Method* Service::Impl::find_method(std::string_view name) const noexcept {
    const auto found = by_name.find(name);
    return found == by_name.end() ? nullptr : found->second;
}

std::shared_ptr<const Limits> Service::Impl::current_limits() const {
    const std::lock_guard lock(mutex);
    return limits;
}

/// What is published is what is given: no request may ask for more than its share of the memory.
void Service::Impl::apply_limits(const Limits& wanted) {
    auto next = std::make_shared<Limits>(wanted);
    next->max_hash_mib = std::min(next->max_hash_mib, memory.max_lease() >> 20);
    next->default_hash_mib = std::min(next->default_hash_mib, next->max_hash_mib);
    pool.lane(pool::Lane::search).set_capacity(next->max_queue);
    {
        const std::lock_guard lock(mutex);
        limits = std::move(next);
    }
    cache.forget_questions();  // they were clamped to the old ones
}

int Service::Impl::wait_s(pool::Lane lane, std::size_t waiting) const {
    const auto wait = pool.lane(lane).expected_wait(waiting);
    return static_cast<int>(
        std::clamp<std::int64_t>(std::chrono::ceil<std::chrono::seconds>(wait).count(), 1, 3600));
}

Refusal Service::Impl::refusal(ErrorCode code, std::string message, pool::Lane lane) const {
    Refusal refusal{.error = {.code = code, .message = std::move(message)}};
    switch (code) {
        case ErrorCode::busy:            // until one place is free
        case ErrorCode::quota_exceeded:  // until about one of the client's own requests has ended
            refusal.retry_after_s = wait_s(lane, 1);
            break;
        case ErrorCode::deadline_exceeded:  // until what waits now has run
            refusal.retry_after_s = wait_s(lane, pool.lane(lane).stats().queued + 1);
            break;
        case ErrorCode::draining:
            refusal.retry_after_s = 5;
            break;  // a restart takes seconds
        default:
            break;
    }
    return refusal;
}

/// Enters a subscription into the registry: from now on exactly one final event is owed.
void Service::Impl::admit(const SubscriptionPointer& subscription) {
    requests.fetch_add(1, std::memory_order_relaxed);
    const std::lock_guard lock(mutex);
    live.emplace(subscription->ticket, subscription);
    ++live_of_client[subscription->client];
    ++open;
}

std::optional<Refusal> Service::Impl::check(const Subscription& subscription,
                                            const Method* method,
                                            Role role) {
    if (method == nullptr) {
        Refusal unknown = refusal(ErrorCode::unknown_method, "there is no such method", {});
        unknown.error.value = subscription.method;
        return unknown;
    }
    if (role < method->min_role) {
        return role == Role::anonymous
                   ? refusal(ErrorCode::unauthorized, "this method needs a key", {})
                   : refusal(ErrorCode::forbidden, "this key's role may not use this method", {});
    }
    if (draining.load(std::memory_order_acquire)) {
        return refusal(ErrorCode::draining, "the server is shutting down", pool::Lane::search);
    }
    bool over_quota = false;
    {
        const std::lock_guard lock(mutex);
        const auto count = live_of_client.find(subscription.client);
        over_quota = count != live_of_client.end() && count->second > limits->max_live_per_client;
    }
    if (over_quota) {
        return refusal(ErrorCode::quota_exceeded,
                       "too many requests of this client are in flight",
                       pool::Lane::search);
    }
    return std::nullopt;
}

/// From arrival to decoding. A refusal is returned, not posted: a job's starter gets it in another
/// form.
std::optional<Refusal> Service::Impl::start(const SubscriptionPointer& subscription,
                                            Payload payload,
                                            Role role) {
    const Method* const method = find_method(subscription->method);
    if (auto refused = check(*subscription, method, role)) return refused;
    if (size_of(payload) <= kInlineDecodeBytes) {
        return decode_and_attach(subscription, *method, payload, nullptr);
    }

    const std::uint64_t number = next_number.fetch_add(1, std::memory_order_relaxed);
    const auto raw = std::make_shared<const Payload>(std::move(payload));
    pool::Job job{.id = number,
                  .lane = pool::Lane::short_,
                  .client = subscription->client,
                  .run = [this, subscription, method, raw](pool::Worker& worker) {
                      const auto refused = decode_and_attach(subscription, *method, *raw, &worker);
                      if (refused) refuse(subscription, *refused);
                  }};
    const std::lock_guard lock(mutex);
    if (!live.contains(subscription->ticket)) return std::nullopt;  // ended by a shutdown
    if (!pool.lane(pool::Lane::short_).submit(std::move(job))) {
        return refusal(ErrorCode::busy, "too many requests wait to be read", pool::Lane::short_);
    }
    subscription->decode_job = number;
    return std::nullopt;
}

std::optional<Refusal> Service::Impl::decode_and_attach(const SubscriptionPointer& subscription,
                                                        const Method& method,
                                                        const Payload& payload,
                                                        pool::Worker* here) {
    Result<PreparedCall> call = fail(ErrorCode::internal, "internal error");
    subscription->era = cache.era();
    subscription->revision = revision_of(method);
    try {
        call = method.decode(payload, *current_limits());
    } catch (const std::exception& error) {
        log("error", error.what());
    } catch (...) {
        log("error", "decoding threw something that is not a std::exception");
    }
    if (!call) return Refusal{.error = std::move(call.error())};
    return attach(subscription, std::move(*call), here);
}

/// From decoding to the queue, or to a search that already does the same work.
std::optional<Refusal> Service::Impl::attach(const SubscriptionPointer& subscription,
                                             PreparedCall call,
                                             pool::Worker* here) {
    const bool stored = answer_from_cache(call, *subscription);
    const pool::Lane lane = call.lane;
    const bool joins = lane == pool::Lane::search && !call.join_key.empty() && call.session.empty();
    const bool runs_here =
        lane == pool::Lane::inline_ || (lane == pool::Lane::short_ && here != nullptr);
    std::optional<Clock::time_point> deadline;
    if (call.deadline) deadline = subscription->arrived + *call.deadline;
    if (deadline && *deadline <= Clock::now()) {
        return refusal(
            ErrorCode::deadline_exceeded, "the deadline passed before the work could start", lane);
    }

    SearchPointer search;
    {
        const std::lock_guard lock(mutex);
        if (!live.contains(subscription->ticket))
            return std::nullopt;  // ended while it was decoded
        if (draining.load(std::memory_order_relaxed)) {
            return refusal(ErrorCode::draining, "the server is shutting down", lane);
        }
        subscription->min_interval = call.min_interval;
        subscription->record.batch = call.priority == pool::Priority::batch;
        if (joins) subscription->cache = "miss";
        if (stored) subscription->cache = "hit";
        if (!joins || !join(subscription, call)) {
            search = std::make_shared<Search>(next_number.fetch_add(1, std::memory_order_relaxed),
                                              std::move(call),
                                              subscription->client,
                                              subscription->weight);
            // Held until the queued event is posted: the worker may begin as soon as the pool has
            // the job.
            const std::lock_guard search_lock(search->mutex);
            const std::optional<std::size_t> ahead = runs_here ? 0 : enqueue(search);
            if (!ahead) {
                return refusal(ErrorCode::busy, "the queue is full", lane);
            }
            search->subscriptions.push_back(subscription);
            subscription->search = search;
            searches.emplace(search->id, search);
            if (joins) joinable.emplace(search->call.join_key, search);
            if (subscription->want_events) {
                subscription->outbox.post(proto::EventKind::queued, queued_body(*ahead));
            }
        }
        if (deadline) set_deadline(*subscription, *deadline);
    }
    flush(subscription);
    if (!search || !runs_here) return std::nullopt;
    if (here != nullptr) {
        run(search, *here);
    } else {
        run_inline(search);
    }
    return std::nullopt;
}

std::optional<std::size_t> Service::Impl::enqueue(const SearchPointer& search) {
    const PreparedCall& call = search->call;
    return pool.lane(call.lane).submit(
        {.id = search->id,
         .lane = call.lane,
         .priority = call.priority,
         .client = search->client,
         .weight = search->weight,
         .estimate = call.estimate,
         .run = [this, search](pool::Worker& worker) { run(search, worker); }});
}

/// Adds a subscription to the search that does the same work, if there is one; shows it what the
/// others have seen. Under the registry's lock.
bool Service::Impl::join(const SubscriptionPointer& subscription, const PreparedCall& call) {
    const auto found = joinable.find(call.join_key);
    if (found == joinable.end()) return false;
    Search& search = *found->second;
    const std::lock_guard lock(search.mutex);
    assert(search.state != Search::State::done && search.reason == engine::StopReason::none);
    subscription->cache = "join";
    subscription->search = found->second;
    search.subscriptions.push_back(subscription);
    joined.fetch_add(1, std::memory_order_relaxed);
    pool::LanePool& lane = pool.lane(search.call.lane);
    if (call.priority == pool::Priority::interactive) lane.raise(search.id);
    if (!subscription->want_events) return true;

    const std::size_t ahead = lane.ahead(search.id).value_or(0);
    subscription->outbox.post(proto::EventKind::queued, queued_body(ahead));
    if (search.state == Search::State::running) {
        subscription->outbox.post(proto::EventKind::started,
                                  std::make_shared<const std::string>("{}"));
        if (search.latest.progress) {
            subscription->last_progress = Clock::now();
            subscription->outbox.post(proto::EventKind::progress, search.latest.progress);
            progress_events.fetch_add(1, std::memory_order_relaxed);
        }
    }
    return true;
}

void Service::Impl::set_deadline(Subscription& subscription, Clock::time_point when) {
    subscription.deadline = timer.at(when, [this, ticket = subscription.ticket] {
        end(ticket, engine::StopReason::deadline, Ending::deliver);
    });
}

void Service::Impl::log(std::string_view level, std::string_view message) const {
    if (options.log) options.log(level, message);
}

// ---- the public face ----

Service::Service(ServiceOptions options, std::vector<Method> methods)
    : impl_(std::make_unique<Impl>(std::move(options), std::move(methods))) {}

Service::~Service() {
    impl_->shutdown(std::chrono::milliseconds(0));
    impl_->timer.stop();
    impl_->pool.stop();
}

const std::vector<Method>& Service::methods() const noexcept {
    return impl_->methods;
}

const Method* Service::find_method(std::string_view name) const noexcept {
    return impl_->find_method(name);
}

Limits Service::limits() const {
    return *impl_->current_limits();
}

void Service::set_limits(const Limits& limits) {
    impl_->apply_limits(limits);
}

Ticket Service::Impl::submit(Call call, std::shared_ptr<Reply> reply) {
    if (call.id.empty()) call.id = new_id("r-");
    Payload payload = std::move(call.payload);
    const Role role = call.role;
    const Ticket ticket = next_number.fetch_add(1, std::memory_order_relaxed);
    const auto subscription = std::make_shared<Subscription>(ticket, call, std::move(reply));
    admit(subscription);
    if (const auto refused = start(subscription, std::move(payload), role)) {
        refuse(subscription, *refused);
    }
    return ticket;
}

Ticket Service::submit(Call call, std::shared_ptr<Reply> reply) {
    return impl_->submit(std::move(call), std::move(reply));
}

std::optional<proto::Event> Service::recall(const Call& call) {
    return impl_->recall(call);
}

void Service::forget_questions() {
    impl_->cache.forget_questions();
}

void Service::lend(std::string client, std::function<void()> work) {
    const std::uint64_t number = impl_->next_number.fetch_add(1, std::memory_order_relaxed);
    (void)impl_->pool.lane(pool::Lane::short_)
        .submit({.id = number,
                 .lane = pool::Lane::short_,
                 .client = std::move(client),
                 .run = [work = std::move(work)](pool::Worker&) { work(); }});
}

void Service::cancel(Ticket ticket, engine::StopReason reason) {
    impl_->end(ticket, reason, Impl::Ending::deliver);
}

void Service::abandon(Ticket ticket) {
    if (impl_->jobs.abandon(ticket)) return;
    if (impl_->batches.end(ticket, engine::StopReason::client_gone, Batches::Ending::silent))
        return;
    impl_->end(ticket, engine::StopReason::client_gone, Impl::Ending::silent);
}

Result<std::string> Service::start_job(Call call) {
    const Ticket ticket = impl_->next_number.fetch_add(1, std::memory_order_relaxed);
    auto job = impl_->jobs.open(call.method, call.client, ticket);
    if (!job) {
        impl_->requests.fetch_add(1, std::memory_order_relaxed);
        impl_->count({.error = job.error()});
        return tl::unexpected(std::move(job.error()));
    }
    call.id = job->id;
    call.want_events = true;
    Payload payload = std::move(call.payload);
    const Role role = call.role;
    const auto subscription = std::make_shared<Subscription>(ticket, call, std::move(job->reply));
    impl_->admit(subscription);
    auto refused = impl_->start(subscription, std::move(payload), role);
    if (refused && impl_->withdraw(subscription, *refused)) {
        impl_->jobs.forget(job->id);
        return tl::unexpected(std::move(refused->error));
    }
    return job->id;
}

Result<JobView> Service::job(std::string_view id, std::string_view client, Role role) const {
    return impl_->jobs.view(id, client, role);
}

Result<void> Service::delete_job(std::string_view id, std::string_view client, Role role) {
    const auto ticket = impl_->jobs.remove(id, client, role);
    if (!ticket) return tl::unexpected(ticket.error());
    constexpr auto kReason = engine::StopReason::cancelled;
    if (impl_->batches.end(*ticket, kReason, Batches::Ending::deliver)) return {};
    impl_->end(*ticket, kReason, Impl::Ending::deliver);
    return {};
}

std::vector<JobView> Service::jobs(std::string_view client) const {
    return impl_->jobs.list(client);
}

Ticket Service::submit_batch(std::vector<Call> calls, Batches::Each each) {
    return impl_->batches.submit(std::move(calls), std::move(each));
}

Result<std::string> Service::start_batch_job(std::vector<Call> calls, std::string client) {
    if (impl_->draining.load(std::memory_order_acquire)) {
        return fail(ErrorCode::draining, "the server is shutting down");
    }
    return impl_->batches.start_job(std::move(calls), std::move(client));
}

Result<Ticket> Service::follow_job(std::string_view id,
                                   std::string_view client,
                                   Role role,
                                   std::optional<std::uint64_t> last_seq,
                                   std::shared_ptr<Reply> reply) {
    const Ticket ticket = impl_->next_number.fetch_add(1, std::memory_order_relaxed);
    const auto followed = impl_->jobs.follow(id, client, role, last_seq, ticket, std::move(reply));
    if (!followed) return tl::unexpected(followed.error());
    return ticket;
}

void Service::shutdown(std::chrono::milliseconds grace) {
    impl_->shutdown(grace);
}

bool Service::draining() const noexcept {
    return impl_->draining.load(std::memory_order_acquire);
}

int Service::retry_after_s(ErrorCode code) const {
    return std::max(impl_->refusal(code, {}, pool::Lane::search).retry_after_s, 1);
}

ServiceStats Service::stats() const {
    const auto read = [](const std::atomic<std::uint64_t>& counter) {
        return counter.load(std::memory_order_relaxed);
    };
    ServiceStats stats;
    stats.requests = read(impl_->requests);
    stats.results = read(impl_->results);
    stats.errors = read(impl_->errors);
    stats.cancelled = read(impl_->cancelled);
    stats.joined = read(impl_->joined);
    stats.cache_hits = read(impl_->cache_hits);
    stats.cache_bytes = impl_->cache.bytes();
    stats.cache_entries = impl_->cache.entries();
    stats.nodes = read(impl_->nodes);
    stats.rejected_busy = read(impl_->rejected_busy);
    stats.rejected_quota = read(impl_->rejected_quota);
    stats.progress_events = read(impl_->progress_events);
    stats.store_hits = read(impl_->store_hits);
    if (impl_->options.store) stats.store = impl_->options.store->stats();
    stats.search_lane = impl_->pool.lane(pool::Lane::search).stats();
    stats.short_lane = impl_->pool.lane(pool::Lane::short_).stats();
    stats.queued = stats.search_lane.queued;
    stats.running = stats.search_lane.running;
    stats.jobs = impl_->jobs.size();
    stats.memory_bytes_leased = impl_->memory.leased();
    stats.memory_bytes_total = impl_->memory.total();
    const std::lock_guard lock(impl_->mutex);
    stats.live = impl_->live.size();
    return stats;
}

}  // namespace yomi::service
