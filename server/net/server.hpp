#pragma once

#include <cstdint>
#include <memory>

#include "core/base/result.hpp"
#include "server/net/options.hpp"
#include "server/service/service.hpp"

namespace yomi::net {

/// The listener's numbers for /metrics.
struct NetStats {
    std::uint64_t accepted = 0, refused = 0, events_dropped = 0, slow_readers = 0;
    std::size_t open = 0, websockets = 0, streams = 0;
};

/// The listener and its connections, on one network thread of its own.
///
/// Threads every function may be called from any thread, `start` and `stop` once each. `service`
/// must outlive the
///         server.
class Server {
public:
    Server(service::Service& service, Options options, Pages pages);
    ~Server();  ///< `stop(0 ms)` if that has not happened
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    /// Binds, listens and starts the network thread.
    /// Errors  conflict: the port is taken; bad_value: the address is not one of this machine, or a
    /// policy entry
    ///         or the certificate cannot be read; forbidden: the port needs a privilege.
    Result<void> start();

    /// The bound ports; 0 before `start` and for a listener that there is not.
    [[nodiscard]] std::uint16_t port() const noexcept;
    [[nodiscard]] std::uint16_t admin_port() const noexcept;

    /// Takes over keys, hosts, proxies and origins for requests from now on.
    /// Errors  bad_value: an entry that cannot be read; the old policy stays.
    Result<void> set_policy(Policy policy);

    /// Reads the certificate's files again, for connections from now on.
    /// Errors  bad_value: a file that cannot be used; the old certificate stays.
    Result<void> reload_tls();

    /// Closes the listening sockets; /readyz answers 503 on connections that are open, and each
    /// answer ends its connection.
    void drain();

    /// Drains, lets every connection send what it owes for `flush` at most (WebSockets end with
    /// 1001), closes what is left and ends the network thread. `service.shutdown` comes before it,
    /// so that all finals are on their way.
    void stop(Milliseconds flush);

    [[nodiscard]] NetStats stats() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace yomi::net
