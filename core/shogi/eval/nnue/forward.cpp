#include "core/shogi/eval/nnue/forward.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace yomi::shogi::eval::nnue {

namespace {

constexpr int kWidest = 1024;
constexpr int kMostHidden = 64;
constexpr int kShift = 6;
constexpr int kLargest = 127;

std::uint8_t activation(std::int32_t sum) noexcept {
    return static_cast<std::uint8_t>(std::clamp(sum >> kShift, 0, kLargest));
}

/// A file may hold any bias: the sum wraps like the vector path's.
std::int32_t plus(std::int32_t a, std::int32_t b) noexcept {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
}

void layer_plain(const Layer& layer, const std::uint8_t* in, std::int32_t* out) noexcept {
    for (int o = 0; o < layer.outputs; ++o) {
        const std::int8_t* row = layer.rows.data() + o * layer.stride;
        std::int32_t sum = 0;  // at most 2,048 * 127 * 128 either way
        for (int i = 0; i < layer.inputs; ++i)
            sum += row[i] * in[i];
        out[o] = plus(layer.bias[static_cast<std::size_t>(o)], sum);
    }
}

#ifdef __AVX2__

/// [byte]: the numbers of its set bits, lowest first.
constexpr auto kSetBits = [] {
    std::array<std::array<std::uint16_t, 8>, 256> table{};
    for (std::size_t byte = 0; byte < table.size(); ++byte) {
        std::size_t n = 0;
        for (std::uint16_t bit = 0; bit < 8; ++bit) {
            if ((byte >> bit & 1U) != 0) table[byte][n++] = bit;
        }
    }
    return table;
}();

/// Clamps `width` sums to bytes and lists the groups of four bytes that are not all zero.
/// Returns how many groups there are; `groups` is written up to 7 entries past the end.
std::size_t clamp_sums(const std::int16_t* sums,
                       int width,
                       std::uint8_t* bytes,
                       std::uint16_t first_group,
                       std::uint16_t* groups) noexcept {
    std::size_t count = 0;
    const __m256i zero = _mm256_setzero_si256();
    __m128i base = _mm_set1_epi16(static_cast<std::int16_t>(first_group));
    const __m128i eight = _mm_set1_epi16(8);
    for (int i = 0; i < width; i += 32) {
        const __m256i low = _mm256_load_si256(reinterpret_cast<const __m256i*>(sums + i));
        const __m256i high = _mm256_load_si256(reinterpret_cast<const __m256i*>(sums + i + 16));
        // packs saturates to -128..127 and works lane by lane: the permutation mends the order.
        const __m256i packed = _mm256_permute4x64_epi64(
            _mm256_max_epi8(_mm256_packs_epi16(low, high), zero), 0b11'01'10'00);
        _mm256_store_si256(reinterpret_cast<__m256i*>(bytes + i), packed);
        // Bytes are 0..127, so a group is positive as a 32-bit number when any of them is.
        const auto mask = static_cast<unsigned>(
            _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(packed, zero))));
        const __m128i bits =
            _mm_loadu_si128(reinterpret_cast<const __m128i*>(kSetBits[mask].data()));
        _mm_storeu_si128(reinterpret_cast<__m128i*>(groups + count), _mm_add_epi16(base, bits));
        count += static_cast<std::size_t>(std::popcount(mask));
        base = _mm_add_epi16(base, eight);
    }
    return count;
}

__m256i broadcast_group(const std::uint8_t* in, std::size_t group) noexcept {
    std::int32_t four = 0;
    std::memcpy(&four, in + 4 * group, sizeof four);
    return _mm256_set1_epi32(four);
}

/// Adds the products of four inputs with their weights for `kOutputs` outputs. A pair of products
/// is at most 2 * 127 * 128, which fits 16 bits: nothing saturates.
template <int kOutputs>
struct Sums {
    static constexpr int kVectors = kOutputs / 8;
    __m256i sum[kVectors];  // NOLINT(modernize-avoid-c-arrays): GCC warns of std::array here

    explicit Sums(const std::int32_t* bias) noexcept {
        for (std::size_t v = 0; v < kVectors; ++v)
            sum[v] = _mm256_load_si256(reinterpret_cast<const __m256i*>(bias) + v);
    }
    void add(__m256i four, const std::int8_t* weights) noexcept {
        const __m256i ones = _mm256_set1_epi16(1);
        for (std::size_t v = 0; v < kVectors; ++v) {
            const __m256i w = _mm256_load_si256(reinterpret_cast<const __m256i*>(weights) + v);
            sum[v] =
                _mm256_add_epi32(sum[v], _mm256_madd_epi16(_mm256_maddubs_epi16(four, w), ones));
        }
    }
    void store(std::int32_t* out) const noexcept {
        for (std::size_t v = 0; v < kVectors; ++v)
            _mm256_store_si256(reinterpret_cast<__m256i*>(out) + v, sum[v]);
    }
};

