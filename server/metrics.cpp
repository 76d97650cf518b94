#include "server/metrics.hpp"

#include <algorithm>
#include <array>
#include <malloc.h>
#include <map>
#include <mutex>
#include <prometheus/counter.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

namespace yomi::server {
namespace {

using prometheus::MetricFamily;
using prometheus::MetricType;

/// Unit: seconds. From a cached answer to the longest allowed search.
const prometheus::Histogram::BucketBoundaries& buckets() {
    static const prometheus::Histogram::BucketBoundaries bounds = {
        0.0001, 0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300};
    return bounds;
}

MetricFamily one(const char* name, const char* help, MetricType type, double value) {
    MetricFamily family{.name = name, .help = help, .type = type, .metric = {}};
    prometheus::ClientMetric metric;
    if (type == MetricType::Counter) {
        metric.counter.value = value;
    } else {
        metric.gauge.value = value;
    }
    family.metric.push_back(std::move(metric));
    return family;
}

/// A gauge with one label, several values.
MetricFamily labelled(const char* name,
                      const char* help,
                      std::initializer_list<std::pair<prometheus::Labels, double>> values) {
    MetricFamily family{.name = name, .help = help, .type = MetricType::Gauge, .metric = {}};
    for (const auto& [labels, value] : values) {
        prometheus::ClientMetric metric;
        for (const auto& [key, word] : labels)
            metric.label.push_back({.name = key, .value = word});
        metric.gauge.value = value;
        family.metric.push_back(std::move(metric));
    }
    return family;
}

/// Allocated by malloc and not freed, in all arenas and in mappings of their own.
double heap_live_bytes() {
#if defined(__GLIBC__)
    const struct mallinfo2 info = mallinfo2();
    return static_cast<double>(info.uordblks + info.hblkhd);
#else
    return 0;
#endif
}

/// "key:NAME" -> NAME; whoever has no key is anonymous.
std::string_view client_label(std::string_view client) {
    constexpr std::string_view kKey = "key:";
    return client.starts_with(kKey) ? client.substr(kKey.size()) : "anonymous";
}

constexpr std::array<std::string_view, 4> kOutcomes = {"result", "error", "cancelled", "abandoned"};

}  // namespace

struct Metrics::Impl {
    /// The numbers of one method, looked up once: `Family::Add` hashes labels under a lock.
    struct OfMethod {
        std::array<prometheus::Counter*, kOutcomes.size()> calls{};
        prometheus::Histogram* queue = nullptr;
        prometheus::Histogram* engine = nullptr;
    };
    struct OfClient {
        std::uint64_t calls = 0;
        double queue_s = 0;
        prometheus::Counter* engine = nullptr;
    };

    Capacity capacity;
    prometheus::Registry registry;
    prometheus::Family<prometheus::Counter>& calls =
        prometheus::BuildCounter()
            .Name("yomi_calls_total")
            .Help("Calls of a method that have ended, by outcome")
            .Register(registry);
    prometheus::Family<prometheus::Histogram>& queue_seconds =
        prometheus::BuildHistogram()
            .Name("yomi_queue_seconds")
            .Help("Time from arrival to the start of the work")
            .Register(registry);
    prometheus::Family<prometheus::Histogram>& engine_seconds = prometheus::BuildHistogram()
                                                                    .Name("yomi_engine_seconds")
                                                                    .Help("Time of the work itself")
                                                                    .Register(registry);
    prometheus::Family<prometheus::Counter>& client_engine =
        prometheus::BuildCounter()
            .Name("yomi_client_engine_seconds_total")
            .Help("Time of the work itself, by the client's key")
            .Register(registry);
    prometheus::Family<prometheus::Counter>& http =
        prometheus::BuildCounter()
            .Name("yomi_http_requests_total")
            .Help("Answered HTTP requests, by route and status")
            .Register(registry);

    std::map<std::string, OfMethod, std::less<>> methods;  ///< never changes after the constructor
    OfMethod unknown;  ///< a client may ask for a method of any name; only ours become labels
    std::mutex mutex;  ///< guards what follows
    std::map<std::string, OfClient, std::less<>> clients;
    std::map<std::string, std::map<int, prometheus::Counter*>, std::less<>> routes;

