#include "server/net/ws_session.hpp"

#include <deque>
#include <functional>
#include <unordered_map>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/websocket/stream.hpp>

#include "core/base/split.hpp"
#include "server/net/aside.hpp"
#include "server/net/coroutine.hpp"
#include "server/net/event_queue.hpp"
#include "server/net/text.hpp"
#include "server/net/ws_frame.hpp"

namespace yomi::net {

namespace asio = boost::asio;
namespace websocket = boost::beast::websocket;
using boost::system::error_code;

namespace {

constexpr int kMaxAuthFailures = 3;
/// What JSON may add around a record: the frame's own fields and escapes.
constexpr std::size_t kFrameSlack = 64 * 1024;

/// Whether a comma-separated list holds a token, in any case.
bool has_token(std::string_view list, std::string_view token) {
    for (const std::string_view element : split(list, ',')) {
        if (iequals(trim(element), token)) return true;
    }
    return false;
}

}  // namespace

std::optional<Error> upgrade_fault(const HttpRequest& request) {
    const auto bad = [](const char* message) {
        return Error{.code = ErrorCode::bad_request,
                     .message = message,
                     .hint = "this address speaks WebSocket, RFC 6455"};
    };
    if (request.version < 11) return bad("WebSocket needs HTTP/1.1");
    if (!has_token(request.list("Upgrade"), "websocket")) return bad("send Upgrade: websocket");
    if (!has_token(request.list("Connection"), "upgrade")) return bad("send Connection: Upgrade");
    if (trim(request.list("Sec-WebSocket-Version")) != "13") {
        return bad("the Sec-WebSocket-Version spoken here is 13");
    }
    if (trim(request.field("Sec-WebSocket-Key").value_or("")).size() != 24) {
        return bad("Sec-WebSocket-Key is missing or is not 16 bytes in base 64");
    }
    return std::nullopt;
}

class WsSession::Impl final : public Connection, public std::enable_shared_from_this<Impl> {
public:
    Impl(Channel channel,
         Shared& shared,
         std::unique_ptr<ConnectionTable::Place> place,
         std::optional<Identity> identity)
        : shared_(shared),
          place_(std::move(place)),
          identity_(std::move(identity)),
          ws_(std::move(channel)),
          write_timer_(ws_.get_executor()),
          close_timer_(ws_.get_executor()) {
        shared_.counters.websockets.fetch_add(1, std::memory_order_relaxed);
    }

    ~Impl() override {
        leave_all();
        shared_.counters.websockets.fetch_sub(1, std::memory_order_relaxed);
    }
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    void start(const HttpRequest& request) {
        queue_ =
            std::make_shared<EventQueue>([executor = ws_.get_executor(), self = weak_from_this()] {
                asio::post(executor, [self] {
                    if (const auto alive = self.lock()) alive->pump();
                });
            });
        shared_.connections.add(weak_from_this());
        upgrade_.method(boost::beast::http::verb::get);
        upgrade_.target(request.target);
        upgrade_.version(11);
        for (const auto& [name, value] : request.fields)
            upgrade_.insert(name, value);
        asio::co_spawn(
            ws_.get_executor(),
            [self = shared_from_this()]() -> asio::awaitable<void> { co_await self->serve(); },
            [self = shared_from_this()](std::exception_ptr) { self->drop(); });
    }

    void shut() override {
        asio::post(ws_.get_executor(), [self = shared_from_this()] {
            self->shut_ = true;
            self->pump();
        });
    }

    void kill() override {
        asio::post(ws_.get_executor(), [self = shared_from_this()] { self->drop(); });
    }

private:
    /// A live call of this socket.
    struct Live {
        std::string id;
        service::Ticket ticket = 0;
    };

    asio::awaitable<void> serve() {
        websocket::stream_base::timeout timeout{};
        timeout.handshake_timeout = shared_.options.header_timeout;
        timeout.idle_timeout = shared_.options.heartbeat * 2;  // Beast pings at half of it
        timeout.keep_alive_pings = true;
        ws_.set_option(timeout);
        ws_.read_message_max(shared_.service.limits().max_record_bytes + kFrameSlack);
        error_code ec;
        co_await ws_.async_accept(upgrade_, asio::redirect_error(asio::use_awaitable, ec));
        upgrade_ = {};
        if (ec) co_return;
        open_ = true;
        pump();
        boost::beast::flat_buffer buffer;
        for (;;) {
            co_await ws_.async_read(buffer, asio::redirect_error(asio::use_awaitable, ec));
            if (ec) break;
            if (ws_.got_text()) {
                const auto bytes = buffer.cdata();
                const std::string_view text(static_cast<const char*>(bytes.data()), bytes.size());
                // Not `? :`: GCC 12 evaluates both operands when one holds co_await.
                if (text.size() <= kReadHere) {
                    handle(parse_ws_frame(text, shared_.service.limits().max_json_depth));
                } else {
                    Read frame = co_await read_aside(text);
                    handle(std::move(frame));
                }
            } else {
                say(ws_error_json({},
                                  Error{.code = ErrorCode::bad_request,
                                        .message = "frames here are text frames"}));
            }
            buffer.consume(buffer.size());
            // One large frame should not cost its memory for as long as the socket lives.
            if (buffer.capacity() > kFrameSlack) buffer.shrink_to_fit();
        }
    }

