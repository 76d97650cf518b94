#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/othello/transcript.hpp"
#include "proto/call_options.hpp"
#include "proto/fields.hpp"

namespace yomi::proto {

// ---- othello.position ---------------------------------------------------------------------------

FieldTable othello_position_fields() noexcept;

struct OthelloPositionCall {
    othello::Game game;  ///< from the start or from a board
    std::vector<std::string> warnings;
};

/// `position` is a record in any format (`read_othello_record`), or a board whose side to move is
/// in `side`; `moves` are played on from the end of its main line. Errors  those of
/// `decode_fields`; those of the readers with pointer, line and column.
Result<OthelloPositionCall> decode_othello_position(const Input& input, const Published& published);

std::string encode_othello_position(const othello::Game& game,
                                    const std::vector<std::string>& warnings);

/// The board in a terminal with the legal moves or the result below it; ASCII, newline-terminated.
std::string othello_board_text(const othello::Position& position);

}  // namespace yomi::proto