    OfMethod make(const std::string& name) {
        OfMethod of;
        for (std::size_t i = 0; i < kOutcomes.size(); ++i) {
            of.calls[i] = &calls.Add({{"method", name}, {"outcome", std::string(kOutcomes[i])}});
        }
        of.queue = &queue_seconds.Add({{"method", name}}, buckets());
        of.engine = &engine_seconds.Add({{"method", name}}, buckets());
        return of;
    }

    void add(std::string_view label, double queue_s, double engine_s) {
        const std::lock_guard lock(mutex);
        auto found = clients.find(label);
        if (found == clients.end()) {
            const std::string name(label);
            found =
                clients.emplace(name, OfClient{.engine = &client_engine.Add({{"client", name}})})
                    .first;
        }
        OfClient& client = found->second;
        ++client.calls;
        client.queue_s += queue_s;
        client.engine->Increment(engine_s);
    }

    /// Not `prometheus::Summary`: it sorts every value into windows of time even when no quantile
    /// is wanted, which costs more than a cached answer.
    MetricFamily client_queues() {
        MetricFamily family{
            .name = "yomi_client_queue_seconds",
            .help = "Time from arrival to the start of the work, by the client's key",
            .type = MetricType::Summary,
            .metric = {}};
        const std::lock_guard lock(mutex);
        for (const auto& [name, client] : clients) {
            prometheus::ClientMetric metric;
            metric.label.push_back({.name = "client", .value = name});
            metric.summary.sample_count = client.calls;
            metric.summary.sample_sum = client.queue_s;
            family.metric.push_back(std::move(metric));
        }
        return family;
    }

