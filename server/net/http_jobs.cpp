// What outlives or bundles single calls: jobs and batches.
#include <charconv>
#include <chrono>
#include <vector>

#include "server/net/aside.hpp"
#include "server/net/following.hpp"
#include "server/net/http_connection.hpp"
#include "server/net/payload.hpp"
#include "server/net/text.hpp"

namespace yomi::net {

namespace asio = boost::asio;

namespace {

std::optional<std::uint64_t> parse_seq(std::string_view text) {
    std::uint64_t seq = 0;
    const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), seq);
    if (ec != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return seq;
}

/// `{"id":..., "state":..., "events":...}` and, for a reader, what is known so far.
std::string job_json(const service::JobView& view) {
    std::string json = "{\"id\":" + proto::json_quote(view.id);
    if (!view.method.empty()) json += ",\"method\":" + proto::json_quote(view.method);
    json += ",\"state\":" + proto::json_quote(view.state);
    json += ",\"events\":" + proto::json_quote("/v1/jobs/" + view.id + "/events");
    const auto created =
        std::chrono::duration_cast<std::chrono::milliseconds>(view.created.time_since_epoch());
    json += ",\"created_ms\":" + std::to_string(created.count());
    if (view.latest) json += ",\"latest\":" + proto::event_json(*view.latest);
    return json + "}";
}

}  // namespace

asio::awaitable<bool> HttpConnection::job_start(service::Call call) {
    // The job has an id of its own; the request's stays with this answer.
    call.id.clear();
    call.want_events = true;
    const std::string method = call.method;
    auto id = shared_.service.start_job(std::move(call));
    co_return co_await job_accepted(std::move(id), method);
}

asio::awaitable<bool> HttpConnection::job_accepted(Result<std::string> id, std::string method) {
    if (!id) co_return co_await refuse(id.error());
    Answer answer{.status = 202, .content_type = "application/json", .body = {}, .fields = {}};
    service::JobView view{.id = *id, .method = method, .state = "queued", .latest = nullptr};
    if (auto known = shared_.service.job(*id, now_.identity.client, now_.identity.role)) {
        view.state = known->state;  // a short one may be done already
        view.created = known->created;
    }
    answer.body = job_json(view) + "\n";
    answer.fields.emplace_back("Location", "/v1/jobs/" + *id);
    answer.fields.emplace_back("Preference-Applied", "respond-async");
    co_return co_await send(std::move(answer));
}

