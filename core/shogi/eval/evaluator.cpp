#include "core/shogi/eval/evaluator.hpp"

#include <cassert>

#include "core/base/hash.hpp"

namespace yomi::shogi::eval {

void Evaluator::reset(const Position& position, Kind kind, const NetChoice& choice) {
    kind_ = kind;
    if (kind != Kind::nnue) {
        classic_.reset(position, kind);
        return;
    }
    assert(choice.net != nullptr && choice.fv_scale > 0);
    fv_scale_ = choice.fv_scale;
    nnue_.reset(choice.net, position);
}

std::uint64_t Evaluator::tag(Kind kind, const NetChoice& choice) noexcept {
    if (kind != Kind::nnue) return static_cast<std::uint64_t>(kind);
    return mix64(choice.net->hash() + static_cast<std::uint64_t>(choice.fv_scale));
}

}  // namespace yomi::shogi::eval
