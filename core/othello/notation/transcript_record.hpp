#pragma once

#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "core/othello/notation/property_text.hpp"
#include "core/othello/notation/record.hpp"

namespace yomi::othello {

/// Plays the moves of a transcript from `record.start`; remarks in brackets become comments of the
/// move before them.
/// Errors  those of `parse_transcript`, at their place.
Result<void> read_moves(Points text, Record& record);

/// Reads one transcript, over any number of lines, or a file with one game a line.
///
/// Shape   "startpos" or "startpos moves" may stand in front. It is a file of games when the whole
///         is no game and each of its first two lines is one by itself.
/// Errors  those of `parse_transcript`, at their place. A game of a file with a fault is left out
///         and warned about while others are good.
Result<Records> read_transcripts(Points text);

/// "f5d6c3" and a line end; a pass is written only at the very end, where nothing implies it.
/// Errors  unsupported: a game that does not begin at the standard start.
Result<std::string> write_transcript_line(const Record& record,
                                          std::vector<RecordWarning>& warnings);

}  // namespace yomi::othello
