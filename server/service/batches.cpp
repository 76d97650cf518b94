#include "server/service/batches.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "server/service/service_impl.hpp"

namespace yomi::service {

namespace {

using EventPointer = std::shared_ptr<const proto::Event>;

/// Calls of one batch that are live at once.
constexpr std::size_t kWindow = 16;

}  // namespace

struct Batches::Batch {
    Ticket ticket = 0;
    std::vector<Call> calls;  ///< emptied one by one as they are submitted
    Each each;
    std::function<void(bool cancelled)> ended;  ///< once, after the last final
    std::size_t window = kWindow;

    std::mutex mutex;  // guards what follows
    std::size_t next = 0;
    std::size_t live = 0;
    std::unordered_map<std::size_t, Ticket> tickets;  ///< of the live calls, once they are known
    std::vector<bool> done;
    bool pumping = false;
    bool stopped = false;   ///< no further call is submitted
    bool finished = false;  ///< `ended` was called
    engine::StopReason reason = engine::StopReason::none;
    Ending ending = Ending::deliver;
};

class Batches::ItemReply final : public Reply {
public:
    ItemReply(Batches& batches, std::shared_ptr<Batch> batch, std::size_t index)
        : batches_(batches), batch_(std::move(batch)), index_(index) {}
    void deliver(EventPointer event) noexcept override {
        const bool final = proto::is_final(event->kind);
        batch_->each(index_, std::move(event));
        if (final) batches_.item_ended(batch_, index_);
    }

private:
    Batches& batches_;
    std::shared_ptr<Batch> batch_;
    std::size_t index_;
};

/// Turns the finals of a batch into the events of one job.
class Batches::JobCollector {
public:
    JobCollector(std::string id, std::shared_ptr<Reply> reply, std::size_t total)
        : outbox_(std::move(id), std::move(reply)), answers_(total) {}

    void begin() {
        outbox_.post(proto::EventKind::queued, text("{\"ahead\":0}"));
        outbox_.post(proto::EventKind::started, text("{}"));
        outbox_.flush();
    }

    void item(std::size_t index, const EventPointer& event) {
        if (!proto::is_final(event->kind)) return;
        const std::string json = proto::event_json(*event);
        {
            const std::lock_guard lock(mutex_);
            answers_[index] = json;
            ++done_;
            if (event->kind != proto::EventKind::result) ++failed_;
            outbox_.post(proto::EventKind::progress,
                         text("{" + counts() + ",\"answer\":" + json + "}"));
        }
        outbox_.flush();
    }

    /// What was not answered is left out.
    void end(bool cancelled) {
        {
            const std::lock_guard lock(mutex_);
            std::string body = "{\"method\":\"batch\"," + counts() + ",\"answers\":[";
            bool first = true;
            for (const std::string& answer : answers_) {
                if (answer.empty()) continue;
                if (!std::exchange(first, false)) body += ',';
                body += answer;
            }
            body += "]}";
            outbox_.post(cancelled ? proto::EventKind::cancelled : proto::EventKind::result,
                         text(std::move(body)));
        }
        outbox_.flush();
    }

private:
    static std::shared_ptr<const std::string> text(std::string json) {
        return std::make_shared<const std::string>(std::move(json));
    }
    [[nodiscard]] std::string counts() const {
        return "\"total\":" + std::to_string(answers_.size()) +
               ",\"done\":" + std::to_string(done_) + ",\"failed\":" + std::to_string(failed_);
    }

