#pragma once

#include <string>
#include <vector>

#include "core/shogi/position.hpp"

namespace yomi::usi {

/// The position as text for a person at a terminal: board (SFEN letters), hands, SFEN, state.
std::vector<std::string> board_text(const shogi::Position& position);

}  // namespace yomi::usi
