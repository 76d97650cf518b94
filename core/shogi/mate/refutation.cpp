#include "core/shogi/mate/refutation.hpp"

#include <algorithm>
#include <array>

#include "core/shogi/mate/mate1.hpp"
#include "core/shogi/mate/reach.hpp"

namespace yomi::shogi::mate {
namespace {

/// Checks in a row that a walk may follow: bounds the stack.
constexpr std::size_t kMaxOpen = 250;

/// Squares of a king to which an added piece means anything: it bears on them, or gives check
/// there with its next move, promoting or not.
std::array<std::array<Bitboard, kSquares>, 2 * kPieceTypes> make_touches() {
    std::array<std::array<Bitboard, kSquares>, 2 * kPieceTypes> table{};
    for (const Color side : {Color::black, Color::white}) {
        for (int t = 1; t < kPieceTypes; ++t) {
            const auto kind = static_cast<PieceType>(t);
            for (int s = 0; s < kSquares; ++s) {
                const auto square = static_cast<Square>(s);
                const Bitboard first = reach(side, kind, square);
                Bitboard all = first;
                for (const Square to : first) {
                    all |= reach(side, kind, to);
                    if (can_promote(kind)) all |= reach(side, promote(kind), to);
                }
                table[static_cast<std::size_t>(2 * t + index(side))][static_cast<std::size_t>(s)] =
                    all;
            }
        }
    }
    return table;
}

const Bitboard& touches(Color side, PieceType kind, Square square) {
    static const auto kTable = make_touches();
    return kTable[static_cast<std::size_t>(2 * index(kind) + index(side))]
                 [static_cast<std::size_t>(square)];
}

constexpr std::uint16_t kind_bit(PieceType kind) noexcept {
    return static_cast<std::uint16_t>(1U << index(kind));
}

/// Whether the attacker may not drop a pawn before the king only because that would mate.
bool mates_by_pawn(const Position& position, const MoveList& checks) {
    const Color us = position.side_to_move();
    if (!position.hand(us).has(PieceType::pawn)) return false;
    const Square king = position.king(~us);
    const Bitboard front = steps(~us, PieceType::pawn, king).without(position.occupied()) &
                           files_without(position.pieces(us, PieceType::pawn));
    return front.any() && !checks.contains(Move::drop(PieceType::pawn, front.lowest(), us));
}

}  // namespace

bool Refutation::build(Position& position, const ReplyOf& reply_of, std::size_t max_nodes) {
    attacker_ = position.side_to_move();
    with_king_ = position.king(attacker_) != kNoSquare;
    nodes_.clear();
    answers_.clear();
    index_.clear();
    open_.clear();
    if (visit(position, reply_of, max_nodes) != kNone) return true;
    nodes_.clear();
    answers_.clear();
    index_.clear();
    return false;
}

/// Depth first with Tarjan's strongly connected components: what a cycle rests on is known when the
/// whole cycle has been walked.
std::uint32_t Refutation::visit(Position& position,
                                const ReplyOf& reply_of,
                                std::size_t max_nodes) {
    const PlaceKey place = place_of(position, attacker_);
    if (const auto found = index_.find(place); found != index_.end()) return found->second;
    if (nodes_.size() >= max_nodes || open_.size() >= kMaxOpen) return kNone;
    const auto here = static_cast<std::uint32_t>(nodes_.size());
    index_.emplace(place, here);
    nodes_.emplace_back().low = here;
    open_.push_back(here);
    MoveList checks;
    checking_moves(position, checks);
    nodes_[here].kings.set(position.king(~attacker_));
    nodes_[here].fragile = mates_by_pawn(position, checks);
    std::vector<Answer> answers;
    answers.reserve(checks.size());
    for (const Move check : checks) {
        position.do_move(check);
        const Move reply = choose(position, reply_of);
        std::uint32_t next = kNone;
        if (reply) {
            position.do_move(reply);
            next = visit(position, reply_of, max_nodes);
            position.undo_move();
        }
        position.undo_move();
        if (next == kNone) return kNone;
        answers.push_back({check, reply, next});
        Node& node = nodes_[here];
        const Node& below = nodes_[next];
        node.kings |= below.kings;
        node.replies |= below.replies;
        node.replies.set(reply.to());
        node.dropped |= below.dropped;
        if (reply.is_drop()) {
            node.dropped |= kind_bit(reply.dropped());
        } else {
            node.replies |= between(reply.from(), reply.to());
        }
        node.fragile = node.fragile || below.fragile;
        if (below.open) node.low = std::min(node.low, below.low);
    }
    nodes_[here].begin = static_cast<std::uint32_t>(answers_.size());
    answers_.insert(answers_.end(), answers.begin(), answers.end());
    nodes_[here].end = static_cast<std::uint32_t>(answers_.size());
    if (nodes_[here].low == here) close_cycle(here);
    return here;
}

void Refutation::close_cycle(std::uint32_t root) {
    while (true) {
        const std::uint32_t member = open_.back();
        open_.pop_back();
        Node& node = nodes_[member];
        node.open = false;
        node.kings = nodes_[root].kings;
        node.replies = nodes_[root].replies;
        node.fragile = nodes_[root].fragile;
        node.dropped = nodes_[root].dropped;
        if (member == root) return;
    }
}

/// A reply into what is walked already if there is one.
Move Refutation::choose(Position& position, const ReplyOf& reply_of) const {
    MoveList replies;
    legal_moves(position, replies);
    for (const Move reply : replies) {
        if (index_.count(place_after(position, attacker_, reply)) != 0) return reply;
    }
    return reply_of(position);
}

/// The added piece bears on no square of the king and reaches none with check by one move, so that
/// it adds no check and takes no flight; it blocks no reply, and none needs it in hand; what it
/// blocks of the attacker's could matter to a pawn drop that mates only, and to the attacker's
/// king.
bool Refutation::ignores(const Node& node, Added added) const noexcept {
    if (with_king_ || node.open || node.fragile || node.replies.test(added.at)) return false;
    if ((node.dropped & kind_bit(unpromote(added.kind))) != 0) return false;
    return !touches(attacker_, added.kind, added.at).intersects(node.kings);
}

bool Refutation::replay(Position& here, Added added, int& steps, const Escapes& escapes) {
    if (nodes_.empty()) return false;
    met_.clear();
    depth_ = 0;
    return replay_at(here, 0, added, steps, escapes);
}

bool Refutation::replay_at(
    Position& here, std::uint32_t node, Added added, int& steps, const Escapes& ask) {
    if (added && ignores(nodes_[node], added)) return true;
    // One failure ends the whole replay: so positions met before may be taken as refuted.
    if (!met_.insert(place_of(here, attacker_)).second) return true;
    if (depth_ >= kMaxOpen) return false;
    ++depth_;
    bool held = false;
    if (added && ignores_here(here, nodes_[node], added)) {
        held = replay_below(here, node, added, steps, ask);
    } else if (--steps >= 0) {
        held = replay_checks(here, node, added, steps, ask);
    }
    --depth_;
    return held;
}

bool Refutation::ignores_here(const Position& here, const Node& node, Added added) const {
    if (with_king_ || node.fragile) return false;
    if (touches(attacker_, added.kind, added.at).test(here.king(~attacker_))) return false;
    return std::none_of(
        answers_.begin() + node.begin, answers_.begin() + node.end, [added](const Answer& answer) {
            const Move reply = answer.reply;
            return reply.to() == added.at ||
                   (!reply.is_drop() && between(reply.from(), reply.to()).test(added.at));
        });
}

/// The checks are those of the refutation, but for some that the added piece stands in the way
/// of.
bool Refutation::replay_below(
    Position& here, std::uint32_t node, Added added, int& steps, const Escapes& ask) {
    for (std::uint32_t i = nodes_[node].begin; i < nodes_[node].end; ++i) {
        const Answer& answer = answers_[i];
        if (ignores(nodes_[answer.next], added)) continue;
        if (!here.is_legal(answer.check) || !here.gives_check(answer.check)) continue;
        if (!replay_answer(here, answer, added, steps, ask)) return false;
    }
    return true;
}

/// Whether the reply to one check of the refutation still holds.
bool Refutation::replay_answer(
    Position& here, const Answer& answer, Added added, int& steps, const Escapes& ask) {
    here.do_move(answer.check);
    bool held = false;
    if (here.is_legal(answer.reply)) {
        here.do_move(answer.reply);
        const bool taken = added && answer.reply.to() == added.at;
        held = replay_at(here, answer.next, taken ? Added{} : added, steps, ask);
        here.undo_move();
    } else if (steps > 0) {
        held = ask(here);
    }
    here.undo_move();
    return held;
}

bool Refutation::replay_checks(
    Position& here, std::uint32_t node, Added added, int& steps, const Escapes& ask) {
    MoveList checks;
    checking_moves(here, checks);
    const auto first = answers_.begin() + nodes_[node].begin;
    const auto last = answers_.begin() + nodes_[node].end;
    const auto answer_to = [&](Move check) {
        return std::find_if(first, last, [check](const Answer& a) { return a.check == check; });
    };
    // Checks that the move has made possible come first: if there is a mate it is there.
    for (const Move check : checks) {
        if (answer_to(check) != last) continue;
        here.do_move(check);
        const bool held = ask(here);
        here.undo_move();
        if (!held) return false;
    }
    for (const Move check : checks) {
        const auto answer = answer_to(check);
        if (answer == last) continue;
        if (!replay_answer(here, *answer, added, steps, ask)) return false;
    }
    return true;
}

}  // namespace yomi::shogi::mate
