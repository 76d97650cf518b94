#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "core/othello/notation/read_record.hpp"
#include "proto/call_options.hpp"
#include "proto/fields.hpp"

namespace yomi::proto {

// ---- othello.convert ----------------------------------------------------------------------------

FieldTable othello_convert_fields() noexcept;

struct OthelloConvertCall {
    std::string bytes;    ///< of the record, as it came
    std::string charset;  ///< that HTTP declared for it; may be empty
    std::string pointer;  ///< of the field that it came in; empty for a text body
    othello::ReadHints hints;
    othello::RecordFormat to = othello::RecordFormat::transcript;
    std::optional<std::size_t> game;    ///< only this one, from 1
    std::vector<std::string> warnings;  ///< about the request itself
};

/// A text body is the record, byte for byte, and may be a binary WTHOR file; in JSON such a file
/// goes into `record_base64`.
/// Errors  those of `decode_fields`; missing_field without a record; bad_value for base64 that is
/// none or for both ways at once.
Result<OthelloConvertCall> decode_othello_convert(const Input& input, const Published& published);

struct OthelloConversion {
    std::string body;  ///< the answer
    std::string text;  ///< what was written, as text/plain; base64 of the games for WTHOR
};

/// Reads, picks and writes. Errors  those of the readers and writers with the pointer of the
/// record; not_found for a game that the text has not.
/// Cost  linear in the text; a mebibyte takes up to half a second.
Result<OthelloConversion> convert_othello(const OthelloConvertCall& call);

/// "line 2, column 3: ..." for methods whose warnings are plain sentences.
std::string to_sentence(const othello::RecordWarning& warning);

}  // namespace yomi::proto
