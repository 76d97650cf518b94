#include "core/othello/position.hpp"

#include <bit>
#include <string>

namespace yomi::othello {

Result<Move> Position::make_move(Square square) const {
    const std::string mover(to_string(side));
    const std::uint64_t legal = legal_moves();
    if (square == kPass) {
        if (legal != 0) {
            return fail(ErrorCode::illegal_move,
                        mover + " may not pass: it has " + std::to_string(std::popcount(legal)) +
                            (more_than_one(legal) ? " moves" : " move"));
        }
        if (othello::legal_moves(board.swapped()) == 0) {
            return fail(ErrorCode::illegal_move, "the game is over: neither side can move");
        }
        return Move{};
    }
    if (square < 0 || square > kPass) {
        return fail(ErrorCode::out_of_range, "a square is 0..63, a pass is 64");
    }
    if ((board.occupied() & bit(square)) != 0) {
        const bool own = (board.player & bit(square)) != 0;
        return fail(ErrorCode::illegal_move,
                    to_string(square) + " is taken by a " +
                        std::string(to_string(own ? side : other(side))) + " disc");
    }
    if ((legal & bit(square)) == 0) {
        if (legal != 0) {
            return fail(ErrorCode::illegal_move,
                        mover + " turns nothing over on " + to_string(square));
        }
        if (othello::legal_moves(board.swapped()) == 0) {
            return fail(ErrorCode::illegal_move, "the game is over: neither side can move");
        }
        return fail(ErrorCode::illegal_move, mover + " has no move and must pass");
    }
    return Move{.square = square, .flips = flips(board, square)};
}

std::vector<Move> Position::moves() const {
    std::vector<Move> list;
    for (std::uint64_t rest = legal_moves(); rest != 0;) {
        const Square square = pop_lowest_bit(rest);
        list.push_back(Move{.square = square, .flips = flips(board, square)});
    }
    return list;
}

}  // namespace yomi::othello
