#pragma once

#include <algorithm>

#include "core/shogi/search/score.hpp"

namespace yomi::shogi::search {

/// A score inside the search, from the side to move.
///
/// Unit    centipawns (pawn = 100) up to `kEvalLimit`; `kRuleWin - ply` when the rules decide
/// without a
///         mate (perpetual check); `kMate - ply` when the side to move mates `ply` plies from the
///         root. All of it fits 16 bits, for the transposition table.
using Value = int;

/// Most plies from the root to any node, quiescence included.
inline constexpr int kMaxPly = 128;
/// Deepest iteration; the rest of `kMaxPly` is room for extensions and quiescence.
inline constexpr int kMaxDepth = 100;

inline constexpr Value kInfinite = 32'100;
inline constexpr Value kMate = 32'000;
/// Everything beyond is a proved mate. Lengths may exceed `kMaxPly`: a table entry continues a
/// line.
inline constexpr Value kMateBound = kMate - 1'000;
inline constexpr Value kRuleWin = 20'000;
inline constexpr Value kEvalLimit = 15'000;
inline constexpr Value kNoValue = 32'200;  ///< "not known", never compared as a score
inline constexpr Value kDraw = 0;

constexpr Value mate_in(int ply) noexcept {
    return kMate - ply;
}
constexpr Value mated_in(int ply) noexcept {
    return ply - kMate;
}
constexpr bool is_mate(Value v) noexcept {
    return v >= kMateBound || v <= -kMateBound;
}

/// A mate, or a loop that the rules decide: no number to prune or blend by.
constexpr bool is_decisive(Value v) noexcept {
    return v > kEvalLimit || v < -kEvalLimit;
}

/// A table keeps mates as distance from its own node, because one node is reached at many plies.
constexpr Value to_table(Value v, int ply) noexcept {
    if (v >= kMateBound) return v + ply;
    if (v <= -kMateBound) return v - ply;
    return v;
}
constexpr Value from_table(Value v, int ply) noexcept {
    if (v >= kMateBound) return v - ply;
    if (v <= -kMateBound) return v + ply;
    return v;
}

/// What the outside sees. Centipawns saturate at ±9,999: beyond that only the sign says anything,
/// and the search's own constants (`kRuleWin`) stay inside.
constexpr Score to_score(Value v) noexcept {
    if (v >= kMateBound) return Score::mate(kMate - v);
    if (v <= -kMateBound) return Score::mate(-(kMate + v));
    return Score::cp(std::clamp(v, -9'999, 9'999));
}

}  // namespace yomi::shogi::search
