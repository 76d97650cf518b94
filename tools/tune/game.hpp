#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"

namespace yomi::tune {

/// Score of a mate in a game's list of scores; its sign says who mates.
inline constexpr int kMateScore = 10'000;

/// One game of the search against itself.
struct Game {
    double result = 0.5;      ///< for Black: 1 won, 1/2 drawn, 0 lost
    int opening_plies = 0;    ///< random ones at the beginning, which nobody chose
    std::vector<int> scores;  ///< centipawns, the mover's view, one for each searched move in order
    std::string usi;          ///< `startpos moves ...`, whole game

    friend bool operator==(const Game&, const Game&) = default;
};

/// One line a game: result of Black (`1`, `1/2`, `0`), opening plies, scores, USI text; tabs
/// between.
std::string to_line(const Game& game);
/// The moves are not looked at; the errors name the column.
Result<Game> parse_game(std::string_view line);
/// Lines that begin with `#` and empty ones are passed over; an error names its line.
Result<std::vector<Game>> load_games(const std::filesystem::path& file);

}  // namespace yomi::tune
