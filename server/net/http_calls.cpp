// What the service answers: single answers, event streams, jobs.
#include <algorithm>
#include <charconv>

#include <boost/asio/post.hpp>

#include "server/net/http_connection.hpp"
#include "server/net/payload.hpp"
#include "server/net/text.hpp"

namespace yomi::net {

namespace asio = boost::asio;

namespace {

/// A followed call. Whatever ends the coroutine ends the call, and no event finds a closed
/// connection.
class Following {
public:
    Following(service::Service& service, std::shared_ptr<EventQueue> queue, service::Ticket ticket)
        : service_(service), queue_(std::move(queue)), ticket_(ticket) {}
    ~Following() {
        queue_->close();
        if (!finished_) service_.abandon(ticket_);
    }
    Following(const Following&) = delete;
    Following& operator=(const Following&) = delete;

    void finished() noexcept { finished_ = true; }

private:
    service::Service& service_;
    std::shared_ptr<EventQueue> queue_;
    service::Ticket ticket_;
    bool finished_ = false;
};

std::optional<std::uint64_t> parse_seq(std::string_view text) {
    std::uint64_t seq = 0;
    const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), seq);
    if (ec != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return seq;
}

Error not_acceptable(std::string_view accept, const char* offers) {
    return Error{.code = ErrorCode::not_acceptable,
                 .message = "no accepted media type can be made here",
                 .hint = offers,
                 .value = std::string(accept)};
}

/// `{"id":..., "state":..., "events":...}` and, for a reader, what is known so far.
std::string job_json(const service::JobView& view) {
    std::string json = "{\"id\":" + proto::json_quote(view.id);
    if (!view.method.empty()) json += ",\"method\":" + proto::json_quote(view.method);
    json += ",\"state\":" + proto::json_quote(view.state);
    json += ",\"events\":" + proto::json_quote("/v1/jobs/" + view.id + "/events");
    if (view.latest) json += ",\"latest\":" + proto::event_json(*view.latest);
    return json + "}\n";
}

}  // namespace

std::shared_ptr<EventQueue> HttpConnection::make_queue() {
    return std::make_shared<EventQueue>(
        [executor = wire_->executor(), wire = std::weak_ptr(wire_)] {
            asio::post(executor, [wire] {
                if (const auto alive = wire.lock()) alive->wake();
            });
        });
}

asio::awaitable<std::optional<EventQueue::Item>> HttpConnection::next_event(
    EventQueue& queue, Clock::time_point deadline) {
    for (;;) {
        if (auto item = queue.pop()) co_return item;
        if (client_left() || Clock::now() >= deadline) co_return std::nullopt;
        wire_->watch();
        co_await wire_->wait(deadline);
    }
}

asio::awaitable<bool> HttpConnection::call_method() {
    const service::Method& method = *now_.match.endpoint->method;
    const HttpRequest& request = now_.request;

    const std::string accept = request.list("Accept");
    std::vector<Form> offered = {Form::json, Form::sse, Form::ndjson};
    if (method.has_text) offered.insert(offered.begin() + 1, Form::text);
    const auto form = negotiate(accept, offered);
    if (!form) {
        const Error fault = not_acceptable(
            accept,
            method.has_text
                ? "application/json, text/plain, text/event-stream or application/x-ndjson"
                : "application/json, text/event-stream or application/x-ndjson");
        co_return co_await refuse(fault);
    }
    if (!method.accepts_record && request.body.size() > shared_.service.limits().max_body_bytes) {
        {
            const Error fault =
                Error{.code = ErrorCode::payload_too_large, .message = "the body is too large"};
            co_return co_await refuse(fault);
        }
    }
    auto payload = make_payload(request, method.accepts_record);
    if (!payload) co_return co_await refuse(payload.error());

    const bool streams = (*form == Form::sse || *form == Form::ndjson) && !request.is_head();
    service::Call call{.id = now_.id,
                       .method = method.name,
                       .payload = *std::move(payload),
                       .client = now_.identity.client,
                       .role = now_.identity.role,
                       .want_events = streams};
    now_.to_service = true;
    if (prefers(request.list("Prefer"), "respond-async")) {
        co_return co_await job_start(std::move(call));
    }
    if (!streams) co_return co_await single_answer(std::move(call), *form);
    auto queue = make_queue();
    const auto ticket =
        shared_.service.submit(std::move(call), std::make_shared<QueueReply>(queue, 0));
    co_return co_await stream(std::move(queue), ticket, *form);
}

asio::awaitable<bool> HttpConnection::single_answer(service::Call call, Form form) {
    auto queue = make_queue();
    const auto ticket =
        shared_.service.submit(std::move(call), std::make_shared<QueueReply>(queue, 0));
    Following following(shared_.service, queue, ticket);
    for (;;) {
        const auto item = co_await next_event(*queue, Clock::time_point::max());
        if (!item) {  // the client left; the answer would have nobody to read it
            log(499);
            co_return false;
        }
        if (!proto::is_final(item->event->kind)) continue;
        following.finished();
        {
            Answer answer =
                final_answer(*item->event, form, shared_.service.limits().max_live_per_client);
            co_return co_await send(std::move(answer));
        }
    }
}

