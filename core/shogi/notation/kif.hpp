#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.hpp"
#include "core/shogi/notation/record.hpp"
#include "core/shogi/types.hpp"

namespace yomi::shogi {

/// Reads what 柿木将棋 and everybody after it writes: KIF (with origins), KI2 (without), BOD
/// (a diagram), and mixtures. The format says which it was.
///
/// Headers, handicaps, diagrams, comments (`*`), bookmarks (`&`), times, endings, variations
/// (`変化：N手`, also by a move number that jumps back), evaluations in comments and in `#` lines.
/// A variation belongs to the latest line that starts before it and is long enough; if that line's
/// own move carries no `+` and an earlier line's does, to that one.
///
/// Errors  with line, column and value: bad_notation (a move that cannot be read, a broken diagram,
///         a variation without a move before it, ambiguous KI2), illegal_move (no such piece),
///         payload_too_large. Fouls, gaps, unknown lines and settled doubts are warnings.
/// Cost    linear in the text but for jumps between variations, which cost their moves.
Result<ReadRecord> read_kifu(std::string_view text, const RecordLimits& limits = {});

/// KIF as one program writes it: UTF-8, LF, handicap or diagram, headers, `%4d` moves with origins
/// in 13 columns, times (own and total of the side), `+` where variations follow, 変化 deepest
/// first. Headers that KIF could not read back are left out with a warning.
WrittenRecord write_kif(const Record& record);

/// KI2: six moves a line, the federation's directions, まで lines for endings, 変化 as in KIF.
/// A foul that no directions can name is written with its origin. Times are left out with a
/// warning.
WrittenRecord write_ki2(const Record& record);

// ---- words shared with the other formats --------------------------------------------------------

/// "投了" ...; empty for `none` and `other`.
std::string_view kif_ending(Ending ending) noexcept;
/// The ending that a word stands for ("投了", "詰", "切れ負け", "時間切れ" ...).
std::optional<Ending> ending_of_kif(std::string_view word) noexcept;
/// The handicap's or even game's name when the root is such a start with move number 1.
std::string_view start_name(const Setup& root) noexcept;
/// Whether White is 上手 and Black 下手: a named handicap, or headers that say so.
bool is_handicap_game(const Record& record);
/// The side to move behind `depth` moves.
Color side_at(const Record& record, std::uint32_t depth) noexcept;

}  // namespace yomi::shogi
