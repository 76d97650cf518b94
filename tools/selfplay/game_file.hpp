#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.hpp"

namespace yomi::selfplay {

/// Score of a mate in one ply in a game's list; a mate in n plies is this minus n - 1. Everything
/// from `kMateScoreBound` on is a mate.
inline constexpr int kMateScore = 31'999;
inline constexpr int kMateScoreBound = 31'000;
/// Longest game that a file holds.
inline constexpr std::size_t kMostMoves = 4'096;

/// Why a game ended.
enum class GameEnd : std::uint8_t {
    mate,        ///< the side to move has no legal move
    declared,    ///< the side to move declared itself the winner (27 points)
    repetition,  ///< fourth occurrence: a draw
    perpetual,   ///< fourth occurrence by perpetual check: the checker lost
    length,      ///< too long: a draw
    adjudicated  ///< both sides' searches agreed for some plies
};

/// One game from the usual start position.
struct Game {
    std::uint32_t index = 0;           ///< which game of the file's seed
    int result = 0;                    ///< for Black: 1 won, 0 drawn, -1 lost
    GameEnd end = GameEnd::mate;       ///< why it ended
    std::uint8_t opening_plies = 0;    ///< random ones at the beginning, which nobody chose
    std::vector<std::uint16_t> moves;  ///< `shogi::Move::bits16`, the whole game
    std::vector<std::int16_t> scores;  ///< centipawns, the mover's view, one for each searched move

    friend bool operator==(const Game&, const Game&) = default;
};

/// The games of one file and what it says about them.
struct GameFile {
    std::string setting;          ///< lines of "key value"
    std::vector<Game> games;      ///< in the order of the file
    std::size_t whole_bytes = 0;  ///< up to here all is whole
    bool torn = false;            ///< whether something unfinished follows
};

/// The bytes of one game, ready to be appended (docs/formats/games.md).
/// Shape  `moves.size() == opening_plies + scores.size()`, at most `kMostMoves` moves.
std::vector<std::byte> encode(const Game& game);
/// The head of a file.
std::vector<std::byte> encode_head(const std::string& setting);

/// Moves are not looked at. An unfinished game at the very end is no error: `torn`.
///
/// Errors  bad_value: no file of games, another version, damage in the middle; the byte is named.
Result<GameFile> parse_games(std::span<const std::byte> bytes);
Result<GameFile> read_games(const std::filesystem::path& file);

/// A file that games are appended to, each in one piece: killed at any moment, the file holds whole
/// games and at most one torn end, which the next start cuts off.
///
/// Threads one owner; a lock on the file keeps a second process out.
class GameWriter {
public:
    /// Makes the file, or goes on with one of the very same setting.
    /// Errors  conflict: another setting, or another process writes it; bad_value: not a file of
    ///         games; not_found: cannot be made.
    static Result<GameWriter> open(const std::filesystem::path& file, const std::string& setting);
    GameWriter(GameWriter&& other) noexcept;
    GameWriter& operator=(GameWriter&& other) noexcept;
    ~GameWriter();

    Result<void> append(const Game& game);
    /// Games in the file.
    [[nodiscard]] std::size_t games() const noexcept { return games_; }
    /// Index that the next game should have: one more than the greatest so far.
    [[nodiscard]] std::uint32_t next_index() const noexcept { return next_index_; }
    /// Scored positions in the file.
    [[nodiscard]] std::uint64_t positions() const noexcept { return positions_; }

private:
    explicit GameWriter(int file) noexcept : file_(file) {}
    void count(const Game& game) noexcept;

    int file_ = -1;
    std::size_t games_ = 0;
    std::uint32_t next_index_ = 0;
    std::uint64_t positions_ = 0;
};

}  // namespace yomi::selfplay
