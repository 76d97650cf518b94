// Batches: many calls that take turns within their client's quota.
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/server/service/counter.hpp"

namespace yomi::service {
namespace {

using namespace toy;
using Json = nlohmann::json;

/// The finals of a batch, by slot.
class Finals {
public:
    std::function<void(std::size_t, Recorder::EventPointer)> each() {
        return [this](std::size_t slot, Recorder::EventPointer event) {
            if (!proto::is_final(event->kind)) return;
            const std::lock_guard lock(mutex_);
            if (!finals_.emplace(slot, std::move(event)).second) ADD_FAILURE() << "two finals";
        };
    }
    [[nodiscard]] std::size_t count() const {
        const std::lock_guard lock(mutex_);
        return finals_.size();
    }
    [[nodiscard]] std::map<std::size_t, Recorder::EventPointer> all() const {
        const std::lock_guard lock(mutex_);
        return finals_;
    }

private:
    mutable std::mutex mutex_;
    std::map<std::size_t, Recorder::EventPointer> finals_;
};

std::vector<Call> calls_of(int count, const Fields& fields) {
    std::vector<Call> calls;
    for (int i = 0; i < count; ++i) {
        Call call = call_of(fields, "c", false);
        call.id = "i" + std::to_string(i);
        calls.push_back(std::move(call));
    }
    return calls;
}

TEST(Batch, EndsEachOfManyCallsWithinASmallQuota) {
    Observed seen;
    ServiceOptions options;
    options.search_workers = 2;
    options.limits.max_live_per_client = 4;
    options.limits.max_queue = 3;
    Service service(options, methods(seen));
    Finals finals;
    std::vector<Call> calls = calls_of(64, {{"ticks", "2"}});
    calls[5].payload.query = {{"ticks", "many"}};
    calls[6].method = "toy.nothing";
    service.submit_batch(std::move(calls), finals.each());
    ASSERT_TRUE(eventually([&] { return finals.count() == 64; }));
    for (const auto& [slot, event] : finals.all()) {
        EXPECT_EQ(event->id, "i" + std::to_string(slot));
        const bool bad = slot == 5 || slot == 6;
        EXPECT_EQ(event->kind, bad ? EventKind::error : EventKind::result) << slot << *event->body;
    }
    EXPECT_EQ(seen.runs, 62);
    EXPECT_EQ(service.stats().live, 0U);
    EXPECT_EQ(service.stats().rejected_quota + service.stats().rejected_busy, 0U);
}

TEST(Batch, EndsSilentlyWhenItsClientLeaves) {
    Observed seen;
    ServiceOptions options;
    options.search_workers = 2;
    Service service(options, methods(seen));
    Finals finals;
    const Ticket ticket = service.submit_batch(calls_of(40, endless()), finals.each());
    ASSERT_TRUE(eventually([&] { return seen.inside == 2; }));
    service.abandon(ticket);
    EXPECT_TRUE(eventually([&] { return seen.inside == 0 && service.stats().live == 0; }));
    EXPECT_EQ(seen.runs, 2);
    EXPECT_EQ(finals.count(), 0U);
}

Json latest_of(const Service& service, const std::string& id) {
    const auto view = service.job(id, "c", Role::user);
    if (!view || !view->latest) return {};
    return Json::parse(proto::event_json(*view->latest));
}

TEST(Batch, MayBeAJobThatTellsEachAnswerAndThenAll) {
    Observed seen;
    ServiceOptions options;
    options.search_workers = 2;
    Service service(options, methods(seen));
    std::vector<Call> calls = calls_of(20, {{"ticks", "1"}, {"hold", "1"}});
    calls[3].payload.query = {{"ticks", "many"}};
    const auto id = service.start_batch_job(std::move(calls), "c");
    ASSERT_TRUE(id);
    const auto follower = std::make_shared<Recorder>();
    ASSERT_TRUE(service.follow_job(*id, "c", Role::user, std::nullopt, follower));
    EXPECT_EQ(service.job(*id, "c", Role::user)->method, "batch");
    EXPECT_EQ(service.job(*id, "c", Role::user)->state, "running");
    ASSERT_EQ(service.jobs("c").size(), 1U);
    EXPECT_TRUE(service.jobs("d").empty());
    EXPECT_FALSE(service.job(*id, "d", Role::user));
    seen.released = true;
    const auto final = follower->wait_final();
    ASSERT_TRUE(final);
    EXPECT_EQ(final->kind, EventKind::result);
    EXPECT_EQ(follower->count_of(EventKind::progress), 20U);
    const Json body = latest_of(service, *id);
    EXPECT_EQ(body["total"], 20);
    EXPECT_EQ(body["done"], 20);
    EXPECT_EQ(body["failed"], 1);
    ASSERT_EQ(body["answers"].size(), 20U);
    for (std::size_t i = 0; i < 20; ++i) {
        EXPECT_EQ(body["answers"][i]["id"], "i" + std::to_string(i));
        EXPECT_EQ(body["answers"][i]["event"], i == 3 ? "error" : "result");
    }
}

TEST(Batch, CancelsAsAJobWithWhatIsDone) {
    Observed seen;
    Service service({}, methods(seen));
    std::vector<Call> calls = calls_of(20, endless());
    calls[0].payload.query = {{"ticks", "1"}};
    const auto id = service.start_batch_job(std::move(calls), "c");
    ASSERT_TRUE(id);
    const auto follower = std::make_shared<Recorder>();
    ASSERT_TRUE(service.follow_job(*id, "c", Role::user, std::nullopt, follower));
    ASSERT_TRUE(follower->wait(EventKind::progress));
    ASSERT_TRUE(service.delete_job(*id, "c", Role::user));
    const auto final = follower->wait_final();
    ASSERT_TRUE(final);
    EXPECT_EQ(final->kind, EventKind::cancelled);
    const Json body = Json::parse(*final->body);
    EXPECT_EQ(body["answers"][0]["event"], "result");
    EXPECT_LT(body["done"], 20);
    EXPECT_TRUE(eventually([&] { return service.stats().live == 0; }));
    EXPECT_TRUE(service.jobs("c").empty());
}

TEST(Batch, EndsWithTheService) {
    Observed seen;
    auto service = std::make_unique<Service>(ServiceOptions{}, methods(seen));
    const auto id = service->start_batch_job(calls_of(50, endless()), "c");
    ASSERT_TRUE(id);
    const auto follower = std::make_shared<Recorder>();
    ASSERT_TRUE(service->follow_job(*id, "c", Role::user, std::nullopt, follower));
    Finals finals;
    service->submit_batch(calls_of(50, endless()), finals.each());
    ASSERT_TRUE(eventually([&] { return seen.inside > 0; }));
    service.reset();
    EXPECT_EQ(follower->finals(), 1);
    EXPECT_EQ(finals.count(), 50U) << "each call has its final";
}

TEST(Batch, RacesOfStartingAndLeavingLeaveNothingBehind) {
    Observed seen;
    ServiceOptions options;
    options.search_workers = 2;
    Service service(options, methods(seen));
    std::vector<std::jthread> clients;
    std::atomic<int> complete{0};
    for (int c = 0; c < 4; ++c) {
        clients.emplace_back([&, c] {
            for (int round = 0; round < 60; ++round) {
                // Shared: a delivery that was under way may come after the batch was left.
                const auto finals = std::make_shared<Finals>();
                std::vector<Call> calls = calls_of(20, {{"ticks", "1"}});
                for (Call& call : calls)
                    call.client = "c" + std::to_string(c);
                const auto each = [finals, each = finals->each()](std::size_t slot, auto event) {
                    each(slot, std::move(event));
                };
                const Ticket ticket = service.submit_batch(std::move(calls), each);
                if (round % 2 == 0) {
                    if (eventually([&] { return finals->count() == 20; })) ++complete;
                } else {
                    std::this_thread::sleep_for(std::chrono::microseconds(50 * (round % 7)));
                    service.abandon(ticket);
                }
            }
        });
    }
    clients.clear();
    EXPECT_EQ(complete, 4 * 30);
    EXPECT_TRUE(eventually([&] { return service.stats().live == 0; }));
}

}  // namespace
}  // namespace yomi::service
