#include "server/pool/fair_queue.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/hash.hpp"

namespace yomi::pool {
namespace {

using std::chrono::milliseconds;
using Clock = FairQueue::Clock;

Job job_of(std::uint64_t id,
           std::string client,
           int estimate_ms,
           Priority priority = Priority::interactive) {
    Job job;
    job.id = id;
    job.client = std::move(client);
    job.estimate = milliseconds(estimate_ms);
    job.priority = priority;
    return job;
}

/// Each client has a weight of its own, 1 to 3.
int weight_of(const std::string& client) {
    return 1 + client.back() % 3;
}

/// The slow plain twin: deficit round robin word for word, one turn at a time, without an index.
class PlainQueue {
public:
    explicit PlainQueue(FairQueue::Options options) : options_(options) {}

    bool push(std::uint64_t id,
              const std::string& client,
              std::int64_t cost,
              bool batch,
              Clock::time_point now) {
        if (size() >= options_.capacity) return false;
        (batch ? batch_ : interactive_).append(client, {id, cost, now});
        return true;
    }

    std::uint64_t take(Clock::time_point now) {
        for (;;) {  // the oldest batch job that is due rises, then the next oldest
            const Item* oldest = nullptr;
            for (const Flow& flow : batch_.flows) {
                for (const Item& item : flow.items) {
                    if (oldest == nullptr || item.number < oldest->number) oldest = &item;
                }
            }
            if (oldest == nullptr || now - oldest->since < options_.rise_after) break;
            raise(oldest->id);
        }
        if (!interactive_.flows.empty()) return interactive_.take(options_.quantum.count());
        if (!batch_.flows.empty()) return batch_.take(options_.quantum.count());
        return 0;
    }

    bool remove(std::uint64_t id) { return interactive_.remove(id) || batch_.remove(id); }

    bool raise(std::uint64_t id) {
        for (const Flow& flow : batch_.flows) {
            for (const Item& item : flow.items) {
                if (item.id != id) continue;
                const std::string client = flow.client;
                const Item moved = item;
                batch_.remove(id);
                interactive_.append(client, moved);
                return true;
            }
        }
        return false;
    }

    [[nodiscard]] std::size_t size() const { return interactive_.size() + batch_.size(); }

    /// Counted by playing a copy to the end.
    [[nodiscard]] std::size_t ahead(std::uint64_t id, Clock::time_point now) const {
        PlainQueue copy = *this;
        std::size_t count = 0;
        while (copy.take(now) != id)
            ++count;
        return count;
    }

private:
    struct Item {
        std::uint64_t id;
        std::int64_t cost;
        Clock::time_point since;
        std::uint64_t number = 0;
    };
    struct Flow {
        std::string client;
        std::deque<Item> items;
        std::int64_t deficit = 0;
    };
    struct Ring {
        std::deque<Flow> flows;
        bool credited = false;
        static inline std::uint64_t numbers = 0;

        void append(const std::string& client, Item item) {
            if (item.number == 0) item.number = ++numbers;
            for (Flow& flow : flows) {
                if (flow.client == client) return flow.items.push_back(item);
            }
            flows.push_back({client, {item}, 0});
        }
        std::uint64_t take(std::int64_t quantum) {
            for (;;) {
                Flow& flow = flows.front();
                if (!credited) flow.deficit += quantum * weight_of(flow.client);
                credited = true;
                if (flow.items.front().cost <= flow.deficit) {
                    const Item item = flow.items.front();
                    flow.deficit -= item.cost;
                    remove(item.id);
                    return item.id;
                }
                flows.push_back(std::move(flow));
                flows.pop_front();
                credited = false;
            }
        }
        bool remove(std::uint64_t id) {
            for (std::size_t f = 0; f < flows.size(); ++f) {
                auto& items = flows[f].items;
                const auto found = std::find_if(
                    items.begin(), items.end(), [id](const Item& item) { return item.id == id; });
                if (found == items.end()) continue;
                items.erase(found);
                if (items.empty()) {
                    if (f == 0) credited = false;
                    flows.erase(flows.begin() + static_cast<std::ptrdiff_t>(f));
                }
                return true;
            }
            return false;
        }
        [[nodiscard]] std::size_t size() const {
            std::size_t count = 0;
            for (const Flow& flow : flows)
                count += flow.items.size();
            return count;
        }
    };

