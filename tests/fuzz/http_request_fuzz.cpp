// HTTP/1 requests and WebSocket frames: any bytes, in any pieces, give the same request or are
// refused; what the pure parts make of it comes back or has a message.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "server/net/address.hpp"
#include "server/net/negotiation.hpp"
#include "server/net/payload.hpp"
#include "server/net/request_parser.hpp"
#include "server/net/ws_frame.hpp"

namespace {

using yomi::net::HttpRequest;
using yomi::net::RequestParser;

struct Read {
    std::string outcome;
    HttpRequest request;
    std::string rest;
};

/// The first request of `bytes`, fed in pieces of `piece` bytes.
Read read_request(std::string_view bytes, std::size_t piece) {
    RequestParser parser({.max_line = 300, .max_bytes = 600, .max_fields = 8});
    std::string buffer;
    for (;;) {
        switch (parser.feed(buffer)) {
            case RequestParser::State::failed:
                if (parser.error().message.empty()) std::abort();
                return {.outcome = "failed", .request = {}, .rest = {}};
            case RequestParser::State::done:
                buffer += bytes;
                return {.outcome = "done", .request = parser.request(), .rest = buffer};
            case RequestParser::State::head:
                if (!parser.accept_body(500)) {
                    return {.outcome = "large", .request = {}, .rest = {}};
                }
                continue;
            case RequestParser::State::need_more:
                break;
        }
        if (bytes.empty()) return {.outcome = "incomplete", .request = {}, .rest = {}};
        const std::size_t count = std::min(piece, bytes.size());
        buffer += bytes.substr(0, count);
        bytes.remove_prefix(count);
    }
}

void check_request(const HttpRequest& request) {
    if (request.path.empty() || request.fields.size() > 8 || request.body.size() > 500)
        std::abort();
    for (const bool record : {false, true}) {
        const auto payload = yomi::net::make_payload(request, record);
        if (!payload && payload.error().message.empty()) std::abort();
    }
    using yomi::net::Form;
    (void)yomi::net::negotiate(request.list("Accept"), {Form::json, Form::text, Form::sse});
    const auto host = request.field("Host").value_or("");
    (void)yomi::net::host_allowed(host, {}, true);
    (void)yomi::net::origin_allowed(request.field("Origin").value_or(""), host, {});
    const auto all = yomi::net::Cidr::parse("0.0.0.0/0");
    const auto peer = yomi::net::IpAddress::parse("127.0.0.1");
    (void)yomi::net::forwarded_client(
        *peer, request.list("X-Forwarded-For"), request.list("Forwarded"), {*all});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::size_t piece = std::size_t{1} + data[0] % 64;
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    const Read whole = read_request(bytes, bytes.size() + 1);
    const Read pieces = read_request(bytes, piece);
    // A fault in a head without an end may be noticed sooner in pieces; a request is one either
    // way.
    const bool done = whole.outcome == "done";
    if (done != (pieces.outcome == "done")) std::abort();
    if (done) {
        const HttpRequest& a = whole.request;
        const HttpRequest& b = pieces.request;
        if (a.verb != b.verb || a.path != b.path || a.query != b.query || a.fields != b.fields ||
            a.body != b.body || whole.rest != pieces.rest)
            std::abort();
        check_request(a);
    }
    const auto frame = yomi::net::parse_ws_frame(bytes, 16);
    if (!frame && frame.error().error.message.empty()) std::abort();
    if (frame && frame->params.front() != '{') std::abort();
    return 0;
}
