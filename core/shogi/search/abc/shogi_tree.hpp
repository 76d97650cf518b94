#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/engine/budget.hpp"
#include "core/shogi/eval/evaluator.hpp"
#include "core/shogi/position.hpp"
#include "core/shogi/rules.hpp"
#include "core/shogi/search/abc/table.hpp"
#include "core/shogi/search/abc/tree.hpp"
#include "core/shogi/search/limits.hpp"

namespace yomi::shogi::abc {

/// Shogi as the ABC search sees it. MAX is the side to move at the root.
///
/// An estimate is the evaluation after the captures that pay (quiescence); the rules end a line by
/// repetition, perpetual check, declaration, length and mate, and a mate in one is seen at once.
/// Values are those of the alpha-beta search: centipawns within `search::kEvalLimit`, rule wins,
/// mates by their distance from the root.
///
/// Threads one owner.
/// Cost    an estimate is a small search of its own, so it is kept in the table and handed on to
///         the node when the move is played; moves that are far from the threshold do without.
class ShogiTree {
public:
    /// Takes a copy of `root` with its history. `only` restricts the root's moves, empty for all.
    void begin(const Position& root,
               std::span<const Move> only,
               const RuleSet& rules,
               eval::Kind evaluation,
               const eval::NetChoice& net,
               Table* table,
               const search::Limits& limits);

    // ---- concept Tree
    [[nodiscard]] bool max_to_move() const noexcept {
        return position_.side_to_move() == max_side_;
    }
    [[nodiscard]] std::uint64_t key() const noexcept;
    std::optional<Ending> ending(int ply);
    std::optional<Value> no_moves(int ply) const noexcept;
    [[nodiscard]] Reach reach(int ply) const noexcept;
    Value estimate();
    void list_moves(std::vector<Candidate>& list, int ply);
    void refine(Candidate& candidate, Value g);
    void do_move(Move move);
    void undo_move();
    void succeeded(Move move) noexcept;
    bool should_stop();

    /// Positions entered, those of the estimates counted.
    [[nodiscard]] std::uint64_t nodes() const noexcept { return nodes_; }
    [[nodiscard]] engine::StopReason stop_reason() const noexcept { return stop_reason_; }
    [[nodiscard]] const search::Limits& limits() const noexcept { return limits_; }
    [[nodiscard]] const Position& position() const noexcept { return position_; }

private:
    struct Ordered {
        Move move;
        Value rough = 0;  ///< mover's view
        int key = 0;
    };

    [[nodiscard]] bool allowed_at_root(Move move) const noexcept;
    [[nodiscard]] Value from_mover(Value value) const noexcept {
        return max_to_move() ? value : -value;
    }
    Value evaluate();
    Value quiescence(Value alpha, Value beta, int ply);
    Value quiescence_in_check(Value alpha, Value beta, int ply);
    [[nodiscard]] Value rough_gain(Move move) const noexcept;
    [[nodiscard]] int& history(Move move) noexcept;

    Position position_ = Position::startpos();
    eval::Evaluator evaluator_;
    std::vector<Move> only_;
    RuleSet rules_;
    std::uint64_t rules_key_ = 0;
    Color max_side_ = Color::black;
    Table* table_ = nullptr;
    search::Limits limits_;
    engine::StopReason stop_reason_ = engine::StopReason::none;
    std::uint64_t nodes_ = 0;
    std::vector<Ordered> ordered_;
    /// [piece after the move][destination]: how often it gave its side what it wanted.
    std::array<std::array<int, kSquares>, kPieces> history_{};
};

}  // namespace yomi::shogi::abc
