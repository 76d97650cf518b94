// What a finished node teaches the ones to come.
#include <algorithm>

#include "core/base/hash.hpp"
#include "core/shogi/search/searcher.hpp"

namespace yomi::shogi::search {

namespace {

using Correction = Histories::Correction;

/// A correction entry of this many is a centipawn.
constexpr int kCorrectionUnit = 512;

constexpr int kTableMoveBonus = 400;

constexpr int history_bonus(int depth) noexcept {
    return std::min(120 * depth - 80, 1'600);
}

/// What the moves tried in vain lose: at low depth far more than the good one wins, so that a move
/// that keeps failing is soon left out.
constexpr int history_malus(int depth, int tried) noexcept {
    return std::max(std::min(800 * depth - 200, 2'200) - 16 * tried, 0);
}

constexpr std::uint64_t reversed(std::uint64_t x) noexcept {
    x = __builtin_bswap64(x);
    x = (x >> 4 & 0x0F0F'0F0F'0F0F'0F0FULL) | (x & 0x0F0F'0F0F'0F0F'0F0FULL) << 4;
    x = (x >> 2 & 0x3333'3333'3333'3333ULL) | (x & 0x3333'3333'3333'3333ULL) << 2;
    return (x >> 1 & 0x5555'5555'5555'5555ULL) | (x & 0x5555'5555'5555'5555ULL) << 1;
}

/// The set's words with the board turned round for White: square s becomes 80 - s.
constexpr Bitboard seen_by(Color side, const Bitboard& set) noexcept {
    if (side == Color::black) return set;
    // As one number of 81 bits: 63 in the low word, 18 in the high one.
    constexpr std::uint64_t kLow = (1ULL << 63) - 1;
    const std::uint64_t low = reversed(set.lo() << 1);    // bits 0..62 turned within 63
    const std::uint64_t high = reversed(set.hi() << 46);  // bits 0..17 turned within 18
    return {(high | low << 18) & kLow, low >> 45};
}

// Features are what the side to move sees, so that the colours do not matter.
std::uint64_t pawn_feature(const Position& position) noexcept {
    const Color side = position.side_to_move();
    const Bitboard own = seen_by(side, position.pieces(side, PieceType::pawn));
    const Bitboard other = seen_by(side, position.pieces(~side, PieceType::pawn));
    return mix64(mix64(own.lo() ^ own.hi() << 46) + (other.lo() ^ other.hi() << 46));
}

std::uint64_t hand_feature(const Position& position) noexcept {
    const Color side = position.side_to_move();
    return mix64(static_cast<std::uint64_t>(position.hand(side).bits()) << 32 |
                 position.hand(~side).bits());
}

std::uint64_t line_feature(Move last, Move before, Color side) noexcept {
    constexpr std::uint32_t kNoSide = ~(1U << 20);  // of the piece
    const auto bits = [side](Move move) -> std::uint64_t {
        return move ? seen_by_mover(move, side) & kNoSide : 0U;
    };
    return mix64(bits(last) << 32 | bits(before));
}

}  // namespace

void Searcher::Tried::add(Move move, bool tactical) noexcept {
    if (tactical) {
        if (capture_count < captures.size()) captures[capture_count++] = move;
    } else if (quiet_count < quiets.size()) {
        quiets[quiet_count++] = move;
    }
}

int Searcher::quiet_history(int ply, Move move) {
    const std::size_t slot = piece_to(move);
    return 2 * histories_.butterfly(position_.side_to_move(), move) +
           (*frame(ply - 1).answers)[slot] + (*frame(ply - 2).answers)[slot] +
           (*frame(ply - 4).answers)[slot];
}

void Searcher::learn_quiet(int ply, Move move, int bonus) {
    learn(histories_.butterfly(position_.side_to_move(), move), bonus);
    const std::size_t slot = piece_to(move);
    for (const int back : {1, 2, 4, 6}) {
        Frame& f = frame(ply - back);
        if (f.move) learn((*f.answers)[slot], back == 6 ? bonus / 2 : bonus);
    }
}

void Searcher::reward(const Node& node, Move best, const Tried& tried) {
    const int bonus = history_bonus(node.depth) + (best == node.table_move ? kTableMoveBonus : 0);
    const int malus =
        history_malus(node.depth, static_cast<int>(tried.quiet_count + tried.capture_count));
    const auto captured_kind = [this](Move move) { return type_of(position_.piece_on(move.to())); };
    if (is_tactical(position_, best)) {
        learn(histories_.capture(best, captured_kind(best)), bonus);
    } else {
        learn_quiet(node.ply, best, bonus);
        for (std::size_t i = 0; i < tried.quiet_count; ++i) {
            learn_quiet(node.ply, tried.quiets[i], -malus);
        }
        Frame& f = frame(node.ply);
        if (f.killers[0] != best) {
            f.killers[1] = f.killers[0];
            f.killers[0] = best;
        }
        const Move previous = frame(node.ply - 1).move;
        if (previous) histories_.counter(previous) = best;
    }
    for (std::size_t i = 0; i < tried.capture_count; ++i) {
        learn(histories_.capture(tried.captures[i], captured_kind(tried.captures[i])), -malus);
    }
}

/// A node that the table cuts off is one more success of its move.
void Searcher::learn_from_table_cut(const Node& node) {
    if (!node.table_move || node.hit.value < node.beta || is_decisive(node.hit.value)) return;
    if (!is_tactical(position_, node.table_move)) {
        learn_quiet(node.ply, node.table_move, history_bonus(node.depth) / 2);
    }
}

/// No move raised alpha: the quiet move that led here was a good one.
void Searcher::learn_from_fail_low(const Node& node) {
    if (node.ply < 1) return;
    const Frame& previous = frame(node.ply - 1);
    if (!previous.move || previous.tactical) return;
    const int bonus = history_bonus(node.depth) / 2;
    learn(histories_.butterfly(~position_.side_to_move(), previous.move), bonus);
    Frame& before = frame(node.ply - 2);
    if (before.move) learn((*before.answers)[piece_to(previous.move)], bonus);
}

Value Searcher::correction(int ply) {
    const Color side = position_.side_to_move();
    const int sum =
        histories_.correction(side, Correction::pawns, pawn_feature(position_)) +
        histories_.correction(side, Correction::hands, hand_feature(position_)) +
        histories_.correction(
            side, Correction::line, line_feature(frame(ply - 1).move, frame(ply - 2).move, side));
    return sum / kCorrectionUnit;
}

void Searcher::learn_correction(const Node& node, Value best) {
    if (is_decisive(best)) return;
    const Color side = position_.side_to_move();
    const int bonus = std::clamp(
        4 * (best - node.static_eval) * node.depth, -kHistoryLimit / 4, kHistoryLimit / 4);
    learn(histories_.correction(side, Correction::pawns, pawn_feature(position_)), bonus);
    learn(histories_.correction(side, Correction::hands, hand_feature(position_)), bonus);
    learn(histories_.correction(
              side,
              Correction::line,
              line_feature(frame(node.ply - 1).move, frame(node.ply - 2).move, side)),
          bonus);
}

}  // namespace yomi::shogi::search
