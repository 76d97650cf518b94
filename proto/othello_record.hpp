#pragma once

#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/othello/notation/read_record.hpp"

namespace yomi::proto {

/// A record as our JSON: `headers`, `start`, `result`, `theory`, `comment`, `answers`, and `moves`,
/// where a move may carry `comment`, `value`, `seconds` and `variations`, the lines that could have
/// been played in its place. Absent means empty.
nlohmann::ordered_json othello_record_json(const othello::Record& record);

/// Reads our JSON, one record or a list of them, or a game that Othello Quest sends.
///
/// Errors  bad_json and duplicate_key with line and column of the JSON text; bad_notation,
///         illegal_move, illegal_position, payload_too_large with the path of the value in the
///         message. A game with a fault is left out and warned about while others are good.
Result<othello::Records> read_othello_json(std::string_view text);

/// Reads a text or file in any format, JSON included: `othello::read_records` and the above. Bytes
/// that are neither WTHOR nor UTF-8 are decoded as `decode_text` finds, `charset` being what HTTP
/// declared.
Result<othello::Records> read_othello_records(std::string_view bytes,
                                              const othello::ReadHints& hints,
                                              std::string_view charset = {});
/// The first game of it.
Result<othello::FirstRecord> read_othello_record(std::string_view bytes,
                                                 const othello::ReadHints& hints,
                                                 std::string_view charset = {});

}  // namespace yomi::proto
