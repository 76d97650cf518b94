#include "core/shogi/eval/nnue/psq_accumulators.hpp"

#include <algorithm>
#include <utility>

#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace yomi::shogi::eval::nnue {
namespace {

/// `to = from - leaves + joins`, row by row. No sum leaves 16 bits: the net was checked for that.
template <int kRows>
void exchange(const std::int16_t* from,
              std::int16_t* to,
              std::size_t width,
              const std::array<const std::int16_t*, 2>& leaves,
              const std::array<const std::int16_t*, 2>& joins) noexcept {
    constexpr int kLeaves = kRows / 10;
    constexpr int kJoins = kRows % 10;
#ifdef __AVX2__
    const auto at = [](const std::int16_t* p) {
        return _mm256_load_si256(reinterpret_cast<const __m256i*>(p));
    };
    for (std::size_t i = 0; i < width; i += 16) {
        __m256i sum = at(from + i);
        for (std::size_t k = 0; k < kLeaves; ++k)
            sum = _mm256_sub_epi16(sum, at(leaves[k] + i));
        for (std::size_t k = 0; k < kJoins; ++k)
            sum = _mm256_add_epi16(sum, at(joins[k] + i));
        _mm256_store_si256(reinterpret_cast<__m256i*>(to + i), sum);
    }
#else
    for (std::size_t i = 0; i < width; ++i) {
        int sum = from[i];
        for (std::size_t k = 0; k < kLeaves; ++k)
            sum -= leaves[k][i];
        for (std::size_t k = 0; k < kJoins; ++k)
            sum += joins[k][i];
        to[i] = static_cast<std::int16_t>(sum);
    }
#endif
}

PsqInput seen(PsqView view, PsqInput input) noexcept {
    return view.mirrored ? kPsqMirror[input] : input;
}

int finish(const PsqNet& net, std::int64_t sum, const std::int32_t (&linear)[2]) noexcept {
    const PsqWeights& w = net.weights();
    const std::int64_t hidden = (sum * w.output_scale) >> (14 + w.output_shift - 6);
    const std::int64_t total = hidden + w.output_bias + (std::int64_t{linear[0]} - linear[1]) / 2;
    return static_cast<int>(std::clamp<std::int64_t>(total / 64, -100'000, 100'000));
}

}  // namespace

void PsqAccumulators::reset(std::shared_ptr<const PsqNet> net, const Position& position) {
    constexpr std::size_t kPlies = 160;
    net_ = std::move(net);
    const auto width = static_cast<std::size_t>(net_->width());
    if (width != width_ || steps_.empty()) {
        width_ = width;
        steps_.assign(kPlies, Step{});
        units_ = Weights<std::int16_t>(2 * kPlies * width_);
    }
    top_ = 0;
    steps_[0] = Step{};
    refresh(position, Color::black);
    refresh(position, Color::white);
}

void PsqAccumulators::grow(std::size_t plies) {
    Weights<std::int16_t> larger(2 * plies * width_);
    std::copy_n(units_.data(), 2 * steps_.size() * width_, larger.data());
    units_ = std::move(larger);
    steps_.resize(plies);
}

void PsqAccumulators::do_move(const Position& before, Move move) {
    if (++top_ == steps_.size()) grow(2 * top_);
    Step& step = steps_[top_];
    const Color mover = before.side_to_move();
    const Square to = move.to();
    const bool drop = move.is_drop();
    const bool king_moves = !drop && type_of(move.piece_after()) == PieceType::king;
    const Piece captured = drop ? kNoPiece : before.piece_on(to);
    step.ready = {false, false};
    step.anew = {false, false};
    if (king_moves) {
        const int buckets = net_->weights().buckets;
        step.anew[static_cast<std::size_t>(index(mover))] =
            psq_view(mover, move.from(), buckets) != psq_view(mover, to, buckets);
    }
    for (const Color side : {Color::black, Color::white}) {
        const auto p = static_cast<std::size_t>(index(side));
        Change& change = step.change[p];
        change.joins[0] = psq_board(side, move.piece_after(), to);
        change.leaves[0] =
            drop ? psq_hand(
                       side, mover, move.dropped(), before.hand(mover).count(move.dropped()) - 1)
                 : psq_board(side, move.piece_before(), move.from());
        step.leaves[p] = step.joins[p] = 1;
        if (captured == kNoPiece) continue;
        const PieceType gained = unpromote(type_of(captured));
        change.leaves[1] = psq_board(side, captured, to);
        change.joins[1] = psq_hand(side, mover, gained, before.hand(mover).count(gained));
        step.leaves[p] = step.joins[p] = 2;
    }
}

