#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#ifdef __AVX2__
#include <immintrin.h>
#endif

#include "core/othello/board.hpp"
#include "core/othello/eval/features.hpp"
#include "core/othello/eval/weights.hpp"

namespace yomi::othello::eval {

/// The trained evaluation: the sum of one table entry for each of 46 shapes on the board and for
/// the numbers of moves of both sides.
///
/// Unit    `fine` in 1/128 disc, `discs` in whole discs: the expected final difference for the
///         side to move. Never ±64: those belong to proved results.
/// Threads immutable after construction, shared by all searches.
/// Cost    `discs` about 35 ns with AVX2. 27.6 MB: one table for each number of empties.
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
        return patterns(indices, empties) + table[kMovesEntry + std::popcount(moves)] +
               table[kRepliesEntry + std::popcount(legal_moves(board.swapped()))];
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

    /// The part of `fine` that is of the shapes and the constant.
    [[nodiscard]] int patterns(const Indices& indices, int empties) const noexcept {
#ifdef __AVX2__
        return patterns_avx2(indices, empties);
#else
        return patterns_portable(indices, empties);
#endif
    }

    /// The plain twin of the vector code.
    [[nodiscard]] int patterns_portable(const Indices& indices, int empties) const noexcept {
        const std::int16_t* const table = table_of(empties);
        int sum = 0;
        for (std::size_t i = 0; i < kFeatureSlots; ++i)
            sum += table[centres_[i] + indices.at[i]];
        return sum;
    }

#ifdef __AVX2__
    [[nodiscard]] int patterns_avx2(const Indices& indices, int empties) const noexcept {
        const int* const table = reinterpret_cast<const int*>(table_of(empties));
        __m256i sum = _mm256_setzero_si256();
        for (std::size_t i = 0; i < kFeatureSlots; i += 8) {
            const __m128i narrow =
                _mm_load_si128(reinterpret_cast<const __m128i*>(indices.at.data() + i));
            const __m256i centre =
                _mm256_load_si256(reinterpret_cast<const __m256i*>(centres_.data() + i));
            const __m256i at = _mm256_add_epi32(_mm256_cvtepi16_epi32(narrow), centre);
            // Gathers read 32 bits from 16-bit entries; the upper half is the next entry's.
            const __m256i pair = _mm256_i32gather_epi32(table, at, 2);
            sum = _mm256_add_epi32(sum, _mm256_srai_epi32(_mm256_slli_epi32(pair, 16), 16));
        }
        const __m128i half =
            _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
        const __m128i quarter = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0x4E));
        return _mm_cvtsi128_si32(_mm_add_epi32(quarter, _mm_shuffle_epi32(quarter, 0xB1)));
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
    static constexpr std::size_t kStride = 226'304;
    static_assert(kStride >= kEntries + 2);

    [[nodiscard]] const std::int16_t* table_of(int empties) const noexcept {
        return tables_.data() + static_cast<std::size_t>(empties) * kStride;
    }

    std::vector<std::int16_t> tables_;
    alignas(32) std::array<std::int32_t, kFeatureSlots> centres_{};
    std::uint64_t fingerprint_ = 0;
};

}  // namespace yomi::othello::eval
