#include "server/net/event_queue.hpp"

#include <atomic>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace yomi::net {
namespace {

using proto::EventKind;

std::shared_ptr<const proto::Event> event(EventKind kind,
                                          std::uint64_t seq,
                                          std::size_t bytes = 0) {
    proto::Event made;
    made.kind = kind;
    made.seq = seq;
    made.body = std::make_shared<const std::string>(bytes, 'x');
    return std::make_shared<const proto::Event>(std::move(made));
}

TEST(EventQueue, KeepsOrderAndWakesOnceABatch) {
    int wakes = 0;
    EventQueue queue([&wakes] { ++wakes; });
    queue.push(1, event(EventKind::queued, 0));
    queue.push(1, event(EventKind::started, 1));
    queue.push(2, event(EventKind::result, 0));
    EXPECT_EQ(wakes, 1);
    EXPECT_EQ(queue.pop()->event->kind, EventKind::queued);
    EXPECT_EQ(queue.pop()->event->kind, EventKind::started);
    EXPECT_EQ(queue.pop()->slot, 2U);
    EXPECT_FALSE(queue.pop());
    queue.push(1, event(EventKind::result, 2));
    EXPECT_EQ(wakes, 2);
}

TEST(EventQueue, DropsOldProgressOfTheSameRequestOnly) {
    EventQueue queue([] {});
    queue.push(1, event(EventKind::started, 0));
    queue.push(2, event(EventKind::progress, 7));
    constexpr std::uint64_t kPushed = EventQueue::kMaxProgress * 3 + 5;
    for (std::uint64_t seq = 1; seq <= kPushed; ++seq)
        queue.push(1, event(EventKind::progress, seq, 1000));
    queue.push(1, event(EventKind::result, kPushed + 1));
    std::vector<std::uint64_t> progress;
    std::size_t other = 0;
    std::uint64_t last = 0;
    while (const auto item = queue.pop()) {
        if (item->slot == 1 && item->event->kind == EventKind::progress)
            progress.push_back(item->event->seq);
        if (item->slot != 1 || item->event->kind != EventKind::progress) ++other;
        if (item->slot == 1) {
            EXPECT_GE(item->event->seq, last);
            last = item->event->seq;
        }
    }
    EXPECT_EQ(other, 3U);
    EXPECT_EQ(last, kPushed + 1);
    ASSERT_FALSE(progress.empty());
    EXPECT_LE(progress.size(), EventQueue::kMaxProgress);
    EXPECT_EQ(progress.back(), kPushed) << "the newest is always there";
    EXPECT_EQ(queue.dropped() + progress.size(), kPushed);
}

TEST(EventQueue, CountsBytesOfWhatMayNotBeDropped) {
    EventQueue queue([] {});
    queue.push(1, event(EventKind::progress, 0, 100'000));
    EXPECT_EQ(queue.kept_bytes(), 0U);
    queue.push(1, event(EventKind::result, 1, 1000));
    EXPECT_GE(queue.kept_bytes(), 1000U);
    while (queue.pop()) {
    }
    EXPECT_EQ(queue.kept_bytes(), 0U);
}

TEST(EventQueue, IsDeafAfterClose) {
    int wakes = 0;
    EventQueue queue([&wakes] { ++wakes; });
    queue.push(1, event(EventKind::queued, 0));
    queue.close();
    queue.push(1, event(EventKind::result, 1));
    EXPECT_FALSE(queue.pop());
    EXPECT_EQ(wakes, 1);
}

TEST(EventQueue, LosesNoFinalBetweenThreads) {
    constexpr int kThreads = 4;
    constexpr int kCalls = 2000;
    std::atomic<int> wakes{0};
    EventQueue queue([&wakes] { wakes.fetch_add(1); });
    std::vector<std::jthread> threads;
    for (int t = 0; t < kThreads; ++t) {
        threads.emplace_back([&queue, t] {
            for (int i = 0; i < kCalls; ++i) {
                const auto slot = static_cast<std::uint64_t>(t * kCalls + i);
                queue.push(slot, event(EventKind::progress, 0));
                queue.push(slot, event(EventKind::result, 1));
            }
        });
    }
    int finals = 0;
    while (finals < kThreads * kCalls) {
        while (const auto item = queue.pop())
            finals += proto::is_final(item->event->kind) ? 1 : 0;
        std::this_thread::yield();
    }
    EXPECT_TRUE(queue.empty());
    EXPECT_GT(wakes.load(), 0);
}

}  // namespace
}  // namespace yomi::net
