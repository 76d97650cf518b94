#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace yomi::proto {

/// JSON on one line; ill-formed UTF-8 is replaced, so that it never throws.
std::string dump_json(const nlohmann::ordered_json& json);

}  // namespace yomi::proto
