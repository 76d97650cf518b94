#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.hpp"

namespace yomi::proto {

struct JsonRules {
    int max_depth = 32;  ///< levels of objects and arrays; `[[1]]` has two
};

/// Reads exactly one JSON value (RFC 8259), strictly: nothing is guessed, dropped or overwritten.
///
/// Shape   a UTF-8 byte order mark in front is skipped; white space around the value is allowed.
/// Errors  bad_json (line and column, in code points): syntax, ill-formed UTF-8, NaN or Infinity,
/// text after the value,
///         an empty text; duplicate_key, too_deep, out_of_range (JSON pointer): a key given twice
///         in one object, nesting deeper than the rules allow, a number that no 64-bit integer or
///         double can hold. An integer literal never becomes a double silently:
///         18446744073709551616 is out_of_range.
/// Threads pure.
/// Cost    linear in the text, n log n in the keys of one object; no recursion, so depth costs no
/// stack.
Result<nlohmann::json> read_json(std::string_view text, const JsonRules& rules = {});

/// One step of a JSON pointer, escaped as RFC 6901 asks: "~" becomes "~0", "/" becomes "~1".
std::string pointer_step(std::string_view key);

}  // namespace yomi::proto
