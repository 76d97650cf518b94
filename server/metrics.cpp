#include "server/metrics.hpp"

#include <prometheus/counter.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>
#include <set>

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

}  // namespace

struct Metrics::Impl {
    std::set<std::string, std::less<>> known;
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
    prometheus::Family<prometheus::Counter>& http =
        prometheus::BuildCounter()
            .Name("yomi_http_requests_total")
            .Help("Answered HTTP requests, by route and status")
            .Register(registry);

    /// A client may ask for a method of any name; only ours become labels.
    [[nodiscard]] std::string label(std::string_view method) const {
        return known.find(method) != known.end() ? std::string(method) : "unknown";
    }
};

Metrics::Metrics(const std::vector<service::Method>& methods) : impl_(std::make_unique<Impl>()) {
    for (const service::Method& method : methods)
        impl_->known.insert(method.name);
}

Metrics::~Metrics() = default;

void Metrics::record(const service::RequestRecord& record) {
    using Seconds = std::chrono::duration<double>;
    const std::string method = impl_->label(record.method);
    impl_->calls.Add({{"method", method}, {"outcome", std::string(record.outcome)}}).Increment();
    impl_->queue_seconds.Add({{"method", method}}, buckets())
        .Observe(Seconds(record.queue_time).count());
    impl_->engine_seconds.Add({{"method", method}}, buckets())
        .Observe(Seconds(record.engine_time).count());
}

void Metrics::record(const net::AccessRecord& record) {
    impl_->http
        .Add({{"route", std::string(record.route)}, {"status", std::to_string(record.status)}})
        .Increment();
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
        one("yomi_running", "Calls running", kGauge, number(service.running)),
        one("yomi_live", "Calls waiting or running", kGauge, number(service.live)),
        one("yomi_jobs", "Asynchronous jobs kept", kGauge, number(service.jobs)),
        one("yomi_memory_leased_bytes", "Search memory in use", kGauge, number(service.memory_bytes_leased)),
        one("yomi_memory_total_bytes", "Search memory there is", kGauge, number(service.memory_bytes_total)),
        one("yomi_connections", "Open connections", kGauge, number(net.open)),
        one("yomi_websockets", "Open WebSockets", kGauge, number(net.websockets)),
        one("yomi_streams", "Event streams being sent", kGauge, number(net.streams)),
    };
    // clang-format on
    all.insert(all.end(), now.begin(), now.end());
    return prometheus::TextSerializer().Serialize(all);
}

}  // namespace yomi::server
