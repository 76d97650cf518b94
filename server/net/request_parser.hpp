#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "core/base/result.hpp"
#include "server/net/http_request.hpp"

namespace yomi::net {

/// What one request head may cost.
struct HeadLimits {
    std::size_t max_line = 8192;   ///< bytes of the request line
    std::size_t max_bytes = 8192;  ///< bytes of all header fields together
    std::size_t max_fields = 64;
};

/// Reads one HTTP/1 request from bytes as they arrive: Boost.Beast's parser with the guards it
/// lacks.
///
/// `feed` until `head`; then `accept_body` (or give up) and `feed` again until `done`. Bytes behind
/// the request stay in the buffer: they are the next one. Errors  after `failed`, `error` says what
/// to answer; the connection cannot be used any further. Threads one owner. Cost    the only file
/// that compiles Beast's HTTP parser.
class RequestParser {
public:
    enum class State { need_more, head, done, failed };

    explicit RequestParser(const HeadLimits& limits);
    ~RequestParser();
    RequestParser(const RequestParser&) = delete;
    RequestParser& operator=(const RequestParser&) = delete;

    /// Takes what it can from the front of `bytes`. Reports `head` once.
    State feed(std::string& bytes);

    /// After `head`: how large the body may be.
    /// Errors  payload_too_large when a larger one is announced already.
    Result<void> accept_body(std::size_t max_bytes);

    /// Whether bytes of a request have arrived (an idle connection has none).
    [[nodiscard]] bool started() const noexcept;
    [[nodiscard]] HttpRequest& request() noexcept;
    [[nodiscard]] const Error& error() const noexcept;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace yomi::net