void PsqAccumulators::refresh(const Position& position, Color side) noexcept {
    const auto p = static_cast<std::size_t>(index(side));
    Step& step = steps_[top_];
    const PsqView view = psq_view(side, position.king(side), net_->weights().buckets);
    std::int16_t* const units = units_at(top_, p);
    std::array<PsqInput, 2 * kPsqMost> inputs;
    std::size_t count = 0;
    std::int32_t linear = 0;
    each_psq_input(position, side, [&](PsqInput input) {
        inputs[count] = seen(view, input);
        linear += net_->linear(view.bucket, inputs[count]);
        ++count;
    });
    const std::int16_t* from = net_->bias();
    std::size_t i = 0;
    for (; i + 2 <= count; i += 2) {
        exchange<2>(from,
                    units,
                    width_,
                    {},
                    {net_->row(view.bucket, inputs[i]), net_->row(view.bucket, inputs[i + 1])});
        from = units;
    }
    if (i < count)
        exchange<1>(from, units, width_, {}, {net_->row(view.bucket, inputs[i]), nullptr});
    if (count == 0) std::copy_n(net_->bias(), width_, units);
    step.linear[p] = linear;
    step.ready[p] = true;
}

void PsqAccumulators::apply(std::size_t ply, std::size_t side, PsqView view) noexcept {
    Step& step = steps_[ply];
    const Change& change = step.change[side];
    std::int32_t linear = steps_[ply - 1].linear[side];
    std::array<const std::int16_t*, 2> leaves{};
    std::array<const std::int16_t*, 2> joins{};
    const std::size_t pairs = step.leaves[side];
    for (std::size_t k = 0; k < pairs; ++k) {
        const PsqInput leaving = seen(view, change.leaves[k]);
        const PsqInput joining = seen(view, change.joins[k]);
        leaves[k] = net_->row(view.bucket, leaving);
        joins[k] = net_->row(view.bucket, joining);
        linear += net_->linear(view.bucket, joining) - net_->linear(view.bucket, leaving);
    }
    const std::int16_t* const from = units_at(ply - 1, side);
    if (pairs == 1) {
        exchange<11>(from, units_at(ply, side), width_, leaves, joins);
    } else {
        exchange<22>(from, units_at(ply, side), width_, leaves, joins);
    }
    step.linear[side] = linear;
    step.ready[side] = true;
}

PsqAccumulators::Sums PsqAccumulators::sums(const Position& position, Color side) noexcept {
    const auto p = static_cast<std::size_t>(index(side));
    std::size_t ply = top_;
    bool anew = false;
    while (!steps_[ply].ready[p] && !anew) {
        anew = steps_[ply].anew[p];
        --ply;
    }
    if (anew) {
        refresh(position, side);
    } else if (ply < top_) {
        const PsqView view = psq_view(side, position.king(side), net_->weights().buckets);
        while (ply < top_)
            apply(++ply, p, view);
    }
    return {.units = units_at(top_, p), .linear = steps_[top_].linear[p]};
}

int PsqAccumulators::evaluate(const Position& position) noexcept {
    const Color mover = position.side_to_move();
    const Sums own = sums(position, mover);
    const Sums other = sums(position, ~mover);
    return psq_forward(*net_, own, other);
}

int psq_forward_plain(const PsqNet& net,
                      const PsqAccumulators::Sums& mover,
                      const PsqAccumulators::Sums& other) noexcept {
    const PsqWeights& w = net.weights();
    const int most = (1 << w.unit_shift) - 1;
    const auto width = static_cast<std::size_t>(w.width);
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < 2 * width; ++i) {
        const int unit = i < width ? mover.units[i] : other.units[i - width];
        const int clipped = std::clamp(unit, 0, most) << (15 - w.unit_shift);
        sum += std::int64_t{(clipped * clipped) >> 16} * w.output[i];
    }
    return finish(net, sum, {mover.linear, other.linear});
}

#ifdef __AVX2__

int psq_forward(const PsqNet& net,
                const PsqAccumulators::Sums& mover,
                const PsqAccumulators::Sums& other) noexcept {
    const PsqWeights& w = net.weights();
    const __m256i zero = _mm256_setzero_si256();
    const __m256i most = _mm256_set1_epi16(static_cast<short>((1 << w.unit_shift) - 1));
    const __m128i shift = _mm_cvtsi32_si128(15 - w.unit_shift);
    const auto width = static_cast<std::size_t>(w.width);
    const auto at = [](const std::int16_t* p) {
        return _mm256_load_si256(reinterpret_cast<const __m256i*>(p));
    };
    __m256i sum = zero;
    const auto add = [&](const std::int16_t* units, const std::int16_t* weights) {
        for (std::size_t i = 0; i < width; i += 16) {
            const __m256i clipped = _mm256_sll_epi16(
                _mm256_min_epi16(_mm256_max_epi16(at(units + i), zero), most), shift);
            sum = _mm256_add_epi32(
                sum, _mm256_madd_epi16(_mm256_mulhi_epi16(clipped, clipped), at(weights + i)));
        }
    };
    add(mover.units, net.output());
    add(other.units, net.output() + width);
    __m128i half = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
    half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0x4E));
    half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0xB1));
    return finish(net, _mm_cvtsi128_si32(half), {mover.linear, other.linear});
}

#else

int psq_forward(const PsqNet& net,
                const PsqAccumulators::Sums& mover,
                const PsqAccumulators::Sums& other) noexcept {
    return psq_forward_plain(net, mover, other);
}

#endif

}  // namespace yomi::shogi::eval::nnue
