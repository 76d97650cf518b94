#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <list>
#include <optional>
#include <string>
#include <unordered_map>

#include "server/pool/job.hpp"

namespace yomi::pool {

/// The waiting jobs of one lane: bounded, fair between clients, two priorities with ageing.
///
/// Fairness is deficit round robin over the estimated CPU milliseconds: clients take turns, each
/// turn credits one quantum (times the client's weight), and a client's next job runs once its
/// credit covers the job's estimate. A client that queues a hundred jobs therefore delays only
/// itself. `batch` jobs run when no `interactive` job waits; one that has waited `rise_after` joins
/// the interactive turn of its client.
///
/// Shape   at most `capacity` jobs; an estimate below 1 ms counts as 1 ms; job ids are unique.
/// Threads one at a time: `WorkerPool` guards it. Time is an argument, so tests need no sleep.
/// Cost    `remove` and `raise` O(1); `take` O(1) while estimates are near the quantum, else
///         O(clients); `ahead`, and `push` for its sake, O(jobs).
/// Source  Shreedhar & Varghese, "Efficient fair queuing using deficit round robin" (1995).
class FairQueue {
public:
    using Clock = std::chrono::steady_clock;

    struct Options {
        std::size_t capacity = 256;
        std::chrono::milliseconds quantum{100};
        std::chrono::milliseconds rise_after{5000};
    };

    explicit FairQueue(Options options);
    FairQueue(const FairQueue&) = delete;
    FairQueue& operator=(const FairQueue&) = delete;

    /// Appends a job and returns how many of the waiting jobs will run before it, or nothing when
    /// the queue is full (the job is then dropped).
    std::optional<std::size_t> push(Job job, Clock::time_point now);
    /// The job whose turn it is; nothing when the queue is empty.
    std::optional<Job> take(Clock::time_point now);
    /// Takes a waiting job out. False: it is not (or no longer) waiting.
    bool remove(std::uint64_t id);
    /// Makes a waiting batch job interactive. False: not waiting, or already interactive.
    bool raise(std::uint64_t id);
    /// How many waiting jobs run before this one if none comes or goes; nothing: not waiting.
    [[nodiscard]] std::optional<std::size_t> ahead(std::uint64_t id) const;

    [[nodiscard]] std::size_t size() const noexcept { return places_.size(); }
    [[nodiscard]] bool empty() const noexcept { return places_.empty(); }
    [[nodiscard]] std::size_t batch_size() const noexcept { return batch_.jobs; }
    /// Clients that have a waiting job. Cost O(clients).
    [[nodiscard]] std::size_t clients() const;
    /// How long the oldest job has waited; 0 when none waits. Cost O(jobs).
    [[nodiscard]] std::chrono::milliseconds oldest_wait(Clock::time_point now) const;
    /// The estimates of all waiting jobs together.
    [[nodiscard]] std::chrono::milliseconds estimate() const noexcept {
        return std::chrono::milliseconds(estimate_ms_);
    }
    /// Jobs beyond a smaller capacity stay; only new ones are refused.
    void set_capacity(std::size_t capacity) noexcept { options_.capacity = capacity; }

private:
    struct Waiting {
        Job job;
        std::int64_t cost_ms;
        Clock::time_point queued_at;
    };
    /// The jobs of one client, first come first served, and its credit.
    struct Flow {
        std::string client;
        std::list<Waiting> jobs;
        std::int64_t deficit_ms = 0;
        std::int64_t quantum_ms = 0;  ///< by the weight that the client's newest job says
    };
    using FlowAt = std::list<Flow>::iterator;
    using JobAt = std::list<Waiting>::iterator;

    /// One round robin of flows; the front flow has the turn.
    struct Ring {
        std::list<Flow> flows;
        std::unordered_map<std::string, FlowAt> by_client;
        bool credited = false;  ///< the front flow has had its quantum in this turn
        std::size_t jobs = 0;
    };
    struct Place {
        Ring* ring;
        FlowAt flow;
        JobAt job;
        std::list<std::uint64_t>::iterator batch_order;  ///< valid while `ring` is the batch ring
    };

    FlowAt flow_of(Ring& ring, const Job& job);
    void leave_flow(Ring& ring, FlowAt flow);
    void skip_idle_rounds(Ring& ring) const;
    Job take_front(Ring& ring);
    void become_interactive(Place& place);
    std::size_t ahead_in(const Ring& ring, const Place& place) const;

    Options options_;
    Ring interactive_;
    Ring batch_;
    std::list<std::uint64_t> batch_order_;  ///< waiting batch jobs, oldest first: who rises next
    std::unordered_map<std::uint64_t, Place> places_;
    std::int64_t estimate_ms_ = 0;
};

}  // namespace yomi::pool
