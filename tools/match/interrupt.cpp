#include "tools/match/interrupt.hpp"

#include <ctime>
#include <signal.h>
#include <unistd.h>

namespace yomi::match {
namespace {

sigset_t watched() {
    sigset_t set;
    ::sigemptyset(&set);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
        ::sigaddset(&set, signal);
    return set;
}

}  // namespace

Interrupt::Interrupt() {
    ::signal(SIGPIPE, SIG_IGN);
    const sigset_t set = watched();
    ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
    waiter_ = std::jthread([this, set](const std::stop_token& end) {
        constexpr timespec kLook{0, 100'000'000};
        while (!end.stop_requested()) {
            if (::sigtimedwait(&set, nullptr, &kLook) <= 0) continue;
            // At the second signal the engines are left to the kernel, which kills them with us.
            if (!stop_.request_stop()) ::_exit(130);
        }
    });
}

Interrupt::~Interrupt() = default;

}  // namespace yomi::match
