// The small parts of the service: ids, timer, outbox.
#include <atomic>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/hash.hpp"
#include "server/service/ids.hpp"
#include "server/service/outbox.hpp"
#include "server/service/timer.hpp"
#include "tests/server/service/counter.hpp"

namespace yomi::service {
namespace {

using toy::Recorder;
using namespace std::chrono_literals;

TEST(Ids, AreCrockfordWordsThatSortByTime) {
    std::set<std::string> seen;
    for (int i = 0; i < 2000; ++i) {
        const std::string id = new_id("r-");
        ASSERT_EQ(id.size(), 28U);
        ASSERT_EQ(id.substr(0, 2), "r-");
        ASSERT_EQ(id.find_first_not_of("0123456789ABCDEFGHJKMNPQRSTVWXYZ", 2), std::string::npos);
        ASSERT_TRUE(seen.insert(id).second);
    }
    const std::string before = new_id("j-");
    std::this_thread::sleep_for(3ms);
    EXPECT_LT(before, new_id("j-"));
    // 2020-09-13 in milliseconds needs ten digits that begin with 01: the time is really in front.
    EXPECT_EQ(before.substr(2, 2), "01");
}

TEST(Timer, CallsInTheOrderOfTimeAndNotOfSetting) {
    std::vector<int> order;
    std::atomic<int> called{0};
    Timer timer;
    const auto now = Timer::Clock::now() + 60ms;  // the past ones are set last
    for (const int ms : {60, 20, 40, -70, -80}) {
        timer.at(now + std::chrono::milliseconds(ms), [&, ms] {
            EXPECT_GE(Timer::Clock::now(), now + std::chrono::milliseconds(ms));
            order.push_back(ms);
            ++called;
        });
    }
    ASSERT_TRUE(toy::eventually([&] { return called == 5; }));
    timer.stop();
    // Whatever was due at once may come before the rest was set; the others are sorted.
    EXPECT_EQ(std::vector<int>(order.end() - 3, order.end()), (std::vector<int>{20, 40, 60}));
}

TEST(Timer, DoesNotCallWhatWasCancelledAndKeepsNothingOfIt) {
    std::atomic<bool> called{false};
    const auto owned = std::make_shared<int>(0);
    Timer timer;
    const auto entry = timer.at(Timer::Clock::now() + 30ms, [&called, owned] { called = true; });
    const auto far = timer.at(Timer::Clock::now() + 10h, [owned] {});
    EXPECT_EQ(owned.use_count(), 3);
    timer.cancel(entry);
    timer.cancel(entry);
    timer.cancel({});
    EXPECT_EQ(timer.size(), 1U);
    timer.cancel(far);
    EXPECT_EQ(owned.use_count(), 1);
    std::this_thread::sleep_for(50ms);
    EXPECT_FALSE(called);
    timer.stop();
    timer.at(Timer::Clock::now(), [&called] { called = true; });
    EXPECT_EQ(timer.size(), 0U);
}

TEST(Outbox, NumbersEventsAndEndsWithTheFirstFinal) {
    const auto reply = std::make_shared<Recorder>();
    Outbox outbox("r-1", reply);
    EXPECT_TRUE(outbox.post(proto::EventKind::queued, toy::text_of("{}")));
    EXPECT_TRUE(outbox.post(proto::EventKind::started, toy::text_of("{}")));
    EXPECT_FALSE(outbox.flush());
    EXPECT_TRUE(outbox.post(proto::EventKind::result, toy::text_of("{}")));
    EXPECT_FALSE(outbox.post(proto::EventKind::error, toy::text_of("{}")));
    EXPECT_FALSE(outbox.drop());
    EXPECT_EQ(reply.use_count(), 2);
    EXPECT_TRUE(outbox.flush());
    EXPECT_FALSE(outbox.flush());
    EXPECT_EQ(reply.use_count(), 1) << "the reply is released after the final";
    const auto events = reply->events();
    ASSERT_EQ(events.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(events[i]->seq, i);
        EXPECT_EQ(events[i]->id, "r-1");
    }
}

TEST(Outbox, DropsWhatIsNotDelivered) {
    const auto reply = std::make_shared<Recorder>();
    Outbox outbox("r-1", reply);
    outbox.post(proto::EventKind::queued, toy::text_of("{}"));
    EXPECT_TRUE(outbox.drop());
    EXPECT_FALSE(outbox.drop());
    EXPECT_FALSE(outbox.post(proto::EventKind::result, toy::text_of("{}")));
    EXPECT_FALSE(outbox.flush());
    EXPECT_TRUE(reply->events().empty());
    EXPECT_EQ(reply.use_count(), 1);
}

TEST(Outbox, KeepsTheOrderOfManyPosters) {
    for (int round = 0; round < 20; ++round) {
        const auto reply = std::make_shared<Recorder>();  // checks order and one delivery at a time
        Outbox outbox("r-1", reply);
        std::atomic<int> ends{0};
        std::vector<std::thread> posters;
        for (int t = 0; t < 4; ++t) {
            posters.emplace_back([&] {
                for (int i = 0; i < 100; ++i) {
                    outbox.post(proto::EventKind::progress, toy::text_of("{}"));
                    ends += outbox.flush();
                }
                outbox.post(proto::EventKind::result, toy::text_of("{}"));
                ends += outbox.flush();
            });
        }
        for (auto& poster : posters)
            poster.join();
        EXPECT_EQ(ends, 1);
        EXPECT_EQ(reply->finals(), 1);
        EXPECT_GE(reply->events().size(), 101U);
    }
}

}  // namespace
}  // namespace yomi::service
