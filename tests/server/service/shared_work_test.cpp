// One call whose pieces are done by several workers.
#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "tests/server/service/counter.hpp"

namespace yomi::service {
namespace {

using namespace toy;

/// What happened inside `toy.pieces`.
struct Pieces {
    std::atomic<int> next{0}, done{0}, inside{0}, most_inside{0};
    std::atomic<bool> shared{false};
    std::mutex mutex;
    std::set<int> workers;                ///< numbers
    std::vector<std::size_t> memories;    ///< bytes of each piece's table memory
    std::vector<std::string> order = {};  ///< "piece", and the names of other calls
};

/// `toy.pieces {pieces, piece_ms, at_most, throw_at, hash}` beside `toy.count`.
std::vector<Method> methods_with_pieces(Observed& seen, Pieces& pieces) {
    std::vector<Method> all = methods(seen);
    Method method;
    method.name = "toy.pieces";
    method.decode = [&pieces](const Payload& payload, const Limits&) -> Result<PreparedCall> {
        PreparedCall call;
        call.lane = pool::Lane::search;
        call.budget.hash_bytes = number(payload, "hash", 0);
        call.run = [payload, &pieces](RunContext& context) -> Result<Outcome> {
            const int total = static_cast<int>(number(payload, "pieces", 10));
            const int throw_at = static_cast<int>(number(payload, "throw_at", 1'000'000));
            const std::chrono::milliseconds each(number(payload, "piece_ms", 1));
            const Piece piece = [&](pool::Worker& worker, engine::SearchMemory& memory) {
                const int mine = pieces.next.fetch_add(1);
                if (mine >= total || context.stop.stop_requested()) return false;
                const int inside = ++pieces.inside;
                int most = pieces.most_inside;
                while (inside > most && !pieces.most_inside.compare_exchange_weak(most, inside)) {
                }
                {
                    const std::lock_guard lock(pieces.mutex);
                    pieces.workers.insert(worker.number());
                    pieces.memories.push_back(memory.size());
                    pieces.order.emplace_back("piece");
                }
                std::this_thread::sleep_for(each);
                --pieces.inside;
                if (mine == throw_at) throw std::runtime_error("a piece broke");
                ++pieces.done;
                return true;
            };
            pieces.shared = context.share != nullptr;
            if (context.share) {
                context.share(piece, static_cast<int>(number(payload, "at_most", 0)));
            } else {
                while (piece(context.worker, context.memory)) {
                }
            }
            EXPECT_EQ(pieces.inside, 0) << "somebody is still in a piece";
            return Outcome{.body = text_of("{}"), .text = nullptr};
        };
        return call;
    };
    all.push_back(std::move(method));
    return all;
}

struct Workplace {
    explicit Workplace(int workers)
        : service(options(workers), methods_with_pieces(seen, pieces)) {}
    static ServiceOptions options(int workers) {
        ServiceOptions options;
        options.search_workers = workers;
        options.memory_budget_bytes = std::size_t{64} << 20;
        return options;
    }
    std::shared_ptr<Recorder> start(Fields fields, Ticket* ticket = nullptr) {
        Call call = call_of(std::move(fields));
        call.method = "toy.pieces";
        const auto reply = std::make_shared<Recorder>();
        const Ticket number = service.submit(std::move(call), reply);
        if (ticket != nullptr) *ticket = number;
        return reply;
    }
    Observed seen;
    Pieces pieces;
    Service service;
};

TEST(SharedWork, DoesEveryPieceOnceOnAllWorkers) {
    Workplace place(3);
    const auto final =
        place.start({{"pieces", "60"}, {"piece_ms", "2"}, {"hash", "1048576"}})->wait_final();
    ASSERT_TRUE(final);
    EXPECT_EQ(final->kind, EventKind::result);
    EXPECT_EQ(place.pieces.done, 60);
    EXPECT_EQ(place.pieces.workers.size(), 3U);
    EXPECT_EQ(place.pieces.most_inside, 3);
    for (const std::size_t bytes : place.pieces.memories)
        EXPECT_EQ(bytes, std::size_t{1} << 20) << "each piece has a table of its own";
    EXPECT_TRUE(eventually([&] { return place.service.stats().memory_bytes_leased == 0; }));
    EXPECT_TRUE(eventually([&] { return place.service.stats().running == 0; }));
    EXPECT_EQ(place.service.stats().queued, 0U) << "helpers that were not needed are taken back";
}

TEST(SharedWork, KeepsToItsBoundAndNeedsNobody) {
    Workplace place(3);
    ASSERT_TRUE(place.start({{"pieces", "20"}, {"at_most", "2"}})->wait_final());
    EXPECT_EQ(place.pieces.done, 20);
    EXPECT_EQ(place.pieces.most_inside, 2);
    Workplace alone(1);
    ASSERT_TRUE(alone.start({{"pieces", "20"}})->wait_final());
    EXPECT_EQ(alone.pieces.done, 20);
    EXPECT_FALSE(alone.pieces.shared);
    Workplace none(2);
    ASSERT_TRUE(none.start({{"pieces", "0"}})->wait_final());
    EXPECT_EQ(none.pieces.done, 0);
}

TEST(SharedWork, LetsOthersInBetweenItsPieces) {
    Workplace place(2);
    const auto whole = place.start({{"pieces", "100"}, {"piece_ms", "3"}});
    ASSERT_TRUE(whole->wait(EventKind::started));
    ASSERT_TRUE(eventually([&] { return place.pieces.most_inside == 2; }));
    const int before = place.pieces.next;
    const auto other = std::make_shared<Recorder>();
    place.service.submit(call_of({{"ticks", "1"}}, "other"), other);
    ASSERT_TRUE(other->wait_final());
    // The one piece that ran and those that went first in this round; never the whole.
    EXPECT_LE(place.pieces.next - before, 10) << "a client of one short call waits for a long one";
    ASSERT_TRUE(whole->wait_final());
    EXPECT_EQ(place.pieces.done, 100);
}

TEST(SharedWork, StopsEverywhereWhenItIsCancelled) {
    Workplace place(3);
    Ticket ticket = 0;
    const auto reply = place.start({{"pieces", "100000"}}, &ticket);
    ASSERT_TRUE(eventually([&] { return place.pieces.most_inside == 3; }));
    place.service.cancel(ticket);
    const auto final = reply->wait_final();
    ASSERT_TRUE(final);
    EXPECT_EQ(final->kind, EventKind::cancelled);
    EXPECT_TRUE(eventually([&] { return place.service.stats().running == 0; }));
    EXPECT_LT(place.pieces.done, 100'000);
    ASSERT_TRUE(place.start({{"pieces", "0"}})->wait_final()) << "the workers are free again";
}

TEST(SharedWork, EndsAsAnErrorWhenAPieceThrows) {
    for (const char* at : {"0", "7", "31"}) {
        Workplace place(3);
        const auto final = place.start({{"pieces", "32"}, {"throw_at", at}})->wait_final();
        ASSERT_TRUE(final);
        EXPECT_EQ(final->kind, EventKind::error) << at;
        EXPECT_EQ(final->body->find("a piece broke"), std::string::npos);
        EXPECT_TRUE(eventually([&] { return place.service.stats().running == 0; }));
        EXPECT_EQ(place.service.stats().queued, 0U);
        EXPECT_EQ(place.service.stats().memory_bytes_leased, 0U);
    }
}

TEST(SharedWork, EndsWithTheService) {
    for (int round = 0; round < 20; ++round) {
        const auto place = std::make_unique<Workplace>(3);
        const auto reply = place->start({{"pieces", "100000"}});
        std::this_thread::sleep_for(std::chrono::milliseconds(round % 5));
        place->service.shutdown(0ms);
        EXPECT_EQ(reply->finals(), 1);
    }
}

TEST(WarmUp, RunsOnEachSearchWorkerBeforeItsFirstCall) {
    Observed seen;
    std::mutex mutex;
    std::set<int> warmed;
    ServiceOptions options;
    options.search_workers = 3;
    options.warm_up = [&](pool::Worker& worker) {
        std::this_thread::sleep_for(20ms);
        {
            const std::lock_guard lock(mutex);
            warmed.insert(worker.number());
        }
        if (worker.number() == 1) throw std::runtime_error("not this one");
    };
    std::vector<std::string> said;
    options.log = [&](std::string_view, std::string_view message) {
        const std::lock_guard lock(mutex);
        said.emplace_back(message);
    };
    Service service(options, methods(seen));
    const auto reply = std::make_shared<Recorder>();
    service.submit(call_of({{"ticks", "1"}}), reply);
    ASSERT_TRUE(reply->wait_final());
    EXPECT_TRUE(eventually([&] {
        const std::lock_guard lock(mutex);
        return warmed.size() == 3 && said.size() == 1;
    }));
    EXPECT_EQ(said.front(), "not this one");
}

}  // namespace
}  // namespace yomi::service
