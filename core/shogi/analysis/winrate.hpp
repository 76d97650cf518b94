#pragma once

#include <cmath>

#include "core/shogi/search/score.hpp"

namespace yomi::shogi {

/// Centipawns at which the side to move is expected to score e / (1 + e), about 73 %.
inline constexpr double kWinrateScale = 600.0;

/// Expected score of the side to move, 0..1: 1 / (1 + exp(-cp / 600)); 1 or 0 for a mate.
inline double winrate(Score score) noexcept {
    if (score.kind == Score::Kind::mate) return score.value > 0 ? 1.0 : 0.0;
    return 1.0 / (1.0 + std::exp(-score.value / kWinrateScale));
}

}  // namespace yomi::shogi
