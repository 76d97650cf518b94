#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "server/service/result_cache.hpp"

namespace yomi::service {

/// A finished answer and the work behind it, as the persistent store keeps them.
struct ResultRecord {
    Stored stored;
    Effort effort;
};

/// The record as bytes: a version, fixed numbers, then each text with its length; all numbers are
/// little-endian 64-bit words.
std::string encode_record(const Stored& stored, const Effort& effort);

/// Nothing for bytes that `encode_record` did not make, whatever they are.
std::optional<ResultRecord> decode_record(std::string_view bytes);

}  // namespace yomi::service
