// What the service answers: single answers and event streams.
#include <algorithm>
#include <vector>

#include <boost/asio/post.hpp>

#include "server/net/following.hpp"
#include "server/net/http_connection.hpp"
#include "server/net/payload.hpp"
#include "server/net/text.hpp"

namespace yomi::net {

namespace asio = boost::asio;

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

    if (now_.match.endpoint->file) co_return co_await file_answer();
    static const std::vector<Form> kForms = {Form::json, Form::sse, Form::ndjson};
    static const std::vector<Form> kFormsAndText = {
        Form::json, Form::text, Form::sse, Form::ndjson};
    static const std::vector<Form> kFormsAndFile = {
        Form::json, Form::text, Form::sse, Form::ndjson, Form::file};
    const std::string accept = request.list("Accept");
    const auto form = negotiate(accept,
                                method.files      ? kFormsAndFile
                                : method.has_text ? kFormsAndText
                                                  : kForms);
    if (!form) {
        const Error fault = not_acceptable(
            accept,
            method.has_text
                ? "application/json, text/plain, text/event-stream or application/x-ndjson"
                : "application/json, text/event-stream or application/x-ndjson");
        co_return co_await refuse(fault);
    }
    if (*form == Form::file) co_return co_await file_answer();
    if (!method.accepts_record && request.body.size() > shared_.service.limits().max_body_bytes) {
        {
            const Error fault =
                Error{.code = ErrorCode::payload_too_large, .message = "the body is too large"};
            co_return co_await refuse(fault);
        }
    }
    const bool streams = (*form == Form::sse || *form == Form::ndjson) && !request.is_head();
    const bool async = prefers(request.list("Prefer"), "respond-async");
    service::Call call{.id = now_.id,
                       .method = method.name,
                       .payload = {},
                       .client = now_.identity.client,
                       .role = now_.identity.role,
                       .want_events = streams,
                       .weight = now_.identity.weight,
                       .question = {}};
    if (now_.match.endpoint->verb == "GET" && !streams && !async) {
        // The query alone makes the payload: the same words may have been answered before.
        call.question = request.query;
        if (const auto event = shared_.service.recall(call)) {
            now_.to_service = true;
            co_return co_await send(answer_of(*event, *form));
        }
    }
    auto payload = make_payload(request, method.accepts_record);
    if (!payload) co_return co_await refuse(payload.error());
    call.payload = *std::move(payload);
    if (auto replayed = idempotent_replay()) {
        if (!*replayed) co_return co_await refuse(replayed->error());
        co_return co_await send(std::move(**replayed));
    }
    now_.to_service = true;
    if (async) co_return co_await job_start(std::move(call));
    if (!streams) co_return co_await single_answer(std::move(call), *form);
    auto queue = make_queue();
    const auto ticket =
        shared_.service.submit(std::move(call), std::make_shared<QueueReply>(queue, 0));
    co_return co_await stream(std::move(queue), ticket, *form);
}

asio::awaitable<bool> HttpConnection::single_answer(service::Call call, Form form) {
    const auto event = co_await final_event(std::move(call));
    if (!event) co_return false;
    co_return co_await send(answer_of(*event, form));
}

Answer HttpConnection::answer_of(const proto::Event& event, Form form) const {
    // The limits are copied for whom they are told only: this is the way of every stored answer.
    constexpr int kTooMany = 429;
    Answer answer = final_answer(
        event, form, event.status == kTooMany ? shared_.service.limits().max_live_per_client : 0);
    make_revalidatable(answer, event);
    return answer;
}

/// The answer to a GET may be kept by its client, which asks again with the tag: a stored analysis
/// costs a few hundred bytes then. The tag covers what is the question's, not the request's id.
void HttpConnection::make_revalidatable(Answer& answer, const proto::Event& event) const {
    const bool get = now_.request.verb == "GET" || now_.request.is_head();
    if (!get || event.kind != proto::EventKind::result || !event.body) return;
    add_tag(answer, entity_tag(*event.body, answer.content_type));
}

void HttpConnection::add_tag(Answer& answer, std::string tag) const {
    constexpr std::size_t kFields = 6;  // these, and those of CORS
    answer.fields.reserve(answer.fields.size() + kFields);
    const bool known = matches_tag(now_.request.list("If-None-Match"), tag);
    answer.fields.emplace_back("ETag", std::move(tag));
    answer.fields.emplace_back("Cache-Control", "private, no-cache");
    answer.fields.emplace_back("Vary", "Accept, Authorization");
    if (!known) return;
    answer.status = 304;
    answer.content_type.clear();
    answer.body.clear();
}

/// What an `Idempotency-Key` says about this request: an answer (or refusal) that ends it, or
/// nothing, and then the key is held until its answer is sent.
std::optional<Result<Answer>> HttpConnection::idempotent_replay() {
    const HttpRequest& request = now_.request;
    const auto header = request.field("Idempotency-Key");
    if (!header || request.verb == "GET" || request.is_head()) return std::nullopt;
    auto key = read_idempotency_key(*header);
    if (!key) return fail(std::move(key.error()));
    const std::string mine = now_.identity.client + '\n' + *key;
    std::string whole;
    for (const std::string& part : {request.verb,
                                    request.path,
                                    request.query,
                                    request.list("Content-Type"),
                                    request.list("Accept"),
                                    request.list("Prefer"),
                                    request.body}) {
        whole += std::to_string(part.size()) + ':' + part;
    }
    auto kept = shared_.idempotency.begin(mine, sha256_hex(whole), Clock::now());
    if (!kept) return fail(std::move(kept.error()));
    if (!*kept) {
        now_.hold = IdempotencyHold(shared_.idempotency, mine);
        return std::nullopt;
    }
    (*kept)->fields.emplace_back("Idempotency-Replayed", "true");
    return std::move(**kept);
}

/// Waits for the final event of a call of which nothing else is shown; nothing: the client left.
asio::awaitable<std::shared_ptr<const proto::Event>> HttpConnection::final_event(
    service::Call call) {
    auto queue = make_queue();
    const auto ticket =
        shared_.service.submit(std::move(call), std::make_shared<QueueReply>(queue, 0));
    Following following(shared_.service, queue, ticket);
    for (;;) {
        auto item = co_await next_event(*queue, Clock::time_point::max());
        if (!item) {
            log(499);
            co_return nullptr;
        }
        if (!proto::is_final(item->event->kind)) continue;
        following.finished();
        co_return std::move(item->event);
    }
}

asio::awaitable<bool> HttpConnection::stream(std::shared_ptr<EventQueue> queue,
                                             service::Ticket ticket,
                                             Form form,
                                             std::size_t finals) {
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
    const bool batch = now_.match.endpoint->place == Place::batch;
    if (!batch && item && item->event->kind == proto::EventKind::error) {
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

    const Gauge gauge(shared_.counters.streams);

    const auto add = [&bytes, chunked](std::string_view data) {
        bytes += chunked ? chunk(data) : std::string(data);
    };
    for (bool final = false; !final;) {
        if (item) {
            add(stream_event(*item->event, form));
            final = proto::is_final(item->event->kind) && --finals == 0;
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

}  // namespace yomi::net
