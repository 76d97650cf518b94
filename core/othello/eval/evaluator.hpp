#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#ifdef __AVX2__
#include <immintrin.h>
#endif

#include "core/base/bits.hpp"
#include "core/othello/board.hpp"
#include "core/othello/eval/features.hpp"
#include "core/othello/eval/weights.hpp"

namespace yomi::othello::eval {

/// The trained evaluation: the sum of one table entry for each of 78 shapes on the board and for
/// the numbers of moves of both sides, and of 16 hidden units that see 46 of the shapes.
///
/// Unit    `fine` in 1/128 disc, `discs` in whole discs: the expected final difference for the
///         side to move. Never ±64: those belong to proved results.
/// Threads immutable after construction, shared by all searches.
/// Cost    `discs` about 150 ns with AVX2 where no position is like the one before. 43.0 MB, 7.2
///         of them for the hidden units.
class Evaluator {
public:
    explicit Evaluator(const Weights& weights);

    /// The evaluation that is part of the program; unpacked once, at first use (about 0.1 s).
    static const Evaluator& shipped();

    [[nodiscard]] int fine(const Board& board, const Indices& indices, int empties) const noexcept {
        return fine(board, indices, empties, legal_moves(board));
    }

    /// The same when the legal moves are known.
    [[nodiscard]] int fine(const Board& board,
                           const Indices& indices,
                           int empties,
                           std::uint64_t moves) const noexcept {
        const std::int16_t* const table = table_of(empties);
        const std::uint64_t replies = legal_moves(board.swapped());
        return shapes(indices, empties, moves, replies) +
               table[kMovesEntry + std::popcount(moves)] +
               table[kRepliesEntry + std::popcount(replies)];
    }

    /// `fine` in whole discs, kept within ±62.
    [[nodiscard]] static int rounded(int fine) noexcept {
        const int value = (fine + kFineUnit / 2) >> 7;
        return value > kMost ? kMost : value < -kMost ? -kMost : value;
    }

    [[nodiscard]] int discs(const Board& board,
                            const Indices& indices,
                            int empties) const noexcept {
        return rounded(fine(board, indices, empties));
    }

    /// The part of `fine` that is of the shapes and the constant. `moves` and `replies` are the
    /// squares where the side to move and the other side may move.
    [[nodiscard]] int shapes(const Indices& indices,
                             int empties,
                             std::uint64_t moves,
                             std::uint64_t replies) const noexcept {
#ifdef __AVX2__
        return shapes_avx2(indices, empties, moves, replies);
#else
        return shapes_portable(indices, empties, moves, replies);
#endif
    }

