#pragma once

#include <string_view>

#include "core/base/result.hpp"
#include "core/shogi/notation/record.hpp"

namespace yomi::shogi {

/// Reads a SFEN or a line of USI as people paste them: `position`, `sfen` and `moves` may be
/// missing, widths are folded, numbers of empty squares may stand side by side, a drop may be lower
/// case, moves may be CSA or Japanese, and the list may end in `resign`, `win`, `draw`, `rep_draw`,
/// `timeout` or `break`. The strict twin is `parse_usi_position`.
///
/// Errors  bad_notation, illegal_move, payload_too_large with line and column.
Result<ReadRecord> read_usi(std::string_view text, const RecordLimits& limits = {});

/// `position startpos moves ...` or `position sfen ... moves ...` of the main line.
WrittenRecord write_usi(const Record& record);

/// The SFEN of the position at the end of the main line.
WrittenRecord write_sfen(const Record& record);

/// Reads USEN (Url Safe sfen-Extended Notation), variations included.
///
///     usen := root '~' line {'~' line}       line := offset '.' moves '.' [ending]
///
/// The root is empty for the usual start, else a SFEN with '_' for '/', '.' for ' ', 'z' for '+'.
/// A move is three digits of base 36: ((from * 81 + to) * 2 + promotes), squares counted from 1a to
/// 9i rank by rank, drops from 81 + 8 and up. An offset is the ply that a line starts behind, on
/// the line before it.
/// Errors  bad_notation, illegal_move, payload_too_large with the column.
Result<ReadRecord> read_usen(std::string_view text, const RecordLimits& limits = {});

/// USEN with all variations. Comments, headers and times have no place in it; endings that it has
/// no letter for become `p` with a warning.
WrittenRecord write_usen(const Record& record);

}  // namespace yomi::shogi
