#pragma once

#include <cstdint>

namespace yomi::shogi::eval {

/// What the leaves of a search are judged by. Plain material is the yardstick that every other
/// evaluation has to beat, and an opponent for beginners.
enum class Kind : std::uint8_t { classic, material, nnue };

}  // namespace yomi::shogi::eval
