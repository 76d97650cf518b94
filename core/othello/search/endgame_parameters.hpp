#pragma once

namespace yomi::othello::search {

/// Empties from which positions go into the shared table; below, a memory access costs more than
/// the subtree.
inline constexpr int kSharedTableFrom = 12;
/// Empties from which moves are sorted by the evaluation.
inline constexpr int kEvaluateFrom = 14;

/// What a reply of the opponent (a corner counts double) and a move into an odd quarter weigh in
/// the order of moves.
inline constexpr int kMobilityRank = 16;
inline constexpr int kParityRank = 8;
/// How much earlier a corner comes than other squares; those diagonally beside it come later by
/// half of that.
inline constexpr int kSquareRank = 8;

/// Empties from which an exact search looks 1, 2, 3 plies ahead to sort the moves.
inline constexpr int kLookOneFrom = 18;
inline constexpr int kLookTwoFrom = 22;
inline constexpr int kLookThreeFrom = 25;
/// Discs below alpha at which such a look gives a bound only.
inline constexpr int kLookMargin = 8;

/// The order of moves in the upper part, in 1/16 disc beside the evaluation: a reply (a corner
/// counts double), a move into an odd quarter, the second move of the table.
inline constexpr int kReplyRank = 24;
inline constexpr int kOddRank = 8;
inline constexpr int kSecondRank = 64;

/// How far outside the window the evaluation itself may lie before ProbCut spends a search on it,
/// as a share of its own error.
inline constexpr double kStaticShare = 0.6;

}  // namespace yomi::othello::search
