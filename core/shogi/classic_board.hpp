#pragma once

#include <utility>

#include "core/shogi/effect.hpp"
#include "core/shogi/piece_list.hpp"
#include "core/shogi/position.hpp"

namespace yomi::shogi {

/// Piece lists and effects of one board, changed together: the board as KFEnd kept it.
///
/// It follows a `Position` move by move without looking at it, or stands alone. Hands, ids and
/// effects are then at hand for evaluation and for answers that explain a position.
///
/// Errors  `from_setup` only. `do_move` trusts its caller like `Position::do_move`.
/// Threads a value; one owner at a time. 2,304 bytes.
/// Cost    the sum of its parts; see tests/bench/effect_bench.cpp.
/// Source  Arioka, "KFEnd: data structures" (2000).
class ClassicBoard {
public:
    /// Errors  those of `PieceList::from_setup`.
    static Result<ClassicBoard> from_setup(const Setup& setup) {
        auto pieces = PieceList::from_setup(setup);
        if (!pieces) return fail(std::move(pieces).error());
        auto effects = EffectBoard::from_setup(setup);
        if (!effects) return fail(std::move(effects).error());
        return ClassicBoard(*pieces, *effects);
    }
    /// The board of a position, which cannot fail: a position fits one set of pieces.
    static ClassicBoard of(const Position& position) {
        return std::move(from_setup(position.setup())).value();
    }

    [[nodiscard]] const PieceList& pieces() const noexcept { return pieces_; }
    [[nodiscard]] const EffectBoard& effects() const noexcept { return effects_; }

    /// The piece whose far effect arrives on `square` in `direction`, or `kNoPieceId`.
    [[nodiscard]] PieceId slider_id_behind(Color by,
                                           Square square,
                                           Direction direction) const noexcept {
        const Square slider = effects_.slider_behind(by, square, direction);
        return slider == kNoSquare ? kNoPieceId : pieces_.id_at(slider);
    }

    PieceUndo do_move(Move move) noexcept {
        effects_.do_move(move);
        return pieces_.do_move(move);
    }
    void undo_move(Move move, const PieceUndo& undo) noexcept {
        pieces_.undo_move(move, undo);
        // The captured piece stands on its square again, so the lists can name it.
        const bool captures = undo.captured != kNoPieceId;
        effects_.undo_move(move, captures ? pieces_.koma(undo.captured).piece() : kNoPiece);
    }

    friend bool operator==(const ClassicBoard&, const ClassicBoard&) = default;

private:
    ClassicBoard(const PieceList& pieces, const EffectBoard& effects) noexcept
        : effects_(effects), pieces_(pieces) {}

    EffectBoard effects_;
    PieceList pieces_;
};
static_assert(sizeof(ClassicBoard) <= 2304);

}  // namespace yomi::shogi
