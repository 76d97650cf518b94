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
/// (butterfly, capture) and as an answer to the moves before (continuation), and which move refuted
/// which.
///
/// Shape   butterfly [side][origin or 81 + kind][to]; capture [piece after][to][kind captured];
///         continuation [piece, to of the earlier move][piece, to of this one]: 13 MiB. Corrections
///         [side][slot of a feature's hash], in 1/64 centipawns.
/// Threads one owner.
/// Cost    `clear` writes about 320 KB; a continuation row (5 KB) is wiped at its first use after
///         that, so that a search depends on its request only and a short one is cheap.
class Histories {
public:
    static constexpr std::size_t kOrigins = kSquares + kHandKinds + 1;
    static constexpr std::size_t kCorrections = 16'384;
    /// What positions have in common when they share a correction.
    enum class Correction : std::uint8_t {
        pawns,  ///< the pawns on the board
        hands,  ///< both hands
        line,   ///< the last two moves
    };

    Histories() : continuation_(std::make_unique_for_overwrite<Continuation>()) { clear(); }

    void clear() noexcept {
        butterfly_.fill(0);
        for (auto& table : corrections_)
            table.fill(0);
        capture_.fill(0);
        counter_.fill(kNoMove);
        // A row is wiped when it is first asked for, so that a short search pays for the rows it
        // uses.
        if (++epoch_ == 0) {
            stamps_.fill(0);
            epoch_ = 1;
        }
    }

    [[nodiscard]] HistoryScore& butterfly(Color side, Move move) noexcept {
        const std::size_t origin = (move.bits16() >> 7) & 127U;
        return butterfly_[(static_cast<std::size_t>(index(side)) * kOrigins + origin) * kSquares +
                          static_cast<std::size_t>(move.to())];
    }
    [[nodiscard]] HistoryScore& capture(Move move, PieceType captured) noexcept {
        return capture_[piece_to(move) * kPieceTypes + static_cast<std::size_t>(index(captured))];
    }
    /// How far off the evaluation was in positions that share `feature` (of one kind) with this
    /// one.
    [[nodiscard]] HistoryScore& correction(Color side,
                                           Correction kind,
                                           std::uint64_t feature) noexcept {
        return corrections_[static_cast<std::size_t>(kind)]
                           [static_cast<std::size_t>(index(side)) * kCorrections +
                            static_cast<std::size_t>(feature % kCorrections)];
    }
    /// The quiet move that last refuted `previous`.
    [[nodiscard]] Move& counter(Move previous) noexcept { return counter_[piece_to(previous)]; }
    /// The row of answers to `move`; `kNoMove` has a row of its own (piece 0 never moves).
    [[nodiscard]] ContinuationRow& answers_to(Move move) noexcept {
        const std::size_t slot = piece_to(move);
        ContinuationRow& row = (*continuation_)[slot];
        if (stamps_[slot] != epoch_) {
            stamps_[slot] = epoch_;
            row.fill(0);
        }
        return row;
    }

private:
    using Continuation = std::array<ContinuationRow, kPieces * kSquares>;
    std::array<HistoryScore, 2 * kOrigins * kSquares> butterfly_;
    std::array<HistoryScore, kPieces * kSquares * kPieceTypes> capture_;
    std::array<std::array<HistoryScore, 2 * kCorrections>, 3> corrections_;
    std::array<Move, kPieces * kSquares> counter_;
    std::array<std::uint32_t, kPieces * kSquares> stamps_{};
    std::uint32_t epoch_ = 0;
    std::unique_ptr<Continuation> continuation_;
};

}  // namespace yomi::shogi::search
