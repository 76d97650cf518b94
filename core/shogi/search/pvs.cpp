// The steps of one interior node.
#include <algorithm>

#include "core/shogi/mate/mate1.hpp"
#include "core/shogi/mate/mate3.hpp"
#include "core/shogi/movegen.hpp"
#include "core/shogi/search/searcher.hpp"

namespace yomi::shogi::search {

namespace {

constexpr int kReductionDepth = 6;  // without a table move
constexpr int kSingularDepth = 8;
constexpr int kSingularMargin = 8;  // a ply
constexpr int kDeeperMargin = 45;
constexpr Value kUnseenMargin = 200;
constexpr Value kFarAboveMargin = 400;  // of a table value that needs no search
constexpr int kLessAfterBetter = 2;     // plies, for the moves after one that raised alpha

}  // namespace

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

    // A mate shown by the solver needs no search.
    if (Pv) {
        if (const auto value = known_mate(ply)) return *value;
    }

    // 3. Transposition table. Principal variation nodes are searched on, so that lines stay whole.
    Node node{.alpha = alpha,
              .beta = beta,
              .depth = std::min(depth, kMaxPly - 1),
              .ply = ply,
              .cut_node = cut_node,
              .pv = Pv};
    Frame& f = frame(ply);
    node.in_check = position_.in_check();
    f.board_key = position_.board_key();
    f.hand = position_.hand(position_.side_to_move());
    // A board that comes again with more or less in hand is a loop that one side should not have
    // entered. Outside the principal variation that settles it; no value of its own is shown.
    if (!Pv) {
        const int gained = gained_since(ply);
        if (gained != 0) return gained > 0 ? beta : alpha;
    }
    const bool singular_search = static_cast<bool>(f.excluded);
    if (!singular_search) {
        look_up(node);
        if (!Pv && table_cuts(node)) {
            learn_from_table_cut(node);
            return node.hit.value;
        }
        f.on_pv = Pv || node.hit.on_pv;
        f.in_check = node.in_check;
    } else {
        node.raw_eval = f.raw_eval;
        node.static_eval = node.eval = f.static_eval;
    }
    node.on_pv = f.on_pv;

    if (!singular_search) {
        // 4. A mate at once, or soon where the line must be right.
        if (Pv) {
            if (const auto value = mate_in_three(node)) return *value;
        } else if (const Move mate = mate_in_one(node)) {
            return store_mate(node, mate_in(ply + 1), mate);
        }
        // 5. Static evaluation.
        judge_statically(node);
    }
    node.improving = !node.in_check && ply >= 2 && frame(ply - 2).static_eval != kNoValue &&
                     node.static_eval > frame(ply - 2).static_eval;
    if (!node.in_check && !singular_search) look_back(node);
    f.reduced = 0;
    frame(ply + 1).killers = {};
    frame(ply + 1).cutoffs = 0;

    // 6.-9. Prune the node: razoring, reverse futility, null move, ProbCut.
    if (!Pv && !node.in_check) {
        if (const auto value = prune_node(node)) return *value;
        if (stopped()) return 0;
    }
    // A side that stands above beta already is well off, whatever it was two plies ago.
    if (!node.in_check && node.static_eval >= beta) node.improving = true;

    // 10. Without a table move the order is a guess: look less deep, the next visit will know more.
    if (!singular_search && !node.table_move && node.depth >= kReductionDepth && (Pv || cut_node)) {
        --node.depth;
    }
    if (!Pv && !singular_search && far_above(node)) return node.beta + kFarAboveMargin;

