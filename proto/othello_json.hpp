#pragma once

#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/othello/position.hpp"

namespace yomi::proto {

// What the encoders of the Othello methods share.

/// {"board", "side", "ply"}.
nlohmann::ordered_json othello_position_json(const othello::Position& position);
/// A list of squares; "pass" is one.
nlohmann::ordered_json othello_squares_json(const std::vector<othello::Square>& squares);

}  // namespace yomi::proto
