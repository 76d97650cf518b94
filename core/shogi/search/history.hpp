#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "core/shogi/types.hpp"

namespace yomi::shogi::search {

/// One learned preference, pulled towards ±`kHistoryLimit` the more slowly the closer it is.
using HistoryScore = std::int16_t;
inline constexpr int kHistoryLimit = 16'384;

constexpr void learn(HistoryScore& entry, int bonus) noexcept {
    bonus = std::clamp(bonus, -kHistoryLimit, kHistoryLimit);
    const int old = entry;
    entry = static_cast<HistoryScore>(old + bonus - old * std::abs(bonus) / kHistoryLimit);
}

/// Scores of a move's (piece after, destination), given the move that some row belongs to.
using ContinuationRow = std::array<HistoryScore, kPieces * kSquares>;

constexpr std::size_t piece_to(Move move) noexcept {
    return static_cast<std::size_t>(move.piece_after()) * kSquares +
           static_cast<std::size_t>(move.to());
}

/// What the search learned about moves: which quiet moves and which captures cut off, anywhere
/// (butterfly, capture) and as an answer to the moves before (continuation), and which move refuted which.
///
/// Shape   butterfly [side][origin or 81 + kind][to]; capture [piece after][to][kind captured];
///         continuation [piece, to of the earlier move][piece, to of this one]: 13 MiB.
/// Threads one owner.
/// Cost    `clear` writes all of it (about 2 ms), once a search, so that a search depends on its request only.
class Histories {
public:
    static constexpr std::size_t kOrigins = kSquares + kHandKinds + 1;

    Histories() : continuation_(std::make_unique<Continuation>()) { clear(); }

    void clear() noexcept {
        butterfly_.fill(0);
        capture_.fill(0);
        counter_.fill(kNoMove);
        for (ContinuationRow& row : *continuation_) row.fill(0);
    }

    [[nodiscard]] HistoryScore& butterfly(Color side, Move move) noexcept {
        const std::size_t origin = (move.bits16() >> 7) & 127U;
        return butterfly_[(static_cast<std::size_t>(index(side)) * kOrigins + origin) * kSquares +
                          static_cast<std::size_t>(move.to())];
    }
    [[nodiscard]] HistoryScore& capture(Move move, PieceType captured) noexcept {
        return capture_[piece_to(move) * kPieceTypes + static_cast<std::size_t>(index(captured))];
    }
    /// The quiet move that last refuted `previous`.
    [[nodiscard]] Move& counter(Move previous) noexcept { return counter_[piece_to(previous)]; }
    /// The row of answers to `move`; `kNoMove` has a row of its own (piece 0 never moves).
    [[nodiscard]] ContinuationRow& answers_to(Move move) noexcept {
        return (*continuation_)[piece_to(move)];
    }

private:
    using Continuation = std::array<ContinuationRow, kPieces * kSquares>;
    std::array<HistoryScore, 2 * kOrigins * kSquares> butterfly_;
    std::array<HistoryScore, kPieces * kSquares * kPieceTypes> capture_;
    std::array<Move, kPieces * kSquares> counter_;
    std::unique_ptr<Continuation> continuation_;
};

}  // namespace yomi::shogi::search
