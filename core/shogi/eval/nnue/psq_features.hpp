#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/shogi/position.hpp"
#include "core/shogi/types.hpp"

namespace yomi::shogi::eval::nnue {

/// The inputs of the project's own nets ("psq": piece-square): one for each piece where it stands
/// or in whose hand it is, as one side sees it.
///
/// Shape   0..1,133 own pieces, 1,134..2,267 the other side's: [kind 1..14 - 1][square as the side
///         sees it]; 2,268..2,305 own hand, 2,306..2,343 the other hand: the nth of its kind.
///         A full board has 40 of them.
/// Source  piece-square nets with thermometer hands are the open literature's; the numbers are
///         ours.
using PsqInput = std::uint16_t;

inline constexpr int kPsqKinds = 14;
inline constexpr int kPsqSide = kPsqKinds * kSquares;            // 1,134
inline constexpr int kPsqHands = 2 * kPsqSide;                   // 2,268
inline constexpr int kPsqHandSide = 38;                          // 18 + 4 + 4 + 4 + 2 + 2 + 4
inline constexpr int kPsqInputs = kPsqHands + 2 * kPsqHandSide;  // 2,344
inline constexpr int kPsqMost = 40;                              ///< inputs at work in one position

constexpr PsqInput psq_board(Color perspective, Piece piece, Square s) noexcept {
    const int owner = color_of(piece) == perspective ? 0 : kPsqSide;
    const int seen = perspective == Color::black ? s : rotate(s);
    return static_cast<PsqInput>(owner + (index(type_of(piece)) - 1) * kSquares + seen);
}

/// Of the `nth` (0, 1, ...) piece of kind `type` in `owner`'s hand.
constexpr PsqInput psq_hand(Color perspective, Color owner, PieceType type, int nth) noexcept {
    // [kind]: none, pawn, lance, knight, silver, bishop, rook, gold.
    constexpr std::array<int, 8> kFirst{0, 0, 18, 22, 26, 30, 32, 34};
    const int side = owner == perspective ? 0 : kPsqHandSide;
    return static_cast<PsqInput>(kPsqHands + side + kFirst[static_cast<std::size_t>(type)] + nth);
}

/// The input of the mirror image (left and right changed).
inline constexpr auto kPsqMirror = [] {
    std::array<PsqInput, kPsqInputs> mirror{};
    for (int i = 0; i < kPsqInputs; ++i) {
        const int square = i % kSquares;
        const int seen = i < kPsqHands ? i - square + (8 - square / 9) * 9 + square % 9 : i;
        mirror[static_cast<std::size_t>(i)] = static_cast<PsqInput>(seen);
    }
    return mirror;
}();

/// How a side looks at its inputs, by where its own king stands: mirrored so that the king is on
/// files 1 to 5, and with which of the net's sets of rows.
struct PsqView {
    bool mirrored = false;
    std::uint8_t bucket = 0;
    friend bool operator==(PsqView, PsqView) = default;
};

/// Sets of rows that a net can have.
inline constexpr std::array<int, 2> kPsqBucketCounts{1, 5};

/// With five sets: king castled at the edge, castled near it, at home in the middle, two ranks up,
/// beyond.
constexpr PsqView psq_view(Color perspective, Square king, int buckets) noexcept {
    if (king == kNoSquare) return {};
    const int seen = perspective == Color::black ? king : rotate(king);
    const int rank = seen % 9;
    PsqView view{.mirrored = seen / 9 > 4};
    if (buckets == 1) return view;
    const int file = view.mirrored ? 8 - seen / 9 : seen / 9;
    view.bucket = static_cast<std::uint8_t>(rank >= 7   ? (file <= 1   ? 0
                                                           : file <= 3 ? 1
                                                                       : 2)
                                            : rank >= 5 ? 3
                                                        : 4);
    return view;
}

/// Calls `use` with every input of `position` as `perspective` sees it, not mirrored; at most
/// `kPsqMost`.
template <class Use>
void each_psq_input(const Position& position, Color perspective, Use&& use) {
    for (const Square s : position.occupied())
        use(psq_board(perspective, position.piece_on(s), s));
    for (const Color owner : {Color::black, Color::white}) {
        const Hand hand = position.hand(owner);
        if (hand.empty()) continue;
        for (int t = 1; t <= kHandKinds; ++t) {
            const auto type = static_cast<PieceType>(t);
            for (int nth = 0; nth < hand.count(type); ++nth)
                use(psq_hand(perspective, owner, type, nth));
        }
    }
}

}  // namespace yomi::shogi::eval::nnue
