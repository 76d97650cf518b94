#pragma once

#include <string>
#include <string_view>

namespace yomi::service {

/// A new id: `prefix` + 26 characters of Crockford's base 32, the first ten a 48-bit Unix time in
/// milliseconds, the rest 80 random bits. Ids sort by time (to the millisecond) and cannot be
/// guessed.
///
/// Threads any; each thread has its own source of random bits.
/// Source  the ULID specification (github.com/ulid/spec).
std::string new_id(std::string_view prefix);

}  // namespace yomi::service
