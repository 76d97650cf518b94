#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/shogi/notation/record.hpp"
#include "proto/call_options.hpp"
#include "proto/fields.hpp"

namespace yomi::proto {

// ---- shogi.convert ------------------------------------------------------------------------------

FieldTable shogi_convert_fields() noexcept;

struct ShogiConvertCall {
    std::string bytes;         ///< of the record, as it came
    std::string charset = {};  ///< that HTTP named, lower case
    std::string to = {};       ///< "kif", "jkf", "json" ...
    std::optional<std::string> from = {};
    shogi::RecordLimits limits = {};
    std::vector<std::string> warnings = {};  ///< about the request itself
};

/// A text body is the record, byte for byte, in any encoding.
/// Errors  those of `decode_fields`; missing_field without a record; duplicate_key for two.
Result<ShogiConvertCall> decode_shogi_convert(const Input& input, const Published& published);

struct ShogiConversion {
    std::string body;  ///< the answer
    std::string text;  ///< what was written, as text/plain
};

/// Reads and writes. Errors  those of the readers with the pointer of the record.
/// Cost  linear in the text; a mebibyte takes up to half a second.
Result<ShogiConversion> convert_shogi(const ShogiConvertCall& call);

/// Puts the spaces of a record back that a form or a query has encoded as '+': all of them when no
/// other space is left, but not where '+' is CSA's sign of a move, piece or side.
std::string restore_record_spaces(std::string_view text);

}  // namespace yomi::proto
