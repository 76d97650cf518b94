#pragma once

#include <cstddef>
#include <string_view>

#include "core/engine/budget.hpp"
#include "proto/call_options.hpp"
#include "proto/fields.hpp"

namespace yomi::proto {

/// Rows for `limits/...` of a search; what a limit means to a method is its own sentence.
namespace limit_fields {

constexpr Field time(std::string_view doc) {
    return {.path = "limits/time_ms",
            .name = "time_ms",
            .type = FieldType::integer,
            .doc = doc,
            .unit = "ms",
            .min = 1,
            .cap = Cap::time_ms};
}
constexpr Field nodes(std::string_view doc = "Positions to enter.") {
    return {.path = "limits/nodes",
            .name = "nodes",
            .type = FieldType::integer,
            .doc = doc,
            .unit = "nodes",
            .min = 1,
            .cap = Cap::nodes};
}
constexpr Field depth(std::string_view doc) {
    return {.path = "limits/depth",
            .name = "depth",
            .type = FieldType::integer,
            .doc = doc,
            .unit = "plies",
            .min = 1,
            .cap = Cap::depth};
}
constexpr Field hash(std::string_view doc) {
    return {.path = "limits/hash_mib",
            .name = "hash_mib",
            .type = FieldType::integer,
            .doc = doc,
            .unit = "MiB",
            .min = 1,
            .cap = Cap::hash_mib};
}
constexpr Field threads(std::string_view doc, std::string_view fallback = "1") {
    return {.path = "limits/threads",
            .name = "threads",
            .type = FieldType::integer,
            .doc = doc,
            .fallback = fallback,
            .min = 1,
            .cap = Cap::threads};
}

}  // namespace limit_fields

/// Reads time, nodes and hash; the table must have them. Without a time the published maximum binds
/// when there are nodes or `other_limit`, a limit of another kind, and else the published default.
engine::Budget read_budget(const Params& params,
                           const Published& published,
                           bool other_limit = false);
/// Reads `limits/hash_mib`, in bytes.
std::size_t read_hash(const Params& params, const Published& published);
/// Reads `limits/threads`; `usual` without it.
int read_threads(const Params& params, int usual = 1);

}  // namespace yomi::proto
