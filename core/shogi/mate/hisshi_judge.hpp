#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/base/hash.hpp"
#include "core/shogi/mate/hisshi.hpp"
#include "core/shogi/mate/solver.hpp"

namespace yomi::shogi::mate {

enum class Truth : std::uint8_t { unknown, no, yes };

/// A position as far as mates of one attacker go: two hands together never change on a board.
struct PlaceKey {
    std::uint64_t board_key;
    std::uint32_t hand;
    friend bool operator==(const PlaceKey&, const PlaceKey&) = default;
};
struct PlaceHash {
    std::size_t operator()(const PlaceKey& key) const noexcept {
        return static_cast<std::size_t>(key.board_key ^ mix64(key.hand));
    }
};
inline PlaceKey place_of(const Position& position, Color attacker) noexcept {
    return {position.board_key(), position.hand(attacker).bits()};
}

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
    ///
    /// `model` is the position before the attacker's last move. When it is known to have no mate,
    /// its refutation is played again first: most moves change nothing in it.
    Truth threat(Position& position, Position* model = nullptr);
    /// What is known without searching.
    [[nodiscard]] Truth known(const Position& position) const;

    /// Plays the mate of `model` in `here` (the attacker's turn in both): the same checks against
    /// every legal reply, the replies that `model` does not have met by a mate in one. True proves
    /// the mate, move by move. Both are unchanged afterwards.
    bool replay(Position& here, Position& model);

    /// The mate that is known to be in `position` (either's turn), as short as `effort` shows.
    HisshiMate describe(Position& position);

    /// Nodes for one question from now on.
    void set_effort(std::uint64_t nodes) noexcept { effort_ = nodes; }
    [[nodiscard]] std::uint64_t effort() const noexcept { return effort_; }
    /// Counts work outside of the mate search; true when it is time to end.
    bool tick();
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
    };

    void open_question(std::uint64_t nodes);
    void close_question();
    Truth ask(Position& position, Known& known);
    /// Plies of the mate, or 0: the replay fails.
    Length replay_attack(Position& here, Position& model, int& steps);
    /// The same for a refutation: every check of `here` is met by the reply that meets it in
    /// `model`, down to positions without a check or met before.
    bool replay_refutation(Position& here, Position& model, int& steps);
    bool refute_check(Position& here, Position& model, Move check, int& steps);
    [[nodiscard]] Move refuting_reply(const Position& here, const Position& model) const;
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
    std::unordered_set<PlaceKey, PlaceHash> replayed_;
    /// Replies that refute, by the position behind the check: hints for the next replay.
    std::unordered_map<PlaceKey, Move, PlaceHash> refuting_;
};

}  // namespace yomi::shogi::mate
