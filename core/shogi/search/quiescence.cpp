// Quiescence: the end of a line, played out until the evaluation can be trusted.
#include <algorithm>

#include "core/shogi/search/searcher.hpp"
#include "core/shogi/search/see.hpp"

namespace yomi::shogi::search {

namespace {
constexpr int kDeltaMargin = 220;
constexpr int kTriedCaptures = 2;
constexpr int kLostInExchange = 73;  // and the capture is still tried
constexpr int kTriedQuietEvasions = 1;
}  // namespace

template <bool Pv>
Value Searcher::quiescence(Value alpha, Value beta, int ply) {
    if (!enter(ply)) return 0;
    if (const auto value = ends_here(ply)) return *value;

    Node node{.alpha = alpha, .beta = beta, .depth = 0, .ply = ply, .cut_node = false, .pv = Pv};
    node.in_check = position_.in_check();
    look_up(node);
    if (!Pv && table_cuts(node)) return node.hit.value;
    node.on_pv = Pv || node.hit.on_pv;
    if (const Move mate = mate_in_one(node)) {
        if (Pv) set_pv(ply, mate);
        return store_mate(node, mate_in(ply + 1), mate);
    }
    judge_statically(node);

    Value stand_pat = -kInfinite;
    if (!node.in_check) {
        stand_pat = node.eval;
        if (stand_pat >= beta) {
            if (!node.hit.found) {
                table_->store(table_key(),
                              ply,
                              stand_pat,
                              TableBound::lower,
                              0,
                              node.raw_eval,
                              kNoMove,
                              node.on_pv);
            }
            // Not all of what stands above beta will last.
            return is_decisive(stand_pat) ? stand_pat : (stand_pat + beta) / 2;
        }
        node.alpha = std::max(alpha, stand_pat);
    }
    return quiescence_moves<Pv>(node, stand_pat);
}

template <bool Pv>
Value Searcher::quiescence_moves(Node& node, Value stand_pat) {
    const int ply = node.ply;
    const Value old_alpha = node.alpha;
    Value best = stand_pat;
    Move best_move;
    int move_count = 0;
    int quiet_evasions = 0;
    std::optional<CheckInfo> check_info;  // taken when the first capture falls short of alpha
    MovePicker picker(position_, histories_, hints(node), MovePicker::Kind::quiescence);

    while (const Move move = picker.next()) {
        ++move_count;
        if (!node.in_check) {
            // Delta pruning: even with what it takes, alpha stays out of reach. Not for a move that
            // takes back: in the middle of an exchange a network's evaluation may be off by more
            // than any piece is worth.
            const Value reach = stand_pat + kDeltaMargin + material_gain(position_, move);
            const bool late = move_count > kTriedCaptures && best > -kMateBound;
            const Move before = frame(ply - 1).move;
            const bool takes_back = before && move.to() == before.to();
            if (!takes_back && (reach <= node.alpha || late)) {
                if (!check_info) check_info = position_.check_info();
                if (!position_.gives_check(move, *check_info)) {
                    if (reach <= node.alpha) best = std::max(best, reach);
                    continue;
                }
            }
            if (!see_ge(position_, move, -kLostInExchange)) continue;
        } else if (best > -kMateBound && !position_.is_capture(move) &&
                   ++quiet_evasions > kTriedQuietEvasions) {
            // One escape is known; the sorted rest seldom adds to it.
            continue;
        }
        do_move(move, ply);
        const Value value = -quiescence<Pv>(-node.beta, -node.alpha, ply + 1);
        undo_move();
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
    }
    if (node.in_check && move_count == 0) return mated_in(ply);

    const TableBound bound = best >= node.beta        ? TableBound::lower
                             : Pv && best > old_alpha ? TableBound::exact
                                                      : TableBound::upper;
    table_->store(table_key(), ply, best, bound, 0, node.raw_eval, best_move, node.on_pv);
    return best;
}

template Value Searcher::quiescence<true>(Value, Value, int);
template Value Searcher::quiescence<false>(Value, Value, int);

}  // namespace yomi::shogi::search
