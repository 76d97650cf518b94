#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/shogi/eval/nnue/features.hpp"
#include "core/shogi/eval/nnue/net.hpp"
#include "core/shogi/position.hpp"

namespace yomi::shogi::eval::nnue {

/// The first layer's sums of a position and of the line that led to it, for both sides.
///
/// `do_move` only notes which rows leave and which join; the sums are made when they are asked
/// for, from the nearest earlier ones. A side of a HalfKP net starts anew when its own king has
/// moved. Null moves need no call. A position without one of the kings leaves that king's row out
/// (K-P), or that side's every row (HalfKP).
///
/// Threads one owner; the net is shared.
/// Cost    two or four rows (256 numbers each in the small nets) a move and side; 40 for a new
///         start; 2 KiB a ply at width 256.
class Accumulators {
public:
    void reset(std::shared_ptr<const Net> net, const Position& position);
    /// `before` is the position in which `move` is about to be played.
    void do_move(const Position& before, Move move);
    void undo_move() noexcept { --top_; }

    /// The net's number for `position`, which is where the moves have led, for the side to move.
    std::int32_t evaluate(const Position& position) noexcept;
    /// The sums as seen by `side`, `net.shape().width` of them.
    const std::int16_t* sums(const Position& position, Color side) noexcept;

    [[nodiscard]] const Net& net() const noexcept { return *net_; }

private:
    /// What one move does to one side's rows.
    struct Change {
        std::array<PieceNumber, 2> leaves{};
        std::array<PieceNumber, 2> joins{};
    };
    struct Step {
        std::array<Change, 2> change;       ///< [perspective]
        std::array<std::uint8_t, 2> count;  ///< pairs in `change`
        std::array<bool, 2> anew;           ///< the own king of a HalfKP side moved
        std::array<bool, 2> ready;          ///< the sums of this ply are made
    };

    [[nodiscard]] std::int16_t* sums_at(std::size_t ply, std::size_t side) const noexcept {
        return sums_.data() + (2 * ply + side) * width_;
    }
    /// What is added to a piece number to make it a row number.
    [[nodiscard]] std::size_t first_row(const Position& position, Color perspective) const noexcept;
    void refresh(const Position& position, Color side) noexcept;
    void apply(std::size_t ply, std::size_t side, std::size_t first_row) noexcept;
    void grow(std::size_t plies);

    std::shared_ptr<const Net> net_;
    std::size_t width_ = 0;
    std::vector<Step> steps_;
    Weights<std::int16_t> sums_;  ///< [ply][side][width]
    std::size_t top_ = 0;
};

}  // namespace yomi::shogi::eval::nnue
