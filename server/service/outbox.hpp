#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>

#include "proto/envelope.hpp"
#include "server/service/service.hpp"

namespace yomi::service {

/// The ordered way of one request's events to its `Reply`.
///
/// `post` numbers an event and appends it; it may be called under any lock. `flush` hands what was
/// posted to the Reply and is called with no lock held. Whoever posts flushes afterwards; when
/// another thread is already delivering, it takes the new events along, so the order is kept
/// without holding a lock during `Reply::deliver`.
///
/// Exactly one final: the first final that is posted, or `drop`, ends the outbox; later posts are
/// refused. Threads every function from any thread.
class Outbox {
public:
    Outbox(std::string id, std::shared_ptr<Reply> reply)
        : id_(std::move(id)), reply_(std::move(reply)) {}
    Outbox(const Outbox&) = delete;
    Outbox& operator=(const Outbox&) = delete;

    /// Sets `id` and `seq` and appends. False: the outbox has ended.
    bool post(proto::Event event);
    /// The same for an event without members of its own.
    bool post(proto::EventKind kind, std::shared_ptr<const std::string> body);
    /// Appends an event that keeps its own number: a follower repeats the job's.
    bool post_as_is(std::shared_ptr<const proto::Event> event);
    /// Ends without a final event. A delivery that is running may still return later; none begins.
    /// False: it had ended before.
    bool drop();
    /// Delivers. True: this call has delivered the final event (true once only).
    bool flush();

    [[nodiscard]] const std::string& id() const noexcept { return id_; }

private:
    bool append(std::shared_ptr<const proto::Event> event);

    const std::string id_;
    std::mutex mutex_;
    std::shared_ptr<Reply> reply_;  ///< released after the final event
    std::deque<std::shared_ptr<const proto::Event>> pending_;
    std::uint64_t next_seq_ = 0;
    bool ended_ = false;
    bool delivering_ = false;
};

}  // namespace yomi::service
