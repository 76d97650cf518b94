#include "core/shogi/zobrist.hpp"

#include "core/base/hash.hpp"

namespace yomi::shogi::zobrist {
namespace {

constexpr std::uint64_t kSeed = 0x796F6D692D73686FULL;  // "yomi-sho": any fixed word would do

constexpr auto make_board() {
    SplitMix64 next(kSeed);
    std::array<std::array<std::uint64_t, kSquares>, kPieces> table{};
    for (auto& row : table) {
        for (auto& word : row)
            word = next();
    }
    table[kNoPiece].fill(0);
    return table;
}

constexpr auto make_hand() {
    SplitMix64 next(mix64(kSeed));
    std::array<std::array<std::array<std::uint64_t, kHandCounts>, kHandKinds + 1>, 2> table{};
    for (auto& side : table) {
        for (auto& kind : side) {
            for (std::size_t n = 1; n < kHandCounts; ++n)
                kind[n] = next();
        }
    }
    return table;
}

}  // namespace

constexpr std::array<std::array<std::uint64_t, kSquares>, kPieces> kBoard = make_board();
constexpr std::array<std::array<std::array<std::uint64_t, kHandCounts>, kHandKinds + 1>, 2> kHand =
    make_hand();
constexpr std::uint64_t kWhiteToMove = mix64(kSeed + 1);

}  // namespace yomi::shogi::zobrist
