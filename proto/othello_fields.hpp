#pragma once

#include <array>
#include <string_view>

#include "core/base/result.hpp"
#include "core/othello/transcript.hpp"
#include "proto/call_options.hpp"
#include "proto/fields.hpp"

namespace yomi::proto {

inline constexpr std::array<std::string_view, 2> kOthelloSides{"black", "white"};

/// The three fields that name a position or a game; every Othello method begins with them.
inline constexpr Field kOthelloPositionField{
    .path = "position",
    .name = "position",
    .type = FieldType::text,
    .doc =
        "A transcript (`f5d6c3`), `startpos`, a board of 64 squares from a1 to h8 and the "
        "side to move, or a record in any format: OBF, GGF, SGF, PGN, WTHOR, JSON. The "
        "position is the end of the first game's main line.",
    .fallback = "\"startpos\"",
    .takes_body = true};
inline constexpr Field kOthelloSideField{.path = "side",
                                         .name = "side",
                                         .type = FieldType::word,
                                         .doc = "The side to move, where a board does not say it.",
                                         .words = kOthelloSides};
inline constexpr Field kOthelloMovesField{.path = "moves",
                                          .name = "moves",
                                          .type = FieldType::text,
                                          .doc = "A transcript that goes on from the position."};

/// A request's fields and the game that they name.
struct OthelloGameFields {
    Params params;
    othello::Game game;
};

/// Decodes a request whose `table` has the three fields above.
///
/// Errors  those of `decode_fields`; those of the readers with pointer, line and column.
Result<OthelloGameFields> decode_othello_game(FieldTable table,
                                              const Input& input,
                                              const Published& published);

}  // namespace yomi::proto
