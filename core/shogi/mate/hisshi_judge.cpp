#include "core/shogi/mate/hisshi_judge.hpp"

#include <algorithm>
#include <utility>

#include "core/shogi/mate/mate1.hpp"

namespace yomi::shogi::mate {
namespace {

using engine::StopReason;
using std::chrono::milliseconds;

/// Positions that one replay may look at: beyond them the mate search is faster.
constexpr int kReplaySteps = 400;
constexpr int kRefutationSteps = 2000;
constexpr std::size_t kBytesOfKnown = 96;  ///< of one entry in the map, its node and bucket too

/// A limit of years is none: in microseconds it would not fit its type.
engine::Budget sane(engine::Budget budget) {
    if (budget.time && *budget.time > std::chrono::hours(100'000)) budget.time.reset();
    return budget;
}

}  // namespace

MateJudge::MateJudge(engine::SearchMemory& memory,
                     const engine::Budget& budget,
                     std::stop_token stop,
                     Color attacker)
    : memory_(memory),
      budget_(sane(budget)),
      whole_budget_(budget_),
      stop_(std::move(stop)),
      attacker_(attacker),
      start_(std::chrono::steady_clock::now()),
      meter_(budget_, stop_),
      max_known_(std::max<std::size_t>(memory.size() / kBytesOfKnown, 1U << 16)) {
    solver_.emplace(memory_, meter_, attacker_);
    look();
}

std::chrono::microseconds MateJudge::elapsed() const {
    return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() -
                                                                 start_);
}

bool MateJudge::look() {
    if (reason_ != StopReason::none) return true;
    if (stop_.stop_requested()) {
        reason_ = StopReason::cancelled;
    } else if (budget_.time && elapsed() >= *budget_.time) {
        reason_ = StopReason::time;
    } else if (budget_.nodes && spent_ >= *budget_.nodes) {
        reason_ = StopReason::nodes;
    } else if (known_.size() > max_known_) {
        reason_ = StopReason::nodes;  // memory is full of facts: as good as the end of the nodes
    }
    if (on_look) on_look();
    return ended();
}

bool MateJudge::tick() {
    ++spent_;
    if ((++ticks_ & 63U) == 0) look();
    return ended();
}

void MateJudge::open_question(std::uint64_t nodes) {
    engine::Budget share;
    share.nodes = nodes;
    if (budget_.nodes)
        share.nodes = std::min(nodes, *budget_.nodes - std::min(spent_, *budget_.nodes));
    if (budget_.time) {
        const auto gone = std::chrono::duration_cast<milliseconds>(elapsed());
        share.time = *budget_.time - std::min(gone, *budget_.time);
    }
    meter_ = Meter(share, stop_);
    meter_.on_look = [this] {
        if (on_look) on_look();
    };
}

void MateJudge::close_question() {
    spent_ += meter_.nodes();
    const StopReason reason = meter_.reason();
    if (reason == StopReason::cancelled || reason == StopReason::time) {
        if (reason_ == StopReason::none) reason_ = reason;
    } else if (budget_.nodes && spent_ >= *budget_.nodes && reason_ == StopReason::none) {
        reason_ = StopReason::nodes;
    }
}

Truth MateJudge::known(const Position& position) const {
    const auto found = known_.find(place_of(position, attacker_));
    return found == known_.end() ? Truth::unknown : found->second.truth;
}

Truth MateJudge::mate(Position& position) {
    Known& known = known_[place_of(position, attacker_)];
    if (known.truth != Truth::unknown || known.effort >= effort_ || ended()) return known.truth;
    if (position.side_to_move() == attacker_) {
        tick();
        if (const Move move = mate_in_one(position)) {
            known = {Truth::yes, 1, 0, move};
            return known.truth;
        }
    } else if (!position.in_check()) {
        known.truth = Truth::no;  // the defender's turn without a check: no mate by checks
        return known.truth;
    }
    return ask(position, known);
}

Truth MateJudge::ask(Position& position, Known& known) {
    open_question(effort_);
    bool shown = true;
    for (int attempt = 0; attempt < 2 && !meter_.ended(); ++attempt) {
        const auto value = solver_->search(position, kNoLimit);
        if (!value) break;
        if (value->proven()) {
            shown = solver_->verifier().mate(position, value->length);
            if (shown) {
                known.truth = Truth::yes;
                known.length = value->length;
            }
        } else {
            shown = solver_->verifier().no_mate(position, kNoLimit);
            if (shown) known.truth = Truth::no;
        }
        if (shown) break;
    }
    const bool stuck = !shown && !meter_.ended();
    close_question();
    // A walk that fails without a limit being reached: the verifier's room is full, or the table
    // has gone wrong. What is known here stays, those two begin anew.
    if (stuck) solver_.emplace(memory_, meter_, attacker_);
    if (known.truth == Truth::unknown && !ended()) known.effort = effort_;
    return known.truth;
}

void MateJudge::keep_reserve() {
    if (budget_.nodes) budget_.nodes = *budget_.nodes - *budget_.nodes / 8;
    if (budget_.time) budget_.time = *budget_.time - *budget_.time / 8;
}

void MateJudge::use_reserve() {
    budget_ = whole_budget_;
    pause_ = kNoPause;
    if (reason_ == StopReason::cancelled || reason_ == StopReason::none) return;
    reason_ = StopReason::none;
    look();
}

Truth MateJudge::threat(Position& position, Position* model) {
    position.do_null_move();
    Truth truth = known(position);
    if (truth == Truth::unknown && model != nullptr && known(*model) == Truth::no &&
        !mate_in_one(position)) {
        int steps = kRefutationSteps;
        replayed_.clear();
        if (replay_refutation(position, *model, steps)) {
            truth = Truth::no;
            known_[place_of(position, attacker_)].truth = truth;
        }
    }
    if (truth == Truth::unknown) truth = mate(position);
    position.undo_null_move();
    return truth;
}

bool MateJudge::replay_refutation(Position& here, Position& model, int& steps) {
    const PlaceKey place = place_of(here, attacker_);
    // An endless run of checks is no mate, and one failure ends the whole replay: so positions met
    // before may be taken as refuted.
    if (!replayed_.insert(place).second) return true;
    if (--steps < 0 || tick()) return false;
    MoveList checks;
    checking_moves(here, checks);
    for (const Move check : checks) {
        if (!refute_check(here, model, check, steps)) return false;
    }
    return true;
}

/// A reply of the model that the table knows to refute and that `here` has as well, or no move.
Move MateJudge::refuting_reply(const Position& here, const Position& model) const {
    MoveList replies;
    legal_moves(model, replies);
    for (const Move move : replies) {
        if (solver_->glance(model, move, kNoLimit).kind == Found::Kind::disproven &&
            here.is_legal(move)) {
            return move;
        }
    }
    return kNoMove;
}

bool MateJudge::refute_check(Position& here, Position& model, Move check, int& steps) {
    const bool shared = model.is_legal(check) && model.gives_check(check);
    here.do_move(check);
    bool held = false;
    Move reply;
    if (shared) {
        model.do_move(check);
        Move& hint = refuting_[place_of(model, attacker_)];
        if (hint && here.is_legal(hint)) {
            reply = hint;
        } else {
            reply = refuting_reply(here, model);
            hint = reply;
        }
        if (reply) {
            here.do_move(reply);
            model.do_move(reply);
            held = replay_refutation(here, model, steps);
            model.undo_move();
            here.undo_move();
        }
        model.undo_move();
    }
    // A check that the move has made possible, or a reply that it has taken away.
    if (!reply && steps > 0) held = mate(here) == Truth::no;
    here.undo_move();
    return held;
}

/// A check of the attacker with which the known mate of `position` begins, or no move when that
/// has been forgotten.
Move MateJudge::mating_move(Position& position) {
    Known& known = known_[place_of(position, attacker_)];
    if (known.move) return known.move;
    Move best = mate_in_one(position);
    Length least = kNotProven;
    MoveList checks;
    if (!best) checking_moves(position, checks);
    for (const Move move : checks) {
        const Found found = solver_->glance(position, move, kNoLimit);
        if (found.kind != Found::Kind::proven || found.length >= least) continue;
        least = found.length;
        best = move;
    }
    known.move = best;
    return best;
}

bool MateJudge::replay(Position& here, Position& model) {
    int steps = kReplaySteps;
    const Length length = replay_attack(here, model, steps);
    if (length == 0) return false;
    const Move move = mating_move(model);
    Known& known = known_[place_of(here, attacker_)];
    if (known.truth != Truth::yes) known = {Truth::yes, length, 0, move};
    return true;
}

Length MateJudge::replay_attack(Position& here, Position& model, int& steps) {
    if (--steps < 0 || tick()) return 0;
    const Move move = mating_move(model);
    if (!move || !here.is_legal(move) || !here.gives_check(move)) return 0;
    here.do_move(move);
    model.do_move(move);
    MoveList replies;
    legal_moves(here, replies);
    Length longest = 1;
    for (const Move reply : replies) {
        // Asked before the move is made here: the two positions need not be alike.
        const bool shared = model.is_legal(reply);
        here.do_move(reply);
        Length below = 0;
        if (mate_in_one(here)) {
            below = 1;
        } else if (shared) {
            model.do_move(reply);
            below = replay_attack(here, model, steps);
            model.undo_move();
        }
        here.undo_move();
        if (below == 0) {
            longest = 0;
            break;
        }
        longest = std::max(longest, static_cast<Length>(below + 2));
    }
    model.undo_move();
    here.undo_move();
    return longest;
}

HisshiMate MateJudge::describe(Position& position) {
    HisshiMate mate;
    const bool attacks = position.side_to_move() == attacker_;
    if (attacks && mate_in_one(position)) {
        mate = {1, true, {mate_in_one(position)}};
        return mate;
    }
    open_question(effort_);
    const auto value = solver_->search(position, kNoLimit);
    if (value && value->proven()) {
        mate.length = value->length;
        const auto exact = solver_->exact(position, mate.length);
        if (exact) {
            mate.length = *exact;
            mate.line = solver_->best_line(position, mate.length, 400);
            mate.exact = mate.line.size() == mate.length;
        }
        if (!mate.exact) mate.line = solver_->proof_line(position, mate.length);
    } else {
        const auto known = known_.find(place_of(position, attacker_));
        if (known != known_.end()) mate.length = known->second.length;
    }
    close_question();
    return mate;
}

}  // namespace yomi::shogi::mate
