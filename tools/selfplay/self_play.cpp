#include "tools/selfplay/self_play.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <utility>

#include "core/base/hash.hpp"
#include "core/shogi/movegen.hpp"

namespace yomi::selfplay {
namespace {

using shogi::Color;
using shogi::GameStatus;
using shogi::Position;

/// Stops a search at the end of the depth that passes the soft limit.
class SoftLimit final : public engine::Sink<shogi::AnalysisProgress> {
public:
    SoftLimit(std::uint64_t nodes, const std::stop_token& outer)
        : nodes_(nodes), on_outer_(outer, [this] { stop_.request_stop(); }) {}
    void report(const shogi::AnalysisProgress& progress) override {
        if (progress.depth_complete && progress.nodes >= nodes_) stop_.request_stop();
    }
    [[nodiscard]] std::stop_token token() const noexcept { return stop_.get_token(); }

private:
    std::uint64_t nodes_;
    std::stop_source stop_;
    std::stop_callback<std::function<void()>> on_outer_;
};

GameEnd end_of(GameStatus status) noexcept {
    switch (status) {
        case GameStatus::mated:
            return GameEnd::mate;
        case GameStatus::declared:
            return GameEnd::declared;
        case GameStatus::repetition:
            return GameEnd::repetition;
        case GameStatus::perpetual_check_win:
        case GameStatus::perpetual_check_loss:
            return GameEnd::perpetual;
        default:
            return GameEnd::length;
    }
}

std::int16_t stored(shogi::Score score) noexcept {
    if (score.kind == shogi::Score::Kind::cp) return static_cast<std::int16_t>(score.value);
    const int distance = std::min(std::abs(score.value), kMateScore - kMateScoreBound);
    const int value = kMateScore + 1 - std::max(distance, 1);
    return static_cast<std::int16_t>(score.value > 0 ? value : -value);
}

int random_plies(const SelfPlaySetting& setting, SplitMix64& random) {
    const std::uint32_t kind = random.below(10);
    const int more = static_cast<int>(random.below(2));
    if (kind == 0) return 2 * setting.usual_plies + more;
    if (kind <= 2) return setting.usual_plies / 2 + more;
    return setting.usual_plies + more;
}

}  // namespace

std::string SelfPlaySetting::text() const {
    const auto line = [](const char* key, std::uint64_t value) {
        return std::string(key) + ' ' + std::to_string(value) + '\n';
    };
    const auto number = [](int value) { return static_cast<std::uint64_t>(value); };
    return line("seed", seed) + line("soft_nodes", soft_nodes) + line("hard_factor", hard_factor) +
           line("usual_plies", number(usual_plies)) + line("window", number(window)) +
           line("decided", number(decided)) + line("decided_plies", number(decided_plies)) +
           line("to_the_end_percent", number(to_the_end_percent)) +
           line("longest", number(longest)) + line("table_bytes", table_bytes);
}

SelfPlayer::SelfPlayer(const SelfPlaySetting& setting,
                       shogi::eval::Kind evaluation,
                       const shogi::eval::NetChoice& net)
    : setting_(setting), memory_(setting.table_bytes) {
    request_.budget.nodes = setting_.soft_nodes * setting_.hard_factor;
    request_.budget.hash_bytes = memory_.size();
    request_.rules.max_plies = setting_.longest;
    request_.evaluation = evaluation;
    request_.net = net;
}

std::optional<SelfPlayer::Searched> SelfPlayer::search(const std::stop_token& stop) {
    SoftLimit limit(setting_.soft_nodes, stop);
    Searched searched;
    searched.answer = engine_.analyse(request_, memory_, limit.token(), limit);
    if (stop.stop_requested()) return std::nullopt;
    nodes_ += searched.answer.result.nodes;
    if (!searched.answer.result.lines.empty())
        searched.score = stored(searched.answer.result.lines.front().score);
    return searched;
}

std::optional<Game> SelfPlayer::play(std::uint32_t index, const std::stop_token& stop) {
    SplitMix64 random(mix64(setting_.seed) ^ mix64(index));
    const bool to_the_end =
        random.below(100) < static_cast<std::uint32_t>(setting_.to_the_end_percent);
    while (!stop.stop_requested()) {
        Game game;
        game.index = index;
        request_.position = Position::startpos();
        const int plies = random_plies(setting_, random);
        bool usable = true;
        for (int ply = 0; ply < plies && usable; ++ply) {
            shogi::MoveList moves;
            shogi::legal_moves(request_.position, moves);
            usable = !moves.empty();
            if (!usable) break;
            const shogi::Move move = moves[random.below(static_cast<std::uint32_t>(moves.size()))];
            game.moves.push_back(move.bits16());
            request_.position.do_move(move);
        }
        if (!usable || shogi::is_over(shogi::status_of(request_.position, request_.rules)))
            continue;
        game.opening_plies = static_cast<std::uint8_t>(plies);
        memory_.clear();
        const auto first = search(stop);
        if (!first) return std::nullopt;
        if (std::abs(first->score) <= setting_.window)
            return play_on(std::move(game), to_the_end, stop);
    }
    return std::nullopt;
}

Result<std::optional<Game>> SelfPlayer::relabel(const Game& old, const std::stop_token& stop) {
    Game game = old;
    request_.position = Position::startpos();
    memory_.clear();
    for (std::size_t ply = 0; ply < old.moves.size(); ++ply) {
        const shogi::Move move = request_.position.move_from_bits16(old.moves[ply]);
        if (!move || !request_.position.is_legal(move)) {
            return fail(ErrorCode::bad_value,
                        "game " + std::to_string(old.index) + ", move " + std::to_string(ply + 1) +
                            ": not a legal move");
        }
        if (ply >= old.opening_plies) {
            const auto searched = search(stop);
            if (!searched) return std::nullopt;
            game.scores[ply - old.opening_plies] = searched->score;
        }
        request_.position.do_move(move);
    }
    return game;
}

std::optional<Game> SelfPlayer::play_on(Game game, bool to_the_end, const std::stop_token& stop) {
    Position& position = request_.position;
    int agreed = 0;  // plies in a row that called the game won, positive for Black
    while (true) {
        const auto searched = search(stop);
        if (!searched) return std::nullopt;
        const auto& [answer, score] = *searched;
        if (shogi::is_over(answer.status)) {
            const auto winner = shogi::winner_of(answer.status, position.side_to_move());
            game.result = !winner ? 0 : *winner == Color::black ? 1 : -1;
            game.end = end_of(answer.status);
            return game;
        }
        const int side = position.side_to_move() == Color::black ? 1 : -1;
        game.moves.push_back(answer.bestmove.bits16());
        game.scores.push_back(score);
        position.do_move(answer.bestmove);

        const int winner = std::abs(score) < setting_.decided ? 0 : score > 0 ? side : -side;
        agreed = winner == 0 ? 0 : agreed * winner > 0 ? agreed + winner : winner;
        if (!to_the_end && std::abs(agreed) >= setting_.decided_plies) {
            game.result = agreed > 0 ? 1 : -1;
            game.end = GameEnd::adjudicated;
            return game;
        }
    }
}

}  // namespace yomi::selfplay
