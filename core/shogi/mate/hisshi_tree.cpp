#include "core/shogi/mate/hisshi_tree.hpp"

#include <algorithm>
#include <deque>
#include <utility>

namespace yomi::shogi::mate {
namespace {

/// The reply that holds out longest, in moves of the attacker, or no move.
Move longest_reply(HisshiSearch& search, Position& position) {
    MoveList replies;
    legal_moves(position, replies);
    Move best;
    int most = -1;
    for (const Move reply : replies) {
        position.do_move(reply);
        const int moves = search.won_in(position);
        position.undo_move();
        if (moves <= most) continue;
        most = moves;
        best = reply;
    }
    return best;
}

class TreeBuilder {
public:
    TreeBuilder(HisshiSearch& search,
                Position& position,
                std::size_t max_moves,
                HisshiAnswer& answer)
        : search_(search), position_(position), max_moves_(max_moves), answer_(answer) {}

    void run() {
        answer_.tree_complete = true;
        if (position_.side_to_move() == search_.judge().attacker()) {
            for (const HisshiKey& key : answer_.keys) {
                HisshiMove info;
                info.quiet = key.quiet;
                info.mate = key.threat;
                if (!add(MoveTree::kRoot, key.move, std::move(info))) break;
            }
        } else {
            open_.push_back(MoveTree::kRoot);
        }
        while (!open_.empty()) {
            const NodeIndex node = open_.front();
            open_.pop_front();
            if (!expand(node)) {
                if (node != MoveTree::kRoot)
                    answer_.tree_moves[answer_.tree[node].payload].more = true;
                answer_.tree_complete = false;
            }
        }
    }

private:
    bool has_room(std::size_t moves) const { return answer_.tree.size() + moves <= max_moves_; }

    bool add(NodeIndex parent, Move move, HisshiMove info) {
        if (!has_room(1)) {
            answer_.tree_complete = false;
            return false;
        }
        const auto payload = static_cast<std::uint32_t>(answer_.tree_moves.size());
        const bool ends = info.role == HisshiMove::Role::mating;
        const auto added = answer_.tree.add_back(parent, move, info.moves, payload);
        if (!added) return false;
        answer_.tree_moves.push_back(std::move(info));
        if (!ends) open_.push_back(*added);
        return true;
    }

    bool expand(NodeIndex node) {
        const std::vector<Move> path = answer_.tree.path_to(node);
        for (const Move move : path)
            position_.do_move(move);
        const bool whole = position_.side_to_move() == search_.judge().attacker()
                               ? show_attack(node)
                               : show_replies(node);
        for (std::size_t i = 0; i < path.size(); ++i)
            position_.undo_move();
        return whole;
    }

    /// Below a reply: the mate, move by move, or the next attack.
    bool show_attack(NodeIndex node) {
        const HisshiMove reply = answer_.tree_moves[answer_.tree[node].payload];
        if (reply.moves == 0) {
            if (!reply.mate || reply.mate->line.empty()) return false;
            if (!has_room(reply.mate->line.size())) return false;
            NodeIndex parent = node;
            for (const Move move : reply.mate->line) {
                HisshiMove info;
                info.role = HisshiMove::Role::mating;
                if (!add(parent, move, std::move(info))) return false;
                parent = static_cast<NodeIndex>(answer_.tree.size());
            }
            return true;
        }
        const Move next = search_.best_attack(position_);
        if (!next) return false;
        position_.do_move(next);
        HisshiMove info;
        info.quiet = !position_.in_check();
        if (info.quiet) info.mate = describe_threat();
        position_.undo_move();
        return add(node, next, std::move(info));
    }

    HisshiMate describe_threat() {
        position_.do_null_move();
        HisshiMate mate = search_.judge().describe(position_);
        position_.undo_null_move();
        return mate;
    }

    /// All replies or none.
    bool show_replies(NodeIndex node) {
        MoveList replies;
        legal_moves(position_, replies);
        if (!has_room(replies.size())) return false;
        Position model = position_;
        const bool threat = !position_.in_check();
        if (threat) model.do_null_move();
        std::vector<std::pair<Move, HisshiMove>> shown;
        for (const Move reply : replies) {
            HisshiMove info;
            info.role = HisshiMove::Role::reply;
            position_.do_move(reply);
            // What the threat surely meets was not looked at before.
            if (search_.won_in(position_) <= 0)
                info.by_replay = threat && search_.judge().replay_threat(position_, model);
            info.moves = search_.won_in(position_);
            if (info.moves == 0) {
                info.mate = search_.judge().describe(position_);
            }
            position_.undo_move();
            if (info.moves >= 0) shown.emplace_back(reply, std::move(info));
        }
        // The longest defence first; the order is sorted, not the moves with all they carry.
        std::vector<std::pair<int, std::size_t>> order;
        for (std::size_t i = 0; i < shown.size(); ++i) {
            const HisshiMove& info = shown[i].second;
            order.emplace_back(-(info.moves * kNoLimit + (info.mate ? info.mate->length : 0)), i);
        }
        std::sort(order.begin(), order.end());
        for (const auto& [rank, i] : order)
            add(node, shown[i].first, std::move(shown[i].second));
        // A reply whose mate is not known any more, or not yet, has no place.
        return shown.size() == replies.size();
    }

    HisshiSearch& search_;
    Position& position_;
    std::size_t max_moves_;
    HisshiAnswer& answer_;
    std::deque<NodeIndex> open_;
};

}  // namespace

ReplyCount count_replies(HisshiSearch& search, Position& position, int moves) {
    MateJudge& judge = search.judge();
    ReplyCount count;
    MoveList replies;
    legal_moves(position, replies);
    count.replies = replies.size();
    Position model = position;
    const bool threat = !position.in_check();
    if (threat) model.do_null_move();
    for (const Move reply : replies) {
        position.do_move(reply);
        if (threat && judge.replay_threat(position, model)) {
            ++count.by_replay;
        } else {
            const Truth truth = search.attack(position, moves);
            if (truth == Truth::yes) ++count.by_search;
            if (truth == Truth::unknown) ++count.open;
            if (truth == Truth::no) count.escapes.push_back(reply);
        }
        if (judge.known(position) == Truth::yes) {
            HisshiMate mate = judge.describe(position);
            if (mate.length > count.longest) {
                count.longest = mate.length;
                count.longest_reply = reply;
                count.longest_line = std::move(mate.line);
            }
        }
        position.undo_move();
    }
    return count;
}

void build_hisshi_tree(HisshiSearch& search,
                       Position& position,
                       std::size_t max_moves,
                       HisshiAnswer& answer) {
    TreeBuilder(search, position, max_moves, answer).run();
}

std::vector<Move> hisshi_line(HisshiSearch& search, Position& position) {
    std::vector<Move> line;
    while (search.won_in(position) > 0) {
        const bool brink = search.won_in(position) == 1;
        const Move attack = search.best_attack(position);
        if (!attack) break;
        line.push_back(attack);
        position.do_move(attack);
        // A check that is the last move before a mate by checks would have been a mate itself.
        if (brink) break;
        const Move reply = longest_reply(search, position);
        if (!reply) break;
        line.push_back(reply);
        position.do_move(reply);
    }
    for (std::size_t i = 0; i < line.size(); ++i)
        position.undo_move();
    return line;
}

}  // namespace yomi::shogi::mate
