#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "server/net/options.hpp"
#include "server/net/server.hpp"
#include "server/service/service.hpp"

namespace yomi::server {

/// What there is of what the gauges count.
struct Capacity {
    int search_workers = 0;
    int short_workers = 0;
    std::size_t connections = 0;
};

/// The numbers of /metrics, in Prometheus' text format.
///
/// Labels are bounded: names of methods, routes and keys from our own lists, never a client's text;
/// all clients without a key are `anonymous`.
/// Threads any.
/// Cost    one small lock per recorded request.
class Metrics {
public:
    Metrics(const std::vector<service::Method>& methods, const Capacity& capacity);
    ~Metrics();
    Metrics(const Metrics&) = delete;
    Metrics& operator=(const Metrics&) = delete;

    /// A call of the service has ended.
    void record(const service::RequestRecord& record);
    /// An HTTP request was answered.
    void record(const net::AccessRecord& record);

    /// Everything, with the present gauges.
    [[nodiscard]] std::string text(const service::ServiceStats& service,
                                   const net::NetStats& net) const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace yomi::server
