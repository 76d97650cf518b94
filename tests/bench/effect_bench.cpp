// What the piece lists and the effect board cost a move, kept up to date or made anew. The
// signature sums up every effect and list along the same seeded games; it changes only when the
// structures or the order of legal moves do. Usage: effect_bench [games] [rounds]
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "core/base/hash.hpp"
#include "core/shogi/classic_board.hpp"
#include "core/shogi/movegen.hpp"

namespace {

using namespace yomi;
using namespace yomi::shogi;

/// One game: its moves, and the setup after each for making things anew.
struct Game {
    std::vector<Move> moves;
    std::vector<Setup> setups;
};

std::vector<Game> play_games(int count) {
    SplitMix64 random(2000'08'12);
    std::vector<Game> games(static_cast<std::size_t>(count));
    for (Game& game : games) {
        Position position = Position::startpos();
        while (game.moves.size() < 200) {
            MoveList list;
            legal_moves(position, list);
            if (list.empty()) break;
            const Move move = list[random.below(static_cast<std::uint32_t>(list.size()))];
            position.do_move(move);
            game.moves.push_back(move);
            game.setups.push_back(position.setup());
        }
    }
    return games;
}

std::uint64_t sign(std::uint64_t seed, const ClassicBoard& board) {
    for (const Color by : {Color::black, Color::white}) {
        for (int s = 0; s < kSquares; ++s) {
            const auto square = static_cast<Square>(s);
            const auto word = static_cast<std::uint64_t>(board.effects().near(by, square)) << 16 |
                              static_cast<std::uint64_t>(board.effects().far(by, square)) << 8 |
                              board.effects().far_directions(by, square);
            seed = mix64(seed ^ word);
        }
        for (const PieceId id : board.pieces().board(by))
            seed = mix64(seed ^ id);
    }
    return seed;
}

/// Runs `pass` over all games `rounds` times and prints the median nanoseconds a ply with its
/// spread.
template <class Pass>
void measure(const char* name, const std::vector<Game>& games, int rounds, Pass&& pass) {
    std::size_t plies = 0;
    for (const Game& game : games)
        plies += game.moves.size();
    std::vector<double> times;
    for (int round = 0; round < rounds; ++round) {
        const auto start = std::chrono::steady_clock::now();
        for (const Game& game : games)
            pass(game);
        const std::chrono::duration<double, std::nano> spent =
            std::chrono::steady_clock::now() - start;
        times.push_back(spent.count() / static_cast<double>(plies));
    }
    std::sort(times.begin(), times.end());
    std::printf("%-36s %8.1f ns a ply (%.1f .. %.1f)\n",
                name,
                times[times.size() / 2],
                times.front(),
                times.back());
}

/// Keeps a result alive that nobody reads.
std::uint64_t sink = 0;

}  // namespace

int main(int argc, char** argv) {
    const int count = std::clamp(argc > 1 ? std::atoi(argv[1]) : 100, 1, 10'000);
    const int rounds = std::clamp(argc > 2 ? std::atoi(argv[2]) : 11, 1, 1'000);
    const std::vector<Game> games = play_games(count);
    const ClassicBoard start = ClassicBoard::of(Position::startpos());

    std::uint64_t signature = 0;
    for (const Game& game : games) {
        ClassicBoard board = start;
        for (const Move move : game.moves) {
            board.do_move(move);
            signature = sign(signature, board);
        }
    }
    std::printf("signature %016llx\n", static_cast<unsigned long long>(signature));

    std::vector<PieceUndo> undos(200);
    measure("piece lists, do and undo", games, rounds, [&](const Game& game) {
        PieceList list = start.pieces();
        for (std::size_t i = 0; i < game.moves.size(); ++i)
            undos[i] = list.do_move(game.moves[i]);
        for (std::size_t i = game.moves.size(); i-- > 0;)
            list.undo_move(game.moves[i], undos[i]);
        sink += list.id_at_cell(110);
    });
    measure("piece lists, made anew", games, rounds, [&](const Game& game) {
        for (const Setup& setup : game.setups)
            sink += PieceList::from_setup(setup)->id_at_cell(110);
    });
    std::vector<Piece> captured(200);
    measure("effects, do and undo", games, rounds, [&](const Game& game) {
        EffectBoard board = start.effects();
        for (std::size_t i = 0; i < game.moves.size(); ++i)
            captured[i] = board.do_move(game.moves[i]);
        for (std::size_t i = game.moves.size(); i-- > 0;)
            board.undo_move(game.moves[i], captured[i]);
        sink += static_cast<std::uint64_t>(board.near(Color::black, 40));
    });
    measure("effects, do and undo by a copy", games, rounds, [&](const Game& game) {
        std::vector<EffectBoard> stack{start.effects()};
        stack.reserve(game.moves.size() + 1);
        for (const Move move : game.moves) {
            stack.push_back(stack.back());
            stack.back().do_move(move);
        }
        sink += static_cast<std::uint64_t>(stack.back().near(Color::black, 40));
    });
    measure("effects, made anew", games, rounds, [&](const Game& game) {
        for (const Setup& setup : game.setups) {
            sink +=
                static_cast<std::uint64_t>(EffectBoard::from_setup(setup)->near(Color::black, 40));
        }
    });
    measure("classic board, do and undo", games, rounds, [&](const Game& game) {
        ClassicBoard board = start;
        for (std::size_t i = 0; i < game.moves.size(); ++i)
            undos[i] = board.do_move(game.moves[i]);
        for (std::size_t i = game.moves.size(); i-- > 0;)
            board.undo_move(game.moves[i], undos[i]);
        sink += board.pieces().id_at_cell(110);
    });
    Position position = Position::startpos();
    measure("Position, do and undo (to compare)", games, rounds, [&](const Game& game) {
        for (const Move move : game.moves)
            position.do_move(move);
        for (std::size_t i = game.moves.size(); i-- > 0;)
            position.undo_move();
        sink += position.key();
    });
    std::printf("(%llu)\n", static_cast<unsigned long long>(sink & 1));
    return 0;
}
