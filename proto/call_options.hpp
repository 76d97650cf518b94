#pragma once

#include <chrono>
#include <string>

#include "proto/fields.hpp"

namespace yomi::proto {

/// What decoding must know of the published limits: where values are clamped and what stands in for
/// those not given.
struct Published {
    Caps caps;
    std::chrono::milliseconds default_time{1000};
    int default_hash_mib = 64;
    int max_moves = 1024;
};

/// Options that every searching method has, whatever the game.
struct CallOptions {
    std::chrono::milliseconds min_interval{100};  ///< least time between two updates within a depth
    std::optional<std::chrono::milliseconds> deadline;  ///< from arrival, waiting included
    bool batch = false;                                 ///< priority: batch instead of interactive
    bool bypass_cache = false;  ///< neither joined with an equal search nor answered from a store
    std::string session;        ///< named warm tables; empty: fresh ones
};

namespace option_fields {

inline constexpr std::array<std::string_view, 2> kPriorities{"interactive", "batch"};
inline constexpr std::array<std::string_view, 2> kCacheModes{"use", "bypass"};

inline constexpr Field kMinInterval{
    .path = "progress/min_interval_ms",
    .name = "min_interval_ms",
    .type = FieldType::integer,
    .doc = "Least time between two progress events within one depth; completed depths always come.",
    .unit = "ms",
    .fallback = "100",
    .min = 10,
    .max = 60'000};
inline constexpr Field kDeadline{.path = "deadline_ms",
                                 .name = "deadline_ms",
                                 .type = FieldType::integer,
                                 .doc =
                                     "Time from arrival after which an answer is worth nothing: a "
                                     "running search then ends with its best so far, "
                                     "a waiting one is refused.",
                                 .unit = "ms",
                                 .min = 1,
                                 .cap = Cap::deadline_ms};
inline constexpr Field kPriority{.path = "priority",
                                 .name = "priority",
                                 .type = FieldType::word,
                                 .doc = "Batch requests wait behind interactive ones.",
                                 .fallback = "\"interactive\"",
                                 .words = kPriorities};
inline constexpr Field kCache{
    .path = "cache",
    .name = "cache",
    .type = FieldType::word,
    .doc = "Whether an equal search that is running or stored may answer.",
    .fallback = "\"use\"",
    .words = kCacheModes};
inline constexpr Field kSession{.path = "session",
                                .name = "session",
                                .type = FieldType::text,
                                .doc =
                                    "Name of warm tables to search with, [A-Za-z0-9_.-]; searches "
                                    "start from empty tables without it.",
                                .max_length = 64,
                                .nullable = true};

}  // namespace option_fields

/// Reads the fields above; the table must have them all.
/// Errors  bad_value for a session name with other characters.
Result<CallOptions> read_call_options(const Params& params);

}  // namespace yomi::proto
