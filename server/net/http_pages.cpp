// What the listener answers by itself: help, probes, metrics, the API description, OPTIONS.
#include "server/net/http_connection.hpp"

namespace yomi::net {

namespace asio = boost::asio;

namespace {

constexpr std::string_view kEveryVerb = "GET, HEAD, POST, PUT, DELETE, OPTIONS";
constexpr std::string_view kSfen = "startpos%20moves%207g7f";

/// What a person who typed the bare address wants to see: three lines to copy.
std::string help_text(std::string_view version, std::string_view scheme, std::string_view host) {
    const std::string base = std::string(scheme) + "://" + std::string(host);
    std::string text =
        "yomi " + std::string(version) + " - analysis server for shogi and Othello\n\n";
    text += "  curl -d position='startpos moves 7g7f' " + base + "/v1/shogi/analysis\n";
    text += "  curl -N -H 'Accept: text/event-stream' '" + base +
            "/v1/shogi/analysis?position=" + std::string(kSfen) + "&time_ms=3000'\n";
    text +=
        "  curl -d position=f5d6c3 -H 'Accept: text/plain' " + base + "/v1/othello/position\n\n";
    text += "API: " + base + "/openapi.json   limits: " + base + "/v1/limits   WebSocket: /v1/ws\n";
    return text;
}

std::string html_escape(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        switch (c) {
            case '&':
                escaped += "&amp;";
                break;
            case '<':
                escaped += "&lt;";
                break;
            case '>':
                escaped += "&gt;";
                break;
            case '"':
                escaped += "&quot;";
                break;
            default:
                escaped += c;
        }
    }
    return escaped;
}

}  // namespace

Answer HttpConnection::help_page() const {
    const std::string accept = now_.request.list("Accept");
    const std::string text = help_text(shared_.pages.version,
                                       shared_.tls() ? "https" : "http",
                                       now_.request.field("Host").value_or("localhost"));
    Answer answer{
        .status = 200, .content_type = "text/plain; charset=utf-8", .body = text, .fields = {}};
    if (names_media_type(accept, "text/html")) {
        answer.content_type = "text/html; charset=utf-8";
        answer.body =
            "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Yomi</title>"
            "<meta name=\"viewport\" content=\"width=device-width\">"
            "<h1>Yomi</h1><pre>" +
            html_escape(text) + "</pre><p><a href=\"/openapi.json\">openapi.json</a></p></html>\n";
        // Nothing is loaded, nothing is sent, nobody frames it.
        answer.fields.emplace_back(
            "Content-Security-Policy",
            "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
        answer.fields.emplace_back("Referrer-Policy", "no-referrer");
        answer.fields.emplace_back("Vary", "Accept");
    }
    return answer;
}

Answer HttpConnection::ready_page() const {
    const bool draining =
        shared_.draining.load(std::memory_order_relaxed) || shared_.service.draining();
    Answer answer{.status = 200,
                  .content_type = "text/plain; charset=utf-8",
                  .body = "ready\n",
                  .fields = {}};
    if (draining) {
        answer = problem_answer(
            Error{.code = ErrorCode::draining, .message = "the server is shutting down"}, now_.id);
    }
    return answer;
}

bool HttpConnection::may_see_metrics() const {
    if (!shared_.pages.metrics) return false;
    if (admin_) return true;
    if (!shared_.options.admin_listen.empty()) return false;
    // Behind a proxy on this machine everybody comes from loopback: a forwarding header that nobody
    // was told to trust shows it.
    const bool forwarded =
        now_.request.count("X-Forwarded-For") + now_.request.count("Forwarded") > 0;
    const auto client = IpAddress::parse(address_);
    return client && client->is_loopback() && (!forwarded || !now_.policy->trusted.empty());
}

asio::awaitable<bool> HttpConnection::page() {
    Answer answer;
    switch (now_.match.endpoint->place) {
        case Place::help:
            answer = help_page();
            break;
        case Place::healthz:
            answer = {.status = 200,
                      .content_type = "text/plain; charset=utf-8",
                      .body = "ok\n",
                      .fields = {}};
            break;
        case Place::readyz:
            answer = ready_page();
            break;
        case Place::metrics:
            answer = {.status = 200,
                      .content_type = "text/plain; version=0.0.4; charset=utf-8",
                      .body = shared_.pages.metrics(),
                      .fields = {}};
            break;
        default:
            answer = {.status = 200,
                      .content_type = "application/json",
                      .body = shared_.pages.openapi,
                      .fields = {}};
            add_tag(answer, shared_.openapi_tag);
            break;
    }
    co_return co_await send(std::move(answer));
}

asio::awaitable<bool> HttpConnection::options_page() {
    Answer answer{.status = 204, .content_type = {}, .body = {}, .fields = {}};
    answer.fields.emplace_back("Allow", now_.match.allow.empty() ? kEveryVerb : now_.match.allow);
    const auto origin = now_.request.field("Origin");
    if (origin && now_.request.count("Access-Control-Request-Method") > 0 &&
        origin_allowed(*origin, "", now_.policy->policy.cors_origins)) {
        answer.fields.emplace_back("Access-Control-Allow-Methods", now_.match.allow);
        answer.fields.emplace_back(
            "Access-Control-Allow-Headers",
            "Authorization, Content-Type, Accept, Prefer, Last-Event-ID, Idempotency-Key, "
            "If-None-Match, traceparent");
        answer.fields.emplace_back("Access-Control-Max-Age", "600");
    }
    co_return co_await send(std::move(answer));
}

}  // namespace yomi::net
