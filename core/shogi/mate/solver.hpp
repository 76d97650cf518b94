#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/shogi/mate/dfpn.hpp"
#include "core/shogi/mate/table.hpp"
#include "core/shogi/mate/verify.hpp"

namespace yomi::shogi::mate {

/// What is known of all equally long lines below a position.
struct Lines {
    std::uint64_t count = 0;  ///< lines; saturates
    int pieces_left = 0;      ///< fewest that the attacker is left with
    Move best;                ///< a move that leads there
};

/// Questions about mates, asked of one search, one table and one verifier.
///
/// Threads one owner at a time; it starts and ends its own. Every answer may be "not known": the
/// meter has ended then.
class Solver {
public:
    /// `threads` work side by side on the questions asked by `search_together`.
    Solver(engine::SearchMemory& memory, Meter& meter, Color attacker, int threads = 1);

    /// Is there a mate within `limit` plies? The search's word, not yet walked again.
    std::optional<Value> search(Position& position, Length limit, Defence defence = Defence::full);
    /// The same by all threads over the shared table, once it turns out to be hard.
    std::optional<Value> search_together(Position& position, Length limit);
    /// A mate of any length by or against these moves of `position` only.
    std::optional<Value> search_some(Position& position, std::span<const Move> only);
    /// The same as a plain yes or no.
    std::optional<bool> within(Position& position, Length limit, Defence defence = Defence::full);
    /// The length of the shortest mate, which is known to be at most `upper`.
    std::optional<Length> exact(Position& position, Length upper);
    /// What the table says now of the position after `move`, without searching.
    [[nodiscard]] Found glance(const Position& position, Move move, Length limit) const;

    /// All equally long lines of a mate of exactly `length` plies; nothing when more than
    /// `max_positions` would have to be looked at.
    std::optional<Lines> lines(Position& position, Length length, std::size_t max_positions);
    /// The line of a mate of exactly `length` plies: every defence the longest, then the fewest
    /// pieces left. Falls back to the first longest defence when there are too many of them.
    std::vector<Move> best_line(Position& position, Length length, std::size_t max_positions);
    /// A line of the proof that was found, of at most `length` plies; not proven best.
    std::vector<Move> proof_line(Position& position, Length length);
    /// Checks that keep a mate of exactly `length` plies, or replies that last exactly that long.
    std::optional<std::vector<Move>> equal_moves(Position& position, Length length);

    [[nodiscard]] Verifier& verifier() noexcept { return verifier_; }
    [[nodiscard]] const Dfpn& dfpn() const noexcept { return dfpn_; }
    [[nodiscard]] Dfpn& dfpn() noexcept { return dfpn_; }
    [[nodiscard]] Table& table() noexcept { return table_; }
    [[nodiscard]] Color attacker() const noexcept { return attacker_; }
    [[nodiscard]] Meter& meter() noexcept { return meter_; }

private:
    std::optional<Lines> lines_below(Position& position, Length length, std::size_t max_positions);
    Move proven_check(Position& position, Length length);
    Move longest_defence(Position& position, Length length);

    Meter& meter_;
    Color attacker_;
    int threads_;
    Table table_;
    Dfpn dfpn_;
    Verifier verifier_;
    std::unordered_map<std::uint64_t, Lines> known_lines_;
    bool every_key_ = true;  ///< lines of all mating checks, or of one for each position
};

/// Pieces in a hand.
int count_pieces(Hand hand) noexcept;

}  // namespace yomi::shogi::mate
