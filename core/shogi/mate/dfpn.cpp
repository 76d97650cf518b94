#include "core/shogi/mate/dfpn.hpp"

#include <algorithm>

#include "core/base/hash.hpp"
#include "core/shogi/mate/hands.hpp"
#include "core/shogi/mate/keys.hpp"

namespace yomi::shogi::mate {
namespace {

constexpr std::uint32_t kNoChild = ~std::uint32_t{0};
/// How far the walk to a common ancestor goes, and by how much numbers may jump on it before
/// another branch must be what they come from.
constexpr int kMaxWalk = 24;
constexpr Number kJump = 6;

/// A child is left when its number exceeds the second best by one part in so many. Disproofs among
/// many replies gain from staying longer.
constexpr Number kPatience = 8;
constexpr Number kPatienceByChecks = 4;

constexpr Number plus(Number a, Number b) noexcept {
    return std::min(a + b, kInfinite - 1);
}

}  // namespace

Value Dfpn::search(
    Position& position, Color attacker, Length limit, Defence defence, std::span<const Move> only) {
    only_ = only;
    defence_ = defence;
    salt_ = salt_of(defence);
    attacker_ = attacker;
    too_deep_ = false;
    frames_.clear();
    children_.clear();
    const Hand hand = position.hand(attacker);
    const std::uint64_t path_key = mix64(position.board_key() ^ salt_ ^ mix64(hand.bits()));
    enter(position, path_key, ~std::uint64_t{0}, limit);
    Value value = value_of(position, frames_.front());
    root_value_ = value;
    int extra = 0;
    while (!value.decided() && !meter_.ended())
        value = run(position, kInfinite, kInfinite, extra);
    root_value_ = value;
    best_move_ = kNoMove;
    if (value.decided()) best_move_ = winning_move(frames_.front());
    const Child root{};
    // What some moves are worth says nothing of all.
    if (only.empty()) store(frames_.front(), value, root, 1);
    leave();
    return value;
}

void Dfpn::enter(Position& position, std::uint64_t path_key, std::uint64_t sum_mask, Length limit) {
    Frame frame{};
    frame.board_key = position.board_key() ^ salt_;
    frame.path_key = path_key;
    frame.sum_mask = sum_mask;
    frame.hand = position.hand(attacker_);
    frame.begin = frame.end = static_cast<std::uint32_t>(children_.size());
    frame.limit = limit;
    frame.depth = static_cast<Depth>(frames_.size());
    frame.attacks = position.side_to_move() == attacker_;
    path_.push(frame.board_key, frame.hand, frame.depth);
    list_children(position, frame);
    frames_.push_back(frame);
    Frame& placed = frames_.back();
    for (std::uint32_t i = placed.begin; i < placed.end; ++i) {
        if (!children_[i].active) continue;
        settle(position, placed, i);
        // One refutation is enough; of mates the shortest is wanted.
        if (!placed.attacks && children_[i].dn == 0 && children_[i].repetition == kNoRepetition)
            break;
    }
}

void Dfpn::leave() {
    children_.resize(frames_.back().begin);
    frames_.pop_back();
    path_.pop();
}

/// The child that decides a node for its mover.
const Dfpn::Child* Dfpn::winner_of(const Frame& frame) const {
    const Child* best = nullptr;
    for (std::uint32_t i = frame.begin; i < frame.end; ++i) {
        const Child& child = children_[i];
        if (!child.active || (frame.attacks ? child.pn : child.dn) != 0) continue;
        if (best == nullptr) {
            best = &child;
        } else if (frame.attacks) {
            if (child.length < best->length) best = &child;
        } else if (child.repetition > best->repetition ||
                   (child.repetition == best->repetition && child.length > best->length)) {
            best = &child;
        }
    }
    return best;
}

Move Dfpn::winning_move(const Frame& frame) const {
    const Child* const best = winner_of(frame);
    return best == nullptr ? kNoMove : best->move;
}

Value Dfpn::won_value(const Position& position, const Frame& frame) const {
    Value value;
    const Child* const best = winner_of(frame);
    value.length = one_ply_more(best->length);
    if (frame.attacks) {
        value.pn = 0;
        value.dn = kInfinite;
        value.hand =
            needed_before(best->final_hand, best->move, position.piece_on(best->move.to()));
        return value;
    }
    value.pn = kInfinite;
    value.dn = 0;
    value.repetition = best->repetition >= frame.depth ? kNoRepetition : best->repetition;
    const Hand all = sum(position.hand(Color::black), position.hand(Color::white));
    value.hand = smaller_of_each(best->final_hand, all);
    if (best->move.is_drop()) {
        // The reply needs its piece: the attacker may hold all but one.
        const PieceType kind = best->move.dropped();
        value.hand.set(kind, std::min(value.hand.count(kind), all.count(kind) - 1));
        // Whether it counts has been asked for this hand.
        if (defence_ == Defence::sure) value.hand = smaller_of_each(value.hand, frame.hand);
    }
    return value;
}

Value Dfpn::lost_value(const Position& position, const Frame& frame) const {
    Value value;
    if (frame.attacks) {
        value.pn = kInfinite;
        value.dn = 0;
        value.length = kNoLimit;
        value.hand = sum(position.hand(Color::black), position.hand(Color::white));
        for (std::uint32_t i = frame.begin; i < frame.end; ++i) {
            const Child& child = children_[i];
            value.length = std::min(value.length, one_ply_more(child.length));
            value.repetition = std::min(value.repetition, child.repetition);
            value.hand = smaller_of_each(
                value.hand,
                allowed_before(child.final_hand, child.move, position.piece_on(child.move.to())));
        }
        if (value.repetition >= frame.depth) value.repetition = kNoRepetition;
        value.hand = hand_without_check(position, value.hand);
        return value;
    }
    value.pn = 0;
    value.dn = kInfinite;
    value.length = 0;
    value.hand = larger_of_each(hand_of_mate(position), frame.futile_hand);
    for (std::uint32_t i = frame.begin; i < frame.end; ++i) {
        const Child& child = children_[i];
        value.length = std::max(value.length, one_ply_more(child.length));
        value.hand = larger_of_each(value.hand, child.final_hand);
    }
    return value;
}

Value Dfpn::value_of(const Position& position, Frame& frame) {
    Number least = kInfinite + 1;
    Number second = kInfinite;
    Number least_other = 0;
    Number sum = 0;
    Number greatest = 0;
    Number next_greatest = 0;
    std::uint32_t best = kNoChild;
    frame.has_old = false;
    const Number Child::*const phi = frame.attacks ? &Child::pn : &Child::dn;
    const Number Child::*const delta = frame.attacks ? &Child::dn : &Child::pn;
    const auto sums = [&frame](std::uint32_t i) {
        return i - frame.begin >= 64 || ((frame.sum_mask >> (i - frame.begin)) & 1U) != 0;
    };
    for (std::uint32_t i = frame.begin; i < frame.end; ++i) {
        const Child& child = children_[i];
        if (!child.active) continue;
        const Number p = child.*phi;
        const Number d = child.*delta;
        if (p == 0) return won_value(position, frame);
        if (d == 0) continue;
        if (sums(i)) {
            sum = plus(sum, d);
        } else if (d >= greatest) {
            next_greatest = greatest;
            greatest = d;
        } else {
            next_greatest = std::max(next_greatest, d);
        }
        if (!child.first && child.min_depth <= frame.depth) frame.has_old = true;
        if (p < least || (p == least && d < least_other)) {
            second = std::min(second, least);
            least = p;
            least_other = d;
            best = i;
        } else {
            second = std::min(second, p);
        }
    }
    if (best == kNoChild) return lost_value(position, frame);
    const Number total = plus(sum, greatest);
    frame.best = best;
    frame.second = second;
    if (sums(best)) {
        frame.rest = total - least_other;
    } else {
        frame.rest = sum;
    }
    Value value;
    (frame.attacks ? value.pn : value.dn) = least;
    (frame.attacks ? value.dn : value.pn) = total;
    return value;
}

Value Dfpn::run(Position& position, Number th_pn, Number th_dn, int& extra) {
    const std::size_t here = frames_.size() - 1;
    Value value = value_of(position, frames_[here]);
    const int extra_before = extra;
    const Number patience = by_checks_ ? kPatienceByChecks : kPatience;
    if (frames_[here].has_old) ++extra;
    Number widened_pn = th_pn;
    Number widened_dn = th_dn;
    const auto widen = [&] {
        widened_pn = th_pn;
        widened_dn = th_dn;
        if (extra <= 0 || value.decided()) return;
        widened_pn = std::max(th_pn, value.pn + 1);
        widened_dn = std::max(th_dn, value.dn + 1);
    };
    widen();
    while (!value.decided() && value.pn < widened_pn && value.dn < widened_dn) {
        if (meter_.tick()) break;
        if (here + 2 >= Path::kMaxDepth) {
            too_deep_ = true;
            meter_.end(engine::StopReason::depth);
            break;
        }
        const Frame& frame = frames_[here];
        const std::uint32_t index = frame.best;
        const bool attacks = frame.attacks;
        const bool first = children_[index].first;
        const Number th_phi = attacks ? widened_pn : widened_dn;
        const Number th_delta = attacks ? widened_dn : widened_pn;
        const Number phi = std::min(th_phi, frame.second + 1 + frame.second / patience);
        const Number delta = th_delta >= kInfinite ? kInfinite : th_delta - frame.rest;
        const Number child_pn = attacks ? phi : delta;
        const Number child_dn = attacks ? delta : phi;

        const Move move = children_[index].move;
        const std::uint64_t nodes_before = meter_.nodes();
        const std::uint64_t path_key = path_key_after(frame.path_key, move, frame.depth);
        const Length limit = one_ply_less(frame.limit);
        position.do_move(move);
        enter(position, path_key, children_[index].sum_mask, limit);
        if (first && extra > 0) --extra;
        if (!first) resolve_double_count(children_[index]);
        Value found = value_of(position, frames_.back());
        if (!found.decided() && found.pn < child_pn && found.dn < child_dn)
            found = run(position, child_pn, child_dn, extra);
        store(frames_.back(),
              found,
              children_[index],
              static_cast<std::uint32_t>(meter_.nodes() - nodes_before + 1));
        const std::uint64_t sum_mask = frames_.back().sum_mask;
        leave();
        position.undo_move();

        Frame& again = frames_[here];
        Child& child = children_[index];
        child.pn = found.pn;
        child.dn = found.dn;
        child.sum_mask = sum_mask;
        child.first = false;
        child.min_depth =
            std::min(first ? kNoRepetition : child.min_depth, static_cast<Depth>(again.depth + 1));
        child.parent_board_key = again.board_key;
        child.parent_hand = again.hand;
        if (found.decided()) {
            child.length = found.length;
            child.repetition = found.repetition;
            child.final_hand = found.hand;
            const bool lost = attacks ? found.dn == 0 : found.pn == 0;
            if (lost && child.next_delayed >= 0) {
                const std::uint32_t next =
                    again.begin + static_cast<std::uint32_t>(child.next_delayed);
                children_[next].active = true;
                settle(position, again, next);
            }
        }
        value = value_of(position, again);
        widen();
        if (here == 0) root_value_ = value;
    }
    extra = std::min(extra, extra_before);
    return value;
}

void Dfpn::store(const Frame& frame, const Value& value, const Child& child, std::uint32_t effort) {
    if (value.proven()) {
        table_.store_proven(frame.board_key, value.hand, value.length, effort);
    } else if (value.disproven()) {
        if (value.repetition == kNoRepetition) {
            table_.store_disproven(frame.board_key, value.hand, value.length, effort);
        } else {
            table_.store_repetition(frame.board_key,
                                    frame.hand,
                                    frame.path_key,
                                    value.repetition,
                                    value.length,
                                    effort);
        }
    } else {
        const bool root = frame.depth == 0;
        const Frame& parent = frames_[root ? 0 : frame.depth - 1U];
        table_.store_open(frame.board_key,
                          frame.hand,
                          {.pn = value.pn,
                           .dn = value.dn,
                           .sum_mask = frame.sum_mask,
                           .parent_board_key = root ? child.parent_board_key : parent.board_key,
                           .parent_hand = root ? child.parent_hand : parent.hand,
                           .depth = frame.depth,
                           .effort = effort});
    }
}

/// The node just entered was reached from elsewhere before: if that way, too, comes from a node of
/// the path, its numbers are counted twice there. Those two branches then count by their maximum.
void Dfpn::resolve_double_count(const Child& child) {
    const Frame& parent = frames_[frames_.size() - 2];
    std::uint64_t key = child.board_key;
    Hand hand = child.hand;
    std::uint64_t next_key = child.parent_board_key;
    Hand next_hand = child.parent_hand;
    if (next_key == parent.board_key && next_hand == parent.hand) return;
    Number pn = child.pn;
    Number dn = child.dn;
    for (int step = 0; step < kMaxWalk && next_key != 0; ++step) {
        const Depth depth = path_.find(next_key, next_hand);
        if (depth != kNoRepetition) {
            if (depth + 1U >= frames_.size()) return;
            Frame& common = frames_[depth];
            const Child& on_path = children_[common.best];
            if (on_path.board_key == key && on_path.hand == hand) return;
            for (std::uint32_t i = common.begin; i < common.end; ++i) {
                const Child& other = children_[i];
                if (other.board_key != key || other.hand != hand) continue;
                for (const std::uint32_t k : {i, common.best}) {
                    if (k - common.begin < 64)
                        common.sum_mask &= ~(std::uint64_t{1} << (k - common.begin));
                }
                return;
            }
            return;
        }
        const Found found = table_.look_up(next_key, next_hand, kNoLimit);
        if (found.kind != Found::Kind::open) return;
        if (found.pn > pn + kJump || found.dn > dn + kJump) return;
        pn = found.pn;
        dn = found.dn;
        key = next_key;
        hand = next_hand;
        next_key = found.parent_board_key;
        next_hand = found.parent_hand;
    }
}

std::vector<Move> Dfpn::current_line() const {
    std::vector<Move> line;
    for (const Frame& frame : frames_) {
        if (frame.best < frame.end && frame.best >= frame.begin)
            line.push_back(children_[frame.best].move);
    }
    return line;
}

}  // namespace yomi::shogi::mate
