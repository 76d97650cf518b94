#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "core/engine/memory.hpp"
#include "core/shogi/eval/evaluator.hpp"
#include "core/shogi/search/alpha_beta.hpp"
#include "tools/selfplay/game_file.hpp"

namespace yomi::selfplay {

/// How games are made. Together with the evaluation and the search it decides every one of them.
struct SelfPlaySetting {
    std::uint64_t seed = 1;
    /// Of a search, which ends with the depth that passes them ...
    std::uint64_t soft_nodes = 800;
    /// ... or in the middle of a depth after so many times as much.
    std::uint64_t hard_factor = 8;
    /// Random plies before the search plays: usually one of these two,
    int usual_plies = 8;
    /// in a fifth of the games 4 or 5, in a tenth twice as many.
    int window = 800;       ///< centipawns: openings that the first search finds worse are dropped
    int decided = 2'000;    ///< centipawns: what ends a game ...
    int decided_plies = 4;  ///< ... when the searches say so for so many plies in a row
    int to_the_end_percent = 10;  ///< games that are never ended so
    int longest = 320;            ///< plies: a longer game is a draw
    std::size_t table_bytes = std::size_t{2} << 20;

    /// Lines of "key value", as a file of games keeps them.
    [[nodiscard]] std::string text() const;
};

/// The search plays against itself.
///
/// Threads one owner; `stop` from any thread, a game under way is then dropped.
/// Cost    about a hundred searches a game; the instance of the search and `table_bytes`.
class SelfPlayer {
public:
    explicit SelfPlayer(const SelfPlaySetting& setting,
                        shogi::eval::Kind evaluation = shogi::eval::Kind::classic,
                        const shogi::eval::NetChoice& net = {});

    /// Game `index` of the seed: the same whatever was played before. Nothing when stopped.
    std::optional<Game> play(std::uint32_t index, const std::stop_token& stop);

    /// `old` with the scores that this player's searches give to its positions; moves and result
    /// stay. Nothing when stopped.
    /// Errors  bad_value: an illegal move, by its number.
    Result<std::optional<Game>> relabel(const Game& old, const std::stop_token& stop);

    /// Nodes of all searches so far.
    [[nodiscard]] std::uint64_t nodes() const noexcept { return nodes_; }

private:
    struct Searched {
        shogi::AnalysisAnswer answer;
        std::int16_t score = 0;
    };
    std::optional<Searched> search(const std::stop_token& stop);
    std::optional<Game> play_on(Game game, bool to_the_end, const std::stop_token& stop);

    SelfPlaySetting setting_;
    shogi::AlphaBeta engine_;
    engine::SearchMemory memory_;
    shogi::AnalysisRequest request_;
    std::uint64_t nodes_ = 0;
};

}  // namespace yomi::selfplay
