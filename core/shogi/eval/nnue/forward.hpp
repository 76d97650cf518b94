#pragma once

#include <cstdint>

#include "core/shogi/eval/nnue/net.hpp"

namespace yomi::shogi::eval::nnue {

/// The layers behind the first: from the two sides' sums to the net's number.
///
/// Shape   `mover` and `other` are `shape().width` sums each, 32-byte aligned. Every layer's 32-bit
///         sums are shifted right by 6 and clamped to 0..127 before the next.
/// Unit    the last layer's sum; divided by the FV scale it is in ninetieths of a pawn.
/// Cost    256x2-32-32 with AVX2: a few hundred cycles, fewer the more sums are not positive.
std::int32_t forward(const Net& net, const std::int16_t* mover, const std::int16_t* other) noexcept;

/// The same number by plain loops over the weights as the file holds them.
std::int32_t forward_plain(const Net& net,
                           const std::int16_t* mover,
                           const std::int16_t* other) noexcept;

}  // namespace yomi::shogi::eval::nnue
