#pragma once

#include <string>

namespace yomi::proto {

/// Validates `json_text` against `#/components/schemas/NAME` of `answer_schemas()` with valijson.
/// Empty if it conforms, else the complaints. The library stays in one file: it is slow to compile.
std::string complaints(const std::string& schema_name, const std::string& json_text);

}  // namespace yomi::proto
