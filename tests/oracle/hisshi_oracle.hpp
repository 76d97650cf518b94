#pragma once

// Exhaustive search for hisshi: every move of the attacker, every reply, mates by the exhaustive
// tsume search up to a length. Slow on purpose.

#include <cstdint>
#include <vector>

#include "core/shogi/movegen.hpp"
#include "core/shogi/position.hpp"
#include "tests/oracle/tsume_oracle.hpp"

namespace yomi::shogi::oracle {

class HisshiOracle {
public:
    HisshiOracle(Color attacker, int mate_limit, std::uint64_t max_positions = ~std::uint64_t{0})
        : mates_(attacker, max_positions), mate_limit_(mate_limit) {}
    /// Whether an answer since the start is void.
    [[nodiscard]] bool gave_up() const noexcept { return mates_.gave_up(); }

    bool mate(Position& position) { return mates_.within(position, mate_limit_); }

    /// Attacker to move: a mate, or an attack with at most `moves` moves up to the brink.
    bool wins(Position& position, int moves) {
        return mate(position) || (moves > 0 && !keys(position, moves, true).empty());
    }

    /// The moves after which every reply is lost in `moves - 1` moves, and a pass is a mate.
    std::vector<Move> keys(Position& position, int moves, bool one_is_enough = false) {
        std::vector<Move> found;
        MoveList list;
        legal_moves(position, list);
        for (const Move move : list) {
            position.do_move(move);
            const bool key = attacks(position) && lost(position, moves - 1);
            position.undo_move();
            if (!key) continue;
            found.push_back(move);
            if (one_is_enough) break;
        }
        return found;
    }

    /// Defender to move: in check, or mated after a pass.
    bool attacks(Position& position) {
        if (position.in_check()) return true;
        position.do_null_move();
        const bool threat = mate(position);
        position.undo_null_move();
        return threat;
    }

    bool lost(Position& position, int moves) {
        MoveList replies;
        legal_moves(position, replies);
        for (const Move reply : replies) {
            position.do_move(reply);
            const bool won = wins(position, moves);
            position.undo_move();
            if (!won) return false;
        }
        return true;
    }

private:
    TsumeOracle mates_;
    int mate_limit_;
};

}  // namespace yomi::shogi::oracle
