// The children of a node: which there are, which wait for others, what they are worth at first
// sight.
#include <algorithm>
#include <array>
#include <cstdlib>

#include "core/base/hash.hpp"
#include "core/shogi/mate/dfpn.hpp"
#include "core/shogi/mate/hands.hpp"
#include "core/shogi/mate/interposition.hpp"
#include "core/shogi/mate/keys.hpp"
#include "core/shogi/mate/mate1.hpp"
#include "core/shogi/zobrist.hpp"

namespace yomi::shogi::mate {
namespace {

/// What is refuted, or mated, without a piece that has been added is likely to be that with it,
/// too.
constexpr Number kDnOfTwin = 1;
constexpr Number kMorePnByTwin = 6;
constexpr Number kMoreDnByTwin = 16;

/// Kinds in hand that give check from afar.
constexpr std::array kSliders{PieceType::lance, PieceType::bishop, PieceType::rook};

constexpr bool is_slider(PieceType type) noexcept {
    return std::find(kSliders.begin(), kSliders.end(), type) != kSliders.end();
}

/// Entries up to which the table keeps leaves, too.
constexpr std::size_t kLeaves = std::size_t{1} << 15;

/// Whether one slider gives check and leaves a square to step between.
bool has_room_between(const Position& position) {
    const Bitboard checkers = position.checkers();
    if (checkers.more_than_one()) return false;
    return between(position.king(position.side_to_move()), checkers.lowest()).any();
}

}  // namespace

void Dfpn::list_children(const Position& position, Frame& frame) {
    MoveList list;
    if (frame.depth == 0 && !only_.empty()) {
        for (const Move move : only_)
            list.push(move);
    } else if (frame.attacks) {
        checking_moves(position, list);
    } else {
        legal_moves(position, list);
    }
    counts_ = ignored_ = Bitboard();
    for (const Move move : list) {
        if (!frame.attacks && leaves_out(position, frame, move)) continue;
        Child& child = children_.emplace_back();
        child.move = move;
        child.board_key = board_key_after(position, move) ^ salt_;
        child.hand =
            frame.attacks ? hand_after(frame.hand, move, position.piece_on(move.to())) : frame.hand;
        child.sum_mask = ~std::uint64_t{0};
        child.pn = child.dn = 1;
        child.next_delayed = -1;
        child.active = true;
        child.first = true;
        child.repetition = kNoRepetition;
        table_.prefetch(child.board_key);
    }
    frame.end = static_cast<std::uint32_t>(children_.size());
    if (frame.attacks) {
        delay_attack(position, frame);
    } else {
        delay_defence(position, frame);
    }
}

/// Whether a reply is none by the rules of the defence.
bool Dfpn::leaves_out(const Position& position, Frame& frame, Move reply) {
    if (defence_ == Defence::full || !reply.is_drop() || !position.in_check()) return false;
    const Square to = reply.to();
    if (defence_ == Defence::bare || ignored_.test(to)) return true;
    if (counts_.test(to)) return false;
    for (const bool promotes : {true, false}) {
        const auto needed = mate_taken_back(position, frame, to, promotes);
        if (!needed) continue;
        // With less in hand the drop might count.
        frame.futile_hand = larger_of_each(frame.futile_hand, *needed);
        ignored_.set(to);
        return true;
    }
    counts_.set(to);
    return false;
}

/// The hand that suffices to mate a bare defence within the limit after the slider has taken the
/// interposition, if there is such a mate.
std::optional<Hand> Dfpn::mate_taken_back(const Position& position,
                                          const Frame& frame,
                                          Square to,
                                          bool promotes) {
    const auto key = key_of_take_back(position, to, promotes);
    if (!key) return std::nullopt;
    const bool last = frame.limit <= 1;
    if (!last) {
        const Found found = table_.look_up(*key ^ salt_of(Defence::bare), frame.hand, frame.limit);
        if (found.kind == Found::Kind::disproven) return std::nullopt;
        if (found.kind == Found::Kind::proven) return found.hand;
    }
    auto taken = take_back(position, to, promotes);
    if (!taken) return std::nullopt;
    if (last) {
        if (!is_mated_by_convention(*taken)) return std::nullopt;
        return hand_of_mate(*taken);
    }
    if (!aside_) aside_ = std::make_unique<Dfpn>(table_, meter_);
    const Value value = aside_->search(*taken, attacker_, frame.limit, Defence::bare);
    if (value.disproven()) return std::nullopt;
    // Without an answer the drop is left out, as it may be futile.
    return value.proven() ? value.hand : frame.hand;
}

/// Drops of one slider from afar along one line to the king are met alike as a rule: the nearest
/// lives, the others wait until it has failed.
void Dfpn::delay_far_drops(const Position& position, const Frame& frame) {
    constexpr std::size_t kLines = 9;
    const Square king = position.king(~attacker_);
    std::array<std::array<std::int16_t, kLines>, kHandKinds + 1> last;
    for (auto& lines : last)
        lines.fill(-1);
    const auto sign = [](int n) { return (n > 0) - (n < 0); };
    for (int distance = 2; distance < 9; ++distance) {
        for (std::uint32_t i = frame.begin; i < frame.end; ++i) {
            const Move move = children_[i].move;
            if (!move.is_drop() || !is_slider(move.dropped())) continue;
            const int files = file_of(move.to()) - file_of(king);
            const int ranks = rank_of(move.to()) - rank_of(king);
            if (std::max(std::abs(files), std::abs(ranks)) != distance) continue;
            const auto line = static_cast<std::size_t>(3 * sign(files) + sign(ranks) + 4);
            std::int16_t& before = last[static_cast<std::size_t>(index(move.dropped()))][line];
            const auto here = static_cast<std::int16_t>(i - frame.begin);
            if (before >= 0) {
                children_[frame.begin + static_cast<std::uint32_t>(before)].next_delayed = here;
                children_[i].active = false;
            }
            before = here;
        }
    }
}

/// A pawn, bishop or rook that could promote and does not is right in rare cases only: it waits for
/// its promoting twin to fail. So does every piece where refutations are looked for: both moves are
/// met alike then.
void Dfpn::delay_attack(const Position& position, const Frame& frame) {
    if (by_checks_ && std::any_of(kSliders.begin(), kSliders.end(), [&](PieceType t) {
            return frame.hand.has(t);
        })) {
        delay_far_drops(position, frame);
    }
    for (std::uint32_t i = frame.begin; i < frame.end; ++i) {
        const Move plain = children_[i].move;
        if (plain.is_drop() || plain.is_promotion()) continue;
        const PieceType type = type_of(plain.piece_after());
        if (!by_checks_ && type != PieceType::pawn && type != PieceType::bishop &&
            type != PieceType::rook)
            continue;
        for (std::uint32_t k = frame.begin; k < frame.end; ++k) {
            const Move twin = children_[k].move;
            if (!twin.is_promotion() || twin.to() != plain.to() || twin.from() != plain.from())
                continue;
            children_[k].next_delayed = static_cast<std::int16_t>(i - frame.begin);
            children_[i].active = false;
            break;
        }
    }
}

/// Of the drops on one square only the first lives: the others wait until it has failed. So do
/// non-promotions.
void Dfpn::delay_defence(const Position&, const Frame& frame) {
    std::array<std::int16_t, kSquares> last;
    last.fill(-1);
    for (std::uint32_t i = frame.begin; i < frame.end; ++i) {
        const Move move = children_[i].move;
        if (!move.is_drop()) continue;
        std::int16_t& before = last[static_cast<std::size_t>(move.to())];
        const auto here = static_cast<std::int16_t>(i - frame.begin);
        if (before >= 0) {
            children_[frame.begin + static_cast<std::uint32_t>(before)].next_delayed = here;
            children_[i].active = false;
        }
        before = here;
    }
}

void Dfpn::settle(Position& position, Frame& frame, std::uint32_t index) {
    while (true) {
        Child& child = children_[index];
        look_at(position, frame, child);
        const bool lost = frame.attacks ? child.dn == 0 : child.pn == 0;
        if (!lost || child.next_delayed < 0) return;
        index = frame.begin + static_cast<std::uint32_t>(child.next_delayed);
        children_[index].active = true;
    }
}

void Dfpn::look_at(Position& position, const Frame& frame, Child& child) {
    const auto proven = [&child](Length length, Hand hand) {
        child.pn = 0;
        child.dn = kInfinite;
        child.length = length;
        child.final_hand = hand;
    };
    const auto disproven = [&child](Length length, Hand hand, Depth repetition) {
        child.pn = kInfinite;
        child.dn = 0;
        child.length = length;
        child.final_hand = hand;
        child.repetition = repetition;
    };
    const Length limit = one_ply_less(frame.limit);
    if (limit == 0 && !frame.attacks) {
        disproven(0, child.hand, kNoRepetition);
        return;
    }
    const Depth before = path_.no_worse(child.board_key, child.hand);
    if (before != kNoRepetition) {
        disproven(limit, child.hand, before);
        return;
    }
    const Found found = table_.look_up(child.board_key, child.hand, limit);
    switch (found.kind) {
        case Found::Kind::proven:
            proven(found.length, found.hand);
            return;
        case Found::Kind::disproven:
            disproven(found.length, found.hand, kNoRepetition);
            return;
        case Found::Kind::open:
            if (found.repeats) {
                const Depth start = table_.repetition(
                    path_key_after(frame.path_key, child.move, frame.depth), limit);
                if (start != kNoRepetition) {
                    disproven(limit, child.hand, start);
                    return;
                }
            }
            child.first = false;
            child.pn = found.pn;
            child.dn = found.dn;
            child.min_depth = found.min_depth;
            child.sum_mask = found.sum_mask;
            child.parent_board_key = found.parent_board_key;
            child.parent_hand = found.parent_hand;
            return;
        case Found::Kind::nothing:
            break;
    }
    std::size_t checks = 0;
    if (!frame.attacks) checks = checks_at_first_sight(position, child, limit);
    if (child.pn == 0 || child.dn == 0) {
        // While there is plenty of room: the node above is entered more than once.
        if (table_.used() >= kLeaves) return;
        if (child.pn == 0) {
            table_.store_proven(child.board_key, child.final_hand, child.length, 1);
        } else {
            table_.store_disproven(child.board_key, child.final_hand, child.length, 1);
        }
        return;
    }
    guess(position, frame, child);
    // What the sum will be when the position is entered.
    if (by_checks_ && !frame.attacks)
        child.dn = static_cast<Number>((child.move.is_drop() ? 4 : 0) + 2 * checks);
    if (!frame.attacks && found.refuted != 0 && found.refuted + 3 > limit) {
        // The reply that has just refuted a mate of two plies less.
        child.pn += 2;
        child.dn = 1;
    }
    if (compared_ != kNoPiece) guess_by_twin(position, child, limit);
    if (seed_ != 0) {
        const std::uint64_t bits = mix64(child.board_key ^ seed_);
        child.pn += static_cast<Number>(bits & 1U);
        child.dn += static_cast<Number>((bits >> 1U) & 1U);
    }
    child.pn = std::clamp(found.pn, child.pn, kInfinite - 1);
    child.dn = std::clamp(found.dn, child.dn, kInfinite - 1);
}

/// See `compare_without`.
void Dfpn::guess_by_twin(const Position& position, Child& child, Length limit) const {
    const Move move = child.move;
    if (position.piece_on(compared_at_) != compared_ || move.to() == compared_at_) return;
    if (!move.is_drop() && move.from() == compared_at_) return;
    const std::uint64_t key = child.board_key ^ zobrist::board(compared_, compared_at_);
    const Found twin = table_.look_up(key, child.hand, limit);
    if (twin.kind == Found::Kind::disproven) {
        child.dn = std::min(child.dn, kDnOfTwin);
        child.pn += kMorePnByTwin;
    } else if (twin.kind == Found::Kind::proven) {
        child.dn += kMoreDnByTwin;
    }
}

/// `judge_attack_leaf`, but what was seen before is not looked at again.
std::size_t Dfpn::checks_at_first_sight(Position& position, Child& child, Length limit) {
    if (sights_.empty() || limit != kNoLimit) return judge_attack_leaf(position, child, limit);
    constexpr std::uint64_t kCount = 255;
    const std::uint64_t key = child.board_key ^ mix64(child.hand.bits());
    std::uint64_t& sight = sights_[(key >> 40U) % kSights];
    if (((sight ^ key) & ~kCount) == 0) return sight & kCount;
    const std::size_t checks = judge_attack_leaf(position, child, limit);
    if (child.pn != 0 && child.dn != 0)
        sight = (key & ~kCount) | std::min<std::uint64_t>(checks, kCount);
    return checks;
}

/// A position of the attacker that is met for the first time: has it a check, has it a mate at
/// once? Returns the number of its checks.
std::size_t Dfpn::judge_attack_leaf(Position& position, Child& child, Length limit) const {
    position.do_move(child.move);
    MoveList checks;
    checking_moves(position, checks);
    if (checks.empty()) {
        child.pn = kInfinite;
        child.dn = 0;
        child.length = kNoLimit;
        const Hand all = sum(position.hand(Color::black), position.hand(Color::white));
        child.final_hand = hand_without_check(position, all);
    } else if (const Move mate = mate_in_one(position, checks)) {
        const Piece victim = position.piece_on(mate.to());
        position.do_move(mate);
        child.final_hand = hand_of_mate(position);
        position.undo_move();
        child.final_hand = needed_before(child.final_hand, mate, victim);
        child.pn = 0;
        child.dn = kInfinite;
        child.length = 1;
    } else if (limit <= 2 && defence_ != Defence::full) {
        judge_last_check(position, child, checks, limit);
    } else if (limit <= 2) {
        child.pn = kInfinite;
        child.dn = 0;
        child.length = limit;
        child.final_hand = child.hand;
    }
    position.undo_move();
    return checks.size();
}

/// Whether the defender, to move, is mated by the rules of the defence.
bool Dfpn::is_mate_here(const Position& position) const {
    return defence_ == Defence::sure ? is_mated_by_convention(position)
                                     : position.in_check() && !has_board_move(position);
}

/// The attacker has one move left, and none that mates for good: only a slider from afar is left.
void Dfpn::judge_last_check(Position& position,
                            Child& child,
                            const MoveList& checks,
                            Length limit) const {
    const Square king = position.king(~attacker_);
    for (const Move check : checks) {
        if (check.is_drop() && between(king, check.to()).none()) continue;
        const Piece victim = position.piece_on(check.to());
        position.do_move(check);
        const bool mated = has_room_between(position) && is_mate_here(position);
        if (mated) child.final_hand = needed_before(hand_of_mate(position), check, victim);
        position.undo_move();
        if (!mated) continue;
        child.pn = 0;
        child.dn = kInfinite;
        child.length = 1;
        return;
    }
    child.pn = kInfinite;
    child.dn = 0;
    child.length = limit;
    child.final_hand = child.hand;
}

/// Numbers of a position that nobody has looked into.
void Dfpn::guess(const Position& position, const Frame& frame, Child& child) const {
    const Move move = child.move;
    const Square to = move.to();
    const Color us = position.side_to_move();
    if (frame.attacks) {
        Bitboard occupancy = position.occupied();
        Bitboard own = Bitboard::all();
        if (!move.is_drop()) {
            occupancy.reset(move.from());
            own.reset(move.from());
        }
        const int support = (position.attackers(us, to, occupancy) & own).count();
        const int guards = position.attackers(~us, to, occupancy)
                               .without(Bitboard::of(position.king(~us)))
                               .count();
        const Piece victim = position.piece_on(to);
        const bool takes_guard = victim != kNoPiece && (moves_like_gold(type_of(victim)) ||
                                                        type_of(victim) == PieceType::silver);
        child.pn = 2;
        child.dn = 2;
        if (takes_guard) child.pn = 1;
        if (guards > support)
            child.pn += 2;
        else if (guards > 0)
            child.pn += 1;
        else if (support > 0 && child.pn > 1)
            child.pn -= 1;
        return;
    }
    if (move.is_drop()) {
        child.pn = 2;
        child.dn = 4;
    } else if (position.piece_on(to) != kNoPiece) {
        child.pn = 4;
        child.dn = 2;
    } else {
        child.pn = 2;
        child.dn = 2;
    }
}

Hand Dfpn::hand_of_mate(const Position& position) const {
    Hand needed;
    if (position.in_check()) {
        if (position.checkers().more_than_one()) return needed;
        const Square king = position.king(position.side_to_move());
        if (between(king, position.checkers().lowest()).none()) return needed;
    }
    // The defender could not step between for want of a piece: those pieces must not reach it.
    const Hand mine = position.hand(attacker_);
    const Hand theirs = position.hand(~attacker_);
    for (int t = 1; t <= kHandKinds; ++t) {
        const PieceType kind = hand_kind(t);
        if (!theirs.has(kind)) needed.set(kind, mine.count(kind));
    }
    return needed;
}

Hand Dfpn::hand_without_check(const Position& position, Hand allowed) const {
    const Hand mine = position.hand(attacker_);
    const CheckInfo info = position.check_info();
    for (int t = 1; t <= kHandKinds; ++t) {
        const PieceType kind = hand_kind(t);
        if (mine.has(kind) || !allowed.has(kind)) continue;
        Bitboard squares = info.squares[static_cast<std::size_t>(t)].without(position.occupied()) &
                           living_squares(attacker_, kind);
        if (kind == PieceType::pawn)
            squares &= files_without(position.pieces(attacker_, PieceType::pawn));
        if (squares.any()) allowed.set(kind, 0);
    }
    return allowed;
}

}  // namespace yomi::shogi::mate
