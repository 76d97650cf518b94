#include "core/shogi/eval/nnue/accumulators.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "core/shogi/eval/nnue/forward.hpp"

#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace yomi::shogi::eval::nnue {

namespace {

/// `to = from - leaves + joins`, row by row; sums wrap like the file's 16-bit arithmetic.
template <int kPairs>
void exchange(const std::int16_t* from,
              std::int16_t* to,
              std::size_t width,
              const std::array<const std::int16_t*, 2>& leaves,
              const std::array<const std::int16_t*, 2>& joins) noexcept {
#ifdef __AVX2__
    const auto at = [](const std::int16_t* p) {
        return _mm256_load_si256(reinterpret_cast<const __m256i*>(p));
    };
    for (std::size_t i = 0; i < width; i += 16) {
        __m256i sum = at(from + i);
        for (std::size_t pair = 0; pair < kPairs; ++pair) {
            sum = _mm256_sub_epi16(sum, at(leaves[pair] + i));
            sum = _mm256_add_epi16(sum, at(joins[pair] + i));
        }
        _mm256_store_si256(reinterpret_cast<__m256i*>(to + i), sum);
    }
#else
    for (std::size_t i = 0; i < width; ++i) {
        int sum = from[i];
        for (std::size_t pair = 0; pair < kPairs; ++pair)
            sum += joins[pair][i] - leaves[pair][i];
        to[i] = static_cast<std::int16_t>(sum);
    }
#endif
}

void add_row(std::int16_t* to, const std::int16_t* row, std::size_t width) noexcept {
#ifdef __AVX2__
    for (std::size_t i = 0; i < width; i += 16) {
        auto* sum = reinterpret_cast<__m256i*>(to + i);
        _mm256_store_si256(
            sum,
            _mm256_add_epi16(_mm256_load_si256(sum),
                             _mm256_load_si256(reinterpret_cast<const __m256i*>(row + i))));
    }
#else
    for (std::size_t i = 0; i < width; ++i)
        to[i] = static_cast<std::int16_t>(to[i] + row[i]);
#endif
}

/// Calls `use` with every piece number of `position`: 38, and the kings' where the net has rows.
template <class Use>
void each_number(FeatureSet features, const Position& position, Color perspective, Use&& use) {
    int pieces = 0;
    for (const Square s : position.occupied()) {
        const Piece piece = position.piece_on(s);
        if (type_of(piece) == PieceType::king) {
            if (features == FeatureSet::king_piece) {
                use(king_number(perspective, color_of(piece), s));
            }
            continue;
        }
        use(board_number(perspective, piece, s));
        ++pieces;
    }
    for (const Color owner : {Color::black, Color::white}) {
        for (int t = 1; t <= kHandKinds; ++t) {
            const auto type = static_cast<PieceType>(t);
            const int count = position.hand(owner).count(type);
            for (int nth = 0; nth < count; ++nth)
                use(hand_number(perspective, owner, type, nth));
            pieces += count;
        }
    }
    for (; pieces < kPieces38; ++pieces)
        use(kMissingPiece);
}

}  // namespace

void Accumulators::reset(std::shared_ptr<const Net> net, const Position& position) {
    constexpr std::size_t kPlies = 160;
    net_ = std::move(net);
    const auto width = static_cast<std::size_t>(net_->shape().width);
    if (width != width_ || steps_.empty()) {
        width_ = width;
        steps_.assign(kPlies, Step{});
        sums_ = Weights<std::int16_t>(2 * kPlies * width_);
    }
    top_ = 0;
    steps_[0] = Step{};
    refresh(position, Color::black);
    refresh(position, Color::white);
}

void Accumulators::grow(std::size_t plies) {
    Weights<std::int16_t> larger(2 * plies * width_);
    std::copy_n(sums_.data(), 2 * steps_.size() * width_, larger.data());
    sums_ = std::move(larger);
    steps_.resize(plies);
}

