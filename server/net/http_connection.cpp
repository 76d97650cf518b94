#include "server/net/http_connection.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>

#include "server/net/text.hpp"
#include "server/net/ws_session.hpp"
#include "server/service/ids.hpp"

namespace yomi::net {

namespace asio = boost::asio;

namespace {

/// Bytes read ahead of the requests besides one head; a body is taken out as it comes.
constexpr std::size_t kReadAhead = 64 * 1024;

}  // namespace

HttpConnection::HttpConnection(Channel channel,
                               Shared& shared,
                               const IpAddress& peer,
                               std::unique_ptr<ConnectionTable::Place> place,
                               bool admin)
    : shared_(shared),
      peer_(peer),
      peer_text_(peer.client_text()),
      place_(std::move(place)),
      admin_(admin),
      wire_(std::make_shared<Wire>(std::move(channel),
                                   kReadAhead + shared.options.max_header_bytes)) {}

void HttpConnection::start() {
    shared_.connections.add(weak_from_this());
    asio::co_spawn(
        wire_->executor(),
        [self = shared_from_this()]() -> asio::awaitable<void> { co_await self->serve(); },
        // Nothing but a lack of memory throws in there; the connection ends and the server goes on.
        [wire = wire_](std::exception_ptr) { wire->close(); });
}

void HttpConnection::shut() {
    asio::post(wire_->executor(), [self = shared_from_this()] {
        self->shut_ = true;
        self->wire_->wake();
    });
}

void HttpConnection::kill() {
    asio::post(wire_->executor(), [self = shared_from_this()] {
        self->wire_->close();
        self->wire_->wake();
    });
}

bool HttpConnection::client_left() const {
    return wire_->ended();
}

Framing HttpConnection::framing() const {
    return {.version = now_.request.version,
            .keep_alive = now_.keep_alive,
            .head_only = now_.request.is_head(),
            .id = now_.id};
}

asio::awaitable<void> HttpConnection::serve() {
    const HeadLimits limits{.max_bytes = shared_.options.max_header_bytes,
                            .max_fields = shared_.options.max_header_fields};
    for (bool keep = true; keep;) {
        RequestParser parser(limits);
        now_ = Exchange{.id = {},
                        .began = Clock::now(),
                        .match = {},
                        .identity = {},
                        .request = {},
                        .policy = shared_.policy()};
        // Not `a && b`: GCC 12 evaluates both operands when they hold co_await.
        keep = co_await read_head(parser);
        if (keep) keep = co_await exchange(parser);
        now_.hold = IdempotencyHold();  // free, unless an answer was kept
        if (shut_) keep = false;
        first_ = false;
    }
    if (wire_) co_await wire_->close_gently();
}

asio::awaitable<bool> HttpConnection::read_head(RequestParser& parser) {
    auto deadline =
        now_.began + (first_ ? shared_.options.header_timeout : shared_.options.idle_timeout);
    bool started = false;
    for (;;) {
        const auto state = parser.feed(wire_->in());
        if (state == RequestParser::State::head) {
            now_.began = Clock::now();
            now_.id = service::new_id("r-");
            co_return true;
        }
        if (state == RequestParser::State::failed) {
            now_.request = std::move(parser.request());
            co_await refuse_unread(parser.error());
            co_return false;
        }
        if (!started && parser.started()) {
            started = true;
            if (!first_) deadline = Clock::now() + shared_.options.header_timeout;
        }
        if (wire_->ended() || shut_) co_return false;
        if (Clock::now() >= deadline) {
            if (started) {
                const Error fault{.code = ErrorCode::request_timeout,
                                  .message = "the request head did not arrive in time"};
                co_await refuse_unread(fault);
            }
            co_return false;
        }
        wire_->watch();
        co_await wire_->wait(deadline);
    }
}

asio::awaitable<bool> HttpConnection::read_body(RequestParser& parser,
                                                std::size_t max_bytes,
                                                bool send_continue) {
    if (auto fits = parser.accept_body(max_bytes); !fits) {
        co_await refuse_unread(fits.error());
        co_return false;
    }
    const auto deadline = Clock::now() + shared_.options.body_timeout;
    for (;;) {
        const auto state = parser.feed(wire_->in());
        if (state == RequestParser::State::done) co_return true;
        if (state == RequestParser::State::failed) {
            co_await refuse_unread(parser.error());
            co_return false;
        }
        if (wire_->ended()) co_return false;
        if (Clock::now() >= deadline) {
            const Error fault{.code = ErrorCode::request_timeout,
                              .message = "the request body did not arrive in time"};
            co_await refuse_unread(fault);
            co_return false;
        }
        if (send_continue) {
            send_continue = false;
            constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
            if (!co_await wire_->write(kContinue, shared_.options.slow_reader)) co_return false;
        }
        wire_->watch();
        co_await wire_->wait(deadline);
    }
}

asio::awaitable<bool> HttpConnection::exchange(RequestParser& parser) {
    now_.request = std::move(parser.request());
    now_.keep_alive = now_.request.keep_alive && !shared_.draining.load(std::memory_order_relaxed);
    const HttpRequest& request = now_.request;
    const bool expects = request.version >= 11 && request.count("Expect") > 0;

    const std::optional<Error> refusal = head_refusal();
    if (refusal && expects) {  // the client has not sent its body yet and need not
        co_await refuse_unread(*refusal);
        co_return false;
    }
    // A refused request's body is read as well if it is small, so that the connection stays in
    // step.
    if (!co_await read_body(parser, body_limit(), expects)) co_return false;
    now_.request.body = std::move(parser.request().body);
    if (refusal) co_return co_await refuse(*refusal);

    if (request.verb == "OPTIONS") co_return co_await options_page();
    switch (now_.match.endpoint->place) {
        case Place::method:
            co_return co_await call_method();
        case Place::batch:
            co_return co_await batch_page();
        case Place::jobs:
            co_return co_await jobs_page();
        case Place::job:
            co_return co_await job_page();
        case Place::job_events:
            co_return co_await job_events();
        case Place::websocket:
            break;
        default:
            co_return co_await page();
    }

    if (auto fault = upgrade_fault(request)) {
        Answer answer = problem_answer(*fault, now_.id);
        answer.fields.emplace_back("Upgrade", "websocket");
        answer.fields.emplace_back("Sec-WebSocket-Version", "13");
        co_return co_await send(std::move(answer));
    }
    if (!wire_->in().empty()) {
        const Error fault{.code = ErrorCode::bad_request,
                          .message = "bytes follow the WebSocket request too early"};
        co_await refuse_unread(fault);
        co_return false;
    }
    log(101);
    std::optional<Identity> identity;
    if (now_.known) identity = now_.identity;
    WsSession(wire_->release(), shared_, std::move(place_), std::move(identity)).start(request);
    wire_.reset();
    co_return false;
}

std::optional<Error> HttpConnection::origin_refusal() const {
    const HttpRequest& request = now_.request;
    const auto origin = request.field("Origin");
    const bool acts =
        (request.verb != "GET" && request.verb != "HEAD" && request.verb != "OPTIONS") ||
        (now_.match.endpoint && now_.match.endpoint->place == Place::websocket);
    // Browsers send Origin with whatever can act; a foreign page must not act in a visitor's name.
    if (!origin || !acts) return std::nullopt;
    if (origin_allowed(
            *origin, request.field("Host").value_or(""), now_.policy->policy.cors_origins)) {
        return std::nullopt;
    }
    return Error{.code = ErrorCode::forbidden,
                 .message = "pages of this origin may not use this server",
                 .hint = "add the origin to server.cors_origins",
                 .value = std::string(*origin)};
}

std::optional<Error> HttpConnection::head_refusal() {
    const HttpRequest& request = now_.request;
    const LivePolicy& policy = *now_.policy;
    address_ =
        policy.trusted.empty()
            ? peer_text_
            : forwarded_client(
                  peer_, request.list("X-Forwarded-For"), request.list("Forwarded"), policy.trusted)
                  .client_text();
    now_.identity = {.client = "addr:" + address_, .role = service::Role::anonymous};
    const auto host = request.field("Host");
    // A connection asks for one host, as a rule.
    const bool known_host = host && host_policy_ == now_.policy && *host == host_;
    if (host && !known_host) {
        if (host_allowed(*host, policy.policy.allowed_hosts, shared_.loopback_listener)) {
            host_ = *host;
            host_policy_ = now_.policy;
        } else {
            return Error{.code = ErrorCode::misdirected,
                         .message = "this server does not answer for that host name",
                         .hint = "add the name to server.allowed_hosts",
                         .value = std::string(*host)};
        }
    }
    now_.match = (admin_ ? shared_.admin_router : shared_.router).find(request.verb, request.path);
    if (request.path == "*") return std::nullopt;
    if (now_.match.allow.empty()) {
        return Error{.code = ErrorCode::not_found,
                     .message = "there is nothing at this path",
                     .hint = "GET / lists what there is",
                     .value = request.path};
    }
    if (request.verb == "OPTIONS") return std::nullopt;
    if (now_.match.endpoint == nullptr) {
        return Error{.code = ErrorCode::method_not_allowed,
                     .message = "this path takes " + std::string(now_.match.allow),
                     .value = request.verb};
    }
    if (auto refusal = origin_refusal()) return refusal;

    const Place place = now_.match.endpoint->place;
    const auto authorization = request.field("Authorization");
    const bool socket = place == Place::websocket;
    if (socket || place == Place::method || place == Place::batch || place == Place::jobs ||
        place == Place::job || place == Place::job_events) {
        auto identity = policy.keys.identify(authorization.value_or(""), address_);
        if (identity) {
            now_.identity = *std::move(identity);
            now_.known = true;
        } else if (!socket || authorization) {
            // A browser cannot send this field with a WebSocket: its key may still come in a frame.
            return identity.error();
        }
    } else if (place == Place::metrics && !may_see_metrics()) {
        return Error{.code = ErrorCode::not_found,
                     .message = "there is nothing at this path",
                     .hint = "metrics are for clients on this machine, or on admin.listen"};
    }
    if (now_.match.endpoint->verb == "GET" && request.has_body()) {
        return Error{.code = ErrorCode::bad_request,
                     .message = "a GET request has no body here",
                     .hint = "send a body with POST"};
    }
    return std::nullopt;
}

std::size_t HttpConnection::body_limit() const {
    if (!now_.request.has_body()) return 0;
    const service::Limits limits = shared_.service.limits();
    const Endpoint* endpoint = now_.match.endpoint;
    const bool record = endpoint && (endpoint->place == Place::batch ||
                                     (endpoint->method && endpoint->method->accepts_record));
    return record ? limits.max_record_bytes : limits.max_body_bytes;
}

void HttpConnection::add_cors(Answer& answer) const {
    const auto origin = now_.request.field("Origin");
    const auto& allowed = now_.policy->policy.cors_origins;
    if (allowed.empty()) return;
    std::string& vary = answer.field("Vary");
    vary += vary.empty() ? "Origin" : ", Origin";
    if (!origin || !origin_allowed(*origin, "", allowed)) return;
    answer.fields.emplace_back("Access-Control-Allow-Origin", *origin);
    answer.fields.emplace_back(
        "Access-Control-Expose-Headers",
        "Content-Disposition, ETag, Idempotency-Replayed, Location, RateLimit-Limit, "
        "RateLimit-Remaining, RateLimit-Reset, Retry-After, X-Request-Id");
}

asio::awaitable<bool> HttpConnection::send(Answer answer) {
    now_.hold.answered(answer);
    add_cors(answer);
    if (shut_) now_.keep_alive = false;
    const std::string bytes = render(answer, framing());
    log(answer.status);
    const bool sent = co_await wire_->write(bytes, shared_.options.slow_reader);
    if (wire_->stalled()) shared_.counters.slow_readers.fetch_add(1, std::memory_order_relaxed);
    co_return sent&& now_.keep_alive;
}

asio::awaitable<bool> HttpConnection::refuse(const Error& error) {
    Answer answer = problem_answer(error, now_.id);
    if (answer.status == 405) answer.fields.emplace_back("Allow", now_.match.allow);
    if (answer.status == 429 || answer.status == 503) {
        answer.field("Retry-After") = std::to_string(shared_.service.retry_after_s(error.code));
    }
    co_return co_await send(std::move(answer));
}

asio::awaitable<void> HttpConnection::refuse_unread(const Error& error) {
    if (now_.id.empty()) now_.id = service::new_id("r-");
    if (now_.identity.client.empty()) now_.identity.client = "addr:" + peer_text_;
    now_.keep_alive = false;
    co_await refuse(error);
}

void HttpConnection::log(int status) const {
    if (!shared_.pages.on_answer) return;
    const std::chrono::duration<double, std::milli> elapsed = Clock::now() - now_.began;
    shared_.pages.on_answer(
        AccessRecord{.id = now_.id,
                     .verb = now_.request.verb,
                     .route = now_.match.route,
                     .client = now_.identity.client,
                     .traceparent = now_.request.field("traceparent").value_or(""),
                     .status = status,
                     .elapsed_ms = elapsed.count(),
                     .to_service = now_.to_service});
}

}  // namespace yomi::net
