#pragma once

#include "core/shogi/eval/classic_tables.hpp"

namespace yomi::tune {

/// The tables that a person wrote from what shogi players say: where the tuner starts, and what it
/// is held to where the games say nothing.
shogi::eval::ClassicTables hand_written_tables();

}  // namespace yomi::tune
