#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "core/engine/engine.hpp"
#include "server/service/service.hpp"

namespace yomi::service::toy {

using namespace std::chrono_literals;
using proto::EventKind;

/// An engine that counts: every tick is a node; every `report_every` ticks a depth is complete.
class Counter {
public:
    struct Request {
        std::uint64_t ticks = 1;
        std::chrono::microseconds tick{0};  ///< slept per tick, so that a test can be in time
        std::uint64_t report_every = 0;     ///< 0: silent
        bool depth_complete = true;
    };
    struct Progress {
        std::uint64_t count;
        bool depth_complete;
    };
    struct Answer {
        std::uint64_t count = 0;
        bool warm = false;
        engine::StopReason stopped_by = engine::StopReason::nodes;
    };

    Answer analyse(const Request& request,
                   engine::SearchMemory& memory,
                   std::stop_token stop,
                   engine::Sink<Progress>& sink) {
        Answer answer;
        answer.warm = memory.size() > 0 && memory.claim(0xC0);
        while (answer.count < request.ticks) {
            if (stop.stop_requested()) {
                answer.stopped_by = engine::StopReason::cancelled;
                break;
            }
            if (request.tick.count() > 0) std::this_thread::sleep_for(request.tick);
            ++answer.count;
            if (request.report_every != 0 && answer.count % request.report_every == 0) {
                sink.report({answer.count, request.depth_complete});
            }
        }
        return answer;
    }
};
static_assert(engine::Engine<Counter>);

/// What happened inside the engines of one test.
struct Observed {
    std::atomic<int> runs{0}, inside{0}, most_inside{0}, stopped{0}, decoded{0};
    std::atomic<std::int64_t> last_end_us{0};
    std::atomic<bool> released{false};  ///< `hold=1` waits for it before the engine begins
    std::mutex mutex;
    std::vector<std::string> order;  ///< `name` parameters in the order of their start

    static std::int64_t now_us() {
        return std::chrono::duration_cast<std::chrono::microseconds>(
                   std::chrono::steady_clock::now().time_since_epoch())
            .count();
    }
};

inline std::shared_ptr<const std::string> text_of(std::string text) {
    return std::make_shared<const std::string>(std::move(text));
}

/// A parameter of a query, or "".
inline std::string field(const Payload& payload, std::string_view name) {
    for (const auto& [key, value] : payload.query) {
        if (key == name) return value;
    }
    return {};
}

inline std::uint64_t number(const Payload& payload,
                            std::string_view name,
                            std::uint64_t otherwise) {
    const std::string value = field(payload, name);
    return value.empty() ? otherwise : std::stoull(value);
}

/// The run of `toy.count`; `throw=1` breaks inside the engine.
inline Result<Outcome> count(const Payload& payload, Observed& seen, RunContext& context) {
    {
        const std::lock_guard lock(seen.mutex);
        seen.order.push_back(field(payload, "name"));
    }
    ++seen.runs;
    const int inside = ++seen.inside;
    int most = seen.most_inside;
    while (inside > most && !seen.most_inside.compare_exchange_weak(most, inside)) {
    }
    struct Leave {
        Observed& seen;
        ~Leave() {
            --seen.inside;
            seen.last_end_us = Observed::now_us();
        }
    } const leave{seen};
    while (number(payload, "hold", 0) == 1 && !seen.released)
        std::this_thread::sleep_for(1ms);
    if (number(payload, "throw", 0) == 1) throw std::runtime_error("secret of the engine");
    if (number(payload, "throw", 0) == 2) throw 7;
    if (number(payload, "fail", 0) == 1) return fail(ErrorCode::unsupported, "cannot count that");

    const Counter::Request request{.ticks = number(payload, "ticks", 1),
                                   .tick = std::chrono::microseconds(number(payload, "tick_us", 0)),
                                   .report_every = number(payload, "report", 0),
                                   .depth_complete = number(payload, "complete", 1) == 1};
    engine::CallSink<Counter::Progress, std::function<void(const Counter::Progress&)>> sink(
        [&context](const Counter::Progress& p) {
            context.progress({.progress = text_of("{\"count\":" + std::to_string(p.count) + "}"),
                              .best = text_of("{\"best\":" + std::to_string(p.count) + "}"),
                              .best_text = text_of(std::to_string(p.count) + "\n"),
                              .depth_complete = p.depth_complete});
        });
    const auto answer =
        context.worker.engine<Counter>().analyse(request, context.memory, context.stop, sink);
    if (answer.stopped_by == engine::StopReason::cancelled) ++seen.stopped;
    return Outcome{.body = text_of("{\"count\":" + std::to_string(answer.count) +
                                   ",\"memory\":" + std::to_string(context.memory.size()) +
                                   ",\"warm\":" + (answer.warm ? "true" : "false") + "}"),
                   .text = text_of(std::to_string(answer.count) + "\n"),
                   .stopped_by = answer.stopped_by,
                   .nodes = answer.count};
}

inline Result<PreparedCall> prepare(const Payload& payload, const Limits& limits, Observed* seen) {
    ++seen->decoded;
    if (const auto pause = number(payload, "decode_ms", 0)) {
        std::this_thread::sleep_for(std::chrono::milliseconds(pause));
    }
    if (number(payload, "throw", 0) == 3) throw std::runtime_error("secret of the decoder");
    if (field(payload, "ticks") == "many") {
        return fail(Error{.code = ErrorCode::bad_type, .message = "a number", .pointer = "/ticks"});
    }
    PreparedCall call;
    const std::string lane = field(payload, "lane");
    call.lane = lane == "inline"  ? pool::Lane::inline_
                : lane == "short" ? pool::Lane::short_
                                  : pool::Lane::search;
    call.join_key = field(payload, "key");
    call.cache_key = field(payload, "cache");
    call.durable = number(payload, "durable", 1) == 1;
    if (const auto nodes = number(payload, "ticks", 0)) call.budget.nodes = nodes;
    call.session = field(payload, "session");
    call.budget.hash_bytes = number(payload, "hash", 0);
    if (call.budget.hash_bytes > limits.max_hash_mib << 20) {
        call.budget.hash_bytes = limits.max_hash_mib << 20;
    }
    if (const auto ms = number(payload, "deadline_ms", 0))
        call.deadline = std::chrono::milliseconds(ms);
    if (field(payload, "priority") == "batch") call.priority = pool::Priority::batch;
    call.min_interval = std::chrono::milliseconds(number(payload, "interval_ms", 0));
    call.estimate = std::chrono::milliseconds(number(payload, "estimate_ms", 100));
    call.run = [payload, seen](RunContext& context) { return count(payload, *seen, context); };
    return call;
}

/// `toy.count` for everybody, `toy.edit` for editors.
inline std::vector<Method> methods(Observed& seen) {
    Method count_method;
    count_method.name = "toy.count";
    count_method.decode = [&seen](const Payload& payload, const Limits& limits) {
        return prepare(payload, limits, &seen);
    };
    Method edit = count_method;
    edit.name = "toy.edit";
    edit.min_role = Role::editor;
    return {count_method, edit};
}

using Fields = std::vector<std::pair<std::string, std::string>>;

inline Call call_of(Fields fields, std::string client = "c", bool want_events = true) {
    Call call;
    call.method = "toy.count";
    call.payload.query = std::move(fields);
    call.client = std::move(client);
    call.want_events = want_events;
    return call;
}

/// A call that holds its worker until it is stopped.
inline Fields endless(Fields more = {}) {
    more.emplace_back("ticks", "1000000000");
    more.emplace_back("tick_us", "200");
    return more;
}

/// A Reply that remembers everything and complains when the contract is broken.
class Recorder final : public Reply {
public:
    using EventPointer = std::shared_ptr<const proto::Event>;