    // 11.-17. The moves.
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

int Searcher::gained_since(int ply) noexcept {
    constexpr int kFarthest = 12;
    const Frame& now = frame(ply);
    if (!frame(ply - 1).move || !frame(ply - 2).move) return 0;
    for (int back = 4; back <= std::min(ply, kFarthest); back += 2) {
        // A pass is no move of a loop.
        if (!frame(ply - back + 1).move || !frame(ply - back).move) return 0;
        const Frame& then = frame(ply - back);
        if (then.board_key != now.board_key || then.hand == now.hand) continue;
        if (now.hand.covers(then.hand)) return 1;
        if (then.hand.covers(now.hand)) return -1;
    }
    return 0;
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

bool Searcher::far_above(const Node& node) {
    const TableHit& hit = node.hit;
    if (!hit.found || hit.bound != TableBound::lower || hit.depth < node.depth - 4) return false;
    return hit.value != kNoValue && hit.value >= node.beta + kFarAboveMargin &&
           !is_decisive(node.beta) && !is_decisive(hit.value) &&
           !may_declare(position_, ~position_.side_to_move(), rules_.declaration);
}

Move Searcher::mate_in_one(const Node& node) {
    if (node.in_check || node.hit.bound != TableBound::none) return kNoMove;
    return mate::mate_in_one(position_);
}

std::optional<Value> Searcher::mate_in_three(const Node& node) {
    if (node.in_check) return std::nullopt;
    const mate::ShortMate mate = mate::mate_in_three(position_);
    const int plies = static_cast<int>(mate.length);
    // A mate after the last ply allowed is none.
    const bool late = rules_.max_plies > 0 && position_.ply() + plies - 1 > rules_.max_plies;
    if (!mate || late) return std::nullopt;
    // Lines end at `kMaxPly - 1`, so the row has room for two plies more.
    const auto p = static_cast<std::size_t>(node.ply);
    std::copy_n(mate.line.begin(), mate.length, pv_[p].begin() + node.ply);
    pv_end_[p] = node.ply + plies;
    return store_mate(node, mate_in(pv_end_[p]), mate.line.front());
}

Value Searcher::store_mate(const Node& node, Value value, Move first) {
    table_->store(
        table_key(), node.ply, value, TableBound::exact, kMaxDepth, kNoValue, first, node.on_pv);
    return value;
}

void Searcher::judge_statically(Node& node) {
    if (!node.in_check) {
        node.raw_eval = node.hit.static_eval != kNoValue ? node.hit.static_eval : evaluate();
        node.static_eval =
            std::clamp(node.raw_eval + correction(node.ply), -kEvalLimit, kEvalLimit);
        node.eval = node.static_eval;
        const Value known = node.hit.value;
        if (known != kNoValue && !is_decisive(known)) {
            const bool better = known > node.eval && node.hit.bound != TableBound::upper;
            const bool worse = known < node.eval && node.hit.bound != TableBound::lower;
            if (better || worse) node.eval = known;
        }
    }
    Frame& f = frame(node.ply);
    f.raw_eval = node.raw_eval;
    f.static_eval = node.static_eval;
}

template <bool Pv>
Value Searcher::search_moves(Node& node) {
    const int ply = node.ply;
    const Move excluded = frame(ply).excluded;
    const Value old_alpha = node.alpha;
    Value best = -kInfinite;
    Move best_move;
    bool pruned = false;
    Tried tried;
    Try next{};
    const CheckInfo check_info = position_.check_info();
    OrderingHints order = hints(node);
    order.checks = &check_info;
    MovePicker picker(position_, histories_, order, MovePicker::Kind::main);

    while ((next.move = picker.next())) {
        const Move move = next.move;
        if (move == excluded) continue;
        ++next.count;
        next.tactical = is_tactical(position_, move);
        next.history = next.tactical ? 0 : quiet_history(ply, move);
        next.gives_check = position_.gives_check(move, check_info);

        // 11. Prune the move, once some move is known not to lose at once.
        if (best > -kMateBound) {
            Value reach = best;
            if (prune_move(node, next, picker, reach)) {
                best = std::max(best, reach);
                pruned = true;
                continue;
            }
        }

        // 12. Extensions.
        std::optional<Value> cut;
        const int more = extension(node, next, cut);
        if (stopped()) return 0;
        if (cut) return *cut;

        // 13.-15. Reduced, null window, full window.
        const int less = reduction(node, next);
        Frame& f = frame(ply);
        f.tactical = next.tactical;
        const Value value = search_child<Pv>(node, next, node.depth - 1 + more, less, best);
        if (stopped()) return 0;

        if (value > best) {
            best = value;
            if (value > node.alpha) {
                best_move = move;
                if (Pv) set_pv(ply, move);
                if (value >= node.beta) break;
                node.alpha = value;
                // One move is good enough: the others have to prove themselves at less depth.
                if (node.depth > 3 && node.depth < 14 && !is_decisive(value)) {
                    node.depth -= kLessAfterBetter;
                }
            }
        }
        if (move != best_move) tried.add(move, next.tactical);
    }

    // 16. No legal move loses, in check or not.
    if (next.count == 0) return excluded ? node.alpha : mated_in(ply);

    // What was not looked at is worth about what the evaluation says, whatever the moves that were
    // looked at lost: else a node whose first move hangs a piece would pass for lost.
    if (pruned && best <= old_alpha) {
        best = std::max(best, std::min(old_alpha, node.static_eval) - kUnseenMargin);
    }

    // 17. Learn from a cut-off and remember the result.
    if (best >= node.beta) {
        ++frame(ply).cutoffs;
        reward(node, best_move, tried);
    } else if (!best_move) {
        learn_from_fail_low(node);
    }
    if (best <= old_alpha) {
        // The move before was good enough to be on the variation: so is the node.
        frame(ply).on_pv = frame(ply).on_pv || (frame(ply - 1).on_pv && node.depth > 3);
    }
    if (!excluded) {
        const TableBound bound = best >= node.beta        ? TableBound::lower
                                 : Pv && best > old_alpha ? TableBound::exact
                                                          : TableBound::upper;
        table_->store(
            table_key(), ply, best, bound, node.depth, node.raw_eval, best_move, frame(ply).on_pv);
        if (!node.in_check && !(best_move && is_tactical(position_, best_move)) &&
            !(bound == TableBound::lower && best <= node.static_eval) &&
            !(bound == TableBound::upper && best >= node.static_eval)) {
            learn_correction(node, best);
        }
    }
    return best;
}

template <bool Pv>
Value Searcher::search_child(
    const Node& node, const Try& move, int new_depth, int less, Value best) {
    const int next = node.ply + 1;
    const bool first = move.count == 1;
    Value value = -kInfinite;
    bool null_window = !Pv || !first;
    do_move(move.move, node.ply);
    if (null_window && less != 0) {
        const int reduced = reduced_depth(node, new_depth, less);
        frame(node.ply).reduced = new_depth - reduced;
        value = -search<false>(-node.alpha - 1, -node.alpha, reduced, next, true);
        frame(node.ply).reduced = 0;
        null_window = value > node.alpha && reduced < new_depth;
        if (null_window && !stopped() && !is_decisive(value)) {
            // Much better than thought: look deeper; hardly better: less deep.
            if (value > best + kDeeperMargin + 2 * new_depth && node.ply < 2 * root_depth_) {
                ++new_depth;
            } else if (value < best + new_depth / 2) {
                --new_depth;
            }
            null_window = reduced < new_depth;
        }
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

int Searcher::extension(const Node& node, const Try& move, std::optional<Value>& cut) {
    if (node.ply >= 2 * root_depth_) return 0;
    const bool singular_candidate =
        node.depth >= kSingularDepth && move.move == node.table_move && !frame(node.ply).excluded &&
        node.hit.depth >= node.depth - 3 && node.hit.value != kNoValue &&
        !is_decisive(node.hit.value) &&
        (node.hit.bound == TableBound::lower || node.hit.bound == TableBound::exact);
    return singular_candidate ? singular_extension(node, move.move, cut) : 0;
}

int Searcher::singular_extension(const Node& node, Move move, std::optional<Value>& cut) {
    const int wider = node.on_pv && !node.pv ? 2 : 1;
    const Value margin = node.hit.value - wider * kSingularMargin * node.depth;
    Frame& f = frame(node.ply);
    f.excluded = move;
    const Value value =
        search<false>(margin - 1, margin, (node.depth - 1) / 2, node.ply, node.cut_node);
    f.excluded = kNoMove;
    if (stopped()) return 0;
    if (value < margin) return 1;
    // Another move alone already fails high.
    if (value >= node.beta && !is_decisive(value)) {
        cut = value;
        return 0;
    }
    // The table move is not alone: neither worth more than the others, nor likely to be needed.
    if (node.hit.value >= node.beta) return node.pv ? -1 : -2;
    return node.cut_node ? -2 : 0;
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

template Value Searcher::search<true>(Value, Value, int, int, bool);
template Value Searcher::search<false>(Value, Value, int, int, bool);
template Value Searcher::search_child<true>(const Node&, const Try&, int, int, Value);

}  // namespace yomi::shogi::search
