#include "server/net/wire.hpp"

#include <array>

#include <boost/asio/buffer.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace yomi::net {

namespace asio = boost::asio;
using boost::system::error_code;

Wire::Wire(Socket socket, std::size_t max_buffered)
    : socket_(std::move(socket)), timer_(socket_.get_executor()), max_buffered_(max_buffered) {
    error_code ignored;
    socket_.non_blocking(true, ignored);
    socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
}

void Wire::watch() {
    if (watching_ || ended_ || in_.size() >= max_buffered_) return;
    watching_ = true;
    socket_.async_wait(Socket::wait_read, [self = shared_from_this()](const error_code& ec) {
        self->watching_ = false;
        if (ec) {
            self->ended_ = true;
        } else {
            self->take();
        }
        self->wake();
    });
}

void Wire::take() {
    std::array<char, 16 * 1024> block;  // NOLINT(*-member-init): filled by the read
    error_code ec;
    const std::size_t count = socket_.read_some(asio::buffer(block), ec);
    if (ec == asio::error::would_block || ec == asio::error::try_again) return;
    if (ec) {
        ended_ = true;
        return;
    }
    in_.append(block.data(), count);
}

asio::awaitable<void> Wire::wait(Clock::time_point deadline) {
    waiting_ = true;
    timer_.expires_at(deadline);
    error_code ignored;
    co_await timer_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    waiting_ = false;
}

void Wire::wake() {
    if (waiting_) timer_.cancel();
}

asio::awaitable<bool> Wire::write(std::string_view data, std::chrono::milliseconds stall) {
    while (!data.empty()) {
        error_code ec;
        const std::size_t count = socket_.write_some(asio::buffer(data.data(), data.size()), ec);
        data.remove_prefix(count);
        if (!ec) continue;
        if (ec != asio::error::would_block && ec != asio::error::try_again) co_return false;
        writing_ = true;
        const std::uint64_t number = ++write_number_;
        timer_.expires_after(stall);
        timer_.async_wait([self = shared_from_this(), number](const error_code& timer_ec) {
            if (timer_ec || !self->writing_ || self->write_number_ != number) return;
            self->stalled_ = true;
            self->close();
        });
        co_await socket_.async_wait(Socket::wait_write,
                                    asio::redirect_error(asio::use_awaitable, ec));
        writing_ = false;
        timer_.cancel();
        if (ec) co_return false;
    }
    co_return true;
}

asio::awaitable<void> Wire::close_gently() {
    error_code ignored;
    socket_.shutdown(Socket::shutdown_send, ignored);
    const auto deadline = Clock::now() + std::chrono::seconds(1);
    std::size_t left = 256 * 1024;  // a client that still sends more than this gets its reset
    while (!ended_ && Clock::now() < deadline && in_.size() <= left) {
        left -= in_.size();
        in_.clear();
        watch();
        co_await wait(deadline);
    }
    close();
}

void Wire::close() noexcept {
    error_code ignored;
    socket_.close(ignored);
    ended_ = true;
}

Wire::Socket Wire::release() {
    error_code ignored;
    socket_.cancel(ignored);
    ended_ = true;
    return std::move(socket_);
}

}  // namespace yomi::net
