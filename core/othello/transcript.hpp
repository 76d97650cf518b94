#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/base/utf8.hpp"
#include "core/othello/position.hpp"

namespace yomi::othello {

/// A line of play: where it begins, what was played (passes included), where it ends.
struct Game {
    Position start;
    std::vector<Move> moves;
    Position end;

    friend bool operator==(const Game&, const Game&) = default;
};

/// Reads a transcript: "f5d6c3", in any case, from `start`.
///
/// Shape   Moves are a letter and a digit. Between them may stand spaces, line ends, commas,
/// semicolons,
///         single dashes, bullets, move numbers ("12." or "12)"; without a dot only the number that
///         is due) and remarks in brackets. Full-width forms are read. A pass is "--", "pa", "ps"
///         or "pass"; a forced pass that is not written is inserted. Passes after the end of the
///         game are dropped. An empty text is the game without moves.
/// Errors  bad_notation, illegal_move with line and column (code points) and the reason; the hint
///         names a start with mirrored discs and the game as it is from the standard start.
/// Cost    linear in the text; ends at the first fault.
Result<Game> parse_transcript(std::string_view text, const Position& start = {});

/// What stood in brackets between the moves.
struct Remark {
    std::size_t ply = 0;  ///< moves before it, passes included
    std::string text;     ///< without its brackets
};

/// The same for text that is decoded already: places are those of its code points. `remarks`, if
/// not null, gets what stood in brackets.
Result<Game> parse_transcript(std::span<const CodePoint> text,
                              const Position& start,
                              std::vector<Remark>* remarks);

/// How `write_transcript` treats passes: left out, as most programs expect, or written "--".
enum class Passes { omitted, written };

/// "f5d6c3" in lower case. `parse_transcript` reads either form back to the same moves; a pass at
/// the very end needs `Passes::written`.
std::string write_transcript(const std::vector<Move>& moves, Passes passes = Passes::omitted);

}  // namespace yomi::othello