    prometheus::Counter& route(std::string_view path, int status) {
        const std::lock_guard lock(mutex);
        auto found = routes.find(path);
        if (found == routes.end())
            found = routes.emplace(std::string(path), std::map<int, prometheus::Counter*>{}).first;
        prometheus::Counter*& counter = found->second[status];
        if (counter == nullptr) {
            counter = &http.Add({{"route", std::string(path)}, {"status", std::to_string(status)}});
        }
        return *counter;
    }
};

Metrics::Metrics(const std::vector<service::Method>& methods, const Capacity& capacity)
    : impl_(std::make_unique<Impl>()) {
    impl_->capacity = capacity;
    for (const service::Method& method : methods)
        impl_->methods.emplace(method.name, impl_->make(method.name));
    impl_->unknown = impl_->make("unknown");
}

Metrics::~Metrics() = default;

void Metrics::record(const service::RequestRecord& record) {
    using Seconds = std::chrono::duration<double>;
    const auto found = impl_->methods.find(record.method);
    const Impl::OfMethod& method = found == impl_->methods.end() ? impl_->unknown : found->second;
    const auto* const outcome = std::find(kOutcomes.begin(), kOutcomes.end(), record.outcome);
    if (outcome != kOutcomes.end()) {
        method.calls[static_cast<std::size_t>(outcome - kOutcomes.begin())]->Increment();
    }
    const double queue_s = Seconds(record.queue_time).count();
    const double engine_s = Seconds(record.engine_time).count();
    method.queue->Observe(queue_s);
    method.engine->Observe(engine_s);
    impl_->add(client_label(record.client), queue_s, engine_s);
}

void Metrics::record(const net::AccessRecord& record) {
    impl_->route(record.route, record.status).Increment();
}

std::string Metrics::text(const service::ServiceStats& service, const net::NetStats& net) const {
    constexpr auto kCounter = MetricType::Counter;
    constexpr auto kGauge = MetricType::Gauge;
    const auto number = [](auto value) { return static_cast<double>(value); };
    std::vector<MetricFamily> all = impl_->registry.Collect();
    // clang-format off
    const std::initializer_list<MetricFamily> now = {
        one("yomi_requests_total", "Calls submitted", kCounter, number(service.requests)),
        one("yomi_joined_total", "Calls that joined a running search", kCounter, number(service.joined)),
        one("yomi_cache_hits_total", "Calls answered from the cache", kCounter, number(service.cache_hits)),
        one("yomi_cache_bytes", "Memory of the answers in the cache", kGauge, number(service.cache_bytes)),
        one("yomi_cache_entries", "Answers in the cache", kGauge, number(service.cache_entries)),
        one("yomi_cancelled_total", "Calls that were cancelled", kCounter, number(service.cancelled)),
        one("yomi_rejected_busy_total", "Calls refused because the queue was full", kCounter, number(service.rejected_busy)),
        one("yomi_rejected_quota_total", "Calls refused because the client had too many", kCounter, number(service.rejected_quota)),
        one("yomi_nodes_total", "Positions searched", kCounter, number(service.nodes)),
        one("yomi_progress_events_total", "Progress events delivered", kCounter, number(service.progress_events)),
        one("yomi_events_dropped_total", "Progress events replaced because a client did not read", kCounter, number(net.events_dropped)),
        one("yomi_slow_readers_total", "Connections closed because they did not read", kCounter, number(net.slow_readers)),
        one("yomi_connections_total", "Connections accepted", kCounter, number(net.accepted)),
        one("yomi_connections_refused_total", "Connections over a limit", kCounter, number(net.refused)),
        one("yomi_queue_depth", "Calls waiting", kGauge, number(service.queued)),
        labelled("yomi_running", "Calls running", {{{{"lane", "search"}}, number(service.running)}, {{{"lane", "short"}}, number(service.short_lane.running)}}),
        labelled("yomi_workers", "Threads of the lane", {{{{"lane", "search"}}, number(impl_->capacity.search_workers)}, {{{"lane", "short"}}, number(impl_->capacity.short_workers)}}),
        labelled("yomi_waiting", "Calls waiting, by lane and priority",
                 {{{{"lane", "search"}, {"priority", "interactive"}}, number(service.queued - service.search_lane.queued_batch)},
                  {{{"lane", "search"}, {"priority", "batch"}}, number(service.search_lane.queued_batch)},
                  {{{"lane", "short"}, {"priority", "interactive"}}, number(service.short_lane.queued)}}),
        labelled("yomi_oldest_wait_seconds", "How long the oldest waiting call has waited",
                 {{{{"lane", "search"}}, number(service.search_lane.oldest_wait.count()) / 1000}, {{{"lane", "short"}}, number(service.short_lane.oldest_wait.count()) / 1000}}),
        one("yomi_waiting_clients", "Clients with a call that waits for an engine", kGauge, number(service.search_lane.clients)),
        one("yomi_jobs_failed_total", "Computations that broke: defects", kCounter, number(service.search_lane.failed + service.short_lane.failed)),
        one("yomi_store_hits_total", "Calls answered from the disk", kCounter, number(service.store_hits)),
        one("yomi_store_bytes", "Size of the answers on disk", kGauge, number(service.store.bytes)),
        one("yomi_store_entries", "Answers on disk", kGauge, number(service.store.entries)),
        one("yomi_store_evicted_total", "Answers thrown off the disk for others", kCounter, number(service.store.evicted)),
        one("yomi_store_dropped_total", "Answers that could not be written to the disk", kCounter, number(service.store.dropped)),
        one("yomi_connections_limit", "server.max_connections", kGauge, number(impl_->capacity.connections)),
        one("yomi_live", "Calls waiting or running", kGauge, number(service.live)),
        one("yomi_jobs", "Asynchronous jobs kept", kGauge, number(service.jobs)),
        one("yomi_heap_live_bytes", "Bytes that the program has allocated and not freed, search memory left out", kGauge, heap_live_bytes()),
        one("yomi_memory_leased_bytes", "Search memory in use", kGauge, number(service.memory_bytes_leased)),
        one("yomi_memory_total_bytes", "Search memory there is", kGauge, number(service.memory_bytes_total)),
        one("yomi_connections", "Open connections", kGauge, number(net.open)),
        one("yomi_websockets", "Open WebSockets", kGauge, number(net.websockets)),
        one("yomi_streams", "Event streams being sent", kGauge, number(net.streams)),
    };
    // clang-format on
    all.insert(all.end(), now.begin(), now.end());
    all.push_back(impl_->client_queues());
    return prometheus::TextSerializer().Serialize(all);
}

}  // namespace yomi::server
