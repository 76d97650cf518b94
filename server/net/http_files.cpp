// Answers that are files: made and sent piece by piece, so that their length costs no memory.
#include <algorithm>

#include "server/net/aside.hpp"
#include "server/net/http_connection.hpp"
#include "server/net/payload.hpp"

namespace yomi::net {

namespace asio = boost::asio;

asio::awaitable<bool> HttpConnection::file_answer() {
    auto payload = make_payload(now_.request, false);
    if (!payload) co_return co_await refuse(payload.error());
    payload->as_file = true;
    service::Call call{.id = now_.id,
                       .method = now_.match.endpoint->method->name,
                       .payload = *std::move(payload),
                       .client = now_.identity.client,
                       .role = now_.identity.role,
                       .want_events = false,
                       .weight = now_.identity.weight,
                       .question = {}};
    now_.to_service = true;
    const auto event = co_await final_event(std::move(call));
    if (!event) co_return false;
    if (!event->file) co_return co_await send(answer_of(*event, Form::json));
    co_return co_await send_file(event->file);
}

/// A step in this client's turn. A full lane is waited for: the head may be on its way, and a file
/// must not be cut because others are busy.
asio::awaitable<Result<bool>> HttpConnection::file_step(std::shared_ptr<proto::FileBody> file,
                                                        std::shared_ptr<std::string> piece) {
    constexpr Milliseconds kPause(20);
    const auto done =
        std::make_shared<Result<bool>>(fail(ErrorCode::busy, "the server is too busy"));
    const std::function<void()> work = [file = std::move(file), piece = std::move(piece), done] {
        *done = piece ? file->next(*piece) : file->prepare();
    };
    const auto patience = Clock::now() + shared_.options.slow_reader;
    for (;;) {
        std::string client = now_.identity.client;
        std::function<void()> job = work;
        const bool ran = co_await aside(shared_.service, std::move(client), std::move(job));
        if (ran || client_left() || Clock::now() >= patience) co_return std::move(*done);
        co_await wire_->wait(Clock::now() + kPause);
    }
}

asio::awaitable<bool> HttpConnection::send_file(std::shared_ptr<proto::FileBody> file) {
    for (bool ready = false; !ready;) {
        auto step = co_await file_step(file, nullptr);
        if (client_left()) {
            log(499);
            co_return false;
        }
        if (!step) co_return co_await refuse(step.error());
        ready = *step;
        wire_->watch();
    }
    const bool chunked = now_.request.version >= 11;
    if (!chunked || shut_) now_.keep_alive = false;
    Answer head{.status = 200,
                .content_type = std::string(file->media_type()),
                .body = {},
                .fields = {{"Content-Disposition",
                            "attachment; filename=\"" + std::string(file->name()) + '"'}}};
    add_cors(head);
    std::string bytes = render_stream_head(head, framing());
    log(200);
    if (now_.request.is_head()) {
        const bool sent = co_await wire_->write(bytes, shared_.options.slow_reader);
        co_return sent&& now_.keep_alive;
    }
    const Gauge gauge(shared_.counters.streams);
    const auto piece = std::make_shared<std::string>();
    for (bool more = true; more;) {
        piece->clear();
        const auto step = co_await file_step(file, piece);
        // The connection ends without the last chunk: the reader sees that the file is cut.
        if (!step) co_return false;
        more = *step;
        if (!piece->empty()) bytes += chunked ? chunk(*piece) : *piece;
        if (!more && chunked) bytes += kLastChunk;
        const bool sent = co_await wire_->write(bytes, shared_.options.slow_reader);
        if (wire_->stalled()) shared_.counters.slow_readers.fetch_add(1, std::memory_order_relaxed);
        if (!sent || client_left()) co_return false;
        bytes.clear();
        wire_->watch();
    }
    co_return now_.keep_alive;
}

}  // namespace yomi::net
