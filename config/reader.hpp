#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/keys.hpp"

namespace yomi::config {

/// A value as a source gave it, with its place in that source (0: no place).
struct Given {
    std::variant<bool, std::int64_t, std::string, std::vector<Given>, std::vector<AuthKey>> value;
    int line = 0;
    int column = 0;
};

/// Puts a value into its member after checking type, range, choices and shape.
///
/// Errors  bad_type, out_of_range, bad_value; the message names no place, `line` and `column` are
/// the
///         value's (or the list item's). Digests never appear in an error.
Result<void> store(const KeyRow& row, const Given& given, Settings& settings);

/// Reads the text form (environment, flag) of a row's value: decimal integer, true/false, a word, a
/// comma-separated list, name:role:sha256[:weight] for keys. Errors as `store`.
Result<void> store_text(const KeyRow& row, std::string_view text, Settings& settings);

/// One key from its words; checks each.
Result<AuthKey> make_key(std::string_view name,
                         std::string_view role,
                         std::string_view sha256,
                         std::int64_t weight = 1);

/// Applies a TOML text; every key that is not in it keeps its value. `label` is the file's name in
/// messages. Of several faults the one nearest to the beginning is reported.
Result<void> read_toml(std::string_view text, std::string_view label, Settings& settings);

}  // namespace yomi::config