    std::mutex mutex_;
    Outbox outbox_;
    std::vector<std::string> answers_;
    std::size_t done_ = 0;
    std::size_t failed_ = 0;
};

Ticket Batches::submit(std::vector<Call> calls, Each each) {
    const auto batch = std::make_shared<Batch>();
    batch->ticket = impl_.next_number.fetch_add(1, std::memory_order_relaxed);
    batch->calls = std::move(calls);
    batch->each = std::move(each);
    return begin(batch);
}

Result<std::string> Batches::start_job(std::vector<Call> calls, std::string client) {
    const auto batch = std::make_shared<Batch>();
    batch->ticket = impl_.next_number.fetch_add(1, std::memory_order_relaxed);
    auto job = impl_.jobs.open("batch", client, batch->ticket);
    if (!job) return tl::unexpected(std::move(job.error()));
    const auto collector =
        std::make_shared<JobCollector>(job->id, std::move(job->reply), calls.size());
    batch->calls = std::move(calls);
    batch->each = [collector](std::size_t index, const EventPointer& event) {
        collector->item(index, event);
    };
    batch->ended = [collector](bool cancelled) { collector->end(cancelled); };
    collector->begin();
    begin(batch);
    return job->id;
}

Ticket Batches::begin(const std::shared_ptr<Batch>& batch) {
    const int quota = impl_.current_limits()->max_live_per_client;
    batch->window = std::clamp<std::size_t>(static_cast<std::size_t>(quota) / 2, 1, kWindow);
    batch->done.resize(batch->calls.size());
    {
        const std::lock_guard lock(mutex_);
        batches_.emplace(batch->ticket, batch);
    }
    const Ticket ticket = batch->ticket;
    pump(batch);
    return ticket;
}

/// Submits calls until the window is full. One thread at a time: a final that comes meanwhile,
/// perhaps from within `submit`, is seen by the loop.
void Batches::pump(const std::shared_ptr<Batch>& batch) {
    std::unique_lock lock(batch->mutex);
    if (batch->pumping) return;
    batch->pumping = true;
    while (!batch->stopped && batch->live < batch->window && batch->next < batch->calls.size()) {
        const std::size_t index = batch->next++;
        ++batch->live;
        Call call = std::move(batch->calls[index]);
        lock.unlock();
        const Ticket ticket =
            impl_.submit(std::move(call), std::make_shared<ItemReply>(*this, batch, index));
        lock.lock();
        if (batch->done[index]) continue;
        batch->tickets.emplace(index, ticket);
        if (!batch->stopped) continue;
        // It was ended while this call was on its way in, and nobody knew its ticket.
        const auto reason = batch->reason;
        const auto ending = batch->ending == Ending::silent ? Service::Impl::Ending::silent
                                                            : Service::Impl::Ending::deliver;
        lock.unlock();
        impl_.end(ticket, reason, ending);
        lock.lock();
    }
    batch->pumping = false;
    const bool all = batch->live == 0 && (batch->stopped || batch->next == batch->calls.size());
    lock.unlock();
    if (all) finish(batch);
}

/// Whoever delivers a final holds no lock but must not be held up: the short lane goes on.
void Batches::schedule(const std::shared_ptr<Batch>& batch) {
    const auto number = impl_.next_number.fetch_add(1, std::memory_order_relaxed);
    pool::Job job{.id = number,
                  .lane = pool::Lane::short_,
                  .client = "batch",
                  .run = [this, batch](pool::Worker&) { pump(batch); }};
    if (impl_.pool.lane(pool::Lane::short_).submit(std::move(job))) return;
    // The lane is full: a little later.
    impl_.timer.at(Timer::Clock::now() + std::chrono::milliseconds(20),
                   [this, batch] { schedule(batch); });
}

void Batches::item_ended(const std::shared_ptr<Batch>& batch, std::size_t index) {
    bool all = false;
    bool more = false;
    {
        const std::lock_guard lock(batch->mutex);
        if (batch->stopped && batch->ending == Ending::silent) return;  // crossed the end
        batch->done[index] = true;
        batch->tickets.erase(index);
        --batch->live;
        if (batch->pumping) return;  // the loop sees it
        const bool no_more = batch->stopped || batch->next == batch->calls.size();
        all = no_more && batch->live == 0;
        more = !no_more;
    }
    if (all) finish(batch);
    if (more) schedule(batch);
}

void Batches::finish(const std::shared_ptr<Batch>& batch) {
    bool cancelled = false;
    bool silent = false;
    {
        const std::lock_guard lock(batch->mutex);
        if (std::exchange(batch->finished, true)) return;
        cancelled = batch->stopped && batch->next < batch->calls.size();
        silent = batch->stopped && batch->ending == Ending::silent;
        if (batch->stopped && batch->reason == engine::StopReason::cancelled) cancelled = true;
    }
    if (batch->ended && !silent) batch->ended(cancelled);
    const std::lock_guard lock(mutex_);
    batches_.erase(batch->ticket);
    if (batches_.empty()) none_left_.notify_all();
}

bool Batches::end(Ticket ticket, engine::StopReason reason, Ending ending) {
    std::shared_ptr<Batch> batch;
    {
        const std::lock_guard lock(mutex_);
        const auto found = batches_.find(ticket);
        if (found == batches_.end()) return false;
        batch = found->second;
    }
    std::vector<Ticket> live;
    bool all = false;
    {
        const std::lock_guard lock(batch->mutex);
        if (batch->stopped) return true;
        batch->stopped = true;
        batch->reason = reason;
        batch->ending = ending;
        for (const auto& [index, of_call] : batch->tickets)
            live.push_back(of_call);
        // Abandoned calls have no final that would count them down.
        if (ending == Ending::silent) batch->live = 0;
        all = batch->live == 0 && !batch->pumping;
    }
    // The youngest first: a worker that becomes free must not begin a call that is about to end.
    std::sort(live.begin(), live.end(), std::greater<>());
    for (const Ticket of_call : live) {
        impl_.end(of_call,
                  reason,
                  ending == Ending::silent ? Service::Impl::Ending::silent
                                           : Service::Impl::Ending::deliver);
    }
    if (all) finish(batch);
    return true;
}

void Batches::wait_for_end() {
    std::unique_lock lock(mutex_);
    none_left_.wait(lock, [this] { return batches_.empty(); });
}

}  // namespace yomi::service
