#pragma once

// Exhaustive search for wins of material: every legal move to a fixed depth, then captures. No
// table, no selection, nothing guessed; alpha-beta only leaves out what cannot matter.

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/shogi/movegen.hpp"
#include "core/shogi/position.hpp"
#include "core/shogi/search/see.hpp"

namespace yomi::shogi::oracle {

/// What the side to move can win by force, in centipawns of material (a pawn 100).
///
/// Shape   `depth` plies of all legal moves; behind them either side may take or leave it, at most
/// six
///         plies long. A check there is answered by every legal move, at the end of the depth four
///         more times. A mate counts as `kMated`. Repetitions are not looked at.
class MaterialProof {
public:
    static constexpr int kMated = 100'000;

    /// Whether the side to move wins at least `gain` against every reply.
    static bool wins(Position& position, int depth, int gain) {
        return MaterialProof().search(position, depth, 0, gain - 1, gain) >= gain;
    }
    /// The same with the first move given.
    static bool wins_with(Position& position, Move first, int depth, int gain) {
        const int at_once = search::material_gain(position, first);
        position.do_move(first);
        const int rest = -MaterialProof().search(position, depth - 1, -at_once, -gain, -gain + 1);
        position.undo_move();
        return rest >= gain;
    }

private:
    static constexpr int kCaptures = 6;
    static constexpr int kEvasions = 4;
    static constexpr std::size_t kLongest = 64;

    /// `balance` is what the side to move has won so far.
    int search(Position& position, int depth, int balance, int alpha, int beta) {
        MoveList moves;
        legal_moves(position, moves);
        if (moves.empty()) return -kMated;
        if (depth <= 0 && !(position.in_check() && depth > -kEvasions))
            return captures(position, balance, alpha, beta, kCaptures);
        auto& killer = killers_[static_cast<std::size_t>(depth + kEvasions) % kLongest];
        const auto promise = [&](Move move) {
            return 10 * search::material_gain(position, move) + (move == killer ? 500 : 0) +
                   (position.gives_check(move) ? 300 : 0);
        };
        std::stable_sort(
            moves.begin(), moves.end(), [&](Move a, Move b) { return promise(a) > promise(b); });
        int best = -kMated;
        for (const Move move : moves) {
            const int gained = balance + search::material_gain(position, move);
            position.do_move(move);
            const int value = -search(position, depth - 1, -gained, -beta, -std::max(alpha, best));
            position.undo_move();
            best = std::max(best, value);
            if (best < beta) continue;
            killer = move;
            break;
        }
        return best;
    }

    static int captures(Position& position, int balance, int alpha, int beta, int left) {
        const bool forced = position.in_check();
        int best = forced ? -kMated : balance;
        if (left == 0) return balance;
        if (best >= beta) return best;
        MoveList moves;
        if (forced)
            legal_moves(position, moves);
        else
            capture_moves(position, moves);
        std::stable_sort(moves.begin(), moves.end(), [&](Move a, Move b) {
            return search::material_gain(position, a) > search::material_gain(position, b);
        });
        for (const Move move : moves) {
            const int gained = balance + search::material_gain(position, move);
            position.do_move(move);
            const int value = -captures(position, -gained, -beta, -std::max(alpha, best), left - 1);
            position.undo_move();
            best = std::max(best, value);
            if (best >= beta) break;
        }
        return best;
    }

    std::array<Move, kLongest> killers_{};
};

}  // namespace yomi::shogi::oracle
