// Who waits how long beside a client that asks for much.
#include <algorithm>
#include <cstdio>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "tests/server/service/counter.hpp"

namespace yomi::service {
namespace {

using namespace toy;

/// One worker, one client with 500 jobs and ten with one each, all of equal cost. Work is counted
/// in jobs of the one worker, so the table is the same on every machine.
class Fairness : public ::testing::TestWithParam<int> {};

TEST_P(Fairness, KeepsEachOfTenClientsNearRoundRobinBesideOneWithFiveHundredJobs) {
    const std::string estimate_ms = std::to_string(GetParam());
    Observed seen;
    ServiceOptions options;
    options.limits.max_live_per_client = 600;
    options.limits.max_queue = 600;
    Service service(options, methods(seen));
    const auto blocker = std::make_shared<Recorder>();
    const Ticket ticket = service.submit(call_of(endless({{"name", "blocker"}}), "x"), blocker);
    ASSERT_TRUE(blocker->wait(EventKind::started));
    std::vector<std::shared_ptr<Recorder>> replies;
    const auto submit = [&](const std::string& client, const std::string& name) {
        replies.push_back(std::make_shared<Recorder>());
        service.submit(
            call_of({{"name", name}, {"ticks", "4"}, {"estimate_ms", estimate_ms}}, client, false),
            replies.back());
    };
    for (int i = 0; i < 500; ++i)
        submit("greedy", "g" + std::to_string(i));
    for (int i = 0; i < 10; ++i)
        submit("modest" + std::to_string(i), "m" + std::to_string(i));
    EXPECT_EQ(service.stats().search_lane.clients, 11U);
    service.cancel(ticket);
    for (const auto& reply : replies)
        ASSERT_TRUE(reply->wait_final());

    std::map<std::string, std::size_t> ended;  // in jobs from the start, the blocker is job 0
    for (std::size_t i = 0; i < seen.order.size(); ++i)
        ended[seen.order[i]] = i;
    std::printf("client     waits (jobs)   ideal round robin   ratio\n");
    for (std::size_t i = 0; i < 10; ++i) {
        // The greedy client came first: it has the first turn of each round.
        const double ideal = static_cast<double>(i) + 2;
        const double waits = static_cast<double>(ended.at("m" + std::to_string(i)));
        std::printf("modest%zu %14.0f %19.0f %7.2f\n", i, waits, ideal, waits / ideal);
        EXPECT_LE(waits, 1.5 * ideal);
    }
    std::printf("greedy   %14zu %19d %7.2f\n",
                ended.at("g499"),
                510,
                static_cast<double>(ended.at("g499")) / 510);
    EXPECT_EQ(ended.at("g499"), 510U);
}

/// From less than the scheduler's quantum to the longest searches.
INSTANTIATE_TEST_SUITE_P(CostsInMs, Fairness, ::testing::Values(1, 5, 100, 60'000));

TEST(FairTurns, LetsALongJobBeHeldUpByNobodyAndHoldUpNobodyForMoreThanItsTurn) {
    Observed seen;
    ServiceOptions options;
    options.search_workers = 2;
    Service service(options, methods(seen));
    const auto endless_one = std::make_shared<Recorder>();
    const Ticket ticket =
        service.submit(call_of(endless({{"estimate_ms", "60000"}}), "long"), endless_one);
    ASSERT_TRUE(endless_one->wait(EventKind::started));
    // The long client's second job waits for its credit while short ones pass on the other worker.
    const auto second = std::make_shared<Recorder>();
    service.submit(call_of({{"name", "second"}, {"estimate_ms", "60000"}}, "long"), second);
    for (int i = 0; i < 50; ++i) {
        const auto reply = std::make_shared<Recorder>();
        service.submit(call_of({{"ticks", "1"}, {"estimate_ms", "1"}}, "short"), reply);
        ASSERT_TRUE(reply->wait_final());
    }
    ASSERT_TRUE(second->wait_final()) << "and it is not starved either";
    service.cancel(ticket);
    ASSERT_TRUE(endless_one->wait_final());
}

TEST(FairTurns, GivesAKeyWithAThirdOfTheWeightAThirdOfTheTurns) {
    Observed seen;
    ServiceOptions options;
    options.limits.max_live_per_client = 600;
    options.limits.max_queue = 600;
    Service service(options, methods(seen));
    const auto blocker = std::make_shared<Recorder>();
    const Ticket ticket = service.submit(call_of(endless({{"name", "blocker"}}), "x"), blocker);
    ASSERT_TRUE(blocker->wait(EventKind::started));
    std::vector<std::shared_ptr<Recorder>> replies;
    for (int i = 0; i < 100; ++i) {
        for (const auto& [client, weight] : {std::pair("light", 1), std::pair("heavy", 3)}) {
            Call call = call_of({{"name", client}}, client, false);
            call.weight = weight;
            replies.push_back(std::make_shared<Recorder>());
            service.submit(std::move(call), replies.back());
        }
    }
    service.cancel(ticket);
    for (const auto& reply : replies)
        ASSERT_TRUE(reply->wait_final());
    const auto first = seen.order.begin() + 1;
    EXPECT_EQ(std::count(first, first + 80, "heavy"), 60);
    EXPECT_EQ(std::count(first, first + 80, "light"), 20);
}

}  // namespace
}  // namespace yomi::service