    /// The plain twin of the vector code.
    [[nodiscard]] int shapes_portable(const Indices& indices,
                                      int empties,
                                      std::uint64_t moves,
                                      std::uint64_t replies) const noexcept {
        const std::int16_t* const table = table_of(empties);
        std::array<int, kOpenFeatures> open{};
        for (; moves != 0; moves &= moves - 1)
            add_row(open, steps_.open[static_cast<std::size_t>(lowest_bit(moves))], kOpenMove);
        for (; replies != 0; replies &= replies - 1)
            add_row(open, steps_.open[static_cast<std::size_t>(lowest_bit(replies))], kOpenReply);
        int sum = 0;
        for (std::size_t i = 0; i < kFeatureSlots; ++i)
            sum += table[centres_[i] + indices.at[i] + (i < kOpenFeatures ? open[i] : 0)];
        std::array<int, kHidden> units{};
        add_row(units, hidden_bias_, 1);
        for (std::size_t i = kOpenFeatures; i < kFeatures; ++i)
            add_row(units, hidden_[hidden_at(indices, i)], 1);
        int products = 0;
        const auto& outputs = outputs_[static_cast<std::size_t>(empties)];
        for (std::size_t unit = 0; unit < kHidden; ++unit)
            products += units[unit] > 0 ? units[unit] * outputs[unit] : 0;
        return sum + rounded_products(products);
    }

#ifdef __AVX2__
    [[nodiscard]] int shapes_avx2(const Indices& indices,
                                  int empties,
                                  std::uint64_t moves,
                                  std::uint64_t replies) const noexcept {
        const auto load = [](const std::int16_t* from) noexcept {
            return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
        };
        const auto row_of = [](const AlignedUnits& row) noexcept {
            return _mm256_load_si256(reinterpret_cast<const __m256i*>(row.data()));
        };
        // What the hidden units see is far away in memory: asked for first.
        static_assert(kHidden == 16);
        __m256i units = row_of(hidden_bias_);
        __m256i others = _mm256_setzero_si256();
        for (std::size_t i = kOpenFeatures; i < kFeatures; i += 2) {
            units = _mm256_add_epi16(units, row_of(hidden_[hidden_at(indices, i)]));
            others = _mm256_add_epi16(others, row_of(hidden_[hidden_at(indices, i + 1)]));
        }
        units = _mm256_max_epi16(_mm256_add_epi16(units, others), _mm256_setzero_si256());
        const __m256i products =
            _mm256_madd_epi16(units, row_of(outputs_[static_cast<std::size_t>(empties)]));

        static_assert(kOpenMove == 1 && kOpenReply == -2);
        __m256i low = _mm256_setzero_si256();
        __m256i high = low;
        for (; replies != 0; replies &= replies - 1) {
            const auto& row = steps_.open[static_cast<std::size_t>(lowest_bit(replies))];
            low = _mm256_sub_epi16(low, load(row.data()));
            high = _mm256_sub_epi16(high, load(row.data() + 16));
        }
        low = _mm256_add_epi16(low, low);
        high = _mm256_add_epi16(high, high);
        for (; moves != 0; moves &= moves - 1) {
            const auto& row = steps_.open[static_cast<std::size_t>(lowest_bit(moves))];
            low = _mm256_add_epi16(low, load(row.data()));
            high = _mm256_add_epi16(high, load(row.data() + 16));
        }
        low = _mm256_add_epi16(low, load(indices.at.data()));
        high = _mm256_add_epi16(high, load(indices.at.data() + 16));

        const int* const table = reinterpret_cast<const int*>(table_of(empties));
        __m256i sum = _mm256_setzero_si256();
        const auto gather = [&](__m128i eight, std::size_t i) noexcept {
            const __m256i centre =
                _mm256_load_si256(reinterpret_cast<const __m256i*>(centres_.data() + i));
            const __m256i at = _mm256_add_epi32(_mm256_cvtepi16_epi32(eight), centre);
            // Gathers read 32 bits from 16-bit entries; the upper half is the next entry's.
            const __m256i pair = _mm256_i32gather_epi32(table, at, 2);
            sum = _mm256_add_epi32(sum, _mm256_srai_epi32(_mm256_slli_epi32(pair, 16), 16));
        };
        static_assert(kOpenFeatures == 32);
        gather(_mm256_castsi256_si128(low), 0);
        gather(_mm256_extracti128_si256(low, 1), 8);
        gather(_mm256_castsi256_si128(high), 16);
        gather(_mm256_extracti128_si256(high, 1), 24);
        for (std::size_t i = kOpenFeatures; i < kFeatureSlots; i += 8)
            gather(_mm_load_si128(reinterpret_cast<const __m128i*>(indices.at.data() + i)), i);
        const auto total = [](__m256i eight) noexcept {
            const __m128i four =
                _mm_add_epi32(_mm256_castsi256_si128(eight), _mm256_extracti128_si256(eight, 1));
            const __m128i two = _mm_add_epi32(four, _mm_shuffle_epi32(four, 0x4E));
            return _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32(two, 0xB1)));
        };
        return total(sum) + rounded_products(total(products));
    }
#endif

    /// A word that changes when any weight changes; part of every stored answer's key.
    [[nodiscard]] std::uint64_t fingerprint() const noexcept {
        return fingerprint_;
    }

    static constexpr int kFineUnit = 128;
    static constexpr int kMost = 62;

private:
    // The entry beyond the last is 0: the second spare slot reads it, and gathers may touch the
    // next.
    static constexpr std::size_t kStride = (kEntries + 2 + 63) / 64 * 64;
    static constexpr int kHiddenFine = 256;  ///< of what hidden units add
    static_assert((46 * kMostHidden + kMostHiddenBias) * (kHiddenFine / kHiddenUnit) < 32'768);
    static_assert(std::int64_t{32'767} * kMostOutput * std::int64_t{kHidden} < 0x7FFF'FFFF);
    using Units = std::array<std::int16_t, kHidden>;

    struct alignas(32) AlignedUnits : Units {};

    template <std::size_t N>
    static void add_row(std::array<int, N>& sums,
                        const std::array<std::int16_t, N>& row,
                        int times) noexcept {
        for (std::size_t i = 0; i < N; ++i)
            sums[i] += times * row[i];
    }

    [[nodiscard]] std::size_t hidden_at(const Indices& indices, std::size_t i) const noexcept {
        return static_cast<std::size_t>(centres_[i] - kOpenEntries + indices.at[i]);
    }
    /// Products of a unit and its output in 1/128 disc.
    static int rounded_products(int products) noexcept {
        constexpr int kParts = kHiddenFine * kOutputUnit / kFineUnit;
        return (products + kParts / 2) >> std::countr_zero(unsigned{kParts});
    }

    [[nodiscard]] const std::int16_t* table_of(int empties) const noexcept {
        return tables_.data() + static_cast<std::size_t>(empties) * kStride;
    }

    std::vector<std::int16_t> tables_;
    std::vector<AlignedUnits> hidden_;
    AlignedUnits hidden_bias_{};
    std::array<AlignedUnits, 61> outputs_{};
    const FeatureSteps& steps_ = feature_steps();
    alignas(32) std::array<std::int32_t, kFeatureSlots> centres_{};
    std::uint64_t fingerprint_ = 0;
};

}  // namespace yomi::othello::eval
