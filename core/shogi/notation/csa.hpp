#pragma once

#include <optional>
#include <string_view>

#include "core/base/result.hpp"
#include "core/shogi/notation/record.hpp"

namespace yomi::shogi {

/// Reads the CSA standard's records, versions 2 to 3.0: header lines, `PI`, `P1`..`P9` and `P+`
/// positions, moves, times (also in fractions of a second), `%` endings, comments, floodgate's
/// evaluations. Names of `$` lines become KIF's where KIF has one (`$EVENT` is 棋戦). Of a file
/// with several games (`/`) the first is read.
///
/// Errors  with line, column and value: bad_notation, illegal_move, payload_too_large. A missing
///         position or side to move, fouls and unknown lines are warnings.
/// Cost    linear in the text.
/// Source  CSA標準棋譜ファイル形式 V2.2 and V3.0.
Result<ReadRecord> read_csa(std::string_view text, const RecordLimits& limits = {});

/// CSA, UTF-8 and LF: V2.2, or V3.0 when a time has a fraction of a second. One line of play only:
/// variations are left out with a warning, as are endings that CSA has no word for.
WrittenRecord write_csa(const Record& record);

/// "TORYO" ...; empty for those that CSA lacks. `mover` decides whose foul it was.
std::string_view csa_ending(Ending ending, Color mover) noexcept;
/// The ending behind "%".
std::optional<Ending> ending_of_csa(std::string_view word, Color mover) noexcept;

}  // namespace yomi::shogi
