// Answers that outlive the process: the record's bytes, and the service over a store.
#include <map>

#include <gtest/gtest.h>

#include "core/base/hash.hpp"
#include "server/service/result_record.hpp"
#include "tests/server/service/counter.hpp"

namespace yomi::service {
namespace {

using namespace toy;

std::string random_text(SplitMix64& random, std::uint32_t most) {
    std::string text(random.below(most), ' ');
    for (char& c : text)
        c = static_cast<char>(random.below(256));
    return text;
}

TEST(ResultRecord, ComesBackAsItWas) {
    SplitMix64 random(3);
    for (int round = 0; round < 300; ++round) {
        Stored stored{
            .outcome = {.body = text_of(random_text(random, 300)),
                        .text = random.below(2) ? text_of(random_text(random, 40)) : nullptr,
                        .stopped_by = static_cast<engine::StopReason>(random.below(9)),
                        .nodes = random(),
                        .depth = static_cast<int>(random.below(100)),
                        .show_effort = random.below(2) == 1}};
        for (auto left = random.below(5); left > 0; --left)
            stored.depths.push_back(text_of(random_text(random, 50)));
        const Effort effort{.nodes = random(),
                            .depth = static_cast<int>(random.below(100)),
                            .time = std::chrono::milliseconds(random.below(1'000'000)),
                            .complete = random.below(2) == 1};
        const std::string bytes = encode_record(stored, effort);
        const auto back = decode_record(bytes);
        ASSERT_TRUE(back);
        EXPECT_EQ(back->effort, effort);
        EXPECT_EQ(*back->stored.outcome.body, *stored.outcome.body);
        EXPECT_EQ(back->stored.outcome.text == nullptr, stored.outcome.text == nullptr);
        if (stored.outcome.text) {
            EXPECT_EQ(*back->stored.outcome.text, *stored.outcome.text);
        }
        EXPECT_EQ(back->stored.outcome.stopped_by, stored.outcome.stopped_by);
        EXPECT_EQ(back->stored.outcome.nodes, stored.outcome.nodes);
        EXPECT_EQ(back->stored.outcome.depth, stored.outcome.depth);
        EXPECT_EQ(back->stored.outcome.show_effort, stored.outcome.show_effort);
        ASSERT_EQ(back->stored.depths.size(), stored.depths.size());
        for (std::size_t i = 0; i < stored.depths.size(); ++i)
            EXPECT_EQ(*back->stored.depths[i], *stored.depths[i]);
        // No prefix of it and nothing longer is a record.
        EXPECT_FALSE(
            decode_record(bytes.substr(0, random.below(static_cast<std::uint32_t>(bytes.size())))));
        EXPECT_FALSE(decode_record(bytes + "x"));
        // Any change is read or refused, never worse.
        std::string changed = bytes;
        char& letter = changed[random.below(static_cast<std::uint32_t>(bytes.size()))];
        letter = static_cast<char>(letter + 1 + static_cast<int>(random.below(255)));
        (void)decode_record(changed);
    }
}

/// A map with the face of the store.
class MapStore final : public store::ResultStore {
public:
    std::optional<std::string> find(std::string_view key) override {
        const std::lock_guard lock(mutex_);
        const auto found = map_.find(std::string(key));
        return found == map_.end() ? std::nullopt : std::optional(found->second);
    }
    void put(std::string_view key, std::string bytes) override {
        const std::lock_guard lock(mutex_);
        map_[std::string(key)] = std::move(bytes);
    }
    void flush() override {}
    [[nodiscard]] store::ResultStoreStats stats() const override {
        const std::lock_guard lock(mutex_);
        return {.entries = map_.size()};
    }

private:
    mutable std::mutex mutex_;
    std::map<std::string, std::string> map_;
};

/// One life of a server over a store that outlives it.
struct Life {
    explicit Life(std::shared_ptr<store::ResultStore> store, std::size_t cache_bytes = 1 << 20)
        : service(options(std::move(store), cache_bytes), methods(seen)) {}
    static ServiceOptions options(std::shared_ptr<store::ResultStore> store,
                                  std::size_t cache_bytes) {
        ServiceOptions options;
        options.cache_bytes = cache_bytes;
        options.store = std::move(store);
        return options;
    }
    std::shared_ptr<const proto::Event> ask(Fields fields, bool events = false) {
        const auto reply = std::make_shared<Recorder>();
        service.submit(call_of(std::move(fields), "c", events), reply);
        auto final = reply->wait_final();
        progress = reply->count_of(EventKind::progress);
        return final;
    }
    Observed seen;
    Service service;
    std::size_t progress = 0;
};

bool hit(const std::shared_ptr<const proto::Event>& event) {
    return event->extra.find("\"cache\":\"hit\"") != std::string::npos;
}

TEST(ResultStoreInService, AnswersEqualAndShallowerQuestionsAfterARestart) {
    const auto store = std::make_shared<MapStore>();
    std::string body;
    {
        Life life(store);
        const auto first =
            life.ask({{"ticks", "100"}, {"key", "k100"}, {"cache", "k"}, {"report", "25"}});
        EXPECT_FALSE(hit(first));
        body = *first->body;
    }
    Life life(store);
    const auto equal = life.ask({{"ticks", "100"}, {"key", "k100"}, {"cache", "k"}}, true);
    EXPECT_TRUE(hit(equal));
    EXPECT_EQ(*equal->body, body);
    EXPECT_EQ(life.progress, 4U) << "the completed depths came back, too";
    EXPECT_EQ(life.service.stats().store_hits, 1U);
    EXPECT_TRUE(hit(life.ask({{"ticks", "60"}, {"key", "k60"}, {"cache", "k"}})));
    EXPECT_EQ(life.service.stats().store_hits, 1U) << "the first one brought it into memory";
    EXPECT_EQ(life.service.stats().cache_hits, 2U);
    EXPECT_FALSE(hit(life.ask({{"ticks", "200"}, {"key", "k200"}, {"cache", "k"}})));
    EXPECT_EQ(life.seen.runs, 1);
    EXPECT_FALSE(hit(life.ask({{"ticks", "10"}, {"key", ""}, {"cache", ""}}))) << "bypass";
}

TEST(ResultStoreInService, ServesFromTheDiskWithoutMemory) {
    const auto store = std::make_shared<MapStore>();
    Life life(store, 0);
    EXPECT_FALSE(hit(life.ask({{"ticks", "9"}, {"key", "a"}, {"cache", "a"}})));
    ASSERT_TRUE(eventually([&] { return store->stats().entries == 1; }));
    EXPECT_TRUE(hit(life.ask({{"ticks", "9"}, {"key", "a"}, {"cache", "a"}})));
    EXPECT_EQ(life.service.stats().store_hits, 1U);
}

TEST(ResultStoreInService, KeepsNothingThatWasStoppedFailedWarmOrOfThisLifeOnly) {
    const auto store = std::make_shared<MapStore>();
    {
        Life life(store);
        life.ask({{"fail", "1"}, {"key", "f"}, {"cache", "f"}});
        life.ask({{"ticks", "5"}, {"session", "s"}, {"cache", "w"}});
        life.ask({{"ticks", "5"}, {"durable", "0"}, {"cache", "m"}});
        EXPECT_TRUE(hit(life.ask({{"ticks", "5"}, {"durable", "0"}, {"cache", "m"}})))
            << "in memory it is kept";
        const auto reply = std::make_shared<Recorder>();
        const auto ticket = life.service.submit(call_of(endless({{"cache", "e"}})), reply);
        reply->wait(EventKind::started);
        life.service.cancel(ticket);
        reply->wait_final();
    }
    EXPECT_EQ(store->stats().entries, 0U);
}

TEST(ResultStoreInService, TakesARottenRecordForNone) {
    const auto store = std::make_shared<MapStore>();
    store->put("k", "rotten");
    Life life(store);
    EXPECT_FALSE(hit(life.ask({{"ticks", "3"}, {"key", "k"}, {"cache", "k"}})));
}

// ---- a question in the same words ----

std::optional<proto::Event> recall(Service& service,
                                   const std::string& question,
                                   Role role = Role::anonymous,
                                   const std::string& client = "c") {
    Call call = call_of({}, client, false);
    call.id = "r-mine";
    call.role = role;
    call.question = question;
    return service.recall(call);
}

TEST(Recall, GivesWhatASubmittedCallWouldGet) {
    Observed seen;
    std::vector<RequestRecord> records;  // written by one caller at a time here
    std::mutex mutex;
    ServiceOptions options;
    options.on_final = [&](const RequestRecord& record) {
        const std::lock_guard lock(mutex);
        records.push_back(record);
    };
    Service service(options, methods(seen));
    const auto ask = [&](std::uint64_t ticks) {
        const std::string text = std::to_string(ticks);
        Call call = call_of({{"ticks", text}, {"key", "k" + text}, {"cache", "k"}}, "c", false);
        call.question = "ticks=" + text;
        const auto reply = std::make_shared<Recorder>();
        service.submit(std::move(call), reply);
        return reply->wait_final();
    };
    EXPECT_FALSE(recall(service, "ticks=100"));
    EXPECT_FALSE(recall(service, ""));
    const auto first = ask(100);
    const auto recalled = recall(service, "ticks=100");
    ASSERT_TRUE(recalled);
    const auto submitted = ask(100);
    EXPECT_EQ(recalled->kind, EventKind::result);
    EXPECT_EQ(recalled->id, "r-mine");
    EXPECT_EQ(recalled->body, submitted->body);
    EXPECT_EQ(recalled->body, first->body);
    EXPECT_EQ(recalled->text, submitted->text);
    EXPECT_EQ(recalled->extra, submitted->extra);
    EXPECT_EQ(recalled->status, submitted->status);
    EXPECT_FALSE(recall(service, "ticks=60")) << "other words, nobody knows what they mean yet";
    ask(60);
    EXPECT_TRUE(recall(service, "ticks=60")) << "a deeper answer serves it";
    EXPECT_EQ(seen.runs, 1);
    const ServiceStats stats = service.stats();
    EXPECT_EQ(stats.requests, 5U) << "three submitted, two recalled";
    EXPECT_EQ(stats.results, 5U);
    EXPECT_EQ(stats.cache_hits, 4U);
    service.shutdown(0ms);
    ASSERT_EQ(records.size(), 5U);
    std::size_t hits = 0;  // a record may come after that of a younger call
    for (const RequestRecord& record : records) {
        hits += record.cache == "hit" ? 1 : 0;
        EXPECT_EQ(record.nodes, record.cache == "hit" ? 0U : 100U);
        EXPECT_EQ(record.outcome, "result");
        EXPECT_EQ(record.method, "toy.count");
        EXPECT_EQ(record.client, "c");
        EXPECT_EQ(record.stopped_by, engine::StopReason::nodes);
        EXPECT_FALSE(record.error);
    }
    EXPECT_EQ(hits, 4U);
    EXPECT_FALSE(recall(service, "ticks=100")) << "a server that drains refuses, by submit";
}

TEST(Recall, LeavesEveryRefusalToSubmit) {
    Observed seen;
    ServiceOptions options;
    options.limits.max_live_per_client = 1;
    Service service(options, methods(seen));
    const auto ask = [&](const std::string& method, Role role) {
        Call call = call_of({{"ticks", "5"}, {"key", "k5"}, {"cache", "k"}}, "c", false);
        call.method = method;
        call.role = role;
        call.question = "ticks=5";
        const auto reply = std::make_shared<Recorder>();
        service.submit(std::move(call), reply);
        return reply->wait_final();
    };
    ask("toy.edit", Role::editor);
    Call edit = call_of({}, "c", false);
    edit.method = "toy.edit";
    edit.question = "ticks=5";
    EXPECT_FALSE(service.recall(edit)) << "the role does not suffice";
    edit.role = Role::editor;
    EXPECT_TRUE(service.recall(edit));
    EXPECT_FALSE(recall(service, "ticks=5")) << "the words belong to their method";

    ask("toy.count", Role::anonymous);
    EXPECT_TRUE(recall(service, "ticks=5"));
    const auto reply = std::make_shared<Recorder>();
    const Ticket ticket = service.submit(call_of(endless()), reply);
    ASSERT_TRUE(reply->wait(EventKind::started));
    EXPECT_FALSE(recall(service, "ticks=5")) << "over its quota";
    EXPECT_TRUE(recall(service, "ticks=5", Role::anonymous, "other"));
    service.cancel(ticket);
    ASSERT_TRUE(reply->wait_final());
    EXPECT_TRUE(recall(service, "ticks=5"));
    service.set_limits(service.limits());
    EXPECT_FALSE(recall(service, "ticks=5")) << "new limits may clamp otherwise";
    ask("toy.count", Role::anonymous);
    EXPECT_TRUE(recall(service, "ticks=5"));
    service.forget_questions();
    EXPECT_FALSE(recall(service, "ticks=5"));
}

TEST(Recall, FollowsWhatTheAnswersStandOn) {
    Observed seen;
    std::atomic<std::uint64_t> revision{7};
    std::vector<Method> list = methods(seen);
    list.front().revision = [&revision] { return revision.load(); };
    list.front().decode = [&](const Payload& payload, const Limits& limits) {
        const std::uint64_t now = revision;
        auto call = prepare(payload, limits, &seen);
        call->cache_key += " at " + std::to_string(now);
        return call;
    };
    Service service(ServiceOptions{}, list);
    const auto ask = [&](const std::string& hold = "0") {
        Call call = call_of({{"ticks", "5"}, {"cache", "k"}, {"hold", hold}}, "c", false);
        call.question = "q";
        const auto reply = std::make_shared<Recorder>();
        service.submit(std::move(call), reply);
        return reply;
    };
    ask()->wait_final();
    EXPECT_TRUE(recall(service, "q"));
    revision = 8;
    EXPECT_FALSE(recall(service, "q"));
    ask()->wait_final();
    EXPECT_TRUE(recall(service, "q"));
    EXPECT_EQ(seen.runs, 2);
    // A change between the question and its answer: the answer belongs to the question of before.
    revision = 9;
    const auto late = ask("1");
    ASSERT_TRUE(eventually([&] { return seen.runs == 3; }));
    revision = 10;
    seen.released = true;
    late->wait_final();
    EXPECT_FALSE(recall(service, "q"));
}

TEST(Recall, NotesNothingOfSessionsAndBypass) {
    Observed seen;
    Service service(ServiceOptions{}, methods(seen));
    for (const Fields& fields : {Fields{{"ticks", "5"}, {"session", "s"}, {"cache", "k"}},
                                 Fields{{"ticks", "5"}},
                                 Fields{{"ticks", "5"}, {"fail", "1"}, {"cache", "k"}}}) {
        Call call = call_of(fields, "c", false);
        call.question = "q";
        const auto reply = std::make_shared<Recorder>();
        service.submit(std::move(call), reply);
        ASSERT_TRUE(reply->wait_final());
        EXPECT_FALSE(recall(service, "q"));
    }
    EXPECT_EQ(seen.runs, 3);
}

}  // namespace
}  // namespace yomi::service
