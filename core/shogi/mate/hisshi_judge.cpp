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
constexpr int kRelevanceSteps = 100;
constexpr int kRefutationSteps = 2000;
/// What the questions about checks that a replayed refutation does not have may cost, together and
/// each, in nodes.
constexpr std::uint64_t kReplayNodes = 1000;
constexpr std::uint64_t kReplayEffort = 400;
/// Refutations with more positions are not kept; nodes to complete one.
constexpr std::size_t kBuildNodes = 3000;
constexpr std::uint64_t kBuildEffort = 2000;
/// Positions looked at for the line of a mate that leaves the fewest pieces.
constexpr std::size_t kLinePositions = 60;
constexpr std::size_t kMostRefutationNodes = 200'000;
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
    begin_anew();
    look();
}

void MateJudge::begin_anew() {
    solver_.emplace(memory_, meter_, attacker_);
    solver_->dfpn().guess_by_checks();
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
    if (ended()) return true;
    spend(1);
    if ((++ticks_ & 63U) == 0) look();
    return ended();
}

void MateJudge::spend(std::uint64_t nodes) {
    spent_ += nodes;
    if (budget_.nodes && spent_ >= *budget_.nodes && reason_ == StopReason::none)
        reason_ = StopReason::nodes;
}

std::uint64_t MateJudge::left() const noexcept {
    return budget_.nodes ? *budget_.nodes - std::min(spent_, *budget_.nodes) : kNoPause;
}