template <int kOutputs>
void layer_sparse(const Layer& layer,
                  const std::uint8_t* in,
                  const std::uint16_t* groups,
                  std::size_t count,
                  std::int32_t* out) noexcept {
    Sums<kOutputs> sums(layer.bias.data());
    for (std::size_t i = 0; i < count; ++i) {
        sums.add(broadcast_group(in, groups[i]),
                 layer.packed.data() + std::size_t{4} * kOutputs * groups[i]);
    }
    sums.store(out);
}

template <int kOutputs>
void layer_dense(const Layer& layer, const std::uint8_t* in, std::int32_t* out) noexcept {
    Sums<kOutputs> sums(layer.bias.data());
    for (std::size_t group = 0; group < static_cast<std::size_t>(layer.inputs) / 4; ++group) {
        sums.add(broadcast_group(in, group),
                 layer.packed.data() + std::size_t{4} * kOutputs * group);
    }
    sums.store(out);
}

std::int32_t last_layer(const Layer& layer, const std::uint8_t* in) noexcept {
    __m256i sum = _mm256_setzero_si256();
    for (int i = 0; i < layer.inputs; i += 32) {
        const __m256i x = _mm256_load_si256(reinterpret_cast<const __m256i*>(in + i));
        const __m256i w =
            _mm256_load_si256(reinterpret_cast<const __m256i*>(layer.rows.data() + i));
        sum = _mm256_add_epi32(sum,
                               _mm256_madd_epi16(_mm256_maddubs_epi16(x, w), _mm256_set1_epi16(1)));
    }
    __m128i half = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
    half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0b01'00'11'10));
    half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0b10'11'00'01));
    return plus(layer.bias[0], _mm_cvtsi128_si32(half));
}

#endif

}  // namespace

std::int32_t forward_plain(const Net& net,
                           const std::int16_t* mover,
                           const std::int16_t* other) noexcept {
    const int width = net.shape().width;
    std::array<std::uint8_t, std::size_t{2} * kWidest> in;
    for (int i = 0; i < width; ++i) {
        in[static_cast<std::size_t>(i)] =
            static_cast<std::uint8_t>(std::clamp<int>(mover[i], 0, kLargest));
        in[static_cast<std::size_t>(width + i)] =
            static_cast<std::uint8_t>(std::clamp<int>(other[i], 0, kLargest));
    }
    std::array<std::int32_t, kMostHidden> sums;
    std::array<std::uint8_t, kMostHidden> hidden1;
    std::array<std::uint8_t, kMostHidden> hidden2;
    layer_plain(net.layer(0), in.data(), sums.data());
    std::transform(sums.begin(), sums.begin() + net.layer(0).outputs, hidden1.begin(), activation);
    layer_plain(net.layer(1), hidden1.data(), sums.data());
    std::transform(sums.begin(), sums.begin() + net.layer(1).outputs, hidden2.begin(), activation);
    std::int32_t result = 0;
    layer_plain(net.layer(2), hidden2.data(), &result);
    return result;
}

#ifdef __AVX2__

std::int32_t forward(const Net& net,
                     const std::int16_t* mover,
                     const std::int16_t* other) noexcept {
    const int width = net.shape().width;
    alignas(64) std::array<std::uint8_t, std::size_t{2} * kWidest> in;
    std::array<std::uint16_t, std::size_t{2} * kWidest / 4 + 8> groups;
    std::size_t count = clamp_sums(mover, width, in.data(), 0, groups.data());
    count += clamp_sums(other,
                        width,
                        in.data() + width,
                        static_cast<std::uint16_t>(width / 4),
                        groups.data() + count);

    alignas(64) std::array<std::int32_t, kMostHidden> sums;
    const Layer& first = net.layer(0);
    switch (first.outputs) {
        case 8:
            layer_sparse<8>(first, in.data(), groups.data(), count, sums.data());
            break;
        case 16:
            layer_sparse<16>(first, in.data(), groups.data(), count, sums.data());
            break;
        default:
            layer_sparse<32>(first, in.data(), groups.data(), count, sums.data());
            break;
    }
    alignas(64) std::array<std::uint8_t, kMostHidden> hidden;
    for (std::size_t i = 0; i < static_cast<std::size_t>(first.outputs); ++i)
        hidden[i] = activation(sums[i]);
    const Layer& second = net.layer(1);
    if (second.outputs == 64) {
        layer_dense<64>(second, hidden.data(), sums.data());
    } else {
        layer_dense<32>(second, hidden.data(), sums.data());
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(second.outputs); ++i)
        hidden[i] = activation(sums[i]);
    return last_layer(net.layer(2), hidden.data());
}

#else

std::int32_t forward(const Net& net,
                     const std::int16_t* mover,
                     const std::int16_t* other) noexcept {
    return forward_plain(net, mover, other);
}

#endif

}  // namespace yomi::shogi::eval::nnue
