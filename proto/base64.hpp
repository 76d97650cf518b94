#pragma once

#include <string>
#include <string_view>

#include "core/base/result.hpp"

namespace yomi::proto {

/// Bytes as base64 with padding (RFC 4648, section 4).
std::string base64_encode(std::string_view bytes);

/// Reads base64 in the standard or the URL alphabet, padding optional, line ends and spaces
/// skipped.
/// Errors  bad_value with line and column: another sign, a length that no bytes have.
Result<std::string> base64_decode(std::string_view text);

}  // namespace yomi::proto
