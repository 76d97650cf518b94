#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "server/net/server.hpp"
#include "server/service/service.hpp"

namespace yomi::net::testing {

/// What the toy methods did, seen from the tests.
struct ToyCounters {
    std::atomic<int> started{0};
    std::atomic<int> stopped{0};   ///< saw the stop token
    std::atomic<int> finished{0};  ///< ran to their end
    std::atomic<std::uint64_t> ticks{0};
    std::atomic<int> files{0};       ///< alive
    std::atomic<int> file_steps{0};  ///< of all files
};

/// A real server on a free port with methods that know no game:
///
/// `toy.count` GET/POST /v1/toy/count {ticks, tick_ms, size, key, deadline_ms, cache}: one tick at
///             a time, a progress event each, `size` bytes of filler in every body; stops at the
///             stop token; calls of one `key` are joined, answers of one `cache` are kept.
/// `toy.echo`  GET/POST /v1/toy/echo: says what the payload was. Reads records.
/// `toy.file`  GET /v1/toy/file, and by `Accept` /v1/toy/maybe-file, {pieces, size, prepare,
///             fail_at}: `pieces` pieces of `size` bytes behind `prepare` steps before the first;
///             piece number `fail_at` fails, or -1: the preparing does.
/// `toy.edit`  POST /v1/toy/edit: needs the role `editor`.
class ToyServer {
public:
    explicit ToyServer(const std::function<void(Options&)>& tune = {},
                       const std::function<void(service::ServiceOptions&)>& tune_service = {});
    ~ToyServer();
    ToyServer(const ToyServer&) = delete;
    ToyServer& operator=(const ToyServer&) = delete;

    [[nodiscard]] std::uint16_t port() const { return server->port(); }

    ToyCounters counters;
    std::unique_ptr<service::Service> service;
    std::unique_ptr<Server> server;
};

/// Waits until `condition` holds, `ms` at most.
bool eventually(const std::function<bool()>& condition, int ms = 5000);

/// How much longer things take here than in a plain build (sanitizers).
int slowness();

}  // namespace yomi::net::testing
