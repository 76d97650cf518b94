// The end of the whole service.
#include <vector>

#include "server/service/service_impl.hpp"

namespace yomi::service {

void Service::Impl::shutdown(std::chrono::milliseconds grace) {
    const std::lock_guard one_at_a_time(shutdown_mutex);
    const auto patience_ends = Clock::now() + grace;
    const auto tickets_now = [this] {
        std::vector<Ticket> tickets;
        const std::lock_guard lock(mutex);
        for (const auto& [ticket, subscription] : live)
            tickets.push_back(ticket);
        return tickets;
    };
    {
        // Under the lock: whoever attaches later sees it, whoever attached before is found below.
        const std::lock_guard lock(mutex);
        draining.store(true, std::memory_order_release);
    }

    // What waits for an engine has lost nothing yet: another server can take it at once.
    for (const Ticket ticket : tickets_now()) {
        end(ticket, engine::StopReason::shutdown, Ending::deliver, /*only_queued=*/true);
    }
    {
        std::unique_lock lock(mutex);
        nothing_open.wait_until(lock, patience_ends, [this] { return open == 0; });
    }

    // Every subscriber of a running search gets the engine's own last answer, so the searches are
    // stopped rather than the subscriptions ended one by one.
    std::vector<SearchPointer> running;
    {
        const std::lock_guard lock(mutex);
        for (const auto& [id, search] : searches) {
            const std::lock_guard search_lock(search->mutex);
            if (search->state != Search::State::running) continue;
            if (search->reason == engine::StopReason::none) {
                search->reason = engine::StopReason::shutdown;
            }
            unjoin(*search);
            running.push_back(search);
        }
    }
    for (const SearchPointer& search : running)
        search->stop.request_stop();
    // The rest waits on the short lane, to be read or to be run.
    for (const Ticket ticket : tickets_now()) {
        end(ticket, engine::StopReason::shutdown, Ending::deliver);
    }
    {
        std::unique_lock lock(mutex);
        nothing_open.wait(lock, [this] { return open == 0; });
    }
    batches.wait_for_end();
    jobs.wait_for_followers();
}

}  // namespace yomi::service
