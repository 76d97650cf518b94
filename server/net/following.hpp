#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "server/net/event_queue.hpp"
#include "server/service/service.hpp"

namespace yomi::net {

/// A followed call. Whatever ends the coroutine ends the call, and no event finds a closed
/// connection.
class Following {
public:
    Following(service::Service& service, std::shared_ptr<EventQueue> queue, service::Ticket ticket)
        : service_(service), queue_(std::move(queue)), ticket_(ticket) {}
    ~Following() {
        queue_->close();
        if (!finished_) service_.abandon(ticket_);
    }
    Following(const Following&) = delete;
    Following& operator=(const Following&) = delete;

    void finished() noexcept { finished_ = true; }

private:
    service::Service& service_;
    std::shared_ptr<EventQueue> queue_;
    service::Ticket ticket_;
    bool finished_ = false;
};

/// The refusal of a request none of whose accepted media types can be made. `offers` in words.
inline Error not_acceptable(std::string_view accept, const char* offers) {
    return Error{.code = ErrorCode::not_acceptable,
                 .message = "no accepted media type can be made here",
                 .hint = offers,
                 .value = std::string(accept)};
}

}  // namespace yomi::net
