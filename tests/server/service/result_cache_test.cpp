// Finished answers: which question each serves, and what it costs to keep them.
#include "server/service/result_cache.hpp"

#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/hash.hpp"
#include "tests/server/service/counter.hpp"

namespace yomi::service {
namespace {

using namespace toy;
using engine::Budget;
using engine::StopReason;

Outcome outcome_of(std::string body, StopReason stopped_by = StopReason::nodes) {
    return {.body = text_of(std::move(body)), .text = text_of("t"), .stopped_by = stopped_by};
}

Stored stored(Outcome outcome) {
    return {.outcome = std::move(outcome)};
}

TEST(Effort, CountsALimitThatEndedTheRunAsReached) {
    Outcome outcome = outcome_of("x", StopReason::nodes);
    outcome.nodes = 990;
    outcome.depth = 7;
    const Budget budget{.nodes = 1000, .time = 50ms, .depth = 9};
    EXPECT_EQ(effort_of(budget, outcome, 12'900us),
              (Effort{.nodes = 1000, .depth = 7, .time = 12ms}));
    outcome.stopped_by = StopReason::time;
    EXPECT_EQ(effort_of(budget, outcome, 49'100us),
              (Effort{.nodes = 990, .depth = 7, .time = 50ms}));
    outcome.stopped_by = StopReason::depth;
    EXPECT_EQ(effort_of(budget, outcome, 1ms), (Effort{.nodes = 990, .depth = 9, .time = 1ms}));
    for (const StopReason reason : {StopReason::mate,
                                    StopReason::one_legal_move,
                                    StopReason::game_over,
                                    StopReason::book,
                                    StopReason::completed}) {
        outcome.stopped_by = reason;
        EXPECT_TRUE(effort_of(budget, outcome, 1ms).complete) << to_string(reason);
    }
}

TEST(Effort, ServesWhatAsksForNoMoreInOneMeasure) {
    const Effort effort{.nodes = 1000, .depth = 8, .time = 100ms};
    EXPECT_TRUE(serves(effort, {.nodes = 1000}));
    EXPECT_FALSE(serves(effort, {.nodes = 1001}));
    EXPECT_TRUE(serves(effort, {.depth = 8}));
    EXPECT_FALSE(serves(effort, {.depth = 9}));
    EXPECT_TRUE(serves(effort, {.time = 100ms}));
    EXPECT_FALSE(serves(effort, {.time = 101ms}));
    EXPECT_TRUE(serves(effort, {.nodes = 500, .time = 10s})) << "the nodes would have ended it";
    EXPECT_FALSE(serves(effort, {})) << "an endless question";
    EXPECT_TRUE(serves({.complete = true}, {}));
    EXPECT_TRUE(serves({.complete = true}, {.nodes = 1'000'000}));
}

TEST(ResultCache, KeepsTheAnswerWithMoreWork) {
    ResultCache cache(1 << 20);
    EXPECT_FALSE(cache.find("k", {.nodes = 1}));
    cache.put("k", stored(outcome_of("deep")), {.nodes = 100, .depth = 5, .time = 5ms});
    cache.put("k", stored(outcome_of("shallow")), {.nodes = 50, .depth = 4, .time = 2ms});
    EXPECT_EQ(*cache.find("k", {.nodes = 50})->outcome.body, "deep");
    cache.put("k", stored(outcome_of("deeper")), {.nodes = 200, .depth = 6, .time = 9ms});
    EXPECT_EQ(*cache.find("k", {.nodes = 50})->outcome.body, "deeper");
    EXPECT_FALSE(cache.find("k", {.nodes = 201}));
    cache.put("k", stored(outcome_of("proved", StopReason::mate)), {.nodes = 1, .complete = true});
    EXPECT_EQ(*cache.find("k", {.nodes = 999})->outcome.body, "proved");
    cache.put("k", stored(outcome_of("more")), {.nodes = 1000, .depth = 60, .time = 90s});
    EXPECT_EQ(*cache.find("k", {.nodes = 999})->outcome.body, "proved") << "nothing covers a proof";
    EXPECT_EQ(cache.entries(), 1U);
}

TEST(ResultCache, ThrowsOutTheLeastRecentlyUsed) {
    const Effort effort{.nodes = 10};
    ResultCache probe(1 << 20);
    probe.put("0", stored(outcome_of("body")), effort);
    ResultCache cache(3 * probe.bytes());
    for (const char* key : {"0", "1", "2"})
        cache.put(key, stored(outcome_of("body")), effort);
    EXPECT_TRUE(cache.find("0", {.nodes = 1}));
    cache.put("3", stored(outcome_of("body")), effort);
    EXPECT_TRUE(cache.find("0", {.nodes = 1}));
    EXPECT_FALSE(cache.find("1", {.nodes = 1}));
    EXPECT_TRUE(cache.find("2", {.nodes = 1}));
    EXPECT_TRUE(cache.find("3", {.nodes = 1}));
    EXPECT_EQ(cache.bytes(), 3 * probe.bytes());
    cache.put("4", stored(outcome_of(std::string(4 * probe.bytes(), 'x'))), effort);
    EXPECT_FALSE(cache.find("4", {.nodes = 1})) << "larger than the whole";
    EXPECT_EQ(cache.entries(), 3U);
}

TEST(ResultCache, KeepsNothingWithoutRoom) {
    ResultCache cache(0);
    cache.put("k", stored(outcome_of("x")), {.nodes = 10});
    EXPECT_FALSE(cache.find("k", {.nodes = 1}));
    EXPECT_EQ(cache.bytes(), 0U);
}

// A plain twin: a vector in order of use, searched from end to end.
TEST(ResultCache, AgreesWithAPlainListUnderRandomUse) {
    struct Plain {
        std::string key;
        Effort effort;
        std::string body;
    };
    ResultCache probe(1 << 20);
    probe.put("00", stored(outcome_of("00000")), {.nodes = 1});
    const std::size_t one = probe.bytes();
    ResultCache cache(8 * one);
    std::vector<Plain> plain;  // most recently used first
    SplitMix64 random(7);
    for (int step = 0; step < 20'000; ++step) {
        const std::string key = std::to_string(10 + random.below(20));
        const std::uint64_t nodes = 1 + random.below(50);
        const auto at = std::find_if(
            plain.begin(), plain.end(), [&](const Plain& entry) { return entry.key == key; });
        if (random.below(2) == 0) {
            const auto found = cache.find(key, {.nodes = nodes});
            const bool expected = at != plain.end() && at->effort.nodes >= nodes;
            ASSERT_EQ(found.has_value(), expected) << step;
            if (!expected) continue;
            ASSERT_EQ(*found->outcome.body, at->body);
            std::rotate(plain.begin(), at, at + 1);
        } else {
            const std::string body = std::to_string(10'000 + step);
            cache.put(key, stored(outcome_of(body)), {.nodes = nodes});
            if (at != plain.end()) {
                if (at->effort.nodes > nodes) continue;
                plain.erase(at);
            }
            plain.insert(plain.begin(), {key, {.nodes = nodes}, body});
            if (plain.size() > 8) plain.pop_back();
        }
        ASSERT_EQ(cache.entries(), plain.size());
        ASSERT_EQ(cache.bytes(), plain.size() * one);
    }
}

// ---- in the service ----

std::shared_ptr<const proto::Event> answer(Service& service, Fields fields) {
    const auto reply = std::make_shared<Recorder>();
    service.submit(call_of(std::move(fields)), reply);
    return reply->wait_final();
}

TEST(Cache, AnswersEqualAndShallowerQuestionsWithTheSameBytes) {
    Observed seen;
    Service service({}, methods(seen));
    const auto ask = [&](std::string ticks) {
        return answer(service, {{"ticks", ticks}, {"key", "k" + ticks}, {"cache", "c"}});
    };
    const auto first = ask("100");
    ASSERT_TRUE(first);
    EXPECT_EQ(first->extra, "\"cache\":\"miss\",\"stopped_by\":\"nodes\"");
    const auto equal = ask("100");
    EXPECT_EQ(equal->extra, "\"cache\":\"hit\",\"stopped_by\":\"nodes\"");
    EXPECT_EQ(equal->body, first->body) << "one text, shared";
    EXPECT_EQ(ask("40")->body, first->body);
    EXPECT_EQ(seen.runs, 1);
    const auto deeper = ask("101");
    EXPECT_EQ(deeper->extra, "\"cache\":\"miss\",\"stopped_by\":\"nodes\"");
    EXPECT_EQ(ask("100")->body, deeper->body);
    const ServiceStats stats = service.stats();
    EXPECT_EQ(stats.cache_hits, 3U);
    EXPECT_EQ(stats.cache_entries, 1U);
    EXPECT_GT(stats.cache_bytes, 0U);
    EXPECT_EQ(stats.nodes, 201U) << "a hit costs no nodes";
}

TEST(Cache, AKeyThatNamesItsLimitsServesEqualQuestionsWhateverTheBudget) {
    Observed seen;
    Service service({}, methods(seen));
    // No budget of nodes, time or depth is known to the service here.
    const Fields fields{{"key", "level 8"}, {"cache", "level 8"}};
    const auto first = answer(service, fields);
    const auto second = answer(service, fields);
    EXPECT_EQ(second->extra, "\"cache\":\"hit\",\"stopped_by\":\"nodes\"");
    EXPECT_EQ(second->body, first->body);
    EXPECT_EQ(seen.runs, 1);
}

TEST(Cache, ShowsTheCompletedDepthsAgain) {
    Observed seen;
    Service service({}, methods(seen));
    const Fields fields{{"ticks", "30"}, {"report", "10"}, {"cache", "c"}};
    ASSERT_TRUE(answer(service, fields));
    const auto reply = std::make_shared<Recorder>();
    service.submit(call_of(fields), reply);
    ASSERT_TRUE(reply->wait_final());
    const auto events = reply->events();
    ASSERT_EQ(events.size(), 6U) << "queued, started, three depths, result";
    EXPECT_EQ(*events[2]->body, "{\"count\":10}");
    EXPECT_EQ(*events[4]->body, "{\"count\":30}");
    EXPECT_EQ(events[5]->kind, EventKind::result);
    EXPECT_EQ(seen.runs, 1);

    ASSERT_TRUE(
        answer(service, {{"ticks", "31"}, {"report", "10"}, {"complete", "0"}, {"cache", "u"}}));
    const auto updates = std::make_shared<Recorder>();
    service.submit(call_of({{"ticks", "31"}, {"cache", "u"}}), updates);
    ASSERT_TRUE(updates->wait_final());
    EXPECT_EQ(updates->events().size(), 3U) << "updates within a depth are not kept";
}

TEST(Cache, AnswersWhileEveryWorkerIsBusyWithTheOrdinaryEvents) {
    Observed seen;
    ServiceOptions options;
    options.search_workers = 1;
    Service service(options, methods(seen));
    ASSERT_TRUE(answer(service, {{"ticks", "10"}, {"cache", "c"}}));
    const auto blocker = std::make_shared<Recorder>();
    const Ticket ticket = service.submit(call_of(endless()), blocker);
    ASSERT_TRUE(blocker->wait(EventKind::started));
    const auto reply = std::make_shared<Recorder>();
    service.submit(call_of({{"ticks", "10"}, {"cache", "c"}}), reply);
    EXPECT_EQ(reply->finals(), 1) << "delivered before submit returned";
    const auto events = reply->events();
    ASSERT_EQ(events.size(), 3U);
    EXPECT_EQ(events[0]->kind, EventKind::queued);
    EXPECT_EQ(events[1]->kind, EventKind::started);
    EXPECT_EQ(events[2]->kind, EventKind::result);
    service.cancel(ticket);
    ASSERT_TRUE(blocker->wait_final());
}

TEST(Cache, KeepsNothingThatWasStoppedFailedOrWarm) {
    Observed seen;
    Service service({}, methods(seen));
    const auto stopped = std::make_shared<Recorder>();
    const Ticket ticket = service.submit(call_of(endless({{"cache", "a"}})), stopped);
    ASSERT_TRUE(stopped->wait(EventKind::started));
    service.cancel(ticket);
    ASSERT_TRUE(stopped->wait_final());
    answer(service, {{"ticks", "5"}, {"cache", "b"}, {"fail", "1"}});
    answer(service, {{"ticks", "5"}, {"cache", "c"}, {"session", "s"}});
    EXPECT_EQ(service.stats().cache_entries, 0U);
    answer(service, {{"ticks", "5"}, {"cache", "c"}});
    EXPECT_EQ(service.stats().cache_entries, 1U);
    const int runs = seen.runs;
    answer(service, {{"ticks", "5"}, {"cache", "c"}, {"session", "s"}});
    EXPECT_EQ(seen.runs, runs + 1) << "warm tables are asked, not the store";
}

TEST(Cache, ManyThreadsAskingGetOneAnswerEach) {
    Observed seen;
    ServiceOptions options;
    options.search_workers = 2;
    options.cache_bytes = 4000;  // room for a few: finding and throwing out race
    options.limits.max_live_per_client = 1000;
    Service service(options, methods(seen));
    std::vector<std::jthread> threads;
    std::atomic<int> wrong{0};
    for (unsigned t = 0; t < 4; ++t) {
        threads.emplace_back([&, t] {
            SplitMix64 random(t);
            for (int i = 0; i < 250; ++i) {
                const std::string ticks = std::to_string(1 + random.below(30));
                const auto final =
                    answer(service, {{"ticks", ticks}, {"key", ticks}, {"cache", ticks}});
                const std::string body = "{\"count\":" + ticks + ",";
                if (!final || !final->body->starts_with(body)) ++wrong;
            }
        });
    }
    threads.clear();
    EXPECT_EQ(wrong, 0);
    EXPECT_LE(service.stats().cache_bytes, 4000U);
}

TEST(ResultCache, FindsAnAnswerByTheWordsOfItsQuestion) {
    ResultCache cache(1 << 20);
    cache.put("k", stored(outcome_of("deep")), {.nodes = 100});
    const std::uint64_t era = cache.era();
    cache.note_question("a?n=50", "k", {.nodes = 50}, false, era);
    cache.note_question("a?n=200", "k", {.nodes = 200}, true, era);
    cache.note_question("a?n=1", "unknown", {.nodes = 1}, false, era);
    EXPECT_EQ(*cache.find_question("a?n=50")->outcome.body, "deep");
    EXPECT_FALSE(cache.find_question("a?n=50")->batch);
    EXPECT_FALSE(cache.find_question("a?n=200")) << "asks for more than there is";
    EXPECT_FALSE(cache.find_question("a?n=1"));
    EXPECT_EQ(cache.questions(), 2U);
    cache.put("k", stored(outcome_of("deeper")), {.nodes = 200});
    EXPECT_EQ(*cache.find_question("a?n=50")->outcome.body, "deeper");
    EXPECT_TRUE(cache.find_question("a?n=200")->batch);

    cache.forget_questions();
    EXPECT_FALSE(cache.find_question("a?n=50"));
    EXPECT_TRUE(cache.find("k", {.nodes = 50})) << "the answer stays";
    cache.note_question("a?n=50", "k", {.nodes = 50}, false, era);
    EXPECT_FALSE(cache.find_question("a?n=50")) << "decoded before the change";
    cache.note_question("a?n=50", "k", {.nodes = 50}, false, cache.era());
    EXPECT_TRUE(cache.find_question("a?n=50"));
}

TEST(ResultCache, KeepsAFewSpellingsAndCountsTheirBytes) {
    ResultCache probe(1 << 20);
    probe.put("k", stored(outcome_of("x")), {.nodes = 1});
    const std::size_t bare = probe.bytes();
    for (int i = 0; i < 100; ++i)
        probe.note_question("q" + std::to_string(100 + i), "k", {.nodes = 1}, false, probe.era());
    EXPECT_EQ(probe.questions(), 8U);
    EXPECT_FALSE(probe.find_question("q100")) << "the oldest spellings go";
    EXPECT_TRUE(probe.find_question("q199"));
    const std::size_t full = probe.bytes();
    EXPECT_GT(full, bare + 8 * 100);
    probe.forget_questions();
    EXPECT_EQ(probe.bytes(), bare);
    EXPECT_EQ(probe.questions(), 0U);

    // An entry takes its questions along when it goes.
    ResultCache small(full);
    small.put("k", stored(outcome_of("x")), {.nodes = 1});
    for (int i = 0; i < 8; ++i)
        small.note_question("q" + std::to_string(100 + i), "k", {.nodes = 1}, false, small.era());
    EXPECT_EQ(small.bytes(), full);
    small.put("l", stored(outcome_of("y")), {.nodes = 1});
    EXPECT_EQ(small.entries(), 1U);
    EXPECT_EQ(small.questions(), 0U);
    EXPECT_EQ(small.bytes(), bare);
}

// The books of the bytes under random use, and what a question finds beside what its key finds.
TEST(ResultCache, QuestionsNeverFindWhatTheirKeysWouldNot) {
    ResultCache cache(6'000);
    SplitMix64 random(12);
    std::size_t found_some = 0;
    for (int step = 0; step < 20'000; ++step) {
        const std::string key = std::to_string(random.below(12));
        const std::uint64_t nodes = 1 + random.below(20);
        const std::string question = key + "?" + std::to_string(nodes);
        switch (random.below(4)) {
            case 0:
                cache.put(key, stored(outcome_of(std::to_string(step))), {.nodes = nodes});
                break;
            case 1:
                cache.note_question(question, key, {.nodes = nodes}, false, cache.era());
                break;
            case 2:
                if (random.below(200) == 0) cache.forget_questions();
                break;
            default: {
                const auto by_question = cache.find_question(question);
                const auto by_key = cache.find(key, {.nodes = nodes});
                if (!by_question) break;
                ++found_some;
                ASSERT_TRUE(by_key) << step;
                ASSERT_EQ(by_question->outcome.body, by_key->outcome.body) << step;
            }
        }
        ASSERT_LE(cache.bytes(), 6'000U);
    }
    EXPECT_GT(found_some, 150U);
    cache.forget_questions();
    EXPECT_EQ(cache.questions(), 0U);
}

}  // namespace
}  // namespace yomi::service
