#include "tools/tune/selfplay.hpp"

#include <chrono>
#include <cstdlib>

#include "core/base/hash.hpp"
#include "core/engine/memory.hpp"
#include "core/shogi/movegen.hpp"
#include "core/shogi/notation/usi.hpp"
#include "core/shogi/search/alpha_beta.hpp"

namespace yomi::tune {
namespace {

using shogi::Color;
using shogi::GameStatus;
using shogi::Position;

/// Small enough to stay in the cache; a thousand nodes fill a fraction of it.
constexpr std::size_t kTableBytes = std::size_t{2} << 20;
constexpr int kAgreedPlies = 4;

/// One player for both sides; its table stays warm within a game.
class Player {
public:
    Player(const SelfPlaySetting& setting, std::stop_token stop)
        : setting_(setting), stop_(std::move(stop)), memory_(kTableBytes) {}

    /// Nothing when the opening was no good or `stop` was raised.
    std::optional<Game> play(SplitMix64& random);

private:
    std::optional<Position> open(SplitMix64& random, Game& game) const;

    const SelfPlaySetting& setting_;
    std::stop_token stop_;
    shogi::AlphaBeta engine_;
    engine::SearchMemory memory_;
    engine::NullSink<shogi::AnalysisProgress> sink_;
};

/// What an ended game is worth for the side to move.
double final_result(GameStatus status) noexcept {
    switch (status) {
        case GameStatus::mated:
        case GameStatus::perpetual_check_loss:
            return 0;
        case GameStatus::perpetual_check_win:
        case GameStatus::declared:
            return 1;
        default:
            return 0.5;
    }
}

std::optional<Position> Player::open(SplitMix64& random, Game& game) const {
    Position position = Position::startpos();
    const auto spread = static_cast<std::uint32_t>(setting_.max_plies - setting_.min_plies + 1);
    game.opening_plies = setting_.min_plies + static_cast<int>(random.below(spread));
    game.usi = "startpos moves";
    for (int ply = 0; ply < game.opening_plies; ++ply) {
        shogi::MoveList moves;
        shogi::legal_moves(position, moves);
        if (moves.empty()) return std::nullopt;
        const shogi::Move move = moves[random.below(static_cast<std::uint32_t>(moves.size()))];
        game.usi += ' ' + shogi::to_usi(move);
        position.do_move(move);
    }
    return position;
}

std::optional<Game> Player::play(SplitMix64& random) {
    Game game;
    auto opened = open(random, game);
    if (!opened) return std::nullopt;
    shogi::AnalysisRequest request;
    request.position = std::move(*opened);
    request.budget.nodes = setting_.nodes;
    request.budget.hash_bytes = memory_.size();
    memory_.clear();

    Position& position = request.position;
    int agreed = 0;  // plies in a row that called the game won, positive for Black
    while (game.opening_plies + static_cast<int>(game.scores.size()) < setting_.longest) {
        const shogi::AnalysisAnswer answer = engine_.analyse(request, memory_, stop_, sink_);
        if (stop_.stop_requested()) return std::nullopt;
        const int side = position.side_to_move() == Color::black ? 1 : -1;
        if (!answer.bestmove) {
            game.result = 0.5 + side * (final_result(answer.status) - 0.5);
            return game;
        }
        const shogi::Score best = answer.result.lines.front().score;
        const int score = best.kind == shogi::Score::Kind::cp ? best.value
                          : best.value > 0                    ? kMateScore
                                                              : -kMateScore;
        if (game.scores.empty() && std::abs(score) > setting_.window) return std::nullopt;
        game.scores.push_back(score);
        game.usi += ' ' + shogi::to_usi(answer.bestmove);
        position.do_move(answer.bestmove);

        const int winner = std::abs(score) < setting_.decided ? 0 : score > 0 ? side : -side;
        agreed = winner == 0 ? 0 : agreed * winner > 0 ? agreed + winner : winner;
        if (std::abs(agreed) >= kAgreedPlies) {
            game.result = agreed > 0 ? 1 : 0;
            return game;
        }
    }
    game.result = 0.5;
    return game;
}

}  // namespace

void play_games(const SelfPlaySetting& setting,
                const std::stop_token& stop,
                const std::function<void(const Game&)>& take) {
    const auto start = std::chrono::steady_clock::now();
    SplitMix64 random(setting.seed);
    Player player(setting, stop);
    for (int played = 0; played < setting.games && !stop.stop_requested();) {
        const auto spent = std::chrono::steady_clock::now() - start;
        if (setting.seconds && spent >= std::chrono::seconds(*setting.seconds)) return;
        if (const auto game = player.play(random)) {
            take(*game);
            ++played;
        }
    }
}

}  // namespace yomi::tune
