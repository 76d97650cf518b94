#include "tools/othello_match/match.hpp"

#include <cmath>
#include <cstdio>
#include <optional>
#include <utility>

namespace yomi::othello_match {
namespace {

using othello::Color;
using othello::Position;
using othello::Square;

class Referee {
public:
    explicit Referee(const MatchSetting& setting) : setting_(setting) {}

    Result<void> prepare() {
        for (std::size_t who = 0; who < 2; ++who) {
            if (players_[who]) continue;
            auto player = GtpPlayer::start(setting_.players[who]);
            if (!player) return fail(std::move(player.error()));
            players_[who].emplace(std::move(*player));
        }
        return {};
    }

    GameResult play(std::uint64_t opening, std::size_t black) {
        GameResult game{.opening = opening, .black = static_cast<int>(black)};
        Position position;
        std::size_t lost = 2;
        const auto loses = [&](std::size_t who, std::string why) {
            lost = who;
            game.note = std::move(why);
        };
        for (std::size_t who = 0; who < 2 && lost == 2; ++who) {
            if (auto ready = players_[who]->new_game(); !ready) loses(who, ready.error().message);
        }
        for (const Square square : setting_.openings[opening].moves) {
            if (lost == 2) tell_both(position, square, 2, game, loses);
        }
        while (lost == 2 && !position.is_over()) {
            if (position.must_pass()) {
                tell_both(position, othello::kPass, 2, game, loses);
                continue;
            }
            const std::size_t who = position.side == Color::black ? black : 1 - black;
            const auto before = players_[who]->cpu_time();
            auto square = players_[who]->think(position.side);
            spent_[who].cpu += players_[who]->cpu_time() - before;
            ++spent_[who].moves;
            if (!square) {
                loses(who, square.error().message);
            } else if (auto move = position.make_move(*square); !move) {
                loses(who, setting_.players[who].name + ": " + move.error().message);
            } else {
                tell_both(position, *square, who, game, loses);
            }
        }
        if (lost < 2) {
            game.ruled = true;
            game.discs = lost == 0 ? -64 : 64;
            players_[lost].reset();
        } else {
            const int discs = othello::final_score(position.board);
            game.discs = (position.side == Color::black) == (black == 0) ? discs : -discs;
        }
        return game;
    }

    [[nodiscard]] const std::array<Spent, 2>& spent() const noexcept { return spent_; }

private:
    /// Plays a move on the board and tells everybody but `knows` (2: nobody knows) of it.
    template <class Loses>
    void tell_both(
        Position& position, Square square, std::size_t knows, GameResult& game, Loses&& loses) {
        const auto move = position.make_move(square);
        for (std::size_t who = 0; who < 2; ++who) {
            if (who == knows) continue;
            if (auto told = players_[who]->tell(position.side, square); !told)
                loses(who, told.error().message);
        }
        game.moves.push_back(square);
        position.do_move(*move);
    }

    const MatchSetting& setting_;
    std::array<std::optional<GtpPlayer>, 2> players_;
    std::array<Spent, 2> spent_{};
};

int half_points(int discs) noexcept {
    return discs > 0 ? 2 : discs == 0 ? 1 : 0;
}

}  // namespace

Result<Standing> play_match(
    const MatchSetting& setting,
    const std::stop_token& stop,
    const std::function<void(const GameResult&, const Standing&)>& progress) {
    Standing standing;
    Referee referee(setting);
    for (std::uint64_t opening = 0; opening < setting.openings.size(); ++opening) {
        int points = 0;
        for (const std::size_t black : {std::size_t{0}, std::size_t{1}}) {
            if (stop.stop_requested()) return standing;
            if (auto ready = referee.prepare(); !ready) return fail(std::move(ready.error()));
            const GameResult game = referee.play(opening, black);
            points += half_points(game.discs);
            ++standing.games[static_cast<std::size_t>(half_points(game.discs))];
            standing.discs += game.discs;
            standing.spent = referee.spent();
            if (game.ruled) {
                ++standing.ruled;
                if (standing.first_note.empty()) standing.first_note = game.note;
            }
            if (black == 1) standing.pairs.add(points);
            progress(game, standing);
        }
    }
    return standing;
}

std::string report_of(const MatchSetting& setting, const Standing& standing) {
    const auto games = static_cast<double>(standing.played());
    if (games == 0) return "no games\n";
    const double points =
        static_cast<double>(standing.games[2]) + static_cast<double>(standing.games[1]) / 2;
    const match::EloEstimate elo = match::estimate_elo(standing.pairs);
    std::array<char, 256> line{};
    std::string text;
    const auto add = [&](int size) { text.append(line.data(), static_cast<std::size_t>(size)); };
    add(std::snprintf(line.data(),
                      line.size(),
                      "%s against %s: %llu games, +%llu =%llu -%llu, %.1f %%, %+.1f discs a game\n",
                      setting.players[0].name.c_str(),
                      setting.players[1].name.c_str(),
                      static_cast<unsigned long long>(standing.played()),
                      static_cast<unsigned long long>(standing.games[2]),
                      static_cast<unsigned long long>(standing.games[1]),
                      static_cast<unsigned long long>(standing.games[0]),
                      100 * points / games,
                      static_cast<double>(standing.discs) / games));
    add(std::snprintf(line.data(),
                      line.size(),
                      "Elo %+.0f (95 %%: %+.0f to %+.0f), games ruled %llu\n",
                      elo.elo,
                      elo.low,
                      elo.high,
                      static_cast<unsigned long long>(standing.ruled)));
    for (std::size_t who = 0; who < 2; ++who) {
        const Spent& spent = standing.spent[who];
        const double seconds = std::chrono::duration<double>(spent.cpu).count();
        add(std::snprintf(line.data(),
                          line.size(),
                          "%s: %llu moves, %.1f ms of CPU each\n",
                          setting.players[who].name.c_str(),
                          static_cast<unsigned long long>(spent.moves),
                          spent.moves == 0 ? 0 : 1e3 * seconds / static_cast<double>(spent.moves)));
    }
    if (!standing.first_note.empty()) text += "first ruling: " + standing.first_note + "\n";
    return text;
}

}  // namespace yomi::othello_match
