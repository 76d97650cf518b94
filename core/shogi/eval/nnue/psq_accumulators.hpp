#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/shogi/eval/nnue/psq_features.hpp"
#include "core/shogi/eval/nnue/psq_net.hpp"
#include "core/shogi/position.hpp"

namespace yomi::shogi::eval::nnue {

/// The hidden sums of one of the project's own nets along a line of play.
///
/// `do_move` only notes which inputs leave and which join; the sums are made when they are asked
/// for, from the nearest earlier ones. A side starts anew when its king comes to a square that it
/// sees in another way (`PsqView`). Null moves need no call. A position without one of the kings
/// is judged without that king's input.
///
/// Threads one owner; the net is shared.
/// Cost    two or four rows a move and side; 40 for a new start.
class PsqAccumulators {
public:
    void reset(std::shared_ptr<const PsqNet> net, const Position& position);
    /// `before` is the position in which `move` is about to be played.
    void do_move(const Position& before, Move move);
    void undo_move() noexcept { --top_; }

    /// Centipawns for the side to move; `position` is where the moves have led.
    int evaluate(const Position& position) noexcept;

    /// What one side sees: the sums of the units and of the linear part.
    struct Sums {
        const std::int16_t* units = nullptr;
        std::int32_t linear = 0;
    };
    Sums sums(const Position& position, Color side) noexcept;

    [[nodiscard]] const PsqNet& net() const noexcept { return *net_; }

private:
    struct Change {
        std::array<PsqInput, 2> leaves{};
        std::array<PsqInput, 2> joins{};
    };
    struct Step {
        std::array<Change, 2> change;        ///< [perspective], not mirrored
        std::array<std::int32_t, 2> linear;  ///< [perspective]
        std::array<std::uint8_t, 2> leaves;  ///< how many of `change`
        std::array<std::uint8_t, 2> joins;
        std::array<bool, 2> anew;   ///< this side sees all in another way now
        std::array<bool, 2> ready;  ///< the sums of this ply are made
    };

    [[nodiscard]] std::int16_t* units_at(std::size_t ply, std::size_t side) const noexcept {
        return units_.data() + (2 * ply + side) * width_;
    }
    void refresh(const Position& position, Color side) noexcept;
    void apply(std::size_t ply, std::size_t side, PsqView view) noexcept;
    void grow(std::size_t plies);

    std::shared_ptr<const PsqNet> net_;
    std::size_t width_ = 0;
    std::vector<Step> steps_;
    Weights<std::int16_t> units_;  ///< [ply][side][width]
    std::size_t top_ = 0;
};

/// From the two sides' sums to centipawns for the side to move, at most 100,000 either way.
int psq_forward(const PsqNet& net,
                const PsqAccumulators::Sums& mover,
                const PsqAccumulators::Sums& other) noexcept;
/// The same number by plain loops.
int psq_forward_plain(const PsqNet& net,
                      const PsqAccumulators::Sums& mover,
                      const PsqAccumulators::Sums& other) noexcept;

}  // namespace yomi::shogi::eval::nnue
