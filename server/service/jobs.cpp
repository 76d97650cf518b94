#include "server/service/jobs.hpp"

#include <algorithm>
#include <utility>

#include "server/service/ids.hpp"

namespace yomi::service {

using EventPointer = std::shared_ptr<const proto::Event>;

struct Jobs::Follower {
    Follower(Ticket of,
             std::shared_ptr<Record> followed,
             std::string id,
             std::shared_ptr<Reply> reply)
        : ticket(of), record(std::move(followed)), outbox(std::move(id), std::move(reply)) {}
    const Ticket ticket;
    const std::shared_ptr<Record> record;
    Outbox outbox;
};

struct Jobs::Record {
    std::string id, method, client;
    Ticket ticket = 0;
    std::uint64_t number = 0;  // of the job in the order of opening
    std::chrono::system_clock::time_point created;
    mutable std::mutex mutex;  // guards what follows
    EventPointer queued, started, progress, final;
    std::vector<std::shared_ptr<Follower>> followers;
};

/// The Reply of the job's own call. The service releases it after the final event.
class Jobs::RecordReply final : public Reply {
public:
    RecordReply(Jobs& jobs, std::shared_ptr<Record> record)
        : jobs_(jobs), record_(std::move(record)) {}
    void deliver(EventPointer event) noexcept override { jobs_.keep(record_, event); }

private:
    Jobs& jobs_;
    std::shared_ptr<Record> record_;
};

Result<Jobs::Opened> Jobs::open(std::string_view method, std::string_view client, Ticket ticket) {
    const auto record = std::make_shared<Record>();
    record->id = new_id("j-");
    record->method = method;
    record->client = client;
    record->ticket = ticket;
    record->created = std::chrono::system_clock::now();
    {
        const std::lock_guard lock(mutex_);
        if (records_.size() >= max_jobs_) {
            return fail(Error{.code = ErrorCode::busy,
                              .message = "the server keeps as many jobs as it can",
                              .hint = "delete finished jobs or try again later"});
        }
        record->number = opened_++;
        records_.emplace(record->id, record);
    }
    return Opened{.id = record->id, .reply = std::make_shared<RecordReply>(*this, record)};
}

void Jobs::forget(const std::string& id) {
    std::shared_ptr<Record> gone;  // dies outside the lock
    const std::lock_guard lock(mutex_);
    const auto found = records_.find(id);
    if (found == records_.end()) return;
    gone = std::move(found->second);
    records_.erase(found);
}

/// Another client's job looks exactly like one that does not exist.
Result<std::shared_ptr<Jobs::Record>> Jobs::find(std::string_view id,
                                                 std::string_view client,
                                                 Role role) const {
    const std::lock_guard lock(mutex_);
    const auto found = records_.find(std::string(id));
    if (found == records_.end() || (found->second->client != client && role != Role::admin)) {
        return fail(Error{
            .code = ErrorCode::not_found,
            .message = "there is no such job",
            .hint = "a finished job can be read for " + std::to_string(ttl_.count()) + " seconds",
            .value = std::string(id)});
    }
    return found->second;
}

Result<JobView> Jobs::view(std::string_view id, std::string_view client, Role role) const {
    const auto record = find(id, client, role);
    if (!record) return tl::unexpected(record.error());
    return view_of(**record);
}

std::vector<JobView> Jobs::list(std::string_view client) const {
    std::vector<std::shared_ptr<Record>> own;
    {
        const std::lock_guard lock(mutex_);
        for (const auto& [id, record] : records_) {
            if (record->client == client) own.push_back(record);
        }
    }
    // Not by id: ids made in one millisecond are in no order.
    std::ranges::sort(own, {}, [](const auto& record) { return record->number; });
    std::vector<JobView> views;
    for (const auto& record : own)
        views.push_back(view_of(*record));
    return views;
}

JobView Jobs::view_of(const Record& job) {
    JobView view{.id = job.id,
                 .method = job.method,
                 .state = "queued",
                 .latest = {},
                 .created = job.created};
    const std::lock_guard lock(job.mutex);
    view.finished = job.final != nullptr;
    view.latest = job.final ? job.final : job.progress;
    if (job.started) view.state = "running";
    if (job.final) {
        view.state = job.final->kind == proto::EventKind::result  ? "done"
                     : job.final->kind == proto::EventKind::error ? "failed"
                                                                  : "cancelled";
    }
    return view;
}

Result<Ticket> Jobs::remove(std::string_view id, std::string_view client, Role role) {
    const auto record = find(id, client, role);
    if (!record) return tl::unexpected(record.error());
    forget((*record)->id);
    return (*record)->ticket;
}

Result<void> Jobs::follow(std::string_view id,
                          std::string_view client,
                          Role role,
                          std::optional<std::uint64_t> last_seq,
                          Ticket ticket,
                          std::shared_ptr<Reply> reply) {
    const auto record = find(id, client, role);
    if (!record) return tl::unexpected(record.error());
    Record& job = **record;
    const auto follower = std::make_shared<Follower>(ticket, *record, job.id, std::move(reply));
    {
        const std::lock_guard lock(mutex_);
        followers_.emplace(ticket, follower);
    }
    {
        const std::lock_guard lock(job.mutex);
        for (const EventPointer& event : {job.queued, job.started, job.progress}) {
            if (event && (!last_seq || event->seq > *last_seq)) follower->outbox.post_as_is(event);
        }
        if (job.final) {
            follower->outbox.post_as_is(job.final);
        } else {
            job.followers.push_back(follower);
        }
    }
    flush(follower);
    return {};
}

bool Jobs::abandon(Ticket ticket) {
    std::shared_ptr<Follower> follower;
    {
        const std::lock_guard lock(mutex_);
        const auto found = followers_.find(ticket);
        if (found == followers_.end()) return false;
        follower = std::move(found->second);
        followers_.erase(found);
        if (followers_.empty()) no_followers_.notify_all();
    }
    {
        const std::lock_guard lock(follower->record->mutex);
        std::erase(follower->record->followers, follower);
    }
    follower->outbox.drop();
    return true;
}

void Jobs::wait_for_followers() {
    std::unique_lock lock(mutex_);
    no_followers_.wait(lock, [this] { return followers_.empty(); });
}

std::size_t Jobs::size() const {
    const std::lock_guard lock(mutex_);
    return records_.size();
}

void Jobs::keep(const std::shared_ptr<Record>& record, const EventPointer& event) {
    Record& job = *record;
    std::vector<std::shared_ptr<Follower>> followers;
    {
        const std::lock_guard lock(job.mutex);
        switch (event->kind) {
            case proto::EventKind::queued:
                job.queued = event;
                break;
            case proto::EventKind::started:
                job.started = event;
                break;
            case proto::EventKind::progress:
                job.progress = event;
                break;
            default:
                job.final = event;
                break;
        }
        // Posting under the lock keeps a new follower's replay and this event in order.
        for (const auto& follower : job.followers)
            follower->outbox.post_as_is(event);
        followers = job.followers;
        if (job.final) job.followers.clear();
    }
    for (const auto& follower : followers)
        flush(follower);
    if (proto::is_final(event->kind)) {
        timer_.at(Timer::Clock::now() + ttl_, [this, id = job.id] { forget(id); });
    }
}

void Jobs::flush(const std::shared_ptr<Follower>& follower) {
    if (!follower->outbox.flush()) return;
    const std::lock_guard lock(mutex_);
    followers_.erase(follower->ticket);
    if (followers_.empty()) no_followers_.notify_all();
}

}  // namespace yomi::service
