#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include <boost/asio/awaitable.hpp>

#include "server/service/service.hpp"

namespace yomi::net {

/// Texts up to here are read where they arrive; the reading of a larger one would hold up every
/// other connection of the network thread.
constexpr std::size_t kReadHere = std::size_t{16} * 1024;

/// Runs `work` on the service's short lane, in the client's turn, while the strand goes on with
/// others; comes back when it has run.
///
/// `work` must own all that it touches: it may still run when the connection has gone.
/// False: it did not run, because the lane was full or has ended.
boost::asio::awaitable<bool> aside(service::Service& service,
                                   std::string client,
                                   std::function<void()> work);

}  // namespace yomi::net
