#include "proto/json_text.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace yomi::proto {

std::string dump_json(const nlohmann::ordered_json& json) {
    return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

void put_counters(nlohmann::ordered_json& json,
                  std::uint64_t nodes,
                  std::chrono::microseconds elapsed) {
    const auto elapsed_us = std::max<std::int64_t>(1, elapsed.count());
    const double nps = static_cast<double>(nodes) * 1e6 / static_cast<double>(elapsed_us);
    json["nodes"] = nodes;
    json["nps"] = static_cast<std::uint64_t>(nps);
    json["time_ms"] = elapsed.count() / 1000;
}

}  // namespace yomi::proto
