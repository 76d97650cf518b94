#include "core/shogi/eval/evaluator.hpp"

#include <array>
#include <cassert>
#include <cstddef>
#include <fstream>
#include <utility>

#include "core/base/hash.hpp"

namespace yomi::shogi::eval {

void Evaluator::reset(const Position& position, Kind kind, const NetChoice& choice) {
    if (kind != Kind::nnue) {
        judge_ = Judge::classic;
        classic_.reset(position, kind);
        return;
    }
    if (choice.psq) {
        judge_ = Judge::psq;
        psq_.reset(choice.psq, position);
        return;
    }
    assert(choice.net != nullptr && choice.fv_scale > 0);
    judge_ = Judge::nnue;
    fv_scale_ = choice.fv_scale;
    nnue_.reset(choice.net, position);
}

Result<NetChoice> NetChoice::read(const std::filesystem::path& path, int fv_scale) {
    std::array<std::byte, nnue::kPsqMagic.size()> first{};
    std::ifstream in(path, std::ios::binary);
    in.read(reinterpret_cast<char*>(first.data()), static_cast<std::streamsize>(first.size()));
    NetChoice choice{.fv_scale = fv_scale};
    if (in && nnue::is_psq_file(first)) {
        auto net = nnue::PsqNet::read(path);
        if (!net) return fail(std::move(net.error()));
        choice.psq = std::move(*net);
        return choice;
    }
    auto net = nnue::Net::read(path);
    if (!net) return fail(std::move(net.error()));
    choice.net = std::move(*net);
    return choice;
}

std::uint64_t Evaluator::tag(Kind kind, const NetChoice& choice) noexcept {
    if (kind != Kind::nnue) return static_cast<std::uint64_t>(kind);
    if (choice.psq) return mix64(choice.psq->hash());
    return mix64(choice.net->hash() + static_cast<std::uint64_t>(choice.fv_scale));
}

}  // namespace yomi::shogi::eval
