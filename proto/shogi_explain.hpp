#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/shogi/classic_board.hpp"
#include "core/shogi/position.hpp"
#include "core/shogi/rules.hpp"

namespace yomi::proto {

// Parts of answers that explain a position. Maps of the board are nine rows of nine numbers: rank a
// first, file 9 first within a rank, as a diagram is printed. Pure, any thread.

/// The static evaluation term by term, Black minus White; the terms sum to the total exactly.
nlohmann::ordered_json shogi_evaluation_json(const shogi::Position& position);

/// What each piece adds to the terms `material` and `king_relative`, and the 17-wide mailbox.
nlohmann::ordered_json shogi_trace_json(const shogi::Position& position,
                                        const shogi::ClassicBoard& board);

/// Every piece in play by its id: kind, owner, place, who bears on it, pins and checks.
nlohmann::ordered_json shogi_pieces_json(const shogi::Position& position,
                                         const shogi::ClassicBoard& board);

/// Near and far effect counts, direction bits, and each far effect with its slider.
nlohmann::ordered_json shogi_effects_json(const shogi::ClassicBoard& board);

/// What the side to move has and lacks for a declaration.
nlohmann::ordered_json shogi_declaration_json(const shogi::Position& position,
                                              shogi::Declaration rule);

}  // namespace yomi::proto
