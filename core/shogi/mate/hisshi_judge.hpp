#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <unordered_map>
#include <vector>

#include "core/shogi/mate/hisshi.hpp"
#include "core/shogi/mate/place.hpp"
#include "core/shogi/mate/refutation.hpp"
#include "core/shogi/mate/relevance.hpp"
#include "core/shogi/mate/solver.hpp"

namespace yomi::shogi::mate {

enum class Truth : std::uint8_t { unknown, no, yes };

/// Answers "is there a mate?" for many positions of one hisshi, every answer walked again.
///
/// A question gets so much effort and no more, so that a hard one does not eat the budget of all;
/// asked again with more effort, it goes on from what the table knows.
///
/// Threads one owner at a time.
class MateJudge {
public:
    MateJudge(engine::SearchMemory& memory,
              const engine::Budget& budget,
              std::stop_token stop,
              Color attacker);

    /// Whether the attacker mates by checks; either side may be to move.
    Truth mate(Position& position);
    /// Whether there is a mate after a pass of the defender, who is to move and not in check.
    Truth threat(Position& position);
    /// Whether the attacker's last move leaves no mate after a pass, because there is none without
    /// the piece that moved and the refutation, played again, still holds: most moves change
    /// nothing in it. False: not told.
    bool threatens_nothing_new(Position& position);
    /// Whether `drop`, made in `position` (the attacker's turn), leaves the refutation of a mate as
    /// it is: then it threatens nothing. False: not told.
    bool is_idle_drop(Position& position, Move drop);
    /// Whether `reply` to the attacker's last move escapes as it would without the piece that
    /// moved, in the same way. False: not told.
    bool escapes_anyway(Position& position, Move reply);
    /// The attacker's checks in `position`, or nothing when one of them mates at once.
    std::optional<std::size_t> checks_left(Position& position);
    /// The disproof number that the search has come to in `position` (the attacker's turn).
    [[nodiscard]] Number disproof_number(const Position& position);
    /// Nodes spent in vain on the question about `position`.
    [[nodiscard]] std::uint64_t spent_on(const Position& position) const;
    /// Asks of all `replies` together whether one of them leaves no mate, with at most `nodes`; the
    /// most promising gets the most. `escape` is that reply if the answer is yes; no means that all
    /// seem to be mated, which is not walked again.
    Truth escape_among(Position& position,
                       std::span<const Move> replies,
                       std::uint64_t nodes,
                       Move& escape);
    /// What is known without searching.
    [[nodiscard]] Truth known(const Position& position) const;

    /// Where a drop of the defender matters to the known mate of `model` (the attacker's turn).
    Relevance relevance(Position& model);
    /// Plays the mate of `model` in `here` (the attacker's turn in both): the same checks against
    /// every legal reply, the replies that `model` does not have met by a mate in one. True proves
    /// the mate, move by move. Both are unchanged afterwards.
    bool replay(Position& here, Position& model);
    /// The same with the mate after a pass for a model, noted for good.
    bool replay_threat(Position& here, Position& model);

    /// The mate that is known to be in `position` (either's turn), as short as `effort` shows.
    HisshiMate describe(Position& position);

    /// Nodes for one question from now on.
    void set_effort(std::uint64_t nodes) noexcept { effort_ = nodes; }
    [[nodiscard]] std::uint64_t effort() const noexcept { return effort_; }
    /// Counts work outside of the mate search; true when it is time to end.
    bool tick();
    /// The search guesses by what it knows of positions without the piece that moved last, from now
    /// on.
    void compare_without_mover(const Position& position);
    void end(engine::StopReason reason) noexcept { reason_ = reason; }
    [[nodiscard]] bool ended() const noexcept {
        return reason_ != engine::StopReason::none || spent_ >= pause_;
    }
    /// Keeps an eighth of the budget back, for the description of what is decided; `use_reserve`
    /// sets it free.
    void keep_reserve();
    void use_reserve();
    /// Ends the present part of the work, but not the request, when so many nodes are spent.
    void pause_at(std::uint64_t nodes) noexcept { pause_ = nodes; }
    void resume() noexcept { pause_ = kNoPause; }
    [[nodiscard]] engine::StopReason reason() const noexcept { return reason_; }
    [[nodiscard]] std::uint64_t nodes() const noexcept { return spent_; }
    [[nodiscard]] std::chrono::microseconds elapsed() const;
    [[nodiscard]] int hashfull() noexcept { return solver_->table().hashfull(); }
    [[nodiscard]] Color attacker() const noexcept { return attacker_; }
    /// Called now and then; for progress.
    std::function<void()> on_look;

private:
    static constexpr std::uint64_t kNoPause = ~std::uint64_t{0};
    struct Known {
        Truth truth = Truth::unknown;
        Length length = 0;         ///< of a mate, at most
        std::uint64_t effort = 0;  ///< spent in vain so far
        Move move;                 ///< the attacker's, that mates
        bool tried = false;        ///< the mate after a pass has been played again
        bool replayed = false;     ///< and it is a mate here
    };

    /// Counts nodes: never more than `left`.
    void spend(std::uint64_t nodes);
    /// Nodes that the budget allows still.
    [[nodiscard]] std::uint64_t left() const noexcept;
    void begin_anew();
    void open_question(std::uint64_t nodes);
    void close_question();
    Truth ask(Position& position, Known& known);
    /// Plies of the mate, or 0: the replay fails.
    Length replay_attack(Position& here, Position& model, int& steps);
    /// Why there is no mate in `position` (the attacker's turn), if that is known and of a handy
    /// size.
    Refutation* refutation_of(Position& position);
    Move refuting_reply(Position& position);
    /// A position of the defender beside others, and what these have more.
    struct Base {
        Position position;
        Refutation::Added added;
    };
    /// `position` (the defender's turn) without the piece that moved last, which the defender has
    /// instead: the same for all moves of that piece, so that what refutes one is played again
    /// against the next. With a king that moved: as if it had stayed.
    [[nodiscard]] std::optional<Base> without_mover(const Position& position) const;
    /// Plays a refutation again in `here`, which has the added piece more.
    bool holds_against(Refutation& refutation, Position& here, Refutation::Added added);
    bool look();
    Move mating_move(Position& position);

    engine::SearchMemory& memory_;
    engine::Budget budget_;
    engine::Budget whole_budget_;
    std::stop_token stop_;
    Color attacker_;
    std::chrono::steady_clock::time_point start_;
    std::uint64_t spent_ = 0;
    std::uint64_t ticks_ = 0;
    std::uint64_t pause_ = kNoPause;
    std::uint64_t effort_ = 1000;
    engine::StopReason reason_ = engine::StopReason::none;
    Meter meter_;
    std::optional<Solver> solver_;
    std::unordered_map<PlaceKey, Known, PlaceHash> known_;
    std::size_t max_known_;
    std::unordered_map<PlaceKey, Refutation, PlaceHash> refutations_;
    std::size_t refutation_nodes_ = 0;
    std::unordered_map<PlaceKey, HisshiMate, PlaceHash> described_;
};

}  // namespace yomi::shogi::mate
