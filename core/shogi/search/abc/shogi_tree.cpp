#include "core/shogi/search/abc/shogi_tree.hpp"

#include <algorithm>

#include "core/base/hash.hpp"
#include "core/shogi/mate/mate1.hpp"
#include "core/shogi/movegen.hpp"
#include "core/shogi/search/see.hpp"
#include "core/shogi/search/value.hpp"

namespace yomi::shogi::abc {

namespace {

/// What a quiet move rarely changes in the evaluation; a move that lacks more than this to the
/// threshold is not estimated.
constexpr Value kHopeless = 350;
/// A capture that cannot come this near to alpha is not played out.
constexpr Value kDeltaMargin = 200;
/// Checks within an estimate are answered so deep; below, the evaluation speaks.
constexpr int kAnsweredChecks = 0;
constexpr int kLongestExchange = 12;
/// From this ply of an exchange on only the square of the last capture is fought for.
constexpr int kFreeCaptures = 2;
constexpr int kHistoryMost = 1 << 12;
constexpr int kHistoryPerCentipawn = 64;
/// A word that keeps the answers for the two choices of MAX apart.
constexpr std::uint64_t kWhiteIsMax = 0x5DEE'CE66'D1CE'4E5BULL;

}  // namespace

void ShogiTree::begin(const Position& root,
                      std::span<const Move> only,
                      const RuleSet& rules,
                      eval::Kind evaluation,
                      const eval::NetChoice& net,
                      Table* table,
                      const search::Limits& limits) {
    position_ = root;
    evaluator_.reset(position_, evaluation, net);
    only_.assign(only.begin(), only.end());
    rules_ = rules;
    rules_key_ = mix64((static_cast<std::uint64_t>(rules.max_plies) << 8) |
                       static_cast<std::uint64_t>(rules.declaration));
    max_side_ = root.side_to_move();
    table_ = table;
    limits_ = limits;
    stop_reason_ = engine::StopReason::none;
    nodes_ = 0;
    for (auto& row : history_)
        row.fill(0);
}

std::uint64_t ShogiTree::key() const noexcept {
    std::uint64_t key = position_.key() ^ rules_key_;
    if (max_side_ == Color::white) key ^= kWhiteIsMax;
    // Near the last ply allowed a position is worth what the plies left make of it.
    if (rules_.max_plies > 0 && position_.ply() + search::kMaxPly > rules_.max_plies)
        key ^= mix64(static_cast<std::uint64_t>(position_.ply()));
    return key;
}

std::optional<Ending> ShogiTree::ending(int ply) {
    if (ply > 0) {
        switch (position_.search_repetition(ply)) {
            case Repetition::draw:
                return Ending{.value = search::kDraw, .by_path = true};
            case Repetition::win:
                return Ending{.value = from_mover(search::kRuleWin - ply), .by_path = true};
            case Repetition::loss:
                return Ending{.value = from_mover(ply - search::kRuleWin), .by_path = true};
            case Repetition::none:
                break;
        }
        const bool mated = position_.in_check() && mate::is_mated(position_);
        if (mated) return Ending{.value = from_mover(search::mated_in(ply))};
        if (rules_.max_plies > 0 && position_.ply() > rules_.max_plies)
            return Ending{.value = search::kDraw};
        if (may_declare(position_, rules_.declaration))
            return Ending{.value = from_mover(search::mate_in(ply + 1))};
    }
    const Move mate = mate::mate_in_one(position_);
    if (mate && (ply > 0 || allowed_at_root(mate)))
        return Ending{.value = from_mover(search::mate_in(ply + 1)), .move = mate};
    return std::nullopt;
}

/// Without a legal move the side to move has lost, in check or not.
std::optional<Value> ShogiTree::no_moves(int ply) const noexcept {
    return from_mover(search::mated_in(ply));
}

/// The side to move may mate with its next move, the other one with the move after that.
Reach ShogiTree::reach(int ply) const noexcept {
    const Value own = search::mate_in(ply + 1);
    const Value other = search::mate_in(ply + 2);
    return max_to_move() ? Reach{.lowest = -other, .highest = own}
                         : Reach{.lowest = -own, .highest = other};
}

Value ShogiTree::estimate() {
    const std::uint64_t word = key();
    if (table_ != nullptr) {
        const TableHit hit = table_->probe(word);
        if (hit.has_estimate) return hit.estimate;
    }
    const Value value = std::clamp(quiescence(-search::kInfinite, search::kInfinite, 0),
                                   -search::kEvalLimit,
                                   search::kEvalLimit);
    const Value estimate = from_mover(value);
    if (table_ != nullptr && stop_reason_ == engine::StopReason::none)
        table_->store_estimate(word, estimate);
    return estimate;
}

void ShogiTree::list_moves(std::vector<Candidate>& list, int ply) {
    MoveList moves;
    legal_moves(position_, moves);
    const Value standing = evaluate();
    ordered_.clear();
    for (const Move move : moves) {
        if (ply == 0 && !allowed_at_root(move)) continue;
        const Value rough = standing + rough_gain(move);
        ordered_.push_back(
            {.move = move, .rough = rough, .key = rough + history(move) / kHistoryPerCentipawn});
    }
    std::stable_sort(ordered_.begin(), ordered_.end(), [](const Ordered& a, const Ordered& b) {
        return a.key > b.key;
    });
    for (const Ordered& o : ordered_)
        list.push_back({.move = o.move, .estimate = from_mover(o.rough)});
}

void ShogiTree::refine(Candidate& candidate, Value g) {
    const bool max_moves = max_to_move();
    const Value short_of = max_moves ? g - candidate.estimate : candidate.estimate - g;
    if (short_of > kHopeless && !position_.in_check() && !position_.gives_check(candidate.move))
        return;
    if (should_stop()) return;
    do_move(candidate.move);
    const Value value = estimate();
    undo_move();
    if (stop_reason_ != engine::StopReason::none) return;
    candidate.estimate = value;
    candidate.exact = true;
}

void ShogiTree::do_move(Move move) {
    evaluator_.do_move(position_, move);
    position_.do_move(move);
    ++nodes_;
}

void ShogiTree::undo_move() {
    position_.undo_move();
    evaluator_.undo_move();
}

void ShogiTree::succeeded(Move move) noexcept {
    int& count = history(move);
    count += (kHistoryMost - count) / 32;
}

int& ShogiTree::history(Move move) noexcept {
    return history_[move.piece_after()][static_cast<std::size_t>(move.to())];
}

bool ShogiTree::should_stop() {
    if (stop_reason_ == engine::StopReason::none && limits_.due(nodes_))
        stop_reason_ = limits_.look(nodes_);
    return stop_reason_ != engine::StopReason::none;
}

bool ShogiTree::allowed_at_root(Move move) const noexcept {
    return only_.empty() || std::find(only_.begin(), only_.end(), move) != only_.end();
}

/// What the move seems to win at once: its captures and its promotion, or less its own piece where
/// that is lost.
Value ShogiTree::rough_gain(Move move) const noexcept {
    const Value gain = search::material_gain(position_, move);
    if (search::see_ge(position_, move, 0)) return gain;
    return gain - search::exchange_worth(move.piece_after());
}

Value ShogiTree::evaluate() {
    return std::clamp(evaluator_.evaluate(position_), -search::kEvalLimit, search::kEvalLimit);
}

/// The evaluation once the captures that pay are played out, from the mover's view.
Value ShogiTree::quiescence(Value alpha, Value beta, int ply) {
    if (should_stop()) return 0;
    if (position_.in_check() && ply <= kAnsweredChecks)
        return quiescence_in_check(alpha, beta, ply);
    const Value standing = evaluate();
    if (standing >= beta || ply >= kLongestExchange || position_.in_check()) return standing;
    alpha = std::max(alpha, standing);

    MoveList moves;
    capture_moves(position_, moves);
    const auto dearer = [this](Move a, Move b) {
        const Value gain_a = search::material_gain(position_, a);
        const Value gain_b = search::material_gain(position_, b);
        // The cheaper taker first; the bits settle what is left.
        if (gain_a != gain_b) return gain_a > gain_b;
        const int own_a = search::exchange_worth(a.piece_before());
        const int own_b = search::exchange_worth(b.piece_before());
        return own_a != own_b ? own_a < own_b : a.bits() < b.bits();
    };
    std::sort(moves.begin(), moves.end(), dearer);
    Value best = standing;
    for (const Move move : moves) {
        const Value reach = standing + kDeltaMargin + search::material_gain(position_, move);
        if (reach <= alpha) break;  // sorted: the rest reaches no further
        if (ply >= kFreeCaptures && move.to() != position_.last_move().to()) continue;
        if (!search::see_ge(position_, move, 0)) continue;
        do_move(move);
        const Value value = -quiescence(-beta, -alpha, ply + 1);
        undo_move();
        if (stop_reason_ != engine::StopReason::none) return 0;
        best = std::max(best, value);
        if (best >= beta) break;
        alpha = std::max(alpha, best);
    }
    return best;
}

Value ShogiTree::quiescence_in_check(Value alpha, Value beta, int ply) {
    MoveList moves;
    legal_moves(position_, moves);
    Value best = -search::kEvalLimit;
    for (const Move move : moves) {
        do_move(move);
        const Value value = -quiescence(-beta, -std::max(alpha, best), ply + 1);
        undo_move();
        if (stop_reason_ != engine::StopReason::none) return 0;
        best = std::max(best, value);
        if (best >= beta) break;
    }
    return best;
}

}  // namespace yomi::shogi::abc
