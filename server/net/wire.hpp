#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <boost/asio/steady_timer.hpp>

#include "server/net/channel.hpp"
#include "server/net/coroutine.hpp"

namespace yomi::net {

/// A channel with what a server's coroutine waits for: bytes, the other side's end, a wake, a
/// deadline.
///
/// Reading is a watch that runs beside the coroutine: it fills `in` and marks the end of the
/// stream, so a client that leaves is noticed while its request runs. The coroutine has one point
/// of waiting, `wait`, and looks at all conditions again after it. Nothing is awaited with a
/// cancellation slot (Asio issue 1332): a deadline closes the socket. Threads one strand: the
/// channel's executor. `wake` too; others post to `executor` first.
class Wire : public std::enable_shared_from_this<Wire> {
public:
    using Clock = std::chrono::steady_clock;
    /// `max_buffered`: bytes that may wait unread in `in` before the watch pauses; what a client
    /// pipelines beyond them stays in the kernel. It must hold the largest request head.
    Wire(Channel channel, std::size_t max_buffered);

    /// Starts watching for bytes unless that is under way already.
    void watch();
    /// Bytes that arrived and nobody has taken.
    std::string& in() noexcept { return in_; }
    /// The other side has ended or broken the connection; `in` may still hold bytes.
    [[nodiscard]] bool ended() const noexcept { return ended_; }

    /// Until `wake` or the deadline.
    boost::asio::awaitable<void> wait(Clock::time_point deadline);
    void wake();

    /// Writes all of `data`, which must stay alive. False: the connection is gone, or took nothing
    /// for `stall`.
    boost::asio::awaitable<bool> write(std::string_view data, std::chrono::milliseconds stall);
    /// A write ended by its deadline.
    [[nodiscard]] bool stalled() const noexcept { return stalled_; }

    /// Ends our side, then reads and forgets what is still on its way, a second at most: closing
    /// with unread bytes would send a reset, and the reset can overtake the answer.
    boost::asio::awaitable<void> close_gently();
    void close() noexcept;

    [[nodiscard]] boost::asio::any_io_executor executor() { return channel_.get_executor(); }
    /// Gives the channel away (to a WebSocket). Ends the watch.
    Channel release();

private:
    void take();

    Channel channel_;
    boost::asio::steady_timer timer_;
    std::size_t max_buffered_;
    std::string in_;
    std::uint64_t write_number_ = 0;  ///< tells a late deadline from the present one
    bool watching_ = false;
    bool waiting_ = false;
    bool writing_ = false;
    bool ended_ = false;
    bool stalled_ = false;
};

}  // namespace yomi::net
