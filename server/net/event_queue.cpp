#include "server/net/event_queue.hpp"

#include <algorithm>

namespace yomi::net {
namespace {

std::size_t size_of(const proto::Event& event) {
    constexpr std::size_t kFrame = 64;  // id, seq and event name
    return kFrame + event.extra.size() + (event.body ? event.body->size() : 0);
}

}  // namespace

void EventQueue::push(std::uint64_t slot, std::shared_ptr<const proto::Event> event) noexcept {
    const std::lock_guard lock(mutex_);
    if (closed_) return;
    if (event->kind == proto::EventKind::progress) {
        const auto same = [slot](const Item& item) {
            return item.slot == slot && item.event->kind == proto::EventKind::progress;
        };
        const auto waiting = std::count_if(items_.begin(), items_.end(), same);
        if (static_cast<std::size_t>(waiting) >= kMaxProgress) {
            std::erase_if(items_, same);
            dropped_ += static_cast<std::uint64_t>(waiting);
        }
    } else {
        kept_bytes_ += size_of(*event);
    }
    items_.push_back(Item{.slot = slot, .event = std::move(event)});
    if (!signalled_) {
        signalled_ = true;
        wake_();
    }
}

std::optional<EventQueue::Item> EventQueue::pop() {
    const std::lock_guard lock(mutex_);
    signalled_ = false;
    if (items_.empty()) return std::nullopt;
    Item item = std::move(items_.front());
    items_.pop_front();
    if (item.event->kind != proto::EventKind::progress) kept_bytes_ -= size_of(*item.event);
    return item;
}

bool EventQueue::empty() const {
    const std::lock_guard lock(mutex_);
    return items_.empty();
}

std::size_t EventQueue::kept_bytes() const {
    const std::lock_guard lock(mutex_);
    return kept_bytes_;
}

std::uint64_t EventQueue::dropped() const {
    const std::lock_guard lock(mutex_);
    return dropped_;
}

void EventQueue::close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    items_.clear();
    kept_bytes_ = 0;
}

}  // namespace yomi::net