asio::awaitable<bool> HttpConnection::stream(std::shared_ptr<EventQueue> queue,
                                             service::Ticket ticket,
                                             Form form) {
    Following following(shared_.service, queue, ticket);
    const auto& options = shared_.options;
    // A call that fails at once is answered with its status. One that takes longer gets its head
    // anyway.
    const auto patience = std::min<Milliseconds>(Milliseconds(1000), options.heartbeat);
    auto item = co_await next_event(*queue, Clock::now() + patience);
    if (!item && client_left()) {
        log(499);
        co_return false;
    }
    if (item && item->event->kind == proto::EventKind::error) {
        following.finished();
        {
            Answer answer =
                final_answer(*item->event, form, shared_.service.limits().max_live_per_client);
            co_return co_await send(std::move(answer));
        }
    }
    const bool chunked = now_.request.version >= 11;
    if (!chunked || shut_) now_.keep_alive = false;
    Answer head{
        .status = 200, .content_type = std::string(media_type(form)), .body = {}, .fields = {}};
    add_cors(head);
    std::string bytes = render_stream_head(head, framing());
    log(200);

    struct Gauge {
        std::atomic<std::int64_t>& value;
        explicit Gauge(std::atomic<std::int64_t>& v) : value(v) {
            v.fetch_add(1, std::memory_order_relaxed);
        }
        ~Gauge() { value.fetch_sub(1, std::memory_order_relaxed); }
        Gauge(const Gauge&) = delete;
        Gauge& operator=(const Gauge&) = delete;
    } const gauge(shared_.counters.streams);

    const auto add = [&bytes, chunked](std::string_view data) {
        bytes += chunked ? chunk(data) : std::string(data);
    };
    for (bool final = false; !final;) {
        if (item) {
            add(stream_event(*item->event, form));
            final = proto::is_final(item->event->kind);
            // What already waits goes into the same write, within reason.
            if (!final && bytes.size() < 64 * 1024 && (item = queue->pop())) continue;
        } else if (bytes.empty()) {
            add(heartbeat(form));
        }
        if (final && chunked) bytes += kLastChunk;
        if (!co_await wire_->write(bytes, options.slow_reader)) break;
        if (final) {
            following.finished();
            break;
        }
        bytes.clear();
        item = co_await next_event(*queue, Clock::now() + options.heartbeat);
        if (!item && client_left()) break;
    }
    shared_.counters.events_dropped.fetch_add(queue->dropped(), std::memory_order_relaxed);
    if (wire_->stalled()) shared_.counters.slow_readers.fetch_add(1, std::memory_order_relaxed);
    co_return now_.keep_alive && !client_left();
}

asio::awaitable<bool> HttpConnection::job_start(service::Call call) {
    // The job has an id of its own; the request's stays with this answer.
    call.id.clear();
    call.want_events = true;
    const std::string method = call.method;
    auto id = shared_.service.start_job(std::move(call));
    if (!id) co_return co_await refuse(id.error());
    Answer answer{.status = 202, .content_type = "application/json", .body = {}, .fields = {}};
    service::JobView view{.id = *id, .method = method, .state = "queued", .latest = nullptr};
    if (auto known = shared_.service.job(*id, now_.identity.client, now_.identity.role)) {
        view.state = known->state;  // a short one may be done already
    }
    answer.body = job_json(view);
    answer.fields.emplace_back("Location", "/v1/jobs/" + *id);
    answer.fields.emplace_back("Preference-Applied", "respond-async");
    co_return co_await send(std::move(answer));
}

asio::awaitable<bool> HttpConnection::job_page() {
    const auto& identity = now_.identity;
    if (now_.request.verb == "DELETE") {
        auto deleted = shared_.service.delete_job(now_.match.job, identity.client, identity.role);
        if (!deleted) co_return co_await refuse(deleted.error());
        Answer answer{.status = 204, .content_type = {}, .body = {}, .fields = {}};
        co_return co_await send(std::move(answer));
    }
    auto view = shared_.service.job(now_.match.job, identity.client, identity.role);
    if (!view) co_return co_await refuse(view.error());
    Answer answer{
        .status = 200, .content_type = "application/json", .body = job_json(*view), .fields = {}};
    co_return co_await send(std::move(answer));
}

asio::awaitable<bool> HttpConnection::job_events() {
    const HttpRequest& request = now_.request;
    const auto& identity = now_.identity;
    const std::string accept = request.list("Accept");
    const auto form = negotiate(accept, {Form::sse, Form::ndjson});
    if (!form) {
        const Error fault = not_acceptable(accept, "text/event-stream or application/x-ndjson");
        co_return co_await refuse(fault);
    }
    std::optional<std::uint64_t> last_seq;
    if (const auto last = request.field("Last-Event-ID"); last && !trim(*last).empty()) {
        last_seq = parse_seq(trim(*last));
        if (!last_seq) {
            const Error fault{.code = ErrorCode::bad_request,
                              .message = "Last-Event-ID is the seq of an event",
                              .value = std::string(*last)};
            co_return co_await refuse(fault);
        }
    }
    auto view = shared_.service.job(now_.match.job, identity.client, identity.role);
    if (!view) co_return co_await refuse(view.error());
    const bool nothing_left =
        view->finished && last_seq && view->latest && view->latest->seq <= *last_seq;
    // 204 tells an EventSource to stop reconnecting.
    if (nothing_left || request.is_head()) {
        Answer answer{.status = 204, .content_type = {}, .body = {}, .fields = {}};
        co_return co_await send(std::move(answer));
    }
    auto queue = make_queue();
    auto ticket = shared_.service.follow_job(now_.match.job,
                                             identity.client,
                                             identity.role,
                                             last_seq,
                                             std::make_shared<QueueReply>(queue, 0));
    if (!ticket) {
        queue->close();
        co_return co_await refuse(ticket.error());
    }
    now_.to_service = true;
    co_return co_await stream(std::move(queue), *ticket, *form);
}

}  // namespace yomi::net
