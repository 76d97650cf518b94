#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.hpp"
#include "core/shogi/notation/record.hpp"

namespace yomi::proto {

/// Names of record formats on the wire: the text formats of `shogi::RecordFormat`, "jkf", "json".
inline constexpr std::string_view kJkf = "jkf";
inline constexpr std::string_view kJson = "json";

/// A record in whatever format, and which one that was.
struct ShogiRecord {
    shogi::Record record;
    std::string format;
    std::vector<shogi::RecordWarning> warnings = {};
};

/// Reads a shogi record in any format, JSON ones included; `format` forces one of the names.
///
/// Errors  those of `shogi::read_record`; for JSON those of `read_json` and of the JSON's form.
/// Threads pure.
Result<ShogiRecord> read_shogi_record(std::string_view bytes,
                                      std::string_view charset = {},
                                      std::optional<std::string_view> format = {},
                                      const shogi::RecordLimits& limits = {});

/// Whether a text is a record rather than one of the short forms (`startpos`, a handicap's name, a
/// SFEN, a USI line), which have readers of their own.
bool looks_like_shogi_record(std::string_view text);

/// The end of a record's main line as a game, for the methods that take a position; what the reader
/// had to settle goes to `warnings` as sentences.
/// Errors  those of `read_shogi_record` and of `shogi::main_line_game`.
Result<shogi::UsiGame> read_shogi_record_game(std::string_view text,
                                              std::size_t max_plies,
                                              std::vector<std::string>& warnings);

/// Our own form: headers as a list, the root as SFEN, the tree as lists of moves whose
/// `variations` begin in the place of the move that carries them.
nlohmann::ordered_json shogi_record_json(const shogi::Record& record);
/// Reads that form back.
Result<shogi::ReadRecord> read_shogi_record_json(const nlohmann::json& json,
                                                 const shogi::RecordLimits& limits = {});

/// [{"code", "message", "line", "column", "text"}]; what is not known is left out.
nlohmann::ordered_json record_warnings_json(const std::vector<shogi::RecordWarning>& warnings);
/// "line 3, column 5: ..." for methods whose warnings are sentences.
std::string to_sentence(const shogi::RecordWarning& warning);

}  // namespace yomi::proto