asio::awaitable<bool> HttpConnection::jobs_page() {
    std::string body = "{\"jobs\":[";
    for (service::JobView& view : shared_.service.jobs(now_.identity.client)) {
        view.latest = nullptr;  // an answer may be large: it is read job by job
        if (body.back() != '[') body += ',';
        body += job_json(view);
    }
    Answer answer{
        .status = 200, .content_type = "application/json", .body = body + "]}\n", .fields = {}};
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
    Answer answer{.status = 200,
                  .content_type = "application/json",
                  .body = job_json(*view) + "\n",
                  .fields = {}};
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

/// The calls of a batch as the service takes them.
std::vector<service::Call> HttpConnection::batch_calls(std::vector<BatchItem> items) const {
    std::vector<service::Call> calls;
    for (BatchItem& item : items) {
        calls.push_back({.id = std::move(item.id),
                         .method = std::move(item.method),
                         .payload = {.kind = service::Payload::Kind::json,
                                     .body = std::move(item.params),
                                     .query = {},
                                     .charset = {}},
                         .client = now_.identity.client,
                         .role = now_.identity.role,
                         .want_events = false,
                         .weight = now_.identity.weight,
                         .question = {}});
    }
    return calls;
}

asio::awaitable<Result<std::vector<BatchItem>>> HttpConnection::batch_items() const {
    const HttpRequest& request = now_.request;
    const service::Limits limits = shared_.service.limits();
    if (auto coded = coding_fault(request)) co_return fail(*std::move(coded));
    const std::string type = parse_content_type(request.field("Content-Type").value_or("")).type;
    const bool lines = type == "application/x-ndjson" || type == "application/jsonl";
    if (!lines && !type.empty() && type != "application/json" &&
        type != "application/x-www-form-urlencoded") {  // what curl -d says of anything
        Error fault{.code = ErrorCode::unsupported_media_type,
                    .message = "a batch is not read from this type",
                    .hint = "send application/json or application/x-ndjson",
                    .value = type};
        co_return fail(std::move(fault));
    }
    const auto most = static_cast<std::size_t>(limits.max_batch);
    using Items = Result<std::vector<BatchItem>>;
    const auto items =
        std::make_shared<Items>(fail(ErrorCode::busy, "too many large batches wait to be read"));
    if (request.body.size() <= kReadHere) {
        *items = read_batch(request.body, lines, limits.max_json_depth, most);
    } else {
        const auto body = std::make_shared<const std::string>(request.body);
        std::function<void()> work = [body, items, lines, most, depth = limits.max_json_depth] {
            *items = read_batch(*body, lines, depth, most);
        };
        std::string client = now_.identity.client;
        co_await aside(shared_.service, std::move(client), std::move(work));
    }
    if (!*items) co_return std::move(*items);
    for (std::size_t i = 0; i < (*items)->size(); ++i) {
        const BatchItem& item = (**items)[i];
        const service::Method* method = shared_.service.find_method(item.method);
        const bool record = method != nullptr && method->accepts_record;
        if (!record && item.params.size() > limits.max_body_bytes) {
            Error fault{.code = ErrorCode::payload_too_large,
                        .message = "the parameters of one request are too large",
                        .pointer = "/requests/" + std::to_string(i) + "/params"};
            co_return fail(std::move(fault));
        }
    }
    co_return std::move(*items);
}

asio::awaitable<bool> HttpConnection::batch_page() {
    const HttpRequest& request = now_.request;
    const std::string accept = request.list("Accept");
    const auto form = negotiate(accept, {Form::ndjson, Form::json, Form::sse});
    if (!form) {
        const Error fault =
            not_acceptable(accept, "application/x-ndjson, application/json or text/event-stream");
        co_return co_await refuse(fault);
    }
    auto items = co_await batch_items();
    if (!items) co_return co_await refuse(items.error());
    if (auto replayed = idempotent_replay()) {
        if (!*replayed) co_return co_await refuse(replayed->error());
        co_return co_await send(std::move(**replayed));
    }
    now_.to_service = true;
    std::vector<service::Call> calls = batch_calls(std::move(*items));
    const std::size_t count = calls.size();
    if (prefers(request.list("Prefer"), "respond-async")) {
        auto id = shared_.service.start_batch_job(std::move(calls), now_.identity.client);
        co_return co_await job_accepted(std::move(id), "batch");
    }
    auto queue = make_queue();
    const auto ticket = shared_.service.submit_batch(
        std::move(calls), [queue](std::size_t slot, std::shared_ptr<const proto::Event> event) {
            queue->push(slot, std::move(event));
        });
    if (*form != Form::json) co_return co_await stream(std::move(queue), ticket, *form, count);

    Following following(shared_.service, queue, ticket);
    std::vector<std::string> answers(count);
    for (std::size_t left = count; left > 0;) {
        const auto item = co_await next_event(*queue, Clock::time_point::max());
        if (!item) {
            log(499);
            co_return false;
        }
        if (!proto::is_final(item->event->kind)) continue;
        answers[item->slot] = proto::event_json(*item->event);
        --left;
    }
    following.finished();
    std::string body = "{\"answers\":[";
    for (const std::string& answer : answers) {
        if (body.back() != '[') body += ',';
        body += answer;
    }
    Answer answer{
        .status = 200, .content_type = "application/json", .body = body + "]}\n", .fields = {}};
    co_return co_await send(std::move(answer));
}

}  // namespace yomi::net
