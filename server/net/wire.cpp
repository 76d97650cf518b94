#include "server/net/wire.hpp"

#include <array>

#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace yomi::net {

namespace asio = boost::asio;
using boost::system::error_code;

Wire::Wire(Channel channel, std::size_t max_buffered)
    : channel_(std::move(channel)), timer_(channel_.get_executor()), max_buffered_(max_buffered) {}

void Wire::watch() {
    if (watching_ || ended_ || in_.size() >= max_buffered_) return;
    watching_ = true;
    const auto ready = [self = shared_from_this()](const error_code& ec) {
        self->watching_ = false;
        if (ec) {
            self->ended_ = true;
        } else {
            self->take();
        }
        self->wake();
    };
    if (channel_.holds_bytes()) {  // the socket would not say so
        asio::post(channel_.get_executor(), [ready] { ready({}); });
    } else {
        channel_.socket().async_wait(channel_.read_wait(), ready);
    }
}

void Wire::take() {
    std::array<char, 16 * 1024> block;  // NOLINT(*-member-init): filled by the read
    error_code ec;
    const std::size_t count = channel_.read_some(block.data(), block.size(), ec);
    if (ec == asio::error::would_block) return;
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
        const std::size_t count = channel_.write_some(data.data(), data.size(), ec);
        data.remove_prefix(count);
        if (!ec) continue;
        if (ec != asio::error::would_block) co_return false;
        writing_ = true;
        const std::uint64_t number = ++write_number_;
        timer_.expires_after(stall);
        timer_.async_wait([self = shared_from_this(), number](const error_code& timer_ec) {
            if (timer_ec || !self->writing_ || self->write_number_ != number) return;
            self->stalled_ = true;
            self->close();
        });
        co_await channel_.socket().async_wait(channel_.write_wait(),
                                              asio::redirect_error(asio::use_awaitable, ec));
        writing_ = false;
        timer_.cancel();
        if (ec) co_return false;
    }
    co_return true;
}

asio::awaitable<void> Wire::close_gently() {
    channel_.end_sending();
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
    channel_.close();
    ended_ = true;
}

Channel Wire::release() {
    error_code ignored;
    channel_.socket().cancel(ignored);
    ended_ = true;
    return std::move(channel_);
}

}  // namespace yomi::net
