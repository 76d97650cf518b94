#include "proto/limits.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace yomi::proto {

engine::Budget read_budget(const Params& params, const Published& published, bool other_limit) {
    using std::chrono::milliseconds;
    engine::Budget budget;
    if (const auto nodes = params.integer("limits/nodes"))
        budget.nodes = static_cast<std::uint64_t>(*nodes);
    if (const auto time = params.integer("limits/time_ms")) {
        budget.time = milliseconds(*time);
    } else {
        // Time always binds, so that no request can hold a worker for ever.
        const milliseconds most(published.caps[Cap::time_ms]);
        budget.time = other_limit || budget.nodes ? most : std::min(published.default_time, most);
    }
    budget.hash_bytes = read_hash(params, published);
    return budget;
}

std::size_t read_hash(const Params& params, const Published& published) {
    const auto usual =
        std::min<std::int64_t>(published.default_hash_mib, published.caps[Cap::hash_mib]);
    return static_cast<std::size_t>(params.integer("limits/hash_mib").value_or(usual)) << 20U;
}

int read_threads(const Params& params, int usual) {
    return static_cast<int>(params.integer("limits/threads").value_or(usual));
}

}  // namespace yomi::proto
