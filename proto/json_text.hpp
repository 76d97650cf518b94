#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include <nlohmann/json_fwd.hpp>

namespace yomi::proto {

/// JSON on one line; ill-formed UTF-8 is replaced, so that it never throws.
std::string dump_json(const nlohmann::ordered_json& json);

/// Adds "nodes", "nps" (of at least a microsecond) and "time_ms".
void put_counters(nlohmann::ordered_json& json,
                  std::uint64_t nodes,
                  std::chrono::microseconds elapsed);

}  // namespace yomi::proto
