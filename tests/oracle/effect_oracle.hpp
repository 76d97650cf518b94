#pragma once

#include <array>

#include "core/shogi/types.hpp"
#include "tests/oracle/loose_game.hpp"

namespace yomi::shogi::oracle {

/// Effects counted from a bare board by walking coordinates: the slow twin of `EffectBoard`.
struct PlainEffects {
    std::array<std::array<int, kSquares>, 2> near{};
    std::array<std::array<int, kSquares>, 2> far{};
    /// Bit i for a ray that travels in the i-th direction of N, NE, E, SE, S, SW, W, NW (east =
    /// file 1).
    std::array<std::array<unsigned, kSquares>, 2> directions{};
    /// The square of the slider behind each direction, `kNoSquare` where there is none.
    std::array<std::array<std::array<Square, 8>, kSquares>, 2> slider{};
};

inline std::size_t direction_number(Step step) {
    const std::array<Step, 8> all{
        {{0, -1}, {-1, -1}, {-1, 0}, {-1, 1}, {1, -1}, {1, 0}, {1, 1}, {0, 1}}};
    std::size_t i = 0;
    while (all[i].dx != step.dx || all[i].dy != step.dy)
        ++i;
    return i;
}

inline PlainEffects count_effects(const Setup& setup) {
    PlainEffects effects;
    for (auto& side : effects.slider) {
        for (auto& square : side)
            square.fill(kNoSquare);
    }
    for (int s = 0; s < kSquares; ++s) {
        const Piece piece = setup.board[static_cast<std::size_t>(s)];
        if (piece == kNoPiece) continue;
        const auto side = static_cast<std::size_t>(index(color_of(piece)));
        for_each_effect(setup, static_cast<Square>(s), [&](Square to, Step step, bool is_slide) {
            const auto target = static_cast<std::size_t>(to);
            if (!is_slide) {
                ++effects.near[side][target];
                return;
            }
            const std::size_t direction = direction_number(step);
            ++effects.far[side][target];
            effects.directions[side][target] |= 1U << direction;
            effects.slider[side][target][direction] = static_cast<Square>(s);
        });
    }
    return effects;
}

}  // namespace yomi::shogi::oracle
