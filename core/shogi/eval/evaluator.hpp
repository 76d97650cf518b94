#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "core/shogi/eval/classic.hpp"
#include "core/shogi/eval/kind.hpp"
#include "core/shogi/eval/nnue/accumulators.hpp"
#include "core/shogi/eval/nnue/net.hpp"
#include "core/shogi/eval/nnue/psq_accumulators.hpp"
#include "core/shogi/eval/nnue/psq_net.hpp"
#include "core/shogi/position.hpp"

namespace yomi::shogi::eval {

/// A network ready to judge: one of the "nn.bin" family or one of our own.
struct NetChoice {
    std::shared_ptr<const nnue::Net> net = {};
    /// What the number of `net` is divided by for ninetieths of a pawn; >= 1.
    int fv_scale = nnue::kUsualFvScale;
    /// Our own; used when it is there, whatever `net` is.
    std::shared_ptr<const nnue::PsqNet> psq = {};

    /// What kind of net it is, such as "HalfKP 256x2-32-32"; not for an empty choice.
    [[nodiscard]] std::string name() const { return psq ? psq->name() : net->shape().name(); }
    explicit operator bool() const noexcept { return net != nullptr || psq != nullptr; }
    /// Reads a file of either kind, which its first bytes tell; the message of an error begins with
    /// the path. `fv_scale` is for the "nn.bin" family.
    static Result<NetChoice> read(const std::filesystem::path& path,
                                  int fv_scale = nnue::kUsualFvScale);
};

/// The net's number in centipawns, at most 100,000 either way.
constexpr int centipawns(std::int32_t number, int fv_scale) noexcept {
    const std::int64_t value = std::int64_t{number} * 100 / (std::int64_t{90} * fv_scale);
    return static_cast<int>(std::clamp<std::int64_t>(value, -100'000, 100'000));
}

/// The evaluation that a search was asked to use, following its moves.
///
/// Threads one owner; a net is shared.
/// Cost    that of `Classic` or of the net's accumulators; what is not used costs nothing.
class Evaluator {
public:
    /// Kind nnue needs a net in `choice`.
    void reset(const Position& position, Kind kind, const NetChoice& choice = {});
    /// `before` is the position in which `move` is about to be played. Null moves need no call.
    void do_move(const Position& before, Move move) {
        switch (judge_) {
            case Judge::psq:
                psq_.do_move(before, move);
                break;
            case Judge::nnue:
                nnue_.do_move(before, move);
                break;
            case Judge::classic:
                classic_.do_move(before, move);
                break;
        }
    }
    void undo_move() noexcept {
        switch (judge_) {
            case Judge::psq:
                psq_.undo_move();
                break;
            case Judge::nnue:
                nnue_.undo_move();
                break;
            case Judge::classic:
                classic_.undo_move();
                break;
        }
    }
    /// Centipawns, from the side to move's view.
    [[nodiscard]] int evaluate(const Position& position) noexcept {
        if (judge_ == Judge::psq) return psq_.evaluate(position);
        return judge_ == Judge::nnue ? centipawns(nnue_.evaluate(position), fv_scale_)
                                     : classic_.evaluate(position);
    }

    /// A word that differs between evaluations, for tables that hold their values.
    static std::uint64_t tag(Kind kind, const NetChoice& choice) noexcept;

private:
    /// Who is asked; `classic` knows plain material too.
    enum class Judge : std::uint8_t { classic, nnue, psq };

    Judge judge_ = Judge::classic;
    int fv_scale_ = nnue::kUsualFvScale;
    Classic classic_;
    nnue::Accumulators nnue_;
    nnue::PsqAccumulators psq_;
};

}  // namespace yomi::shogi::eval
