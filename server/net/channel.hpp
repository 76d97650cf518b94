#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/asio/compose.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/core/role.hpp>

#include "server/net/tls.hpp"

namespace yomi::net {

/// A non-blocking TCP socket, with TLS in between where the listener has a certificate.
///
/// Reads and writes are tried at once and say which readiness to wait for when they would block, so
/// that one coroutine serves both kinds. It is also an AsyncStream, for Beast's WebSocket.
/// Threads one strand: the socket's executor.
class Channel {
public:
    using Socket = boost::asio::ip::tcp::socket;
    using Wait = Socket::wait_type;
    using executor_type = Socket::executor_type;
    using error_code = boost::system::error_code;

    /// `tls` null: plain.
    Channel(Socket socket, const std::shared_ptr<const TlsContext>& tls);
    Channel(Channel&&) = default;
    Channel& operator=(Channel&&) = default;
    Channel(const Channel&) = delete;
    Channel& operator=(const Channel&) = delete;
    ~Channel() = default;

    executor_type get_executor() noexcept { return socket_.get_executor(); }
    Socket& socket() noexcept { return socket_; }
    [[nodiscard]] bool secure() const noexcept { return ssl_ != nullptr; }

    /// Some bytes, now. `would_block`: wait for `read_wait` first; `eof`: the other side has ended.
    std::size_t read_some(void* data, std::size_t size, error_code& ec);
    /// The same for writing. After `would_block` the next write starts with the same bytes.
    std::size_t write_some(const void* data, std::size_t size, error_code& ec);
    [[nodiscard]] Wait read_wait() const noexcept { return read_wait_; }
    [[nodiscard]] Wait write_wait() const noexcept { return write_wait_; }
    /// Bytes can be read although the socket may have none: TLS has taken them out already.
    [[nodiscard]] bool holds_bytes() const;
    /// Says goodbye and ends our side; nothing is written after it.
    void end_sending() noexcept;
    void close() noexcept;

    template <class Buffers, class Token>
    auto async_read_some(const Buffers& buffers, Token&& token) {
        return boost::asio::async_compose<Token, void(error_code, std::size_t)>(
            ReadOp{*this, first_of<boost::asio::mutable_buffer>(buffers)}, token, socket_);
    }
    template <class Buffers, class Token>
    auto async_write_some(const Buffers& buffers, Token&& token) {
        // Small pieces (a frame's head and its text) leave together.
        std::string bytes(std::min(boost::asio::buffer_size(buffers), kPiece), '\0');
        boost::asio::buffer_copy(boost::asio::buffer(bytes), buffers);
        return boost::asio::async_compose<Token, void(error_code, std::size_t)>(
            WriteOp{*this, std::move(bytes)}, token, socket_);
    }

private:
    static constexpr std::size_t kPiece = 16 * 1024;  ///< a TLS record

    template <class Buffer, class Buffers>
    static Buffer first_of(const Buffers& buffers) {
        const auto end = boost::asio::buffer_sequence_end(buffers);
        for (auto at = boost::asio::buffer_sequence_begin(buffers); at != end; ++at) {
            const Buffer buffer(*at);
            if (buffer.size() > 0) return buffer;
        }
        return {};
    }

    /// Tries, waits while it would block, and completes: never before the initiating call returned.
    template <class Try>
    struct Op {
        Channel& channel;
        Try attempt;
        enum class State { start, waits, done } state = State::start;
        std::size_t count = 0;
        error_code result = {};

        template <class Self>
        void operator()(Self& self, error_code ec = {}) {
            if (state != State::done) {
                if (ec) return self.complete(ec, 0);
                count = attempt(channel, result);
                if (result == boost::asio::error::would_block) {
                    state = State::waits;
                    channel.socket_.async_wait(attempt.wait(channel), std::move(self));
                    return;
                }
                if (std::exchange(state, State::done) == State::start) {
                    boost::asio::post(channel.get_executor(), std::move(self));
                    return;
                }
            }
            self.complete(result, count);
        }
    };
    struct TryRead {
        boost::asio::mutable_buffer buffer;
        std::size_t operator()(Channel& channel, error_code& ec) const {
            return channel.read_some(buffer.data(), buffer.size(), ec);
        }
        static Wait wait(const Channel& channel) { return channel.read_wait_; }
    };
    struct TryWrite {
        std::string bytes;
        std::size_t operator()(Channel& channel, error_code& ec) const {
            return channel.write_some(bytes.data(), bytes.size(), ec);
        }
        static Wait wait(const Channel& channel) { return channel.write_wait_; }
    };
    struct ReadOp : Op<TryRead> {
        ReadOp(Channel& of, boost::asio::mutable_buffer into) : Op<TryRead>{of, TryRead{into}} {}
    };
    struct WriteOp : Op<TryWrite> {
        WriteOp(Channel& of, std::string from) : Op<TryWrite>{of, TryWrite{std::move(from)}} {}
    };

    Socket socket_;
    TlsContext::Ssl ssl_;
    bool broken_ = false;  ///< TLS has failed: not even a goodbye may be sent
    Wait read_wait_ = Socket::wait_read;
    Wait write_wait_ = Socket::wait_write;
};

// What Beast's WebSocket asks of a stream that it does not know (found by argument-dependent
// look-up): the end of the connection after the closing handshake, and a close on a time-out.
void teardown(boost::beast::role_type role, Channel& channel, boost::system::error_code& ec);
void beast_close_socket(Channel& channel);

template <class Handler>
void async_teardown(boost::beast::role_type role, Channel& channel, Handler&& handler) {
    boost::system::error_code ec;
    teardown(role, channel, ec);
    boost::asio::post(channel.get_executor(),
                      [done = std::forward<Handler>(handler), ec]() mutable { done(ec); });
}

}  // namespace yomi::net