void Accumulators::do_move(const Position& before, Move move) {
    if (++top_ == steps_.size()) grow(2 * top_);
    Step& step = steps_[top_];
    const Color mover = before.side_to_move();
    const Square to = move.to();
    const bool king_moves = type_of(move.piece_after()) == PieceType::king;
    const bool half_kp = net_->shape().features == FeatureSet::half_kp;
    const Piece captured = move.is_drop() ? kNoPiece : before.piece_on(to);
    const PieceType gained = unpromote(type_of(captured));
    for (const Color side : {Color::black, Color::white}) {
        const auto p = static_cast<std::size_t>(index(side));
        Change& change = step.change[p];
        std::uint8_t count = 0;
        step.ready[p] = false;
        step.anew[p] = half_kp && king_moves && side == mover;
        if (move.is_drop()) {
            const PieceType type = move.dropped();
            change.leaves[0] = hand_number(side, mover, type, before.hand(mover).count(type) - 1);
            change.joins[0] = board_number(side, move.piece_after(), to);
            count = 1;
        } else if (!king_moves) {
            change.leaves[0] = board_number(side, move.piece_before(), move.from());
            change.joins[0] = board_number(side, move.piece_after(), to);
            count = 1;
        } else if (!half_kp) {
            change.leaves[0] = king_number(side, mover, move.from());
            change.joins[0] = king_number(side, mover, to);
            count = 1;
        }
        if (captured != kNoPiece) {
            change.leaves[count] = board_number(side, captured, to);
            change.joins[count] =
                hand_number(side, mover, gained, before.hand(mover).count(gained));
            ++count;
        }
        step.count[p] = count;
    }
}

std::size_t Accumulators::first_row(const Position& position, Color perspective) const noexcept {
    if (net_->shape().features == FeatureSet::king_piece) return 0;
    return static_cast<std::size_t>(seen_by(perspective, position.king(perspective))) *
           kPieceNumbers;
}

void Accumulators::refresh(const Position& position, Color side) noexcept {
    const auto p = static_cast<std::size_t>(index(side));
    std::int16_t* const sums = sums_at(top_, p);
    std::copy_n(net_->bias(), width_, sums);
    steps_[top_].ready[p] = true;
    const FeatureSet features = net_->shape().features;
    if (features == FeatureSet::half_kp && position.king(side) == kNoSquare) return;
    const std::size_t first = first_row(position, side);
    each_number(features, position, side, [&](PieceNumber number) {
        add_row(sums, net_->row(first + number), width_);
    });
}

void Accumulators::apply(std::size_t ply, std::size_t side, std::size_t first) noexcept {
    Step& step = steps_[ply];
    const Change& change = step.change[side];
    const std::int16_t* const from = sums_at(ply - 1, side);
    std::int16_t* const to = sums_at(ply, side);
    const std::array<const std::int16_t*, 2> leaves{net_->row(first + change.leaves[0]),
                                                    net_->row(first + change.leaves[1])};
    const std::array<const std::int16_t*, 2> joins{net_->row(first + change.joins[0]),
                                                   net_->row(first + change.joins[1])};
    switch (step.count[side]) {
        case 0:
            exchange<0>(from, to, width_, leaves, joins);
            break;
        case 1:
            exchange<1>(from, to, width_, leaves, joins);
            break;
        default:
            exchange<2>(from, to, width_, leaves, joins);
            break;
    }
    step.ready[side] = true;
}

const std::int16_t* Accumulators::sums(const Position& position, Color side) noexcept {
    const auto p = static_cast<std::size_t>(index(side));
    std::size_t ply = top_;
    bool anew = false;
    while (!steps_[ply].ready[p] && !anew) {
        anew = steps_[ply].anew[p];
        --ply;
    }
    if (anew) {
        refresh(position, side);
        return sums_at(top_, p);
    }
    const bool no_king =
        net_->shape().features == FeatureSet::half_kp && position.king(side) == kNoSquare;
    if (ply < top_ && no_king) {
        refresh(position, side);
    } else if (ply < top_) {
        const std::size_t first = first_row(position, side);
        while (ply < top_)
            apply(++ply, p, first);
    }
    return sums_at(top_, p);
}

std::int32_t Accumulators::evaluate(const Position& position) noexcept {
    const Color mover = position.side_to_move();
    const std::int16_t* const own = sums(position, mover);
    const std::int16_t* const other = sums(position, ~mover);
    return forward(*net_, own, other);
}

}  // namespace yomi::shogi::eval::nnue
