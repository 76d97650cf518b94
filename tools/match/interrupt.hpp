#pragma once

#include <stop_token>
#include <thread>

namespace yomi::match {

/// Turns the first SIGINT, SIGTERM or SIGHUP into a stop request; a second one ends the program at
/// once. Also ignores SIGPIPE: a dead engine is noticed by its pipe, not by our death.
///
/// Threads make it in `main` before any other thread starts, since threads inherit which signals
/// are blocked.
class Interrupt {
public:
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;
    [[nodiscard]] std::stop_token token() const noexcept { return stop_.get_token(); }

private:
    std::stop_source stop_;
    std::jthread waiter_;
};

}  // namespace yomi::match