    using Read = tl::expected<WsFrame, WsFault>;

    asio::awaitable<Read> read_aside(std::string_view text) {
        const auto copy = std::make_shared<const std::string>(text);
        const auto frame = std::make_shared<Read>(
            tl::unexpected(WsFault{.id = {},
                                   .error = {.code = ErrorCode::busy,
                                             .message = "too many large frames wait to be read"}}));
        std::function<void()> work =
            [copy, frame, depth = shared_.service.limits().max_json_depth] {
                *frame = parse_ws_frame(*copy, depth);
            };
        std::string client = identity_ ? identity_->client : std::string("nobody yet");
        co_await aside(shared_.service, std::move(client), std::move(work));
        co_return std::move(*frame);
    }

    void handle(Read frame) {
        if (closing_) return;
        if (!frame) return say(ws_error_json(frame.error().id, frame.error().error));
        switch (frame->kind) {
            case WsFrame::Kind::ping:
                return say(ws_note_json(frame->id, "pong"));
            case WsFrame::Kind::auth:
                return authenticate(*frame);
            case WsFrame::Kind::cancel:
                return cancel(*frame);
            case WsFrame::Kind::call:
                break;
        }
        if (auto refusal = call_refusal(*frame)) return say(ws_error_json(frame->id, *refusal));
        const std::uint64_t slot = next_slot_++;
        slot_of_.emplace(frame->id, slot);
        live_.emplace(slot, Live{.id = frame->id});
        service::Call call{.id = frame->id,
                           .method = std::move(frame->method),
                           .payload = {.kind = service::Payload::Kind::json,
                                       .body = std::move(frame->params),
                                       .query = {},
                                       .charset = {}},
                           .client = identity_->client,
                           .role = identity_->role,
                           .want_events = true,
                           .weight = identity_->weight,
                           .question = {}};
        // The final may come before this returns, but it is popped on this strand, later.
        live_[slot].ticket =
            shared_.service.submit(std::move(call), std::make_shared<QueueReply>(queue_, slot));
    }

    std::optional<Error> call_refusal(const WsFrame& frame) const {
        if (!identity_) {
            return Error{
                .code = ErrorCode::unauthorized,
                .message = "this server answers clients with a key only",
                .hint = R"(send {"method":"auth","id":"...","params":{"key":"..."}} first)"};
        }
        if (slot_of_.contains(frame.id)) {
            return Error{.code = ErrorCode::duplicate_id,
                         .message = "a request with this id is still running on this socket",
                         .pointer = "/id"};
        }
        const service::Limits limits = shared_.service.limits();
        if (live_.size() >= static_cast<std::size_t>(limits.max_live_per_socket)) {
            return Error{.code = ErrorCode::quota_exceeded,
                         .message = "at most " + std::to_string(limits.max_live_per_socket) +
                                    " requests run at once on one socket"};
        }
        const service::Method* method = shared_.service.find_method(frame.method);
        const bool record = method != nullptr && method->accepts_record;
        const std::size_t most = record ? limits.max_record_bytes : limits.max_body_bytes;
        if (frame.params.size() > most) {
            return Error{.code = ErrorCode::payload_too_large,
                         .message = "params are larger than the " + std::to_string(most) +
                                    " bytes that this method allows",
                         .pointer = "/params"};
        }
        return std::nullopt;
    }

    void authenticate(const WsFrame& frame) {
        auto identity = shared_.policy()->keys.find(frame.key);
        if (!identity) {
            say(ws_error_json(frame.id,
                              Error{.code = ErrorCode::unauthorized,
                                    .message = "the key is not known here",
                                    .pointer = "/params/key"}));
            if (++auth_failures_ >= kMaxAuthFailures) close(websocket::close_code::policy_error);
            return;
        }
        identity_ = *std::move(identity);
        say(ws_note_json(
            frame.id, "authenticated", "\"client\":" + proto::json_quote(identity_->client)));
    }

    /// Silent when nothing of that id is live: the final may have crossed the cancel on the wire.
    void cancel(const WsFrame& frame) {
        const auto slot = slot_of_.find(frame.id);
        if (slot != slot_of_.end()) shared_.service.cancel(live_[slot->second].ticket);
    }