    FairQueue::Options options_;
    Ring interactive_;
    Ring batch_;
};

/// Random pushes, takes, removals and raises on both; `time_passes` lets batch jobs grow old.
void compare_with_twin(std::uint64_t seed, FairQueue::Options options, bool time_passes) {
    SplitMix64 random(seed);
    FairQueue queue(options);
    PlainQueue plain(options);
    Clock::time_point now{};
    std::uint64_t next_id = 1;
    for (int step = 0; step < 1000; ++step) {
        if (time_passes) now += milliseconds(random.below(40));
        const std::uint32_t what = random.below(100);
        const std::uint64_t some_id =
            next_id - std::min<std::uint64_t>(next_id - 1, random.below(40));
        if (what < 48) {
            const std::string client(1, static_cast<char>('a' + random.below(7)));
            const int cost = 1 + static_cast<int>(random.below(random.below(4) == 0 ? 900 : 60));
            const bool batch = random.below(3) == 0;
            const std::uint64_t id = next_id++;
            Job job = job_of(id, client, cost, batch ? Priority::batch : Priority::interactive);
            job.weight = weight_of(client);
            const auto ahead = queue.push(std::move(job), now);
            ASSERT_EQ(ahead.has_value(), plain.push(id, client, cost, batch, now));
            if (ahead && !time_passes && step % 4 == 0) {
                ASSERT_EQ(*ahead, plain.ahead(id, now)) << "step " << step;
            }
        } else if (what < 90) {
            const auto job = queue.take(now);
            ASSERT_EQ(job ? job->id : 0, plain.take(now)) << "step " << step;
        } else if (what < 96) {
            ASSERT_EQ(queue.remove(some_id), plain.remove(some_id));
        } else {
            ASSERT_EQ(queue.raise(some_id), plain.raise(some_id));
        }
        ASSERT_EQ(queue.size(), plain.size());
        if (const auto ahead = queue.ahead(some_id); ahead && !time_passes && step % 4 == 1) {
            ASSERT_EQ(*ahead, plain.ahead(some_id, now)) << "step " << step;
        }
    }
    while (const std::uint64_t id = plain.take(now)) {
        const auto job = queue.take(now);
        ASSERT_TRUE(job);
        ASSERT_EQ(job->id, id);
    }
    EXPECT_TRUE(queue.empty());
    EXPECT_EQ(queue.estimate().count(), 0);
}

TEST(FairQueue, ServesLikeThePlainRoundRobin) {
    for (std::uint64_t seed = 1; seed <= 2; ++seed) {
        compare_with_twin(
            seed,
            {.capacity = 40, .quantum = milliseconds(50), .rise_after = milliseconds(1 << 30)},
            false);
        compare_with_twin(
            seed,
            {.capacity = 64, .quantum = milliseconds(7), .rise_after = milliseconds(1 << 30)},
            false);
    }
}

TEST(FairQueue, AgesLikeThePlainRoundRobin) {
    for (std::uint64_t seed = 11; seed <= 14; ++seed) {
        compare_with_twin(
            seed,
            {.capacity = 200, .quantum = milliseconds(30), .rise_after = milliseconds(700)},
            true);
    }
}

TEST(FairQueue, LetsAClientWithAHundredJobsDelayOnlyItself) {
    FairQueue queue({.capacity = 256, .quantum = milliseconds(100)});
    for (std::uint64_t id = 1; id <= 100; ++id)
        ASSERT_TRUE(queue.push(job_of(id, "greedy", 1000), {}));
    for (std::uint64_t id = 101; id <= 110; ++id) {
        const auto ahead = queue.push(job_of(id, "modest" + std::to_string(id), 1000), {});
        ASSERT_TRUE(ahead);
        EXPECT_EQ(*ahead, id - 100);  // one job of the greedy client and the modest ones before
    }
    std::vector<std::uint64_t> order;
    while (const auto job = queue.take({}))
        order.push_back(job->id);
    ASSERT_EQ(order.size(), 110U);
    EXPECT_EQ(order[0], 1U);
    for (std::size_t i = 1; i <= 10; ++i)
        EXPECT_EQ(order[i], 100 + i);
    for (std::size_t i = 11; i < 110; ++i)
        EXPECT_EQ(order[i], i - 9);
}

TEST(FairQueue, SharesTimeByWeight) {
    FairQueue queue({.capacity = 1000, .quantum = milliseconds(100)});
    const Clock::time_point now{};
    std::uint64_t id = 0;
    for (int i = 0; i < 200; ++i) {
        for (const auto& [client, weight] : {std::pair("light", 1), std::pair("heavy", 3)}) {
            Job job = job_of(++id, client, 50);
            job.weight = weight;
            queue.push(std::move(job), now + milliseconds(i));
        }
    }
    EXPECT_EQ(queue.clients(), 2U);
    EXPECT_EQ(queue.oldest_wait(now + milliseconds(500)), milliseconds(500));
    std::map<std::string, int> taken;
    for (int i = 0; i < 160; ++i)
        ++taken[queue.take(now)->client];
    EXPECT_EQ(taken["heavy"], 120);
    EXPECT_EQ(taken["light"], 40);
}

TEST(FairQueue, SharesTimeAndNotTurns) {
    FairQueue queue({.capacity = 2000, .quantum = milliseconds(100)});
    std::uint64_t id = 0;
    for (int i = 0; i < 1000; ++i)
        queue.push(job_of(++id, "short", 10), {});
    for (int i = 0; i < 100; ++i)
        queue.push(job_of(++id, "long", 200), {});
    std::map<std::string, std::int64_t> spent_ms;
    for (int i = 0; i < 210; ++i) {
        const auto job = queue.take({});
        spent_ms[job->client] += job->estimate.count();
        EXPECT_LE(std::abs(spent_ms["short"] - spent_ms["long"]), 300) << i;
    }
    EXPECT_GT(spent_ms["short"], 1500);
}

TEST(FairQueue, RefusesWhatIsOverItsCapacity) {
    FairQueue queue({.capacity = 3});
    for (std::uint64_t id = 1; id <= 3; ++id)
        EXPECT_TRUE(queue.push(job_of(id, "a", 5), {}));
    EXPECT_FALSE(queue.push(job_of(4, "b", 5), {}));
    EXPECT_EQ(queue.size(), 3U);
    EXPECT_TRUE(queue.remove(2));
    EXPECT_FALSE(queue.remove(2));
    EXPECT_TRUE(queue.push(job_of(4, "b", 5), {}));
    queue.set_capacity(1);
    EXPECT_EQ(queue.size(), 3U);
    EXPECT_FALSE(queue.push(job_of(5, "c", 5), {}));
}

TEST(FairQueue, RunsBatchAfterInteractiveUntilItIsOld) {
    FairQueue queue({.capacity = 99, .rise_after = milliseconds(5000)});
    const Clock::time_point start{};
    queue.push(job_of(1, "b", 10, Priority::batch), start);
    for (std::uint64_t id = 2; id <= 9; ++id)
        queue.push(job_of(id, "i", 100), start);
    EXPECT_EQ(queue.ahead(1), 8U);
    EXPECT_EQ(queue.take(start + milliseconds(4999))->id, 2U);
    EXPECT_EQ(queue.take(start + milliseconds(4999))->id, 3U);
    EXPECT_EQ(queue.take(start + milliseconds(5000))->id, 1U);  // its client's turn comes next
    EXPECT_EQ(queue.take(start + milliseconds(5000))->id, 4U);
}

TEST(FairQueue, SkipsTheRoundsInWhichNobodyCanRun) {
    FairQueue queue({.capacity = 400, .quantum = milliseconds(1)});
    // 300 flows of a day each: turn by turn this would be 26 billion credits.
    for (std::uint64_t id = 1; id <= 300; ++id)
        queue.push(job_of(id, std::to_string(id), 86'400'000), {});
    for (std::uint64_t id = 1; id <= 300; ++id)
        ASSERT_EQ(queue.take({})->id, id);
}

TEST(FairQueue, CountsAnEstimateBelowOneMillisecondAsOne) {
    FairQueue queue({.capacity = 9});
    queue.push(job_of(1, "a", 0), {});
    queue.push(job_of(2, "a", -7), {});
    EXPECT_EQ(queue.estimate().count(), 2);
    EXPECT_EQ(queue.take({})->id, 1U);
    EXPECT_EQ(queue.take({})->id, 2U);
}

}  // namespace
}  // namespace yomi::pool
