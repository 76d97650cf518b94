#include "proto/call_options.hpp"

#include <algorithm>

namespace yomi::proto {

Result<CallOptions> read_call_options(const Params& params) {
    using std::chrono::milliseconds;
    CallOptions options;
    if (const auto interval = params.integer("progress/min_interval_ms"))
        options.min_interval = milliseconds(*interval);
    if (const auto deadline = params.integer("deadline_ms"))
        options.deadline = milliseconds(*deadline);
    if (const std::string* const word = params.text("priority")) options.batch = *word == "batch";
    if (const std::string* const word = params.text("cache"))
        options.bypass_cache = *word == "bypass";
    if (const std::string* const name = params.text("session")) {
        const auto plain = [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                   c == '_' || c == '.' || c == '-';
        };
        if (name->empty() || !std::all_of(name->begin(), name->end(), plain)) {
            return fail(
                Error{.code = ErrorCode::bad_value,
                      .message = "a session's name has 1 to 64 characters of A-Z a-z 0-9 _ . -",
                      .pointer = params.pointer("session"),
                      .value = *name});
        }
        options.session = *name;
    }
    return options;
}

}  // namespace yomi::proto