    /// Queues a frame of our own.
    void say(std::string text) {
        if (closing_) return;
        said_bytes_ += text.size();
        said_.push_back(std::move(text));
        pump();
    }

    /// The next frame to send, if any. A final frees its id.
    std::optional<std::string> next_frame() {
        if (!said_.empty()) {
            std::string text = std::move(said_.front());
            said_.pop_front();
            said_bytes_ -= text.size();
            return text;
        }
        const auto item = queue_->pop();
        if (!item) return std::nullopt;
        if (proto::is_final(item->event->kind)) {
            const auto live = live_.find(item->slot);
            if (live != live_.end()) {
                slot_of_.erase(live->second.id);
                live_.erase(live);
            }
        }
        return proto::event_json(*item->event);
    }

    void pump() {
        if (closing_ || !open_) return;
        if (writing_) {
            if (queue_->kept_bytes() + said_bytes_ > shared_.options.max_unsent_bytes)
                slow_reader();
            return;
        }
        auto frame = next_frame();
        if (!frame) {
            if (shut_) close(websocket::close_code::going_away);
            return;
        }
        writing_ = true;
        frame_ = *std::move(frame);
        ws_.text(true);
        // A large frame may take longer: 32 KiB/s is the slowest reader that we wait for.
        write_timer_.expires_after(shared_.options.slow_reader + Milliseconds(frame_.size() / 32));
        write_timer_.async_wait(
            [self = shared_from_this(), number = ++write_number_](const error_code& ec) {
                if (!ec && self->writing_ && self->write_number_ == number) self->slow_reader();
            });
        ws_.async_write(asio::buffer(frame_),
                        [self = shared_from_this()](const error_code& ec, std::size_t) {
                            self->writing_ = false;
                            self->write_timer_.cancel();
                            if (ec) {
                                self->drop();
                            } else {
                                self->pump();
                            }
                        });
    }

    void slow_reader() {
        shared_.counters.slow_readers.fetch_add(1, std::memory_order_relaxed);
        close(websocket::close_code::try_again_later);
    }

    /// The closing handshake, a second at most: a peer that does not read never lets it through.
    void close(websocket::close_code code) {
        if (closing_) return;
        closing_ = true;
        leave_all();
        close_timer_.expires_after(std::chrono::seconds(1));
        close_timer_.async_wait([self = shared_from_this()](const error_code& ec) {
            if (!ec) self->drop();
        });
        ws_.async_close(code, [self = shared_from_this()](const error_code&) { self->drop(); });
    }

    /// Closes the socket under everything; pending operations end by themselves.
    void drop() {
        closing_ = true;
        leave_all();
        close_timer_.cancel();
        write_timer_.cancel();
        ws_.next_layer().close();
    }

    void leave_all() {
        if (!queue_) return;
        queue_->close();
        for (const auto& [slot, live] : live_)
            shared_.service.abandon(live.ticket);
        live_.clear();
        slot_of_.clear();
        shared_.counters.events_dropped.fetch_add(queue_->dropped() - dropped_told_,
                                                  std::memory_order_relaxed);
        dropped_told_ = queue_->dropped();
    }

    Shared& shared_;
    std::unique_ptr<ConnectionTable::Place> place_;
    std::optional<Identity> identity_;
    // No permessage-deflate: it costs 90 KB a socket and opens the door to compression bombs.
    websocket::stream<Channel, false> ws_;
    asio::steady_timer write_timer_;
    asio::steady_timer close_timer_;
    boost::beast::http::request<boost::beast::http::empty_body> upgrade_;
    std::shared_ptr<EventQueue> queue_;
    std::unordered_map<std::string, std::uint64_t> slot_of_;  ///< id -> slot of the live calls
    std::unordered_map<std::uint64_t, Live> live_;
    std::deque<std::string> said_;  ///< frames of our own: pongs, errors of frames
    std::size_t said_bytes_ = 0;
    std::string frame_;  ///< being written
    std::uint64_t next_slot_ = 1;
    std::uint64_t write_number_ = 0;
    std::uint64_t dropped_told_ = 0;
    int auth_failures_ = 0;
    bool open_ = false;
    bool writing_ = false;
    bool closing_ = false;
    bool shut_ = false;
};

WsSession::WsSession(Channel channel,
                     Shared& shared,
                     std::unique_ptr<ConnectionTable::Place> place,
                     std::optional<Identity> identity)
    : impl_(std::make_shared<Impl>(
          std::move(channel), shared, std::move(place), std::move(identity))) {}

void WsSession::start(const HttpRequest& request) {
    impl_->start(request);
}

}  // namespace yomi::net
