#include "proto/json_text.hpp"

#include <nlohmann/json.hpp>

namespace yomi::proto {

std::string dump_json(const nlohmann::ordered_json& json) {
    return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace yomi::proto
