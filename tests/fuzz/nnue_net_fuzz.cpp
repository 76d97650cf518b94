// Any bytes are a network or refused; with any weights the fast layers give the plain ones' number,
// and sums that follow moves are those of a fresh start.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <vector>

#include "core/shogi/eval/nnue/accumulators.hpp"
#include "core/shogi/eval/nnue/forward.hpp"
#include "core/shogi/eval/nnue/net.hpp"
#include "core/shogi/movegen.hpp"

namespace {

using namespace yomi::shogi;
using eval::nnue::Accumulators;
using eval::nnue::Net;

std::int32_t fresh(const std::shared_ptr<const Net>& net, const Position& position) {
    Accumulators accumulators;
    accumulators.reset(net, position);
    const std::int32_t value = accumulators.evaluate(position);
    const Color mover = position.side_to_move();
    const std::int32_t plain = eval::nnue::forward_plain(
        *net, accumulators.sums(position, mover), accumulators.sums(position, ~mover));
    if (value != plain) std::abort();
    return value;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static_cast<void>(Net::parse(std::as_bytes(std::span(data, size))));
    if (size < 16) return 0;
    // The smallest shape with the input repeated as its weights.
    constexpr eval::nnue::Shape kShape{
        .features = eval::nnue::FeatureSet::king_piece, .width = 256, .hidden1 = 32, .hidden2 = 32};
    std::vector<std::byte> file(kShape.file_bytes(0));
    for (std::size_t at = 0; at < file.size(); at += size)
        std::memcpy(file.data() + at, data, std::min(size, file.size() - at));
    constexpr std::uint32_t kHeader[3]{0x7AF3'2F16, 0, 0};
    std::memcpy(file.data(), kHeader, sizeof kHeader);
    const auto net = Net::parse(file);
    if (!net) std::abort();
    Position position = Position::startpos();
    Accumulators accumulators;
    accumulators.reset(*net, position);
    for (std::size_t i = 0; i < 12; ++i) {
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
