// The steps of one interior node.
#include <algorithm>

#include "core/shogi/movegen.hpp"
#include "core/shogi/search/searcher.hpp"
#include "core/shogi/search/see.hpp"

namespace yomi::shogi::search {

namespace {

constexpr int kReverseFutilityDepth = 8;
constexpr int kReverseFutilityMargin = 85;  // a ply
constexpr int kLateMoveDepth = 8;
constexpr int kFutilityDepth = 7;
constexpr int kFutilityBase = 160;
constexpr int kFutilityMargin = 110;  // a ply
constexpr int kHistoryPruneDepth = 4;
constexpr int kHistoryPruneMargin = 5'000;  // a ply
constexpr int kQuietSeeMargin = 25;         // a ply squared
constexpr int kCaptureSeeMargin = 160;      // a ply
constexpr int kNullMoveDepth = 3;
constexpr int kVerifyDepth = 12;
constexpr int kSingularDepth = 7;
constexpr int kLateCheckCount = 16;

constexpr int late_move_limit(int depth, bool improving) noexcept {
    // Drops make shogi nodes two to three times as wide as those the usual limits were made for.
    return (8 + 2 * depth * depth) / (improving ? 1 : 2);
}

constexpr int history_bonus(int depth) noexcept {
    return std::min(170 * depth, 1'900);
}

}  // namespace

void Searcher::Tried::add(Move move, bool tactical) noexcept {
    if (tactical) {
        if (capture_count < captures.size()) captures[capture_count++] = move;
    } else if (quiet_count < quiets.size()) {
        quiets[quiet_count++] = move;
    }
}

template <bool Pv>
Value Searcher::search(Value alpha, Value beta, int depth, int ply, bool cut_node) {
    if (depth <= 0) return quiescence<Pv>(alpha, beta, ply);

    // 1. Limits, rules, the end of the stack.
    if (!enter(ply)) return 0;
    if (const auto value = ends_here(ply)) return *value;

    // 2. Mate distance: no line through here can beat a shorter mate that is already known.
    alpha = std::max(alpha, mated_in(ply));
    beta = std::min(beta, mate_in(ply + 1));
    if (alpha >= beta) return alpha;

    // 3. Transposition table. Principal variation nodes are searched on, so that lines stay whole.
    Node node{.alpha = alpha,
              .beta = beta,
              .depth = std::min(depth, kMaxPly - 1),
              .ply = ply,
              .cut_node = cut_node};
    node.in_check = position_.in_check();
    const bool singular_search = static_cast<bool>(frame(ply).excluded);
    if (!singular_search) {
        look_up(node);
        if (!Pv && table_cuts(node)) return node.hit.value;
    } else {
        node.static_eval = node.eval = frame(ply).static_eval;
    }

    // 4. Static evaluation.
    if (!singular_search) judge_statically(node);
    node.improving = !node.in_check && ply >= 2 && frame(ply - 2).static_eval != kNoValue &&
                     node.static_eval > frame(ply - 2).static_eval;
    frame(ply + 1).killers = {};

    // 5.-6. Prune the node: reverse futility, null move.
    if (!Pv && !node.in_check && !singular_search) {
        if (const auto value = prune_node(node)) return *value;
        if (stopped()) return 0;
    }

    // 7. Without a table move the order is a guess: look less deep, the next visit will know more.
    if (!singular_search && !node.table_move && node.depth >= 4 && (Pv || cut_node)) --node.depth;

    // 8.-14. The moves.
    return search_moves<Pv>(node);
}

std::optional<Value> Searcher::ends_here(int ply) {
    switch (position_.search_repetition(ply)) {
        case Repetition::draw:
            return kDraw;
        case Repetition::win:
            return kRuleWin - ply;
        case Repetition::loss:
            return ply - kRuleWin;
        case Repetition::none:
            break;
    }
    if (rules_.max_plies > 0 && position_.ply() > rules_.max_plies) {
        // The last ply allowed may mate.
        return count_legal_moves(position_) == 0 ? mated_in(ply) : kDraw;
    }
    if (may_declare(position_, rules_.declaration)) return mate_in(ply + 1);
    if (ply >= kMaxPly - 1) return evaluate();
    return std::nullopt;
}

void Searcher::look_up(Node& node) {
    node.hit = table_->probe(table_key(), node.ply);
    if (node.hit.found) node.table_move = complete_move(position_, node.hit.move_bits);
}

bool Searcher::table_cuts(const Node& node) noexcept {
    const TableHit& hit = node.hit;
    if (!hit.found || hit.value == kNoValue || hit.depth < node.depth) return false;
    switch (hit.bound) {
        case TableBound::exact:
            return true;
        case TableBound::lower:
            return hit.value >= node.beta;
        case TableBound::upper:
            return hit.value <= node.alpha;
        case TableBound::none:
            return false;
    }
    return false;
}

void Searcher::judge_statically(Node& node) {
    if (!node.in_check) {
        node.static_eval = node.hit.static_eval != kNoValue ? node.hit.static_eval : evaluate();
        node.eval = node.static_eval;
        const Value known = node.hit.value;
        if (known != kNoValue && !is_mate(known)) {
            const bool better = known > node.eval && node.hit.bound != TableBound::upper;
            const bool worse = known < node.eval && node.hit.bound != TableBound::lower;
            if (better || worse) node.eval = known;
        }
    }
    frame(node.ply).static_eval = node.static_eval;
}

std::optional<Value> Searcher::prune_node(const Node& node) {
    if (is_mate(node.beta)) return std::nullopt;
    // A pass would let the opponent declare, and so would most quiet moves: nothing is ahead then.
    if (may_declare(position_, ~position_.side_to_move(), rules_.declaration)) return std::nullopt;
    // 5. Reverse futility: so far ahead that a few quiet plies will not change it.
    const int margin = kReverseFutilityMargin * (node.depth - (node.improving ? 1 : 0));
    if (node.depth <= kReverseFutilityDepth && node.eval - margin >= node.beta) return node.eval;
    // 6. Null move.
    return try_null_move(node);
}

std::optional<Value> Searcher::try_null_move(const Node& node) {
    if (node.depth < kNullMoveDepth || node.ply < null_move_from_ || node.eval < node.beta ||
        !frame(node.ply - 1).move) {
        return std::nullopt;
    }
    const int less = 3 + node.depth / 4 + std::min((node.eval - node.beta) / 200, 3);
    Frame& f = frame(node.ply);
    f.move = kNoMove;
    f.answers = &histories_.answers_to(kNoMove);
    position_.do_null_move();
    const Value value =
        -search<false>(-node.beta, -node.beta + 1, node.depth - less, node.ply + 1, !node.cut_node);
    position_.undo_null_move();
    if (stopped() || value < node.beta) return std::nullopt;
    // A pass proves no mate.
    const Value claim = is_mate(value) ? node.beta : value;
    if (null_move_from_ > 0 || node.depth < kVerifyDepth) return claim;
    // Deep down a pass may hide zugzwang: verify with real moves for the side that passed.
    null_move_from_ = node.ply + 3 * (node.depth - less) / 4;
    const Value verified =
        search<false>(node.beta - 1, node.beta, node.depth - less, node.ply, false);
    null_move_from_ = 0;
    if (stopped() || verified < node.beta) return std::nullopt;
    return claim;
}

template <bool Pv>
Value Searcher::search_moves(Node& node) {
    const int ply = node.ply;
    const Move excluded = frame(ply).excluded;
    const Value old_alpha = node.alpha;
    Value best = -kInfinite;
    Move best_move;
    Tried tried;
    int move_count = 0;
    const CheckInfo check_info = position_.check_info();
    MovePicker picker(position_, histories_, hints(node), MovePicker::Kind::main);

    while (const Move move = picker.next()) {
        if (move == excluded) continue;
        ++move_count;
        const bool tactical = is_tactical(position_, move);
        const bool gives_check = position_.gives_check(move, check_info);

        // 8. Prune the move, once some move is known not to lose at once.
        if (best > -kMateBound &&
            prune_move(node, move, tactical, gives_check, move_count, picker)) {
            continue;
        }

        // 9. Extensions.
        std::optional<Value> cut;
        const int more = extension(node, move, Pv, gives_check, cut);
        if (stopped()) return 0;
        if (cut) return *cut;

        // 10.-12. Reduced, null window, full window.
        const int less = reduction(node, move, tactical, Pv, gives_check, move_count);
        frame(ply).history = tactical ? 0 : quiet_history(ply, move);
        const Value value =
            search_child<Pv>(node, move, node.depth - 1 + more, less, move_count == 1);
        if (stopped()) return 0;

        if (value > best) {
            best = value;
            if (value > node.alpha) {
                best_move = move;
                if (Pv) set_pv(ply, move);
                if (value >= node.beta) break;
                node.alpha = value;
            }
        }
        if (move != best_move) tried.add(move, tactical);
    }

    // 13. No legal move loses, in check or not.
    if (move_count == 0) return excluded ? node.alpha : mated_in(ply);

    // 14. Learn from a cut-off and remember the result.
    if (best >= node.beta) reward(node, best_move, tried);
    if (!excluded) {
        const TableBound bound = best >= node.beta        ? TableBound::lower
                                 : Pv && best > old_alpha ? TableBound::exact
                                                          : TableBound::upper;
        table_->store(table_key(), ply, best, bound, node.depth, node.static_eval, best_move);
    }
    return best;
}

template <bool Pv>
Value Searcher::search_child(const Node& node, Move move, int new_depth, int less, bool first) {
    const int next = node.ply + 1;
    do_move(move, node.ply);
    Value value = -kInfinite;
    bool null_window = !Pv || !first;
    if (null_window && less > 0) {
        const int reduced = std::max(new_depth - less, 1);
        value = -search<false>(-node.alpha - 1, -node.alpha, reduced, next, true);
        null_window = value > node.alpha && reduced < new_depth;
    }
    if (null_window && !stopped()) {
        value = -search<false>(-node.alpha - 1, -node.alpha, new_depth, next, !node.cut_node);
    }
    if (Pv && !stopped() && (first || (value > node.alpha && value < node.beta))) {
        value = -search<true>(-node.beta, -node.alpha, new_depth, next, false);
    }
    undo_move();
    return value;
}

bool Searcher::prune_move(const Node& node,
                          Move move,
                          bool tactical,
                          bool gives_check,
                          int move_count,
                          MovePicker& picker) {
    // Checks stay: mates are made of them. Evasions stay: a loss must be proved against each.
    if (node.in_check) return false;
    if (gives_check) {
        // Except near the leaves, after many others: a mating last check is hardly ever one that
        // just loses the piece, and a full hand makes a hundred of those.
        return node.depth <= 2 && move_count > kLateCheckCount && !is_mate(node.beta) &&
               !see_ge(position_, move, 0);
    }
    const int depth = node.depth;
    if (tactical) return depth <= 6 && !see_ge(position_, move, -kCaptureSeeMargin * depth);

    if (depth <= kLateMoveDepth && move_count >= late_move_limit(depth, node.improving)) {
        picker.skip_quiets();
    }
    const int less = reductions_[static_cast<std::size_t>(std::min(depth, 63))]
                                [static_cast<std::size_t>(std::min(move_count, 63))];
    const int depth_left = std::max(depth - less, 0);
    if (depth_left <= kFutilityDepth &&
        node.static_eval + kFutilityBase + kFutilityMargin * depth_left <= node.alpha) {
        picker.skip_quiets();
        return true;
    }
    if (depth <= kHistoryPruneDepth &&
        quiet_history(node.ply, move) < -kHistoryPruneMargin * depth) {
        return true;
    }
    return depth_left <= 8 && !see_ge(position_, move, -kQuietSeeMargin * depth_left * depth_left);
}

int Searcher::extension(
    const Node& node, Move move, bool pv, bool gives_check, std::optional<Value>& cut) {
    if (node.ply >= 2 * root_depth_) return 0;
    const bool singular_candidate =
        node.depth >= kSingularDepth && move == node.table_move && !frame(node.ply).excluded &&
        node.hit.depth >= node.depth - 3 && node.hit.value != kNoValue &&
        !is_mate(node.hit.value) &&
        (node.hit.bound == TableBound::lower || node.hit.bound == TableBound::exact);
    if (singular_candidate) {
        const Value margin = node.hit.value - 3 * node.depth;
        Frame& f = frame(node.ply);
        f.excluded = move;
        const Value value =
            search<false>(margin - 1, margin, (node.depth - 1) / 2, node.ply, node.cut_node);
        f.excluded = kNoMove;
        if (stopped()) return 0;
        if (value < margin) return 1;
        // Another move alone already fails high.
        if (margin >= node.beta && !is_mate(margin)) cut = margin;
        return 0;
    }
    // A sound check of a principal variation is followed up; elsewhere that checks are never
    // reduced suffices.
    return gives_check && pv && see_ge(position_, move, 0) ? 1 : 0;
}

int Searcher::reduction(
    const Node& node, Move move, bool tactical, bool pv, bool gives_check, int move_count) {
    if (node.depth < 2 || move_count <= (pv ? 2 : 1)) return 0;
    if (gives_check) {
        // Sacrifices mate, but with a full hand there are a hundred of them: the late ones wait a
        // ply, far from the leaves and only while no mate is being asked for.
        const bool late = node.depth >= 4 && move_count > 6 && !is_mate(node.beta);
        return late && !see_ge(position_, move, 0) ? std::min(2, node.depth / 4) : 0;
    }
    int less = reductions_[static_cast<std::size_t>(std::min(node.depth, 63))]
                          [static_cast<std::size_t>(std::min(move_count, 63))];
    if (pv) --less;
    if (node.cut_node) ++less;
    if (!node.improving && !node.in_check) ++less;
    if (node.in_check) less -= 2;
    if (tactical) {
        less -= see_ge(position_, move, 0) ? 3 : 1;
    } else {
        const Frame& f = frame(node.ply);
        if (move == f.killers[0] || move == f.killers[1]) --less;
        less -= quiet_history(node.ply, move) / 9'000;
    }
    return std::clamp(less, 0, std::max(node.depth - 2, 0));
}

OrderingHints Searcher::hints(const Node& node) {
    const Frame& previous = frame(node.ply - 1);
    return {.table_move = node.table_move,
            .killers = frame(node.ply).killers,
            .counter = previous.move ? histories_.counter(previous.move) : kNoMove,
            .continuation = {previous.answers,
                             frame(node.ply - 2).answers,
                             frame(node.ply - 4).answers},
            .depth = node.depth};
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
    for (const int back : {1, 2, 4}) {
        Frame& f = frame(ply - back);
        if (f.move) learn((*f.answers)[slot], bonus);
    }
}

void Searcher::reward(const Node& node, Move best, const Tried& tried) {
    const int bonus = history_bonus(node.depth);
    const auto captured_kind = [this](Move move) { return type_of(position_.piece_on(move.to())); };
    if (is_tactical(position_, best)) {
        learn(histories_.capture(best, captured_kind(best)), bonus);
    } else {
        learn_quiet(node.ply, best, bonus);
        for (std::size_t i = 0; i < tried.quiet_count; ++i) {
            learn_quiet(node.ply, tried.quiets[i], -bonus);
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
        learn(histories_.capture(tried.captures[i], captured_kind(tried.captures[i])), -bonus);
    }
}

template Value Searcher::search<true>(Value, Value, int, int, bool);
template Value Searcher::search<false>(Value, Value, int, int, bool);
template Value Searcher::search_child<true>(const Node&, Move, int, int, bool);

}  // namespace yomi::shogi::search
