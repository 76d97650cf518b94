// Any bytes are one of Yomi's nets or refused; with any weights that are let in the fast arithmetic
// gives the plain one's number, sums that follow moves are those of a fresh start, and a file comes
// back from what was read.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <vector>

#include "core/shogi/eval/nnue/psq_accumulators.hpp"
#include "core/shogi/movegen.hpp"

namespace {

using namespace yomi::shogi;
using eval::nnue::kPsqInputs;
using eval::nnue::PsqAccumulators;
using eval::nnue::PsqNet;
using eval::nnue::PsqWeights;

int fresh(const std::shared_ptr<const PsqNet>& net, const Position& position) {
    PsqAccumulators accumulators;
    accumulators.reset(net, position);
    const int value = accumulators.evaluate(position);
    const Color mover = position.side_to_move();
    const auto own = accumulators.sums(position, mover);
    const auto other = accumulators.sums(position, ~mover);
    if (value != eval::nnue::psq_forward_plain(*net, own, other)) std::abort();
    return value;
}

template <class T>
void fill(std::vector<T>& to, std::size_t count, const std::uint8_t* data, std::size_t size) {
    to.resize(count);
    auto* const bytes = reinterpret_cast<std::uint8_t*>(to.data());
    for (std::size_t at = 0; at < count * sizeof(T); at += size)
        std::memcpy(bytes + at, data, std::min(size, count * sizeof(T) - at));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (const auto net = PsqNet::parse(std::as_bytes(std::span(data, size)))) {
        const auto again = (*net)->encode();
        if (!std::equal(again.begin(), again.end(), std::as_bytes(std::span(data, size)).begin()))
            std::abort();
    }
    if (size < 18) return 0;
    // The smallest shape with the input repeated as its weights.
    PsqWeights w{.buckets = 1 + 4 * (data[0] & 1),
                 .width = 16,
                 .unit_shift = 6 + data[1] % 8,
                 .output_shift = data[2] % 15};
    const std::size_t inputs = static_cast<std::size_t>(w.buckets) * kPsqInputs;
    fill(w.bias, 16, data, size);
    fill(w.rows, 16 * inputs, data + 1, size - 1);
    fill(w.linear, inputs, data + 2, size - 2);
    fill(w.output, 32, data + 3, size - 3);
    for (auto& n : w.rows)
        n = static_cast<std::int16_t>(n / 64);
    for (auto& n : w.linear)
        n /= 1 << 12;
    const auto net = PsqNet::make(std::move(w));
    if (!net) return 0;
    Position position = Position::startpos();
    PsqAccumulators accumulators;
    accumulators.reset(*net, position);
    for (std::size_t i = 3; i < 15; ++i) {
        MoveList moves;
        legal_moves(position, moves);
        if (moves.empty()) break;
        const Move move = moves[data[i] % moves.size()];
        accumulators.do_move(position, move);
        position.do_move(move);
        if (accumulators.evaluate(position) != fresh(*net, position)) std::abort();
    }
    return 0;
}
