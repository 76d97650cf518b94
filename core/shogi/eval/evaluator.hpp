#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

#include "core/shogi/eval/classic.hpp"
#include "core/shogi/eval/kind.hpp"
#include "core/shogi/eval/nnue/accumulators.hpp"
#include "core/shogi/eval/nnue/net.hpp"
#include "core/shogi/position.hpp"

namespace yomi::shogi::eval {

/// A network ready to judge: its weights and what their numbers mean.
struct NetChoice {
    std::shared_ptr<const nnue::Net> net = {};
    /// What the net's number is divided by for ninetieths of a pawn; >= 1.
    int fv_scale = nnue::kUsualFvScale;

    explicit operator bool() const noexcept { return net != nullptr; }
};

/// The net's number in centipawns, at most 100,000 either way.
constexpr int centipawns(std::int32_t number, int fv_scale) noexcept {
    const std::int64_t value = std::int64_t{number} * 100 / (std::int64_t{90} * fv_scale);
    return static_cast<int>(std::clamp<std::int64_t>(value, -100'000, 100'000));
}

/// The evaluation that a search was asked to use, following its moves.
///
/// Threads one owner; a net is shared.
/// Cost    that of `Classic` or of `nnue::Accumulators`; what is not used costs nothing.
class Evaluator {
public:
    /// Kind nnue needs `choice.net`.
    void reset(const Position& position, Kind kind, const NetChoice& choice = {});
    /// `before` is the position in which `move` is about to be played. Null moves need no call.
    void do_move(const Position& before, Move move) {
        if (kind_ == Kind::nnue) {
            nnue_.do_move(before, move);
        } else {
            classic_.do_move(before, move);
        }
    }
    void undo_move() noexcept {
        if (kind_ == Kind::nnue) {
            nnue_.undo_move();
        } else {
            classic_.undo_move();
        }
    }
    /// Centipawns, from the side to move's view.
    [[nodiscard]] int evaluate(const Position& position) noexcept {
        return kind_ == Kind::nnue ? centipawns(nnue_.evaluate(position), fv_scale_)
                                   : classic_.evaluate(position);
    }

    /// A word that differs between evaluations, for tables that hold their values.
    static std::uint64_t tag(Kind kind, const NetChoice& choice) noexcept;

private:
    Kind kind_ = Kind::classic;
    int fv_scale_ = nnue::kUsualFvScale;
    Classic classic_;
    nnue::Accumulators nnue_;
};

}  // namespace yomi::shogi::eval
