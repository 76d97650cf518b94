#include "server/service/outbox.hpp"

#include <utility>

namespace yomi::service {

bool Outbox::post(proto::Event event) {
    const std::lock_guard lock(mutex_);
    if (ended_) return false;
    event.id = id_;
    event.seq = next_seq_++;
    return append(std::make_shared<const proto::Event>(std::move(event)));
}

bool Outbox::post(proto::EventKind kind, std::shared_ptr<const std::string> body) {
    proto::Event event;
    event.kind = kind;
    event.body = std::move(body);
    return post(std::move(event));
}

bool Outbox::post_as_is(std::shared_ptr<const proto::Event> event) {
    const std::lock_guard lock(mutex_);
    if (ended_) return false;
    return append(std::move(event));
}

bool Outbox::append(std::shared_ptr<const proto::Event> event) {
    ended_ = proto::is_final(event->kind);
    pending_.push_back(std::move(event));
    return true;
}

bool Outbox::drop() {
    std::shared_ptr<Reply> released;  // dies after the lock: a Reply may own a whole connection
    std::deque<std::shared_ptr<const proto::Event>> unsent;
    const std::lock_guard lock(mutex_);
    if (ended_) return false;
    ended_ = true;
    unsent.swap(pending_);
    released.swap(reply_);
    return true;
}

bool Outbox::flush() {
    std::unique_lock lock(mutex_);
    if (delivering_) return false;
    delivering_ = true;
    bool final_delivered = false;
    while (!pending_.empty()) {
        const std::shared_ptr<const proto::Event> event = std::move(pending_.front());
        pending_.pop_front();
        final_delivered = proto::is_final(event->kind);
        std::shared_ptr<Reply> reply = final_delivered ? std::move(reply_) : reply_;
        lock.unlock();
        if (reply) reply->deliver(event);
        reply.reset();
        lock.lock();
    }
    delivering_ = false;
    return final_delivered;
}

}  // namespace yomi::service