void MateJudge::open_question(std::uint64_t nodes) {
    engine::Budget share;
    share.nodes = std::min(nodes, left());
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
    const StopReason reason = meter_.reason();
    if ((reason == StopReason::cancelled || reason == StopReason::time) &&
        reason_ == StopReason::none) {
        reason_ = reason;
    }
    spend(meter_.nodes());
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
            known = {.truth = Truth::yes, .length = 1, .move = move};
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
    if (stuck) begin_anew();
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

std::optional<MateJudge::Base> MateJudge::without_mover(const Position& position) const {
    const Square at = position.last_move().to();
    const PieceType mover = type_of(position.piece_on(at));
    if (mover == PieceType::king) {
        Base stayed{.position = position, .added = {}};
        stayed.position.undo_move();
        if (stayed.position.in_check()) return std::nullopt;
        stayed.position.do_null_move();
        return stayed;
    }
    Setup setup = position.setup();
    setup.board[static_cast<std::size_t>(at)] = kNoPiece;
    setup.hands[static_cast<std::size_t>(index(~attacker_))].add(unpromote(mover));
    auto without = Position::from_setup(setup);
    if (!without || without->in_check()) return std::nullopt;
    return Base{.position = *std::move(without), .added = {mover, at}};
}

bool MateJudge::threatens_nothing_new(Position& position) {
    if (!position.last_move()) return false;
    auto base = without_mover(position);
    if (!base) return false;
    base->position.do_null_move();
    if (mate(base->position) != Truth::no) return false;
    Refutation* const before = refutation_of(base->position);
    if (before == nullptr) return false;
    position.do_null_move();
    bool held = known(position) == Truth::no;
    if (known(position) == Truth::unknown && !mate_in_one(position))
        held = holds_against(*before, position, base->added);
    position.undo_null_move();
    return held;
}

Truth MateJudge::threat(Position& position) {
    position.do_null_move();
    const Truth truth = mate(position);
    position.undo_null_move();
    return truth;
}

bool MateJudge::is_idle_drop(Position& position, Move drop) {
    const PieceType kind = drop.dropped();
    // Without the piece in hand there is no mate either, and less to refute.
    PlaceKey place = place_of(position, attacker_);
    Hand hand = position.hand(attacker_);
    hand.remove(kind);
    place.hand = hand.bits();
    const auto found = refutations_.find(place);
    const Refutation* refutation = found != refutations_.end() ? &found->second : nullptr;
    if (refutation == nullptr) {
        Setup setup = position.setup();
        setup.hands[static_cast<std::size_t>(index(attacker_))].remove(kind);
        setup.hands[static_cast<std::size_t>(index(~attacker_))].add(kind);
        auto without = Position::from_setup(setup);
        if (!without || mate(*without) != Truth::no) return false;
        refutation = refutation_of(*without);
    }
    return refutation != nullptr && refutation->ignores({kind, drop.to()});
}

bool MateJudge::holds_against(Refutation& refutation, Position& here, Refutation::Added added) {
    if (added) solver_->dfpn().compare_without(make_piece(attacker_, added.kind), added.at);
    const std::uint64_t effort = effort_;
    effort_ = std::min(effort, kReplayEffort);
    int steps = kRefutationSteps;
    int counted = steps;
    // Steps of the walk are counted whenever the search is asked, so that both keep to what is
    // left.
    const auto count = [&] {
        spend(static_cast<std::uint64_t>(counted - std::max(steps, 0)));
        counted = steps = static_cast<int>(
            std::min<std::uint64_t>(left(), static_cast<std::uint64_t>(std::max(steps, 0))));
    };
    count();
    const std::uint64_t most = spent_ + kReplayNodes;
    const bool held = refutation.replay(here, added, steps, [&](Position& checked) {
        count();
        const bool escapes = spent_ < most && mate(checked) == Truth::no;
        counted = steps;
        count();
        return escapes;
    });
    count();
    effort_ = effort;
    if (held) known_[place_of(here, attacker_)].truth = Truth::no;
    return held;
}

bool MateJudge::escapes_anyway(Position& position, Move reply) {
    if (!position.last_move() || ended()) return false;
    auto base = without_mover(position);
    if (!base || !base->position.is_legal(reply)) return false;
    base->position.do_move(reply);
    if (mate(base->position) != Truth::no) return false;
    Refutation* const before = refutation_of(base->position);
    if (before == nullptr) return false;
    position.do_move(reply);
    bool escapes = known(position) == Truth::no;
    if (known(position) == Truth::unknown && !mate_in_one(position)) {
        escapes = holds_against(*before, position, base->added);
    }
    position.undo_move();
    return escapes;
}

void MateJudge::compare_without_mover(const Position& position) {
    const Square at = position.last_move().to();
    solver_->dfpn().compare_without(position.piece_on(at), at);
}

std::optional<std::size_t> MateJudge::checks_left(Position& position) {
    MoveList checks;
    checking_moves(position, checks);
    if (mate_in_one(position, checks)) return std::nullopt;
    return checks.size();
}

Number MateJudge::disproof_number(const Position& position) {
    const Found found =
        solver_->table().look_up(position.board_key(), position.hand(attacker_), kNoLimit);
    if (found.kind == Found::Kind::disproven) return 0;
    return found.kind == Found::Kind::open ? found.dn : kInfinite;
}

std::uint64_t MateJudge::spent_on(const Position& position) const {
    const auto found = known_.find(place_of(position, attacker_));
    return found == known_.end() ? 0 : found->second.effort;
}

Truth MateJudge::escape_among(Position& position,
                              std::span<const Move> replies,
                              std::uint64_t nodes,
                              Move& escape) {
    escape = kNoMove;
    open_question(nodes);
    const auto value = solver_->search_some(position, replies);
    if (value && value->disproven()) escape = solver_->dfpn().best_move();
    close_question();
    if (!value) return Truth::unknown;
    if (value->proven()) return Truth::no;
    if (!escape || !position.is_legal(escape)) return Truth::unknown;
    position.do_move(escape);
    const Truth mated = mate(position);
    position.undo_move();
    return mated == Truth::no ? Truth::yes : Truth::unknown;
}

Refutation* MateJudge::refutation_of(Position& position) {
    if (known(position) != Truth::no) return nullptr;
    if (refutation_nodes_ > kMostRefutationNodes) {
        refutations_.clear();
        refutation_nodes_ = 0;
    }
    const auto [found, fresh] = refutations_.try_emplace(place_of(position, attacker_));
    Refutation& refutation = found->second;
    if (fresh) {
        // The walk and the searches that complete it share what is left.
        const std::uint64_t share = left() / 2;
        open_question(std::min(kBuildEffort, share));
        refutation.build(
            position,
            [this](Position& checked) { return refuting_reply(checked); },
            std::min<std::size_t>(kBuildNodes, share));
        close_question();
        spend(refutation.size());
        refutation_nodes_ += refutation.size() + 1;
    }
    return refutation.empty() ? nullptr : &refutation;
}

/// A reply that the table knows to refute the check; among several the one with the least below.
Move MateJudge::refuting_reply(Position& position) {
    MoveList replies;
    legal_moves(position, replies);
    Move best;
    std::uint32_t least = 0;
    for (const Move move : replies) {
        const Found found = solver_->glance(position, move, kNoLimit);
        if (found.kind != Found::Kind::disproven || (best && found.effort >= least)) continue;
        best = move;
        least = found.effort;
    }
    // A reply after which there is no check at all is not in the table.
    for (std::size_t i = 0; i < replies.size() && !best; ++i) {
        position.do_move(replies[i]);
        MoveList checks;
        checking_moves(position, checks);
        position.undo_move();
        if (checks.empty()) best = replies[i];
    }
    if (!best && !meter_.ended()) {
        const auto value = solver_->search(position, kNoLimit);
        if (value && value->disproven()) best = solver_->dfpn().best_move();
        if (best && !position.is_legal(best)) best = kNoMove;
    }
    return best;
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

Relevance MateJudge::relevance(Position& model) {
    Relevance relevance;
    relevance.build(
        model,
        [this](Position& position) { return tick() ? kNoMove : mating_move(position); },
        kRelevanceSteps);
    return relevance;
}

bool MateJudge::replay_threat(Position& here, Position& model) {
    Known& known = known_[place_of(here, attacker_)];
    if (!known.tried) known.replayed = replay(here, model);
    known.tried = true;
    return known.replayed;
}

bool MateJudge::replay(Position& here, Position& model) {
    int steps = kReplaySteps;
    const Length length = replay_attack(here, model, steps);
    if (length == 0) return false;
    const Move move = mating_move(model);
    Known& known = known_[place_of(here, attacker_)];
    if (known.truth != Truth::yes) known = {.truth = Truth::yes, .length = length, .move = move};
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
    HisshiMate& mate = described_[place_of(position, attacker_)];
    if (mate.exact) return mate;
    mate = HisshiMate{};
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
            mate.line = solver_->best_line(position, mate.length, kLinePositions);
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
