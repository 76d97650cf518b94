#include "core/shogi/search/searcher.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/hash.hpp"
#include "core/shogi/movegen.hpp"

namespace yomi::shogi::search {

Searcher::Searcher() {
    for (std::size_t n = 1; n < logs_.size(); ++n)
        logs_[n] = static_cast<int>(1'024 * std::log(static_cast<double>(n)));
}

void Searcher::begin(const Position& root,
                     TranspositionTable& table,
                     const Limits& limits,
                     SearchObserver& observer,
                     eval::Kind evaluation,
                     const RuleSet& rules,
                     const eval::NetChoice& net,
                     bool keep_learning) {
    position_ = root;
    rules_ = rules;
    rules_key_ = rules == RuleSet{} ? 0
                                    : mix64((static_cast<std::uint64_t>(rules.max_plies) << 8) |
                                            (static_cast<std::uint64_t>(rules.declaration) + 1));
    evaluator_.reset(position_, evaluation, net);
    if (!keep_learning) histories_.clear();
    mates_.clear();
    frames_.fill(Frame{});
    // A look-back past the root meets the row of "no move", which is never rewarded by a real move.
    for (Frame& f : frames_)
        f.answers = &histories_.answers_to(kNoMove);
    pv_end_.fill(0);
    table_ = &table;
    observer_ = &observer;
    limits_ = limits;
    stop_reason_ = engine::StopReason::none;
    nodes_ = 0;
    seldepth_ = 0;
    null_move_from_ = 0;
}

std::uint64_t Searcher::table_key_of(const Position& position) const noexcept {
    std::uint64_t key = position.key() ^ rules_key_;
    // Near the last ply allowed a position is worth what the plies left make of it.
    if (rules_.max_plies > 0 && position.ply() + kMaxPly > rules_.max_plies) {
        key ^= mix64(static_cast<std::uint64_t>(position.ply()));
    }
    return key;
}

bool Searcher::poll() {
    if (stopped()) return true;
    stop_reason_ = limits_.look(nodes_, observer_->other_nodes());
    observer_->on_poll();
    return stopped();
}

bool Searcher::enter(int ply) {
    pv_end_[static_cast<std::size_t>(ply)] = ply;
    seldepth_ = std::max(seldepth_, ply);
    if (stopped()) return false;
    return !limits_.due(nodes_) || !poll();
}

void Searcher::do_move(Move move, int ply) {
    Frame& f = frame(ply);
    f.move = move;
    f.answers = &histories_.answers_to(move);
    evaluator_.do_move(position_, move);
    position_.do_move(move);
    table_->prefetch(table_key());
    ++nodes_;
}

void Searcher::undo_move() {
    position_.undo_move();
    evaluator_.undo_move();
}

Value Searcher::evaluate() {
    return std::clamp(evaluator_.evaluate(position_), -kEvalLimit, kEvalLimit);
}

void Searcher::set_pv(int ply, Move move) {
    const auto p = static_cast<std::size_t>(ply);
    pv_[p][p] = move;
    const int end = std::max(pv_end_[p + 1], ply + 1);
    for (auto i = p + 1; i < static_cast<std::size_t>(end); ++i)
        pv_[p][i] = pv_[p + 1][i];
    pv_end_[p] = end;
}

void Searcher::score_statically(std::vector<RootMove>& moves) {
    for (RootMove& root_move : moves) {
        do_move(root_move.move, 0);
        const bool mates = position_.in_check() && count_legal_moves(position_) == 0;
        const auto end = mates ? std::nullopt : ends_here(1);
        root_move.score = mates ? mate_in(1) : -end.value_or(evaluate());
        root_move.pv.assign(1, root_move.move);
        root_move.seldepth = 1;
        undo_move();
    }
    std::stable_sort(moves.begin(), moves.end(), [](const RootMove& a, const RootMove& b) {
        return a.score > b.score;
    });
}

Value Searcher::search_root(
    std::vector<RootMove>& moves, std::size_t first, Value alpha, Value beta, int depth) {
    root_depth_ = depth;
    null_move_from_ = 0;
    enter(0);
    Node node{.alpha = alpha,
              .beta = beta,
              .depth = depth,
              .ply = 0,
              .cut_node = false,
              .pv = true,
              .on_pv = true};
    node.in_check = position_.in_check();
    judge_statically(node);
    frame(0).on_pv = true;
    frame(0).in_check = node.in_check;
    frame(0).board_key = position_.board_key();
    frame(0).hand = position_.hand(position_.side_to_move());
    frame(1).killers = {};
    frame(1).cutoffs = 0;
    const Value old_alpha = alpha;
    Value best = -kInfinite;
    Move best_move;
    const CheckInfo check_info = position_.check_info();
    for (std::size_t i = first; i < moves.size(); ++i)
        moves[i].score = -kInfinite;

    for (std::size_t i = first; i < moves.size(); ++i) {
        const Move move = moves[i].move;
        const bool tactical = is_tactical(position_, move);
        const Try next{.move = move,
                       .tactical = tactical,
                       .history = tactical ? 0 : quiet_history(0, move),
                       .gives_check = position_.gives_check(move, check_info),
                       .count = static_cast<int>(i - first) + 1};
        const int less = reduction(node, next);
        frame(0).tactical = next.tactical;
        const Value value = search_child<true>(node, next, depth - 1, less, best);
        if (stopped()) return best;
        if (i == first || value > node.alpha) {
            moves[i].score = value;
            moves[i].seldepth = seldepth_;
            moves[i].pv.assign(1, move);
            for (int p = 1; p < pv_end_[1]; ++p)
                moves[i].pv.push_back(pv_[1][static_cast<std::size_t>(p)]);
            if (i > first && value < beta) observer_->on_new_best(moves[i]);
        }
        if (value > best) {
            best = value;
            if (value > node.alpha) {
                best_move = move;
                node.alpha = value;
                if (value >= beta) break;
            }
        }
    }
    if (first == 0) {
        const TableBound bound = best >= beta       ? TableBound::lower
                                 : best > old_alpha ? TableBound::exact
                                                    : TableBound::upper;
        table_->store(table_key(), 0, best, bound, depth, node.raw_eval, best_move, true);
    }
    return best;
}

int Searcher::follow(const std::vector<Move>& line) {
    Position walker = position_;
    int followed = 0;
    for (const Move move : line) {
        if (followed >= kMaxDepth || !walker.is_legal(move)) break;
        const std::uint64_t key = table_key_of(walker);
        const TableHit hit = table_->probe(key, followed);
        if (!hit.found || hit.move_bits == 0) {
            table_->store(
                key, followed, kNoValue, TableBound::none, 0, hit.static_eval, move, false);
        }
        walker.do_move(move);
        ++followed;
    }
    return followed;
}

void Searcher::know_mate(const std::vector<Move>& pv, std::vector<Move> mate) {
    Position walker = position_;
    for (const Move move : pv)
        walker.do_move(move);
    const int ply = static_cast<int>(pv.size());
    const std::uint64_t key = table_key_of(walker);
    table_->store(key,
                  ply,
                  mate_in(ply + static_cast<int>(mate.size())),
                  TableBound::exact,
                  kMaxDepth,
                  kNoValue,
                  mate.front(),
                  true);
    mates_[key] = std::move(mate);
}

std::optional<Value> Searcher::known_mate(int ply) {
    if (mates_.empty()) return std::nullopt;
    const auto found = mates_.find(table_key());
    if (found == mates_.end()) return std::nullopt;
    const std::vector<Move>& line = found->second;
    const auto p = static_cast<std::size_t>(ply);
    if (p + line.size() > pv_[p].size()) return std::nullopt;
    std::copy(line.begin(), line.end(), pv_[p].begin() + ply);
    pv_end_[p] = ply + static_cast<int>(line.size());
    return mate_in(pv_end_[p]);
}

void Searcher::prolong(std::vector<Move>& pv, int length) {
    Position walker = position_;
    for (const Move move : pv)
        walker.do_move(move);
    while (static_cast<int>(pv.size()) < std::min(length, kMaxPly) &&
           walker.search_repetition(static_cast<int>(pv.size())) == Repetition::none &&
           (rules_.max_plies == 0 || walker.ply() <= rules_.max_plies) &&
           !may_declare(walker, rules_.declaration)) {
        const TableHit hit = table_->probe(table_key_of(walker), static_cast<int>(pv.size()));
        const Move move = hit.found ? complete_move(walker, hit.move_bits) : kNoMove;
        if (!move) return;
        pv.push_back(move);
        walker.do_move(move);
    }
}

}  // namespace yomi::shogi::search
