#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "server/service/method.hpp"

namespace yomi::net {

using Milliseconds = std::chrono::milliseconds;

/// A client's key as the configuration stores it.
struct KeyEntry {
    std::string name;  ///< in logs and as the fairness key "key:NAME"
    service::Role role = service::Role::user;
    std::string sha256;  ///< 64 lower-case hex digits of the bearer token's SHA-256
    int weight = 1;      ///< share of the engines beside the other clients', 1..100
};

/// What SIGHUP may change while connections are open.
struct Policy {
    std::vector<KeyEntry> keys;
    bool anonymous = true;  ///< serve clients without a key
    service::Role anonymous_role = service::Role::anonymous;
    std::vector<std::string>
        allowed_hosts;  ///< lower case, "name" or "name:port"; empty: see `host_allowed`
    std::vector<std::string> trusted_proxies;  ///< addresses or CIDR blocks
    std::vector<std::string> cors_origins;     ///< exact, "scheme://host[:port]"
};

/// Where to listen and what one connection may cost. Fixed while the server runs.
struct Options {
    std::string listen = "127.0.0.1";  ///< an IPv4 or IPv6 literal, or "localhost"
    std::uint16_t port = 0;            ///< 0: any free port
    std::string admin_listen;          ///< address of the second listener (metrics), empty: none
    std::uint16_t admin_port = 0;
    std::size_t max_connections = 1024;
    std::size_t max_connections_per_address = 64;
    std::size_t max_header_fields = 64;
    std::size_t max_header_bytes =
        8192;  ///< of the header fields; the request line has 8,192 of its own
    Milliseconds header_timeout{
        10'000};  ///< from the first byte (or the accept) to the end of the header
    Milliseconds body_timeout{30'000};  ///< from the end of the header to the end of the body
    Milliseconds idle_timeout{60'000};  ///< between two requests of one connection
    Milliseconds heartbeat{10'000};
    Milliseconds slow_reader{
        10'000};  ///< a write that makes no progress for so long ends the connection
    std::string tls_certificate, tls_key;    ///< PEM files of the main listener; empty: plain HTTP
    std::size_t max_unsent_bytes = 262'144;  ///< finals waiting for one WebSocket
    Policy policy;
};

/// One answered request, for the log and the metrics. Never carries a position.
struct AccessRecord {
    std::string_view id;
    std::string_view verb;
    std::string_view
        route;  ///< the route's path ("/v1/jobs/{id}"), never the client's text; "-" when unknown
    std::string_view client;  ///< "key:NAME" or "addr:IP"
    std::string_view traceparent;
    int status = 0;
    double elapsed_ms = 0;
    bool to_service = false;  ///< the service has its own record of it
};

/// What the listener shows or tells but does not make itself.
struct Pages {
    std::string openapi;                   ///< JSON text of /openapi.json
    std::string version;                   ///< in the help text
    std::function<std::string()> metrics;  ///< Prometheus text for /metrics; null: 404
    std::function<void(const AccessRecord&)>
        on_answer;  ///< called on the network thread, must be quick
};

}  // namespace yomi::net
