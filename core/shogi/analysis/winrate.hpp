#pragma once

#include <cmath>

#include "core/shogi/eval/evaluator.hpp"
#include "core/shogi/search/score.hpp"

namespace yomi::shogi {

/// Centipawns at which the side to move is expected to score e / (1 + e), about 73 %, where the
/// evaluation does not say better.
inline constexpr double kWinrateScale = 600.0;

/// The scale of an evaluation's scores: our own nets carry theirs, fitted to the games that they
/// learned from.
inline double winrate_scale(eval::Kind kind, const eval::NetChoice& net) noexcept {
    const bool own = kind == eval::Kind::nnue && net.psq != nullptr;
    return own ? net.psq->weights().winrate_scale : kWinrateScale;
}

/// Expected score of the side to move, 0..1: 1 / (1 + exp(-cp / scale)); 1 or 0 for a mate.
inline double winrate(Score score, double scale = kWinrateScale) noexcept {
    if (score.kind == Score::Kind::mate) return score.value > 0 ? 1.0 : 0.0;
    return 1.0 / (1.0 + std::exp(-score.value / scale));
}

}  // namespace yomi::shogi