    void deliver(EventPointer event) noexcept override {
        if (delivering_.exchange(true)) ADD_FAILURE() << "two deliveries at once";
        {
            const std::lock_guard lock(mutex_);
            if (finals_ > 0) ADD_FAILURE() << "an event after the final";
            if (!events_.empty() && event->seq <= events_.back()->seq) ADD_FAILURE() << "seq falls";
            if (!events_.empty() && event->kind < events_.back()->kind) ADD_FAILURE() << "order";
            if (proto::is_final(event->kind)) ++finals_;
            events_.push_back(std::move(event));
        }
        changed_.notify_all();
        delivering_ = false;
    }

    [[nodiscard]] std::vector<EventPointer> events() const {
        const std::lock_guard lock(mutex_);
        return events_;
    }
    [[nodiscard]] int finals() const {
        const std::lock_guard lock(mutex_);
        return finals_;
    }
    [[nodiscard]] std::size_t count_of(EventKind kind) const {
        std::size_t count = 0;
        for (const auto& event : events())
            count += event->kind == kind;
        return count;
    }
    /// Waits for an event of this kind; null after ten seconds.
    EventPointer wait(EventKind kind) {
        return wait_for([kind](EventKind k) { return k == kind; });
    }
    EventPointer wait_final() { return wait_for(proto::is_final); }

private:
    template <class F>
    EventPointer wait_for(F wanted) {
        std::unique_lock lock(mutex_);
        EventPointer found;
        changed_.wait_for(lock, 10s, [&] {
            for (const auto& event : events_) {
                if (wanted(event->kind)) found = event;
            }
            return found != nullptr;
        });
        EXPECT_TRUE(found) << "no such event within 10 s";
        return found;
    }

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<EventPointer> events_;
    int finals_ = 0;
    std::atomic<bool> delivering_{false};
};

/// Polls until `condition` holds; false after ten seconds.
template <class F>
bool eventually(F condition) {
    const auto until = std::chrono::steady_clock::now() + 10s;
    while (!condition()) {
        if (std::chrono::steady_clock::now() > until) return false;
        std::this_thread::sleep_for(1ms);
    }
    return true;
}

}  // namespace yomi::service::toy
