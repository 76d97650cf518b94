// Reasons to leave a node, or one of its moves, unsearched.
#include <algorithm>

#include "core/shogi/search/searcher.hpp"
#include "core/shogi/search/see.hpp"

namespace yomi::shogi::search {

namespace {

constexpr int kRazorDepth = 4;
constexpr int kRazorBase = 300;
constexpr int kRazorMargin = 180;  // a ply squared
constexpr int kReverseFutilityDepth = 9;
constexpr int kReverseFutilityMargin = 80;  // a ply
constexpr int kNullMoveDepth = 3;
constexpr int kNullMoveBase = 380;
constexpr int kNullMoveMargin = 16;  // a ply
constexpr int kVerifyDepth = 14;
constexpr int kProbCutDepth = 5;
constexpr int kProbCutMargin = 190;
constexpr int kFutilityDepth = 12;
constexpr int kFutilityBase = 140;
constexpr int kFutilityMargin = 105;        // a ply
constexpr int kHistoryPruneMargin = 4'500;  // a ply
constexpr int kHistoryPly = 3'200;          // of history is worth a ply
constexpr int kQuietSeeMargin = 25;         // a ply squared
constexpr int kCaptureSeeMargin = 150;      // a ply
constexpr int kCaptureFutilityDepth = 6;
constexpr int kCaptureFutilityBase = 250;
constexpr int kCaptureFutilityMargin = 200;  // a ply

constexpr int late_move_limit(int depth, bool improving) noexcept {
    return (3 + depth * depth) / (improving ? 1 : 2);
}

}  // namespace

std::optional<Value> Searcher::prune_node(Node& node) {
    if (is_decisive(node.beta) || is_decisive(node.alpha)) return std::nullopt;
    // A pass would let the opponent declare, and so would most quiet moves: nothing is ahead then.
    if (may_declare(position_, ~position_.side_to_move(), rules_.declaration)) return std::nullopt;
    // 6. Razoring: so far behind that only captures could help; ask them.
    if (node.depth <= kRazorDepth &&
        node.eval + kRazorBase + kRazorMargin * node.depth * node.depth <= node.alpha) {
        const Value value = quiescence<false>(node.alpha, node.alpha + 1, node.ply);
        if (stopped() || (value <= node.alpha && !is_decisive(value))) return value;
    }
    // 7. Reverse futility: so far ahead that a few quiet plies will not change it.
    const int margin = kReverseFutilityMargin * (node.depth - (node.improving ? 1 : 0));
    if (!node.on_pv && node.depth <= kReverseFutilityDepth && node.eval - margin >= node.beta) {
        return (2 * node.eval + node.beta) / 3;
    }
    // The singular search asks what is left without one move: a pass is no answer to that.
    if (frame(node.ply).excluded) return std::nullopt;
    // 8. Null move.
    if (const auto value = try_null_move(node)) return value;
    if (stopped()) return std::nullopt;
    // 9. ProbCut.
    return try_captures(node);
}

std::optional<Value> Searcher::try_null_move(const Node& node) {
    if (!node.cut_node || node.depth < kNullMoveDepth || node.ply < null_move_from_ ||
        node.eval < node.beta ||
        node.static_eval < node.beta + kNullMoveBase - kNullMoveMargin * node.depth ||
        !frame(node.ply - 1).move) {
        return std::nullopt;
    }
    const int less = 7 + node.depth / 3;
    Frame& f = frame(node.ply);
    f.move = kNoMove;
    f.tactical = false;
    f.answers = &histories_.answers_to(kNoMove);
    position_.do_null_move();
    const Value value =
        -search<false>(-node.beta, -node.beta + 1, node.depth - less, node.ply + 1, !node.cut_node);
    position_.undo_null_move();
    if (stopped() || value < node.beta) return std::nullopt;
    // A pass proves no mate.
    const Value claim = is_decisive(value) ? node.beta : value;
    if (null_move_from_ > 0 || node.depth < kVerifyDepth) return claim;
    // Deep down a pass may hide zugzwang: verify with real moves for the side that passed.
    null_move_from_ = node.ply + 3 * (node.depth - less) / 4;
    const Value verified =
        search<false>(node.beta - 1, node.beta, node.depth - less, node.ply, false);
    null_move_from_ = 0;
    if (stopped() || verified < node.beta) return std::nullopt;
    return claim;
}

std::optional<Value> Searcher::try_captures(const Node& node) {
    const Value target = node.beta + kProbCutMargin - (node.improving ? 50 : 0);
    const TableHit& hit = node.hit;
    const bool hopeless = hit.value != kNoValue && hit.value < target &&
                          hit.depth >= node.depth - 3 && hit.bound != TableBound::lower;
    if (node.depth < kProbCutDepth || is_decisive(target) || hopeless) return std::nullopt;
    MovePicker picker(position_, histories_, hints(node), MovePicker::Kind::quiescence);
    while (const Move move = picker.next()) {
        if (!see_ge(position_, move, target - node.static_eval)) continue;
        Frame& f = frame(node.ply);
        f.tactical = true;
        do_move(move, node.ply);
        const int child = node.ply + 1;
        Value value = -quiescence<false>(-target, -target + 1, child);
        if (value >= target && !stopped()) {
            value = -search<false>(
                -target, -target + 1, node.depth - kProbCutDepth + 1, child, !node.cut_node);
        }
        undo_move();
        if (stopped()) return std::nullopt;
        if (value < target || is_decisive(value)) continue;
        table_->store(table_key(),
                      node.ply,
                      value,
                      TableBound::lower,
                      node.depth - kProbCutDepth + 2,
                      node.raw_eval,
                      move,
                      node.on_pv);
        return value - (target - node.beta);
    }
    return std::nullopt;
}

bool Searcher::prune_move(const Node& node, const Try& move, MovePicker& picker, Value& reach) {
    const int depth = node.depth;
    const auto loses = [&](int margin) {
        return !picker.is_safe() && !see_ge(position_, move.move, -margin);
    };
    if (move.gives_check) {
        // A check stays unless it just loses material and no mate is being asked for: mates are
        // made of checks.
        return !node.in_check && !is_mate(node.beta) && loses(kCaptureSeeMargin * depth);
    }
    if (node.in_check) return prune_evasion(node, move);
    if (move.tactical) {
        const int left = std::max(plies_left(node, move), 0);
        if (left <= kCaptureFutilityDepth && node.static_eval + kCaptureFutilityBase +
                                                     kCaptureFutilityMargin * left +
                                                     material_gain(position_, move.move) <=
                                                 node.alpha) {
            return true;
        }
        return loses(kCaptureSeeMargin * depth);
    }
    if (move.count >= late_move_limit(depth, node.improving)) picker.skip_quiets();
    const int left = std::max(plies_left(node, move) + move.history / kHistoryPly, 0);
    const Value hope = node.static_eval + kFutilityBase + kFutilityMargin * left;
    if (left <= kFutilityDepth && hope <= node.alpha) {
        picker.skip_quiets();
        if (!is_decisive(hope)) reach = std::max(reach, hope);
        return true;
    }
    return move.history < -kHistoryPruneMargin * depth || loses(kQuietSeeMargin * left * left);
}

bool Searcher::prune_evasion(const Node& node, const Try& move) {
    // Captures stay; of the quiet escapes the first few say enough.
    if (move.tactical) return false;
    const int left = std::max(plies_left(node, move), 0);
    return move.count >= late_move_limit(node.depth, false) ||
           move.history < -kHistoryPruneMargin * node.depth ||
           !see_ge(position_, move.move, -kQuietSeeMargin * left * left);
}

}  // namespace yomi::shogi::search
