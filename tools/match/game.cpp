#include "tools/match/game.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace yomi::match {
namespace {

using shogi::Color;
using std::chrono::milliseconds;

/// The end that a reply other than a move brings, seen from the mover's opponent.
GameEnd end_by_fault(const Reply& reply, Color mover) {
    const auto lost = [&](EndReason reason) { return GameEnd{~mover, reason, reply.note}; };
    switch (reply.kind) {
        case Reply::Kind::resign:
            return lost(EndReason::resign);
        case Reply::Kind::timeout:
            return lost(EndReason::timeout);
        case Reply::Kind::garbage:
            return lost(EndReason::garbage);
        default:
            return lost(EndReason::crash);
    }
}

bool breaks_engine(Reply::Kind kind) {
    return kind == Reply::Kind::timeout || kind == Reply::Kind::gone ||
           kind == Reply::Kind::garbage;
}

milliseconds& of(Clocks& clocks, Color color) {
    return color == Color::black ? clocks.black : clocks.white;
}

}  // namespace

std::optional<Color> ScoreWatch::add(Color mover, const std::optional<shogi::Score>& score) {
    if (setting_.score <= 0) return std::nullopt;
    std::optional<Color> winner;
    if (score) {
        const bool mate = score->kind == shogi::Score::Kind::mate;
        if (mate || std::abs(score->value) >= setting_.score) {
            winner = score->value > 0 ? mover : ~mover;
        }
    }
    for (const Color color : {Color::black, Color::white}) {
        int& run = run_[static_cast<std::size_t>(shogi::index(color))];
        run = winner == color ? run + 1 : 0;
        if (winner == color && run >= std::max(2, setting_.plies)) return color;
    }
    return std::nullopt;
}

milliseconds clock_after(const PlayLimits& limits,
                         milliseconds left,
                         milliseconds elapsed) noexcept {
    return std::max(milliseconds(0), left + limits.increment - elapsed);
}

std::optional<GameRecord> play_game(Arbiter arbiter,
                                    const std::array<Seat, 2>& seats,
                                    Engine black,
                                    const Adjudication& adjudication,
                                    const std::stop_token& stop) {
    GameRecord record;
    record.black = black;
    const auto engine_of = [black](Color color) {
        return color == Color::black ? black : 1 - black;
    };
    Clocks clocks{seats[black].limits.main_time, seats[1 - black].limits.main_time};
    ScoreWatch watch(adjudication);

    std::optional<GameEnd> end;
    for (Engine engine = 0; engine < 2 && !end; ++engine) {
        if (seats[engine].player->new_game()) continue;
        record.broken[engine] = true;
        end = GameEnd{engine == black ? Color::white : Color::black,
                      EndReason::crash,
                      "not ready for a new game"};
    }
    while (!end) {
        if (stop.stop_requested()) return std::nullopt;
        const Color mover = arbiter.position().side_to_move();
        const Engine engine = engine_of(mover);
        const Seat& seat = seats[engine];
        const Reply reply = seat.player->think(arbiter.usi(), mover, clocks, stop);
        if (reply.kind == Reply::Kind::stopped) return std::nullopt;
        record.spent[engine] += Spent{1, reply.nodes, reply.elapsed, reply.cpu};
        milliseconds& clock = of(clocks, mover);
        clock = clock_after(
            seat.limits, clock, std::chrono::duration_cast<milliseconds>(reply.elapsed));

        if (reply.kind == Reply::Kind::move) {
            end = arbiter.play(reply.move);
            const auto winner = watch.add(mover, reply.score);
            if (!end && winner) end = GameEnd{*winner, EndReason::score, {}};
        } else if (reply.kind == Reply::Kind::win) {
            end = arbiter.declare();
        } else {
            record.broken[engine] = breaks_engine(reply.kind);
            end = end_by_fault(reply, mover);
        }
    }
    for (Engine engine = 0; engine < 2; ++engine) {
        if (record.broken[engine]) continue;
        const bool won = end->winner && engine_of(*end->winner) == engine;
        seats[engine].player->game_over(!end->winner ? "draw" : won ? "win" : "lose");
    }
    record.end = std::move(*end);
    record.usi = arbiter.usi();
    record.plies = arbiter.plies();
    return record;
}

}  // namespace yomi::match
