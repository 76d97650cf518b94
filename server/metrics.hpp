#pragma once

#include <memory>
#include <string>
#include <vector>

#include "server/net/options.hpp"
#include "server/net/server.hpp"
#include "server/service/service.hpp"

namespace yomi::server {

/// The numbers of /metrics, in Prometheus' text format.
///
/// Labels are bounded: names of methods and routes from our own lists, never a client's text.
/// Threads any.
/// Cost    one small lock per recorded request.
class Metrics {
public:
    explicit Metrics(const std::vector<service::Method>& methods);
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
