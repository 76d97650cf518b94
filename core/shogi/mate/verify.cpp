#include "core/shogi/mate/verify.hpp"

#include <algorithm>

#include "core/shogi/mate/interposition.hpp"
#include "core/shogi/mate/keys.hpp"
#include "core/shogi/mate/mate1.hpp"

namespace yomi::shogi::mate {
namespace {

/// Plies below the root that a walk may go: bounds the stack, the longest known mate is far
/// shorter.
constexpr int kMaxWalkDepth = 6000;
/// What it may cost, in nodes and as a share of all nodes, to tell whether the drops of a
/// refutation are futile.
constexpr std::uint64_t kFutileNodes = 2'000;
constexpr std::uint64_t kFutileShare = 4;

class DepthGuard {
public:
    explicit DepthGuard(int& depth) noexcept : depth_(depth) { ++depth_; }
    ~DepthGuard() { --depth_; }
    DepthGuard(const DepthGuard&) = delete;
    DepthGuard& operator=(const DepthGuard&) = delete;

private:
    int& depth_;
};

}  // namespace

bool Verifier::step() {
    ++walked_;
    if ((walked_ & 1023U) == 0 && meter_.look()) return false;
    if (meter_.ended()) return false;
    if (mates_.bytes() + refuted_.bytes() > max_bytes_) return false;
    return depth_ < kMaxWalkDepth;
}

std::size_t Verifier::list_moves(const Position& position, bool only_checks) {
    const std::size_t begin = moves_.size();
    MoveList list;
    legal_moves(position, list);
    if (only_checks) {
        const CheckInfo info = position.check_info();
        for (const Move move : list) {
            if (position.gives_check(move, info)) moves_.push_back(move);
        }
    } else {
        moves_.insert(moves_.end(), list.begin(), list.end());
    }
    return begin;
}

bool Verifier::mate(Position& position, Length limit) {
    depth_ = 0;
    moves_.clear();
    return position.side_to_move() == attacker_ ? mate_by_attack(position, limit)
                                                : mate_despite_defence(position, limit);
}

bool Verifier::no_mate(Position& position, Length limit) {
    depth_ = 0;
    moves_.clear();
    const bool shown = position.side_to_move() == attacker_ ? no_mate_by_attack(position, limit)
                                                            : no_mate_by_defence(position, limit);
    // What was taken for granted on the way holds only if the whole walk came through.
    if (!shown) refuted_.clear();
    return shown;
}

bool Verifier::mate_by_attack(Position& position, Length limit) {
    if (limit == 0) return false;
    const std::uint64_t key = position.board_key();
    const Hand hand = position.hand(attacker_);
    if (mates_.covers(key, hand, limit)) return true;
    if (!step()) return false;
    if (mate_in_one(position)) {
        mates_.insert(key, hand, 1);
        return true;
    }
    if (limit <= 2) return false;
    const DepthGuard guard(depth_);
    for (int attempt = 0; attempt < 2; ++attempt) {
        const std::size_t begin = list_moves(position, true);
        const std::size_t end = moves_.size();
        // The table's proposals, the shortest first; at first by the lengths that it claims.
        std::vector<std::pair<Length, Move>> proposed;
        for (std::size_t i = begin; i < end; ++i) {
            const Move move = moves_[i];
            const Found found = table_.look_up(board_key_after(position, move),
                                               attacker_hand_after(position, attacker_, move),
                                               one_ply_less(limit));
            if (found.kind == Found::Kind::proven) proposed.emplace_back(found.length, move);
        }
        moves_.resize(begin);
        std::stable_sort(proposed.begin(), proposed.end(), [](const auto& a, const auto& b) {
            return a.first < b.first;
        });
        for (const auto& [length, move] : proposed) {
            position.do_move(move);
            const Length within = attempt == 0 ? length : one_ply_less(limit);
            const bool shown = mate_despite_defence(position, within);
            position.undo_move();
            if (shown) {
                mates_.insert(key, hand, one_ply_more(within));
                return true;
            }
            if (!step()) return false;
        }
        if (attempt == 0 && !dfpn_.search(position, attacker_, limit).proven()) return false;
    }
    return false;
}

bool Verifier::mate_despite_defence(Position& position, Length limit) {
    const std::size_t begin = list_moves(position, false);
    const std::size_t end = moves_.size();
    bool all = begin == end || limit > 0;
    for (std::size_t i = begin; all && i < end; ++i) {
        position.do_move(moves_[i]);
        all = mate_by_attack(position, one_ply_less(limit));
        position.undo_move();
    }
    moves_.resize(begin);
    return all;
}

bool Verifier::no_mate_by_attack(Position& position, Length limit) {
    if (limit == 0) return true;
    if (limit <= 2) return step() && no_mate_at_once(position);
    const std::uint64_t key = position.board_key();
    const Hand hand = position.hand(attacker_);
    if (refuted_.covers(key, hand, limit)) return true;
    if (!step()) return false;
    const DepthGuard guard(depth_);
    refuted_.insert(key, hand, limit);
    const std::size_t begin = list_moves(position, true);
    const std::size_t end = moves_.size();
    bool all = true;
    for (std::size_t i = begin; all && i < end; ++i) {
        position.do_move(moves_[i]);
        all = no_mate_by_defence(position, one_ply_less(limit));
        position.undo_move();
    }
    moves_.resize(begin);
    return all;
}

/// Whether every check leaves a reply.
bool Verifier::no_mate_at_once(Position& position) {
    const std::size_t begin = list_moves(position, true);
    const std::size_t end = moves_.size();
    bool all = true;
    for (std::size_t i = begin; all && i < end; ++i) {
        position.do_move(moves_[i]);
        all = !is_mated(position);
        if (all) needed_futile_ = needed_futile_ || is_mated_by_convention(position);
        position.undo_move();
    }
    moves_.resize(begin);
    return all;
}

/// Notes a reply that refutes a mate within `limit` plies.
void Verifier::note_reply(const Position& position, Move reply, Length limit) {
    if (needed_futile_ || !position.in_check() || !reply.is_drop()) return;
    needed_futile_ = limit == kNoLimit || !surely_counts(position, reply.to(), limit);
}

/// Whether a drop on `to` is no futile interposition, whatever the moves that are: were it taken
/// and given back, not even a defender without drops would be mated within `limit` plies.
bool Verifier::surely_counts(const Position& position, Square to, Length limit) {
    for (const bool promotes : {true, false}) {
        auto taken = take_back(position, to, promotes);
        if (!taken) continue;
        const std::uint64_t before = meter_.nodes();
        const std::uint64_t most =
            std::min(kFutileNodes + before / kFutileShare, meter_.left() / kFutileShare);
        if (asked_nodes_ >= most) return false;
        meter_.pause_after(most - asked_nodes_);
        const Value value = dfpn_.search(*taken, attacker_, limit, Defence::bare);
        meter_.resume();
        asked_nodes_ += meter_.nodes() - before;
        if (!value.disproven()) return false;
    }
    return true;
}

bool Verifier::no_mate_by_defence(Position& position, Length limit) {
    const std::size_t begin = list_moves(position, false);
    const std::size_t end = moves_.size();
    if (begin == end) return false;
    if (limit <= 1) {
        moves_.resize(begin);
        needed_futile_ = needed_futile_ || is_mated_by_convention(position);
        return true;
    }
    // Moves first: a refutation without drops says more (see `needed_futile`).
    const auto drops = static_cast<std::size_t>(
        std::stable_partition(moves_.begin() + static_cast<std::ptrdiff_t>(begin),
                              moves_.end(),
                              [](Move move) { return !move.is_drop(); }) -
        moves_.begin());
    const Length below = one_ply_less(limit);
    const Hand hand = position.hand(attacker_);
    Move reply = kNoMove;
    for (std::size_t i = begin; i < end && below > 2; ++i) {
        if (i == drops && reply) break;
        const std::uint64_t key = board_key_after(position, moves_[i]);
        if (refuted_.covers(key, hand, below)) {
            note_reply(position, moves_[i], limit);
            moves_.resize(begin);
            return true;
        }
        if (!reply && table_.look_up(key, hand, below).kind == Found::Kind::disproven)
            reply = moves_[i];
    }
    // A reply after which there is no check at all, or just no mate, is not in the table.
    for (std::size_t i = begin; i < end && !reply; ++i) {
        position.do_move(moves_[i]);
        bool refutes = false;
        if (below <= 2) {
            refutes = no_mate_by_attack(position, below);
        } else {
            MoveList checks;
            checking_moves(position, checks);
            refutes = checks.empty();
        }
        position.undo_move();
        if (refutes) reply = moves_[i];
    }
    moves_.resize(begin);
    if (below <= 2) {
        if (reply) note_reply(position, reply, limit);
        return static_cast<bool>(reply);
    }
    if (!reply) {
        if (!dfpn_.search(position, attacker_, limit).disproven()) return false;
        reply = dfpn_.best_move();
        if (!reply || !position.is_legal(reply)) return false;
    }
    note_reply(position, reply, limit);
    position.do_move(reply);
    const bool shown = no_mate_by_attack(position, below);
    position.undo_move();
    return shown;
}

}  // namespace yomi::shogi::mate
