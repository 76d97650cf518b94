#include "server/net/aside.hpp"

#include <atomic>
#include <memory>
#include <mutex>
#include <utility>

#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "server/net/coroutine.hpp"

namespace yomi::net {

namespace asio = boost::asio;

namespace {

/// How the worker wakes the coroutine, and how the coroutine says that it has gone.
/// Threads any; after `close` nothing of the coroutine is touched.
class Bell {
public:
    explicit Bell(std::function<void()> wake) : wake_(std::move(wake)) {}
    void ring() noexcept {
        const std::lock_guard lock(mutex_);
        if (wake_) wake_();
        wake_ = nullptr;
    }
    void close() noexcept {
        const std::lock_guard lock(mutex_);
        wake_ = nullptr;
    }

private:
    std::mutex mutex_;
    std::function<void()> wake_;
};

/// Rings also when the work throws, or is thrown away with its lane.
class RingsAtTheEnd {
public:
    explicit RingsAtTheEnd(std::shared_ptr<Bell> bell) : bell_(std::move(bell)) {}
    ~RingsAtTheEnd() { bell_->ring(); }
    RingsAtTheEnd(const RingsAtTheEnd&) = delete;
    RingsAtTheEnd& operator=(const RingsAtTheEnd&) = delete;

private:
    std::shared_ptr<Bell> bell_;
};

/// The coroutine's end of it: closes whichever way the coroutine ends.
class ClosesAtTheEnd {
public:
    explicit ClosesAtTheEnd(std::shared_ptr<Bell> bell) : bell_(std::move(bell)) {}
    ~ClosesAtTheEnd() { bell_->close(); }
    ClosesAtTheEnd(const ClosesAtTheEnd&) = delete;
    ClosesAtTheEnd& operator=(const ClosesAtTheEnd&) = delete;

private:
    std::shared_ptr<Bell> bell_;
};

}  // namespace

asio::awaitable<bool> aside(service::Service& service,
                            std::string client,
                            std::function<void()> work) {
    const auto executor = co_await asio::this_coro::executor;
    asio::steady_timer pause(executor, asio::steady_timer::time_point::max());
    bool ended = false;  // on the strand only
    const auto ran = std::make_shared<std::atomic<bool>>(false);
    // What is posted runs on the strand, so this frame still waits then: it leaves only by `ended`.
    const auto bell = std::make_shared<Bell>([executor, &pause, &ended] {
        asio::post(executor, [&pause, &ended] {
            ended = true;
            pause.cancel();
        });
    });
    const ClosesAtTheEnd closes(bell);
    auto rings = std::make_shared<RingsAtTheEnd>(bell);
    std::function<void()> job = [rings, bell, ran, work = std::move(work)] {
        work();
        ran->store(true, std::memory_order_release);  // pairs with the load below
        bell->ring();
    };
    rings.reset();
    // Refused or not: the bell rings, at the latest when the job is destroyed.
    service.lend(std::move(client), std::move(job));
    while (!ended) {
        boost::system::error_code ignored;
        co_await pause.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    }
    co_return ran->load(std::memory_order_acquire);
}

}  // namespace yomi::net
