#include "core/shogi/mate/hisshi_search.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "core/shogi/mate/keys.hpp"

namespace yomi::shogi::mate {
namespace {

/// Bounds of the search for an endless refutation, which is a bonus: without it "none" is said of a
/// number of moves only.
constexpr int kNeverSteps = 3000;
constexpr int kNeverDepth = 48;
constexpr int kNeverTries = 3;
/// Replies met by a search of their own that are kept as models for their like.
constexpr std::size_t kModels = 3;
/// Replies that escaped before: so many are remembered, so many played again.
constexpr std::size_t kMostEscapes = 64;
constexpr std::size_t kEscapesReplayed = 3;

int distance(Square a, Square b) noexcept {
    return std::max(std::abs(file_of(a) - file_of(b)), std::abs(rank_of(a) - rank_of(b)));
}

template <class Score>
void sort_by(MoveList& moves, Score score) {
    std::vector<std::pair<int, Move>> keyed;
    keyed.reserve(moves.size());
    for (const Move move : moves)
        keyed.emplace_back(score(move), move);
    std::stable_sort(
        keyed.begin(), keyed.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    std::transform(
        keyed.begin(), keyed.end(), moves.begin(), [](const auto& pair) { return pair.second; });
}

void to_front(MoveList& moves, Move move) {
    Move* const found = std::find(moves.begin(), moves.end(), move);
    if (found != moves.end()) std::rotate(moves.begin(), found, found + 1);
}

/// `moves` with one drop on each square only: the others are met in the same way as a rule.
std::vector<Move> first_drops(std::span<const Move> moves) {
    Bitboard seen;
    std::vector<Move> some;
    for (const Move move : moves) {
        if (move.is_drop()) {
            if (seen.test(move.to())) continue;
            seen.set(move.to());
        }
        some.push_back(move);
    }
    return some;
}

}  // namespace

void order_attacks(const Position& position, MoveList& moves) {
    const Square king = position.king(~position.side_to_move());
    const CheckInfo info = position.check_info();
    sort_by(moves, [&](Move move) {
        int score = -4 * distance(move.to(), king);
        if (position.is_capture(move)) score += 3;
        if (move.is_promotion()) score += 2;
        // Threats come before checks: a brink is quiet, and a check in vain has many replies.
        if (position.gives_check(move, info)) score -= 12;
        return score;
    });
}

void order_replies(const Position& position, MoveList& moves) {
    const Square king = position.king(position.side_to_move());
    const CheckInfo info = position.check_info();
    sort_by(moves, [&](Move move) {
        int score = 0;
        if (position.is_capture(move)) score += 40;
        if (!move.is_drop() && move.from() == king) score += 30;
        if (position.gives_check(move, info)) score += 20;
        if (!move.is_drop()) score += 5;
        return score - distance(move.to(), king);
    });
}

int HisshiSearch::won_in(const Position& position) const {
    if (judge_.known(position) == Truth::yes) return 0;
    const auto found = facts_.find(place_of(position, judge_.attacker()));
    return found == facts_.end() || found->second.won == kNever ? -1 : found->second.won;
}

Move HisshiSearch::best_attack(const Position& position) const {
    const auto found = facts_.find(place_of(position, judge_.attacker()));
    return found == facts_.end() || found->second.won == kNever ? kNoMove : found->second.best;
}

Truth HisshiSearch::attack(Position& position, int moves) {
    const Truth mate = judge_.mate(position);
    if (mate == Truth::yes) return Truth::yes;
    if (moves <= 0) return mate;
    Facts& facts = facts_[place_of(position, judge_.attacker())];
    if (facts.won <= moves) return Truth::yes;
    if (mate == Truth::no) facts.lost = std::max<std::int16_t>(facts.lost, 0);
    bool open = mate != Truth::no;
    for (int n = std::max(1, facts.lost + 1); n <= moves; ++n) {
        if (judge_.ended()) return Truth::unknown;
        const Truth truth = attack_at(position, n, facts);
        if (truth == Truth::yes) {
            facts.won = static_cast<std::int16_t>(n);
            return truth;
        }
        if (truth == Truth::unknown) open = true;
        if (!open) facts.lost = static_cast<std::int16_t>(n);
    }
    return open ? Truth::unknown : Truth::no;
}

Truth HisshiSearch::attack_at(Position& position, int moves, Facts& facts) {
    MoveList list;
    legal_moves(position, list);
    order_attacks(position, list);
    if (facts.best) to_front(list, facts.best);
    bool open = false;
    for (const Move move : list) {
        if (judge_.tick()) return Truth::unknown;
        const Truth truth = try_attack(position, move, moves - 1);
        if (truth == Truth::yes) {
            facts.best = move;
            return truth;
        }
        if (truth == Truth::unknown) open = true;
    }
    return open ? Truth::unknown : Truth::no;
}

Truth HisshiSearch::try_attack(Position& position, Move move, int moves) {
    if (judge_.known(position) == Truth::no) {
        if (position.gives_check(move)) {
            // All replies to a check are mated only where the check begins a mate.
            if (moves == 0) return Truth::no;
        } else if (move.is_drop() && judge_.is_idle_drop(position, move)) {
            return Truth::no;
        }
    }
    position.do_move(move);
    const Truth truth =
        position.in_check() ? defend(position, moves) : after_quiet(position, moves);
    position.undo_move();
    return truth;
}

/// The cheap reasons against the move come first: nothing new to threaten with, a reply that
/// escapes as it would without the move. A piece that has moved has left something, too, so there
/// the second is more likely.
Truth HisshiSearch::after_quiet(Position& position, int moves) {
    Facts& facts = facts_[place_of(position, judge_.attacker())];
    if (facts.lost >= moves) return Truth::no;
    const bool drops = position.last_move().is_drop();
    if (moves == 0 && facts.tried) return try_brink(position, facts);
    facts.tried = true;
    if (drops && judge_.threatens_nothing_new(position)) return Truth::no;
    if (moves == 0) {
        MoveList replies;
        legal_moves(position, replies);
        if (const Move escape = escape_as_before(position, replies, 0))
            return refuted(facts, escape, 0);
    }
    if (!drops && judge_.threatens_nothing_new(position)) return Truth::no;
    if (moves == 0) return try_brink(position, facts);
    const Truth threat = judge_.threat(position);
    return threat == Truth::yes ? defend(position, moves) : threat;
}

/// Counts `reply` as an escape; what was one long ago counts less.
void HisshiSearch::remember_escape(Move reply) {
    for (Escape& known : escapes_)
        known.weight -= known.weight / 16;
    auto found = std::find_if(escapes_.begin(), escapes_.end(), [reply](const Escape& known) {
        return known.reply == reply;
    });
    if (found == escapes_.end()) {
        if (escapes_.size() == kMostEscapes) escapes_.pop_back();
        found = escapes_.insert(escapes_.end(), {reply, 0});
    }
    found->weight += 1000;
    for (; found != escapes_.begin() && (found - 1)->weight < found->weight; --found)
        std::iter_swap(found - 1, found);
}

Truth HisshiSearch::settle(Position& position, Move reply, int moves) {
    position.do_move(reply);
    const Truth truth = attack(position, moves);
    position.undo_move();
    return truth;
}

Move HisshiSearch::escape_as_before(Position& position, const MoveList& replies, int moves) {
    // Chosen first: what is asked below finds more escapes, which changes their order.
    MoveList again;
    for (const Escape& known : escapes_) {
        if (again.size() == kEscapesReplayed) break;
        if (replies.contains(known.reply)) again.push(known.reply);
    }
    for (const Move reply : again) {
        if (judge_.ended()) break;
        const bool escapes = moves == 0 ? judge_.escapes_anyway(position, reply)
                                        : settle(position, reply, moves) == Truth::no;
        if (escapes) return reply;
    }
    return kNoMove;
}

Truth HisshiSearch::refuted(Facts& facts, Move reply, int moves) {
    facts.best = reply;
    facts.lost = static_cast<std::int16_t>(moves);
    remember_escape(reply);
    return Truth::no;
}

/// The replies that the threat, played again move for move, does not meet: there escapes are.
std::vector<Move> HisshiSearch::unmet(Position& position, const MoveList& replies) {
    if (position.in_check()) return {replies.begin(), replies.end()};
    std::vector<Move> rest;
    Position model = position;
    model.do_null_move();
    const Relevance relevance = judge_.relevance(model);
    for (const Move reply : replies) {
        if (judge_.ended()) break;
        if (relevance.ignores(reply)) continue;
        position.do_move(reply);
        const Truth known = judge_.known(position);
        const bool met = known == Truth::yes ||
                         (known == Truth::unknown && judge_.replay_threat(position, model));
        position.undo_move();
        if (!met) rest.push_back(reply);
    }
    return rest;
}

Truth HisshiSearch::defend(Position& position, int moves) {
    Facts& facts = facts_[place_of(position, judge_.attacker())];
    if (facts.won <= moves) return Truth::yes;
    if (facts.lost >= moves) return Truth::no;
    MoveList list;
    legal_moves(position, list);
    if (facts.best && settle(position, facts.best, moves) == Truth::no)
        return refuted(facts, facts.best, moves);
    order_replies(position, list);
    if (moves > 0) {
        if (const Move escape = escape_as_before(position, list, moves))
            return refuted(facts, escape, moves);
    }
    const std::vector<Move> rest = unmet(position, list);
    if (judge_.ended()) return Truth::unknown;
    return moves == 0 ? meet_all(position, facts, rest) : win_against(position, facts, rest, moves);
}

/// Is there a mate against each of `replies`, all that are not met yet?
Truth HisshiSearch::meet_all(Position& position, Facts& facts, std::span<const Move> replies) {
    if (judge_.ended()) return Truth::unknown;
    if (!replies.empty()) {
        Move escape;
        const Truth found =
            judge_.escape_among(position, first_drops(replies), judge_.effort(), escape);
        if (found == Truth::yes) return refuted(facts, escape, 0);
        if (found == Truth::unknown) return Truth::unknown;
    }
    bool open = false;
    Models models;
    for (const Move reply : replies) {
        const Truth truth = mated(position, reply, models);
        if (judge_.ended()) return Truth::unknown;
        if (truth == Truth::no) return refuted(facts, reply, 0);
        if (truth == Truth::unknown) open = true;
    }
    if (open) return Truth::unknown;
    facts.won = 0;
    return Truth::yes;
}

/// Is there a win in at most `moves` moves against each of `replies`, all that are not met yet?
Truth HisshiSearch::win_against(Position& position,
                                Facts& facts,
                                std::span<const Move> replies,
                                int moves) {
    std::vector<Move> deeper;
    Models models;
    for (const Move reply : replies) {
        if (mated(position, reply, models) != Truth::yes) deeper.push_back(reply);
        if (judge_.ended()) return Truth::unknown;
    }
    bool open = false;
    for (const Move reply : deeper) {
        const Truth truth = settle(position, reply, moves);
        if (truth == Truth::no) return refuted(facts, reply, moves);
        if (truth == Truth::unknown) open = true;
        if (judge_.ended()) return Truth::unknown;
    }
    if (open) return Truth::unknown;
    facts.won = static_cast<std::int16_t>(moves);
    return Truth::yes;
}

/// Is there a mate after `reply`? Drops on one square are met alike, so mates against the last few
/// are played again first.
Truth HisshiSearch::mated(Position& position, Move reply, Models& models) {
    if (judge_.tick()) return Truth::unknown;
    position.do_move(reply);
    Truth truth = judge_.known(position);
    for (std::size_t i = 0; i < models.size() && truth == Truth::unknown; ++i) {
        if (models[i].first.to() == reply.to() && judge_.replay(position, models[i].second))
            truth = Truth::yes;
    }
    if (truth == Truth::unknown) {
        truth = judge_.mate(position);
        if (truth == Truth::yes && reply.is_drop()) {
            if (models.size() == kModels) models.erase(models.begin());
            models.emplace_back(reply, position);
        }
    }
    position.undo_move();
    return truth;
}

bool HisshiSearch::never(Position& position) {
    assumed_.clear();
    assumed_order_.clear();
    never_steps_ = 0;
    return never_by_attack(position, 0);
}

/// Takes back what was assumed since: it rested on something that failed.
bool HisshiSearch::forget_since(std::size_t count) {
    while (assumed_order_.size() > count) {
        assumed_.erase(assumed_order_.back());
        assumed_order_.pop_back();
    }
    return false;
}

bool HisshiSearch::never_by_attack(Position& position, int depth) {
    const PlaceKey place = place_of(position, judge_.attacker());
    if (assumed_.count(place) != 0) return true;
    if (depth > kNeverDepth || ++never_steps_ > kNeverSteps || judge_.tick()) return false;
    if (judge_.mate(position) != Truth::no) return false;
    const std::size_t before = assumed_order_.size();
    assumed_.insert(place);
    assumed_order_.push_back(place);
    MoveList list;
    legal_moves(position, list);
    // Checks first: most replies to them lead to positions that are known.
    order_attacks(position, list);
    std::reverse(list.begin(), list.end());
    for (const Move move : list) {
        if (judge_.tick()) return forget_since(before);
        position.do_move(move);
        bool held = true;
        if (!position.in_check()) {
            const Truth threat = judge_.threat(position);
            if (threat == Truth::unknown) held = false;
            if (threat == Truth::yes) held = never_by_defence(position, depth + 1);
        } else {
            held = never_by_defence(position, depth + 1);
        }
        position.undo_move();
        if (!held) return forget_since(before);
    }
    return true;
}

bool HisshiSearch::never_by_defence(Position& position, int depth) {
    MoveList list;
    legal_moves(position, list);
    for (const Move reply : list) {
        if (assumed_.count(place_after(position, judge_.attacker(), reply)) != 0) return true;
    }
    order_replies(position, list);
    const auto found = facts_.find(place_of(position, judge_.attacker()));
    if (found != facts_.end() && found->second.best) to_front(list, found->second.best);
    int tries = kNeverTries;
    for (const Move reply : list) {
        if (tries == 0) return false;
        position.do_move(reply);
        bool held = false;
        if (judge_.mate(position) == Truth::no && won_in(position) < 0) {
            --tries;
            held = never_by_attack(position, depth);
        }
        position.undo_move();
        if (held) return true;
        if (judge_.ended()) return false;
    }
    return false;
}

}  // namespace yomi::shogi::mate
