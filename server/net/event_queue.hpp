#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>

#include "proto/envelope.hpp"
#include "server/service/service.hpp"

namespace yomi::net {

/// Events on their way from the workers to one connection.
///
/// Progress is bounded: when a request has `kMaxProgress` progress events waiting, a new one
/// replaces them all, so a client that does not read gets the newest only, and one that reads gets
/// every depth. All other events are kept: there are at most three of them a request. Threads
/// `push` from any thread; everything else from the connection's strand. After `close` no wake
/// comes,
///         so whatever `wake` refers to may go away.
class EventQueue {
public:
    static constexpr std::size_t kMaxProgress = 32;  ///< waiting progress events of one request

    struct Item {
        std::uint64_t slot = 0;  ///< which request of the connection
        std::shared_ptr<const proto::Event> event;
    };

    /// `wake` is called under the queue's lock, once per batch; it must only post to the owner's
    /// strand.
    explicit EventQueue(std::function<void()> wake) : wake_(std::move(wake)) {}

    void push(std::uint64_t slot, std::shared_ptr<const proto::Event> event) noexcept;

    /// The oldest event, if any.
    std::optional<Item> pop();

    [[nodiscard]] bool empty() const;
    /// Bytes of the waiting events that may not be dropped.
    [[nodiscard]] std::size_t kept_bytes() const;
    /// Progress events that were replaced so far.
    [[nodiscard]] std::uint64_t dropped() const;
    /// Forgets what waits and everything that still comes.
    void close();

private:
    mutable std::mutex mutex_;
    std::function<void()> wake_;
    std::deque<Item> items_;
    std::size_t kept_bytes_ = 0;
    std::uint64_t dropped_ = 0;
    bool signalled_ = false;  ///< a wake is on its way and nobody has looked since
    bool closed_ = false;
};

/// The service's view of one request of a connection.
class QueueReply final : public service::Reply {
public:
    QueueReply(std::shared_ptr<EventQueue> queue, std::uint64_t slot)
        : queue_(std::move(queue)), slot_(slot) {}
    void deliver(std::shared_ptr<const proto::Event> event) noexcept override {
        queue_->push(slot_, std::move(event));
    }

private:
    std::shared_ptr<EventQueue> queue_;
    std::uint64_t slot_;
};

}  // namespace yomi::net
