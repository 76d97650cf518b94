#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/othello/notation/record.hpp"
#include "core/othello/notation/wthor.hpp"

namespace yomi::othello {

/// What the caller knows about the bytes.
struct ReadHints {
    std::optional<RecordFormat> format;  ///< not sniffed then
    std::optional<Color> side;           ///< to move, where a board names none
    WthorNames names;                    ///< that WTHOR games refer to
};

/// The format that the bytes are in; file names do not count. Falls back to `transcript`, whose
/// reader says what is wrong with any text. `json` for what begins like JSON: its readers live in
/// proto.
RecordFormat sniff_record(std::string_view bytes);

/// Whether a text is a drawing of a board rather than a transcript: by what most of its characters
/// are.
bool looks_like_board(std::string_view text);

/// Reads the games and positions of a text or file in any format. THE entry for whoever has bytes.
///
/// Shape   UTF-8, a byte order mark allowed; WTHOR is binary. An empty text is one game without
///         moves.
/// Errors  those of the formats' readers, with line and column; bad_notation for text that is not
///         UTF-8; payload_too_large over `kMaxRecordBytes`; unsupported for `json`.
/// Cost    linear; 1 MiB takes well under a second. Threads  pure.
Result<Records> read_records(std::string_view bytes, const ReadHints& hints = {});

/// The first game of the text. A text with several is warned about; a fault in the first game is an
/// error even when others are good. Errors  those of `read_records`.
struct FirstRecord {
    Record record;
    RecordFormat format = RecordFormat::transcript;
    std::vector<RecordWarning> warnings;
};
Result<FirstRecord> first_record(Records records);
Result<FirstRecord> read_record(std::string_view bytes, const ReadHints& hints = {});

/// Writes records in a text format: transcript, board, obf, ggf or sgf, one after the other.
///
/// Errors  unsupported: a game that the format cannot hold, or a format without a text writer.
///         Equal warnings of several games are given once.
Result<std::string> write_records(const std::vector<Record>& records,
                                  RecordFormat format,
                                  std::vector<RecordWarning>& warnings);

}  // namespace yomi::othello
