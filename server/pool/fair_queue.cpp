#include "server/pool/fair_queue.hpp"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <limits>
#include <utility>

namespace yomi::pool {

namespace {

std::int64_t ceil_div(std::int64_t a, std::int64_t b) {
    return (a + b - 1) / b;
}

}  // namespace

FairQueue::FairQueue(Options options) : options_(options) {
    options_.quantum = std::max(options_.quantum, std::chrono::milliseconds(1));
}

FairQueue::FlowAt FairQueue::flow_of(Ring& ring, const Job& job) {
    auto found = ring.by_client.find(job.client);
    if (found == ring.by_client.end()) {
        ring.flows.push_back(Flow{.client = job.client, .jobs = {}});
        found = ring.by_client.emplace(job.client, std::prev(ring.flows.end())).first;
    }
    found->second->quantum_ms = options_.quantum.count() * std::max(job.weight, 1);
    return found->second;
}

/// Bookkeeping after a job has left `flow`: an empty flow loses its turn and its credit.
void FairQueue::leave_flow(Ring& ring, FlowAt flow) {
    --ring.jobs;
    if (!flow->jobs.empty()) return;
    if (flow == ring.flows.begin()) ring.credited = false;
    ring.by_client.erase(flow->client);
    ring.flows.erase(flow);
}

std::optional<std::size_t> FairQueue::push(Job job, Clock::time_point now) {
    if (places_.size() >= options_.capacity) return std::nullopt;
    const std::uint64_t id = job.id;
    assert(!places_.contains(id));
    const bool batch = job.priority == Priority::batch;
    Ring& ring = batch ? batch_ : interactive_;
    const std::int64_t cost_ms = std::max<std::int64_t>(job.estimate.count(), 1);
    const FlowAt flow = flow_of(ring, job);
    flow->jobs.push_back(Waiting{.job = std::move(job), .cost_ms = cost_ms, .queued_at = now});
    ++ring.jobs;
    Place place{.ring = &ring, .flow = flow, .job = std::prev(flow->jobs.end()), .batch_order = {}};
    if (batch) place.batch_order = batch_order_.insert(batch_order_.end(), id);
    places_.emplace(id, place);
    estimate_ms_ += cost_ms;
    return ahead(id);
}

std::optional<Job> FairQueue::take(Clock::time_point now) {
    while (!batch_order_.empty()) {
        Place& oldest = places_.at(batch_order_.front());
        if (now - oldest.job->queued_at < options_.rise_after) break;
        become_interactive(oldest);
    }
    if (interactive_.jobs > 0) return take_front(interactive_);
    if (batch_.jobs > 0) return take_front(batch_);
    return std::nullopt;
}

Job FairQueue::take_front(Ring& ring) {
    std::size_t passed = 0;
    for (;;) {
        const FlowAt flow = ring.flows.begin();
        if (!ring.credited) {
            flow->deficit_ms += flow->quantum_ms;
            ring.credited = true;
        }
        Waiting& next = flow->jobs.front();
        if (next.cost_ms <= flow->deficit_ms) {
            flow->deficit_ms -= next.cost_ms;
            estimate_ms_ -= next.cost_ms;
            Job job = std::move(next.job);
            const auto place = places_.find(job.id);
            if (&ring == &batch_) batch_order_.erase(place->second.batch_order);
            places_.erase(place);
            flow->jobs.pop_front();
            leave_flow(ring, flow);
            return job;
        }
        ring.flows.splice(ring.flows.end(), ring.flows, flow);
        ring.credited = false;
        if (++passed == ring.flows.size()) {
            skip_idle_rounds(ring);
            passed = 0;
        }
    }
}

/// Credits all rounds in which nobody could run at once; a 60 s job over a 100 ms quantum would
/// otherwise turn the ring six hundred times.
void FairQueue::skip_idle_rounds(Ring& ring) const {
    std::int64_t rounds = std::numeric_limits<std::int64_t>::max();
    for (const Flow& flow : ring.flows) {
        const std::int64_t missing = flow.jobs.front().cost_ms - flow.deficit_ms;
        rounds = std::min(rounds, ceil_div(missing, flow.quantum_ms));
    }
    for (Flow& flow : ring.flows)
        flow.deficit_ms += (rounds - 1) * flow.quantum_ms;
}

bool FairQueue::remove(std::uint64_t id) {
    const auto found = places_.find(id);
    if (found == places_.end()) return false;
    const Place place = found->second;
    places_.erase(found);
    if (place.ring == &batch_) batch_order_.erase(place.batch_order);
    estimate_ms_ -= place.job->cost_ms;
    place.flow->jobs.erase(place.job);
    leave_flow(*place.ring, place.flow);
    return true;
}

bool FairQueue::raise(std::uint64_t id) {
    const auto found = places_.find(id);
    if (found == places_.end() || found->second.ring != &batch_) return false;
    become_interactive(found->second);
    return true;
}

void FairQueue::become_interactive(Place& place) {
    batch_order_.erase(place.batch_order);
    const FlowAt to = flow_of(interactive_, place.job->job);
    to->jobs.splice(to->jobs.end(), place.flow->jobs, place.job);  // iterators stay valid
    ++interactive_.jobs;
    leave_flow(batch_, place.flow);
    place.ring = &interactive_;
    place.flow = to;
}

std::size_t FairQueue::clients() const {
    std::size_t count = interactive_.flows.size();
    for (const Flow& flow : batch_.flows)
        count += interactive_.by_client.contains(flow.client) ? 0U : 1U;
    return count;
}

std::chrono::milliseconds FairQueue::oldest_wait(Clock::time_point now) const {
    auto oldest = now;
    for (const auto& [id, place] : places_)
        oldest = std::min(oldest, place.job->queued_at);
    return std::chrono::duration_cast<std::chrono::milliseconds>(now - oldest);
}

std::optional<std::size_t> FairQueue::ahead(std::uint64_t id) const {
    const auto found = places_.find(id);
    if (found == places_.end()) return std::nullopt;
    const Place& place = found->second;
    const std::size_t before = place.ring == &batch_ ? interactive_.jobs : 0;
    return before + ahead_in(*place.ring, place);
}

/// The round robin in closed form: a job runs in round ceil((cost up to it - credit) / quantum),
/// and within a round in the order of the ring. A front flow that has had its quantum works off its
/// credit in round 0 and is the last of every later round.
std::size_t FairQueue::ahead_in(const Ring& ring, const Place& place) const {
    const auto had_its_turn = [&ring](const Flow& flow) {
        return ring.credited && &flow == &ring.flows.front();
    };
    const auto round_of = [&](const Flow& flow, std::int64_t cost_so_far) {
        const std::int64_t first = had_its_turn(flow) ? 0 : 1;
        return std::max(ceil_div(cost_so_far - flow.deficit_ms, flow.quantum_ms), first);
    };
    const auto order_of = [&](const Flow& flow, std::size_t position, std::int64_t round) {
        return had_its_turn(flow) && round > 0 ? ring.flows.size() : position;
    };

    std::size_t before = 0;
    std::int64_t own_cost = 0;
    for (const Waiting& waiting : place.flow->jobs) {
        own_cost += waiting.cost_ms;
        if (&waiting == &*place.job) break;
        ++before;
    }
    const std::int64_t own_round = round_of(*place.flow, own_cost);
    std::size_t own_position = 0;
    for (auto flow = ring.flows.begin(); &*flow != &*place.flow; ++flow)
        ++own_position;
    const std::size_t own_order = order_of(*place.flow, own_position, own_round);

    std::size_t position = 0;
    for (const Flow& flow : ring.flows) {
        const std::size_t at = position++;
        if (&flow == &*place.flow) continue;
        std::int64_t cost = 0;
        for (const Waiting& waiting : flow.jobs) {
            cost += waiting.cost_ms;
            const std::int64_t round = round_of(flow, cost);
            if (round > own_round) break;
            if (round == own_round && order_of(flow, at, round) > own_order) break;
            ++before;
        }
    }
    return before;
}

}  // namespace yomi::pool
