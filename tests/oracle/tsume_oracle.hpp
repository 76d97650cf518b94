#pragma once

// Exhaustive AND/OR search for mates by checks: all checks, all legal replies, no table of bounds,
// no hands compared, nothing guessed. Slow on purpose.

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/base/hash.hpp"
#include "core/shogi/movegen.hpp"
#include "core/shogi/position.hpp"

namespace yomi::shogi::oracle {

class TsumeOracle {
public:
    /// Gives up after so many positions: the caller then asks about another problem.
    explicit TsumeOracle(Color attacker, std::uint64_t max_positions = ~std::uint64_t{0})
        : attacker_(attacker), max_positions_(max_positions) {}
    /// Whether an answer since the start is void.
    [[nodiscard]] bool gave_up() const noexcept { return gave_up_; }

    /// The shortest mate of at most `limit` plies.
    std::optional<int> shortest(Position& position, int limit) {
        const bool attacks = position.side_to_move() == attacker_;
        for (int length = attacks ? 1 : 0; length <= limit; length += 2) {
            if (within(position, length)) return length;
        }
        return std::nullopt;
    }

    bool within(Position& position, int limit) {
        const bool attacks = position.side_to_move() == attacker_;
        if (attacks && limit <= 0) return false;
        if (gave_up_ || ++entered_ > max_positions_) {
            gave_up_ = true;
            return false;
        }
        // Two positions of one search never shared 64 bits of this mixture so far; a clash would
        // show as a disagreement.
        const std::uint64_t key = mix64(position.key() + static_cast<std::uint64_t>(limit));
        if (const auto known = known_.find(key); known != known_.end()) return known->second;
        MoveList moves;
        legal_moves(position, moves);
        bool result = !attacks;
        if (!attacks && limit <= 0) {
            result = moves.empty();
        } else {
            for (const Move move : moves) {
                if (attacks && !position.gives_check(move)) continue;
                position.do_move(move);
                const bool mated = within(position, limit - 1);
                position.undo_move();
                if (mated == attacks) {
                    result = attacks;
                    break;
                }
            }
        }
        if (!gave_up_) known_[key] = result;
        return result;
    }

    /// Moves that keep the exact length: mating checks, or the longest replies.
    std::vector<Move> equal_moves(Position& position, int length) {
        std::vector<Move> found;
        const bool attacks = position.side_to_move() == attacker_;
        MoveList moves;
        legal_moves(position, moves);
        for (const Move move : moves) {
            if (attacks && !position.gives_check(move)) continue;
            position.do_move(move);
            const auto below = shortest(position, length - 1);
            position.undo_move();
            if (below == length - 1) found.push_back(move);
        }
        return found;
    }

    std::uint64_t count_lines(Position& position, int length) {
        if (length == 0 || gave_up_) return 1;
        std::uint64_t count = 0;
        for (const Move move : equal_moves(position, length)) {
            position.do_move(move);
            count += count_lines(position, length - 1);
            position.undo_move();
        }
        return count;
    }

private:
    Color attacker_;
    std::uint64_t max_positions_;
    std::uint64_t entered_ = 0;
    bool gave_up_ = false;
    std::unordered_map<std::uint64_t, bool> known_;
};

/// A random problem with few pieces round a king: every kind of mate and of near mate comes up.
/// Black attacks, with or without a king; the defender holds `all_rest` of a set or next to
/// nothing.
inline Setup random_problem(SplitMix64& random) {
    while (true) {
        Setup setup;
        const auto put = [&setup](Square s, Color c, PieceType t) {
            if (setup.board[static_cast<std::size_t>(s)] != kNoPiece) return false;
            setup.board[static_cast<std::size_t>(s)] = make_piece(c, t);
            return true;
        };
        const int file = static_cast<int>(random.below(random.below(2) == 0 ? 3 : 9));
        const int rank = static_cast<int>(random.below(random.below(2) == 0 ? 3 : 9));
        const Square king = make_square(file, rank);
        put(king, Color::white, PieceType::king);
        std::array<int, 8> left{0, 18, 4, 4, 4, 2, 2, 4};
        const auto kind = [&] {
            while (true) {
                const auto t = static_cast<int>(1 + random.below(kHandKinds));
                if (left[static_cast<std::size_t>(t)] == 0) continue;
                --left[static_cast<std::size_t>(t)];
                return static_cast<PieceType>(t);
            }
        };
        const auto near = [&](int reach) {
            while (true) {
                const int f =
                    file + static_cast<int>(random.below(2U * static_cast<unsigned>(reach) + 1U)) -
                    reach;
                const int r =
                    rank + static_cast<int>(random.below(2U * static_cast<unsigned>(reach) + 1U)) -
                    reach;
                if (f >= 0 && f < 9 && r >= 0 && r < 9) return make_square(f, r);
            }
        };
        const unsigned attackers = 1 + random.below(4);
        for (unsigned i = 0; i < attackers; ++i) {
            const PieceType t = kind();
            const bool promoted = can_promote(t) && random.below(3) == 0;
            put(near(3), Color::black, promoted ? promote(t) : t);
        }
        const unsigned held = random.below(4);
        for (unsigned i = 0; i < held; ++i)
            setup.hands[0].add(kind());
        const unsigned defenders = random.below(5);
        for (unsigned i = 0; i < defenders; ++i) {
            const PieceType t = kind();
            const bool promoted = can_promote(t) && random.below(4) == 0;
            put(near(2), Color::white, promoted ? promote(t) : t);
        }
        if (random.below(4) == 0)
            put(static_cast<Square>(random.below(kSquares)), Color::black, PieceType::king);
        if (random.below(3) == 0) {
            for (int t = 1; t <= kHandKinds; ++t)
                setup.hands[1].set(static_cast<PieceType>(t), left[static_cast<std::size_t>(t)]);
        } else {
            const unsigned few = random.below(3);
            for (unsigned i = 0; i < few; ++i)
                setup.hands[1].add(kind());
        }
        if (Position::from_setup(setup)) return setup;
    }
}

}  // namespace yomi::shogi::oracle
