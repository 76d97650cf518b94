#include "core/shogi/mate/mate3.hpp"

#include "core/shogi/mate/mate1.hpp"
#include "core/shogi/movegen.hpp"

namespace yomi::shogi::mate {

namespace {

/// A check from afar against a defender with a full hand has as many replies as squares between
/// times kinds in hand; such a check hardly ever mates in three.
constexpr std::size_t kMostReplies = 24;

/// Whether every reply of the side to move, in check, is answered by a mate at once.
bool all_replies_lose(Position& position, ShortMate& mate) {
    MoveList replies;
    legal_moves(position, replies);
    if (replies.size() > kMostReplies) return false;
    for (const Move reply : replies) {
        position.do_move(reply);
        const Move last = mate_in_one(position);
        position.undo_move();
        if (!last) return false;
        mate.line[1] = reply;
        mate.line[2] = last;
    }
    return true;
}

}  // namespace

ShortMate mate_in_three(Position& position) {
    ShortMate mate;
    MoveList checks;
    checking_moves(position, checks);
    if (const Move now = mate_in_one(position, checks)) {
        mate.line[0] = now;
        mate.length = 1;
        return mate;
    }
    for (const Move check : checks) {
        position.do_move(check);
        const bool found =
            position.search_repetition(1) == Repetition::none && all_replies_lose(position, mate);
        position.undo_move();
        if (found) {
            mate.line[0] = check;
            mate.length = 3;
            return mate;
        }
    }
    return mate;
}

}  // namespace yomi::shogi::mate
