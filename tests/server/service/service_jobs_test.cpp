// Jobs: calls whose events are kept, followed and resumed.
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/hash.hpp"
#include "tests/server/service/counter.hpp"

namespace yomi::service {
namespace {

using namespace toy;

bool finished(const Service& service, const std::string& id) {
    const auto view = service.job(id, "c", Role::user);
    return view && view->finished;
}

TEST(Jobs, RunToTheirEndAndCanBeRead) {
    Observed seen;
    Service service({}, methods(seen));
    const auto id = service.start_job(call_of(endless({{"report", "1"}})));
    ASSERT_TRUE(id);
    EXPECT_EQ(id->size(), 28U);
    EXPECT_EQ(id->substr(0, 2), "j-");
    ASSERT_TRUE(eventually([&] {
        const auto view = service.job(*id, "c", Role::user);
        return view && view->latest;
    }));
    auto view = service.job(*id, "c", Role::user);
    EXPECT_EQ(view->state, "running");
    EXPECT_EQ(view->method, "toy.count");
    EXPECT_EQ(view->latest->kind, EventKind::progress);
    EXPECT_EQ(view->latest->id, *id);
    EXPECT_FALSE(view->finished);
    const auto waiting = service.start_job(call_of({{"ticks", "3"}}));
    EXPECT_EQ(service.job(*waiting, "c", Role::user)->state, "queued");
    EXPECT_FALSE(service.job(*waiting, "c", Role::user)->latest);
    EXPECT_EQ(service.stats().jobs, 2U);

    ASSERT_TRUE(service.delete_job(*id, "c", Role::user));
    EXPECT_FALSE(service.job(*id, "c", Role::user));
    ASSERT_TRUE(eventually([&] { return finished(service, *waiting); }));
    view = service.job(*waiting, "c", Role::user);
    EXPECT_EQ(view->state, "done");
    EXPECT_EQ(view->latest->kind, EventKind::result);
    EXPECT_EQ(seen.stopped, 1) << "deleting a running job stops it";

    const auto broken = service.start_job(call_of({{"fail", "1"}}));
    ASSERT_TRUE(eventually([&] { return finished(service, *broken); }));
    EXPECT_EQ(service.job(*broken, "c", Role::user)->state, "failed");
    const auto late = service.start_job(call_of(endless({{"deadline_ms", "250"}})));
    ASSERT_TRUE(eventually([&] { return finished(service, *late); }));
    EXPECT_EQ(service.job(*late, "c", Role::user)->state, "cancelled");
}

// Many are opened in one millisecond, in which ids come in no order.
TEST(Jobs, AreListedInTheOrderOfTheirOpening) {
    Observed seen;
    Service service({}, methods(seen));
    std::vector<std::string> opened;
    for (int i = 0; i < 64; ++i) {
        const auto id = service.start_job(call_of({{"ticks", "1"}}));
        ASSERT_TRUE(id);
        opened.push_back(*id);
    }
    std::vector<std::string> listed;
    for (const JobView& view : service.jobs("c"))
        listed.push_back(view.id);
    EXPECT_EQ(listed, opened);
}

TEST(Jobs, RefuseAtOnceWhatCannotStart) {
    Observed seen;
    ServiceOptions options;
    options.max_jobs = 2;
    options.limits.max_live_per_client = 2;
    Service service(options, methods(seen));
    EXPECT_EQ(service.start_job(call_of({{"ticks", "many"}})).error().code, ErrorCode::bad_type);
    EXPECT_EQ(service.start_job(call_of({{"ticks", "many"}})).error().pointer, "/ticks");
    Call unknown = call_of({});
    unknown.method = "toy.dance";
    EXPECT_EQ(service.start_job(std::move(unknown)).error().code, ErrorCode::unknown_method);
    Call edit = call_of({});
    edit.method = "toy.edit";
    EXPECT_EQ(service.start_job(std::move(edit)).error().code, ErrorCode::unauthorized);
    EXPECT_EQ(service.stats().jobs, 0U) << "a refused job is not kept";
    EXPECT_EQ(service.stats().live, 0U);
    EXPECT_EQ(service.stats().errors, 4U);

    ASSERT_TRUE(service.start_job(call_of(endless())));
    const auto second = service.start_job(call_of(endless()));
    ASSERT_TRUE(second);
    EXPECT_EQ(service.start_job(call_of({}, "other")).error().code, ErrorCode::busy);
    ASSERT_TRUE(service.delete_job(*second, "c", Role::user));
    ASSERT_TRUE(service.start_job(call_of(endless())));
}

TEST(Jobs, CountAgainstTheClientsQuota) {
    Observed seen;
    ServiceOptions options;
    options.limits.max_live_per_client = 1;
    Service service(options, methods(seen));
    ASSERT_TRUE(service.start_job(call_of(endless())));
    EXPECT_EQ(service.start_job(call_of({})).error().code, ErrorCode::quota_exceeded);
    EXPECT_GE(service.retry_after_s(ErrorCode::quota_exceeded), 1);
}

TEST(Jobs, ReportALateDecodingErrorAsTheirFinal) {
    Observed seen;
    Service service({}, methods(seen));
    Call call = call_of({{"ticks", "many"}});
    call.payload.body.assign(5000, 'x');
    const auto id = service.start_job(std::move(call));
    ASSERT_TRUE(id);
    ASSERT_TRUE(eventually([&] { return finished(service, *id); }));
    EXPECT_EQ(service.job(*id, "c", Role::user)->latest->status, 400);
}

TEST(Jobs, AreSeenByTheirOwnerAndAdminsOnly) {
    Observed seen;
    Service service({}, methods(seen));
    const auto id = service.start_job(call_of(endless(), "key:anna"));
    ASSERT_TRUE(id);
    const auto reply = std::make_shared<Recorder>();
    for (const Role role : {Role::anonymous, Role::user, Role::editor}) {
        EXPECT_EQ(service.job(*id, "key:bert", role).error().code, ErrorCode::not_found);
        EXPECT_EQ(service.delete_job(*id, "key:bert", role).error().code, ErrorCode::not_found);
        EXPECT_EQ(service.follow_job(*id, "key:bert", role, {}, reply).error().code,
                  ErrorCode::not_found);
    }
    EXPECT_EQ(service.job("j-0", "key:anna", Role::user).error().message,
              service.job(*id, "key:bert", Role::user).error().message)
        << "another client's job looks like none";
    EXPECT_TRUE(service.job(*id, "key:bert", Role::admin));
    EXPECT_TRUE(service.delete_job(*id, "key:bert", Role::admin));
    EXPECT_EQ(reply.use_count(), 1);
}

TEST(Jobs, ReplayWhatIsKeptAndThenFollow) {
    Observed seen;
    Service service({}, methods(seen));
    const auto id = service.start_job(call_of(endless({{"report", "5"}})));
    ASSERT_TRUE(id);
    const auto first = std::make_shared<Recorder>();
    ASSERT_TRUE(service.follow_job(*id, "c", Role::user, {}, first));
    ASSERT_TRUE(first->wait(EventKind::progress));
    EXPECT_EQ(first->events()[0]->kind, EventKind::queued);
    EXPECT_EQ(first->events()[1]->kind, EventKind::started);

    ASSERT_TRUE(eventually([&] { return first->count_of(EventKind::progress) >= 3; }));
    const std::uint64_t last = first->events()[3]->seq;
    const auto resumed = std::make_shared<Recorder>();
    ASSERT_TRUE(service.follow_job(*id, "c", Role::user, last, resumed));
    ASSERT_TRUE(resumed->wait(EventKind::progress));
    EXPECT_GT(resumed->events()[0]->seq, last) << "nothing comes twice";
    EXPECT_EQ(resumed->events()[0]->id, *id);

    const auto gone = std::make_shared<Recorder>();
    const auto ticket = service.follow_job(*id, "c", Role::user, {}, gone);
    ASSERT_TRUE(ticket);
    service.cancel(*ticket);  // of no effect: it is the job that could be cancelled
    service.abandon(*ticket);
    service.abandon(*ticket);
    EXPECT_TRUE(eventually([&] { return gone.use_count() == 1; }));
    EXPECT_FALSE(finished(service, *id)) << "a job does not depend on its readers";

    ASSERT_TRUE(service.delete_job(*id, "c", Role::user));
    EXPECT_EQ(first->wait_final()->kind, EventKind::cancelled);
    EXPECT_EQ(resumed->wait_final()->seq, first->events().back()->seq);
    EXPECT_EQ(gone->finals(), 0);
}

TEST(Jobs, EndAReadersStreamAlsoWhenItHasSeenAll) {
    Observed seen;
    Service service({}, methods(seen));
    const auto id = service.start_job(call_of({{"ticks", "40"}, {"report", "10"}}));
    ASSERT_TRUE(eventually([&] { return finished(service, *id); }));
    const auto whole = std::make_shared<Recorder>();
    ASSERT_TRUE(service.follow_job(*id, "c", Role::user, {}, whole));
    const auto events = whole->events();  // a finished job is replayed before follow_job returns
    ASSERT_EQ(events.size(), 4U) << "queued, started, the latest progress, the result";
    EXPECT_EQ(*events[2]->body, "{\"count\":40}");
    EXPECT_EQ(events[2]->seq, 5U) << "the progress before it is not kept: a gap";
    const auto rest = std::make_shared<Recorder>();
    ASSERT_TRUE(service.follow_job(*id, "c", Role::user, events.back()->seq, rest));
    ASSERT_EQ(rest->events().size(), 1U);
    EXPECT_EQ(rest->events()[0], events.back());
    EXPECT_EQ(whole.use_count(), 1);
}

TEST(Jobs, FeedManyReadersAtOnce) {
    Observed seen;
    Service service({}, methods(seen));
    std::vector<std::string> ids;
    for (int i = 0; i < 5; ++i) {
        const auto id =
            service.start_job(call_of({{"ticks", "60"}, {"tick_us", "100"}, {"report", "3"}}));
        ASSERT_TRUE(id);
        ids.push_back(*id);
    }
    std::vector<std::thread> threads;
    std::mutex mutex;
    std::vector<std::shared_ptr<Recorder>> readers;
    for (std::uint64_t t = 0; t < 4; ++t) {
        threads.emplace_back([&, t] {
            SplitMix64 random(t);
            for (int i = 0; i < 50; ++i) {
                const auto reader = std::make_shared<Recorder>();
                std::optional<std::uint64_t> last;
                if (random.below(2) == 0) last = random.below(10);
                const auto ticket =
                    service.follow_job(ids[random.below(5)], "c", Role::user, last, reader);
                ASSERT_TRUE(ticket);
                if (random.below(5) == 0) {
                    service.abandon(*ticket);
                    continue;
                }
                const std::lock_guard lock(mutex);
                readers.push_back(reader);
            }
        });
    }
    for (auto& thread : threads)
        thread.join();
    for (const auto& reader : readers) {
        ASSERT_TRUE(reader->wait_final());
        EXPECT_EQ(reader->wait_final()->kind, EventKind::result);
        EXPECT_TRUE(eventually([&] { return reader.use_count() == 1; }));
    }
}

TEST(Jobs, ExpireSomeTimeAfterTheirEnd) {
    Observed seen;
    ServiceOptions options;
    options.job_ttl = std::chrono::seconds(2);
    Service service(options, methods(seen));
    const auto done = service.start_job(call_of({}));
    ASSERT_TRUE(eventually([&] { return finished(service, *done); }));
    const auto running = service.start_job(call_of(endless()));
    std::this_thread::sleep_for(300ms);
    EXPECT_TRUE(service.job(*done, "c", Role::user));
    ASSERT_TRUE(eventually([&] { return !service.job(*done, "c", Role::user); }));
    EXPECT_TRUE(service.job(*running, "c", Role::user)) << "time counts from the end";
    EXPECT_EQ(service.stats().jobs, 1U);
}

}  // namespace
}  // namespace yomi::service
