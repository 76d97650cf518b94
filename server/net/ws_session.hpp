#pragma once

#include <memory>
#include <optional>
#include <string>

#include "server/net/channel.hpp"
#include "server/net/http_request.hpp"
#include "server/net/shared.hpp"

namespace yomi::net {

/// One WebSocket: many calls at once, each with its events, over one socket.
///
/// One write is in flight; everything else waits in a bounded queue on the socket's strand. A
/// client that does not read for `slow_reader` or has more than `max_unsent_bytes` of finals
/// waiting is closed with 1013. When the socket is gone, its calls are abandoned. Threads `start`,
/// `shut` and `kill` from any thread.
class WsSession {
public:
    /// `identity` empty: a key must come in an `auth` frame first.
    WsSession(Channel channel,
              Shared& shared,
              std::unique_ptr<ConnectionTable::Place> place,
              std::optional<Identity> identity);

    /// Answers the upgrade `request`, which `upgrade_fault` has passed, and serves the socket until
    /// it ends. The session keeps itself alive.
    void start(const HttpRequest& request);

private:
    class Impl;
    std::shared_ptr<Impl> impl_;
};

/// What is wrong with an upgrade request (RFC 6455, section 4.2.1), or nothing.
std::optional<Error> upgrade_fault(const HttpRequest& request);

}  // namespace yomi::net
