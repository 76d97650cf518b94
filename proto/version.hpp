#pragma once

#include <string_view>

namespace yomi::proto {

/// Version of the program on the wire: in answers, /v1/engines and openapi.json. A test compares it
/// with CMakeLists.txt.
inline constexpr std::string_view kVersion = "0.1.0";

}  // namespace yomi::proto
