#include "server/methods/rows.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace yomi::server {

using service::Limits;
using service::Outcome;
using service::Payload;
using service::PreparedCall;
using service::RunContext;

std::shared_ptr<const std::string> shared_text(std::string text) {
    return std::make_shared<const std::string>(std::move(text));
}

proto::Input input_of(const Payload& payload, const Limits& limits) {
    proto::Input input{.body = payload.body,
                       .query = payload.query,
                       .charset = payload.charset,
                       .max_json_depth = limits.max_json_depth};
    switch (payload.kind) {
        case Payload::Kind::query:
            input.kind = proto::Input::Kind::query;
            break;
        case Payload::Kind::json:
            input.kind = proto::Input::Kind::json;
            break;
        case Payload::Kind::form:
            input.kind = proto::Input::Kind::form;
            break;
        case Payload::Kind::text:
            input.kind = proto::Input::Kind::text;
            break;
    }
    return input;
}

proto::Published published(const Limits& limits) {
    using proto::Cap;
    proto::Published out;
    out.default_time = limits.default_time;
    out.default_hash_mib = static_cast<int>(limits.default_hash_mib);
    out.max_moves = limits.max_moves;
    out.caps.set(Cap::time_ms, limits.max_time.count());
    out.caps.set(Cap::deadline_ms, limits.max_deadline.count());
    out.caps.set(Cap::nodes, static_cast<std::int64_t>(limits.max_nodes));
    out.caps.set(Cap::depth, limits.max_depth);
    out.caps.set(Cap::hash_mib, static_cast<std::int64_t>(limits.max_hash_mib));
    out.caps.set(Cap::threads, limits.max_threads);
    out.caps.set(Cap::multipv, limits.max_multipv);
    return out;
}

PreparedCall search_call(const proto::CallOptions& options, const engine::Budget& budget) {
    PreparedCall call;
    call.lane = pool::Lane::search;
    call.budget = budget;
    call.deadline = options.deadline;
    call.priority = options.batch ? pool::Priority::batch : pool::Priority::interactive;
    call.session = options.session;
    call.min_interval = options.min_interval;
    // A node limit usually ends long before the time that binds it: a million nodes take about a
    // second.
    constexpr std::uint64_t kNodesPerMs = 1000;
    std::uint64_t ms = budget.time ? static_cast<std::uint64_t>(budget.time->count()) : 1000;
    if (budget.nodes) ms = std::min(ms, *budget.nodes / kNodesPerMs + 1);
    call.estimate = std::chrono::milliseconds(ms);
    return call;
}

std::shared_ptr<const proto::ShogiSetup> setup_of(
    const std::shared_ptr<const ShogiSetups>& setups) {
    return setups ? setups->get() : std::make_shared<const proto::ShogiSetup>();
}

PreparedCall plain_call(pool::Lane lane, std::function<Outcome()> make) {
    PreparedCall call;
    call.lane = lane;
    call.run = [make = std::move(make)](RunContext&) -> Result<Outcome> {
        Outcome outcome = make();
        outcome.show_effort = false;
        return outcome;
    };
    return call;
}

std::vector<service::Route> get_and_post(const std::string& path) {
    return {{"GET", path}, {"POST", path}};
}

}  // namespace yomi::server
