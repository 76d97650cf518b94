#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/result.hpp"
#include "server/service/outbox.hpp"
#include "server/service/service.hpp"
#include "server/service/timer.hpp"

namespace yomi::service {

/// The calls whose events are kept for later readers: queued, started, the latest progress, the
/// final.
///
/// A job is an ordinary call whose Reply is this table; a follower is a Reply that the table feeds.
/// Finished jobs stay readable for `ttl`. Threads every function from any thread. No lock is held
/// while a follower's Reply is called.
class Jobs {
public:
    Jobs(Timer& timer, std::chrono::seconds ttl, std::size_t max_jobs)
        : timer_(timer), ttl_(ttl), max_jobs_(max_jobs) {}
    Jobs(const Jobs&) = delete;
    Jobs& operator=(const Jobs&) = delete;

    struct Opened {
        std::string id;
        std::shared_ptr<Reply> reply;  ///< takes the call's events
    };
    /// Makes room for a job before its call starts. `busy` when `max_jobs` are kept.
    Result<Opened> open(std::string_view method, std::string_view client, Ticket ticket);
    /// Takes a job out of the table: its call was refused or its time is over.
    void forget(const std::string& id);

    [[nodiscard]] Result<JobView> view(std::string_view id,
                                       std::string_view client,
                                       Role role) const;
    /// The client's jobs, oldest first.
    [[nodiscard]] std::vector<JobView> list(std::string_view client) const;
    /// Removes the job and returns the ticket of its call. Its followers still get the final event.
    Result<Ticket> remove(std::string_view id, std::string_view client, Role role);
    /// Replays and follows, see `Service::follow_job`.
    Result<void> follow(std::string_view id,
                        std::string_view client,
                        Role role,
                        std::optional<std::uint64_t> last_seq,
                        Ticket follower,
                        std::shared_ptr<Reply> reply);
    /// Ends a following. False: no follower of this ticket.
    bool abandon(Ticket follower);
    /// Returns when no follower waits for a final event. All jobs must have ended or be about to.
    void wait_for_followers();

    [[nodiscard]] std::size_t size() const;

private:
    struct Follower;
    struct Record;
    class RecordReply;

    static JobView view_of(const Record& job);
    [[nodiscard]] Result<std::shared_ptr<Record>> find(std::string_view id,
                                                       std::string_view client,
                                                       Role role) const;
    void keep(const std::shared_ptr<Record>& record,
              const std::shared_ptr<const proto::Event>& event);
    void flush(const std::shared_ptr<Follower>& follower);

    Timer& timer_;
    const std::chrono::seconds ttl_;
    const std::size_t max_jobs_;
    mutable std::mutex mutex_;
    std::condition_variable no_followers_;
    std::uint64_t opened_ = 0;
    std::unordered_map<std::string, std::shared_ptr<Record>> records_;
    std::unordered_map<Ticket, std::shared_ptr<Follower>> followers_;
};

}  // namespace yomi::service
