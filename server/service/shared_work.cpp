// One call on several workers: the pieces of a whole game.
#include <condition_variable>
#include <exception>
#include <set>
#include <utility>

#include "server/service/service_impl.hpp"

namespace yomi::service {

/// The pieces of one call. Its own worker stays in it to the end; a helper is a job of the pool
/// that does one piece and queues again, so between two of its pieces the queue decides who is
/// next.
///
/// Threads `lead` by the call's worker, `help` by any other. Jobs that the pool still holds after
/// the end find it closed; they own a reference.
class Service::Impl::SharedWork : public std::enable_shared_from_this<SharedWork> {
public:
    SharedWork(Impl& impl, SearchPointer search, const Piece& piece, std::size_t helpers)
        : impl_(impl), search_(std::move(search)), piece_(piece), helpers_(helpers) {}

    void lead(RunContext& context) {
        bool more = true;
        try {
            while (more && call_for_help())
                more = piece_(context.worker, context.memory);
        } catch (...) {
            end(std::current_exception());
        }
        end({});
        std::unique_lock lock(mutex_);
        nobody_inside_.wait(lock, [this] { return inside_ == 0; });
        // Taken out: the last reference must not go with a helper's job on another thread.
        if (const auto fault = std::exchange(fault_, {})) std::rethrow_exception(fault);
    }

private:
    /// Queues helpers up to their number. A full queue is no fault: the next piece asks again.
    /// False: it has ended.
    bool call_for_help() {
        const PreparedCall& call = search_->call;
        const std::lock_guard lock(mutex_);
        while (open_ && waiting_.size() + inside_ < helpers_) {
            const std::uint64_t id = impl_.next_number.fetch_add(1, std::memory_order_relaxed);
            const auto queued = impl_.pool.lane(call.lane).submit(
                {.id = id,
                 .lane = call.lane,
                 .priority = call.priority,
                 .client = search_->client,
                 .weight = search_->weight,
                 .estimate = kPieceEstimate,
                 .run = [self = shared_from_this(), id](pool::Worker& worker) {
                     self->help(id, worker);
                 }});
            if (!queued) break;
            waiting_.insert(id);
        }
        return open_;
    }

    void help(std::uint64_t id, pool::Worker& worker) {
        {
            const std::lock_guard lock(mutex_);
            waiting_.erase(id);
            if (!open_) return;
            ++inside_;
        }
        bool more = false;
        std::exception_ptr fault;
        try {
            pool::MemoryLease lease = impl_.memory.lease(search_->call.budget.hash_bytes);
            more = piece_(worker, lease.memory());
        } catch (...) {
            fault = std::current_exception();
        }
        if (!more) end(std::move(fault));
        {
            const std::lock_guard lock(mutex_);
            --inside_;
            // Under the lock: the leader may go as soon as it is free.
            if (inside_ == 0) nobody_inside_.notify_all();
        }
        call_for_help();
    }

    /// No piece begins after this; helpers that still wait are taken back.
    void end(std::exception_ptr fault) {
        std::set<std::uint64_t> waiting;
        {
            const std::lock_guard lock(mutex_);
            open_ = false;
            if (fault && !fault_) fault_ = std::move(fault);
            waiting.swap(waiting_);
        }
        for (const std::uint64_t id : waiting)
            impl_.pool.lane(search_->call.lane).remove(id);
    }

    /// Cheap in the eyes of the queue, so that it alternates between clients after each piece.
    static constexpr std::chrono::milliseconds kPieceEstimate{100};

    Impl& impl_;
    const SearchPointer search_;
    const Piece& piece_;  ///< the leader's: nobody is in it after `lead` has returned
    const std::size_t helpers_;

    std::mutex mutex_;  // guards what follows
    std::condition_variable nobody_inside_;
    std::set<std::uint64_t> waiting_;  ///< jobs that queue
    std::size_t inside_ = 0;           ///< helpers within a piece
    bool open_ = true;
    std::exception_ptr fault_;
};

void Service::Impl::share(const SearchPointer& search,
                          RunContext& context,
                          const Piece& piece,
                          int at_most) {
    const int workers = pool.lane(search->call.lane).workers();
    const int at_once = at_most > 0 ? std::min(at_most, workers) : workers;
    std::make_shared<SharedWork>(*this, search, piece, static_cast<std::size_t>(at_once - 1))
        ->lead(context);
}

}  // namespace yomi::service
