#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.hpp"
#include "core/shogi/notation/record.hpp"

namespace yomi::shogi {

/// What the caller knows of a text; all of it may be empty.
struct RecordHints {
    std::string_view charset = {};            ///< as HTTP's Content-Type says it
    std::optional<RecordFormat> format = {};  ///< read as this, whatever it looks like
};

/// Which format a text is in, by what it looks like; a file's name is never asked. Nothing when it
/// looks like none. `usi` stands for SFEN too, `kif` for KIF, KI2 and BOD (one reader).
///
/// Shape   `text` is UTF-8. JSON (JKF) is not seen here: whoever reads it asks for '{' first.
/// Cost    looks at no more than 200 lines.
std::optional<RecordFormat> sniff_record(std::string_view text);

/// Reads a shogi record in any text format: bytes to characters (see `decode_text`), format by
/// sniffing, then the reader of the format.
///
/// Errors  payload_too_large: more than the limits' bytes, plies or nodes. bad_notation: an unknown
///         encoding or format, or what the format's reader says, with line, column and value.
/// Threads pure.
/// Cost    linear; a mebibyte takes a fraction of a second.
Result<ReadRecord> read_record(std::string_view bytes,
                               const RecordHints& hints = {},
                               const RecordLimits& limits = {});

/// The same of a text that is UTF-8 already (a JSON string).
Result<ReadRecord> read_record_text(std::string_view text,
                                    std::optional<RecordFormat> format = {},
                                    const RecordLimits& limits = {});

/// Takes the record out of an address that shogi sites use: lishogi's and lichess-like
/// `/analysis/<sfen>`, `?sfen=`, `?usen=`, `?body=`, Kento's `?initpos=&moves=`,
/// `piyoshogi://?sfen=`. Nothing is ever fetched. Errors  bad_notation: no position in the address,
/// or what is there cannot be read.
Result<ReadRecord> read_url(std::string_view text, const RecordLimits& limits = {});

/// Writes a record in any text format but `url`.
WrittenRecord write_record(const Record& record, RecordFormat format);

}  // namespace yomi::shogi
