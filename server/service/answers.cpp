// Stored answers: finding them, keeping them, and the final event that they become.
#include <algorithm>
#include <utility>

#include "server/service/result_record.hpp"
#include "server/service/service_impl.hpp"

namespace yomi::service {

using engine::StopReason;

namespace {

/// Longer ones are rare, and decoding them costs little beside moving them.
constexpr std::size_t kMaxQuestionBytes = 4096;

/// A change of what the answers stand on makes it another question: the answers of before age out.
std::string question_of(std::string_view method, std::uint64_t revision, std::string_view words) {
    constexpr std::size_t kRevision = 21;
    std::string question;
    question.reserve(method.size() + kRevision + 1 + words.size());
    question += method;
    if (revision != 0) {
        question += '@';
        question += std::to_string(revision);
    }
    question += '?';
    question += words;
    return question;
}

}  // namespace

std::uint64_t revision_of(const Method& method) {
    return method.revision ? method.revision() : 0;
}

std::shared_ptr<const std::string> empty_object() {
    static const auto kEmpty = std::make_shared<const std::string>("{}");
    return kEmpty;
}

std::string extra_members(std::string_view cache, StopReason stopped_by) {
    std::string extra;
    if (!cache.empty()) extra = "\"cache\":\"" + std::string(cache) + "\"";
    if (stopped_by != StopReason::none) {
        if (!extra.empty()) extra += ',';
        extra += "\"stopped_by\":\"" + std::string(to_string(stopped_by)) + "\"";
    }
    return extra;
}

proto::Event result_event(const Outcome& outcome, std::string_view cache) {
    proto::Event event;
    event.kind = proto::EventKind::result;
    event.body = outcome.body ? outcome.body : empty_object();
    event.text = outcome.text;
    event.file = outcome.file;
    if (outcome.show_effort) event.extra = extra_members(cache, outcome.stopped_by);
    return event;
}

/// A stored answer that serves turns the call into inline work that has nothing left to do.
bool Service::Impl::answer_from_cache(PreparedCall& call, const Subscription& subscription) {
    if (call.cache_key.empty() || !call.session.empty()) return false;
    auto found = cache.find(call.cache_key, call.budget);
    if (!found) found = find_on_disk(call);
    if (!found) return false;
    note_question(subscription, call);
    cache_hits.fetch_add(1, std::memory_order_relaxed);
    found->outcome.nodes = 0;  // spent once, when it was found
    call.lane = pool::Lane::inline_;
    call.cache_key.clear();
    call.run = [stored = std::move(*found)](RunContext& context) -> Result<Outcome> {
        for (const auto& depth : stored.depths)
            context.progress({.progress = depth, .best = {}, .best_text = {}});
        return stored.outcome;
    };
    return true;
}

/// The next call in the same words need not be decoded.
void Service::Impl::note_question(const Subscription& subscription, const PreparedCall& call) {
    if (call.cache_key.empty() || !call.session.empty() || subscription.question.empty() ||
        subscription.question.size() > kMaxQuestionBytes)
        return;
    cache.note_question(
        question_of(subscription.method, subscription.revision, subscription.question),
        call.cache_key,
        call.budget,
        call.priority == pool::Priority::batch,
        subscription.era);
}

std::optional<proto::Event> Service::Impl::recall(const Call& call) {
    const auto arrived = Clock::now();
    if (call.question.empty() || draining.load(std::memory_order_acquire)) return std::nullopt;
    const Method* const method = find_method(call.method);
    if (method == nullptr || call.role < method->min_role) return std::nullopt;
    {
        const std::lock_guard lock(mutex);
        const auto count = live_of_client.find(call.client);
        if (count != live_of_client.end() && count->second >= limits->max_live_per_client)
            return std::nullopt;
    }
    auto found = cache.find_question(question_of(call.method, revision_of(*method), call.question));
    if (!found) return std::nullopt;
    const Outcome& outcome = found->outcome;
    proto::Event event = result_event(outcome, "hit");
    event.id = call.id;
    requests.fetch_add(1, std::memory_order_relaxed);
    results.fetch_add(1, std::memory_order_relaxed);
    cache_hits.fetch_add(1, std::memory_order_relaxed);
    if (options.on_final) {
        options.on_final({.id = call.id,
                          .method = call.method,
                          .client = call.client,
                          .outcome = proto::to_string(event.kind),
                          .error = std::nullopt,
                          .stopped_by = outcome.stopped_by,
                          .cache = "hit",
                          .engine_time = between(arrived, Clock::now()),
                          .batch = found->batch});
    }
    return event;
}

/// An answer of an earlier life of the server, taken back into memory.
std::optional<Stored> Service::Impl::find_on_disk(const PreparedCall& call) {
    if (!options.store || !call.durable) return std::nullopt;
    const auto bytes = options.store->find(call.cache_key);
    if (!bytes) return std::nullopt;
    auto record = decode_record(*bytes);
    if (!record || !serves(record->effort, call.budget)) return std::nullopt;
    store_hits.fetch_add(1, std::memory_order_relaxed);
    cache.put(call.cache_key, record->stored, record->effort);
    return std::move(record->stored);
}

/// Keeps an answer that ended by itself in memory; one from warm tables is nobody else's. Returns
/// the work behind it if it belongs on the disk too: that is for later, with no lock held.
std::optional<Effort> Service::Impl::keep(const Search& search,
                                          const Outcome& outcome,
                                          Clock::time_point now) {
    const PreparedCall& call = search.call;
    if (call.cache_key.empty() || !call.session.empty()) return std::nullopt;
    if (outcome.stopped_by == StopReason::cancelled) return std::nullopt;
    Effort effort = effort_of(call.budget, outcome, between(search.started, now));
    // A key that names its limits too has equal questions only.
    if (call.cache_key == call.join_key) effort.complete = true;
    cache.put(call.cache_key, {.outcome = outcome, .depths = search.depths}, effort);
    return options.store && call.durable ? std::optional(effort) : std::nullopt;
}

}  // namespace yomi::service
