#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace yomi {

/// The SHA-256 of some bytes.
/// Cost    about 5 ns a byte: for files of weights, not for hot paths.
/// Source  FIPS 180-4.
std::array<std::byte, 32> sha256(std::span<const std::byte> bytes) noexcept;

/// As 64 hexadecimal digits, lower case.
std::string to_hex(const std::array<std::byte, 32>& digest);

}  // namespace yomi
