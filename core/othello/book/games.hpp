#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/result.hpp"
#include "core/othello/book/position_data.hpp"
#include "core/othello/position.hpp"

namespace yomi::othello::book {

/// How the games went that met a position, from the view of the side to move there.
struct GameCount {
    std::uint32_t games = 0;
    std::uint32_t wins = 0;
    std::uint32_t draws = 0;
    std::uint32_t losses = 0;
    std::uint32_t scored = 0;  ///< games whose discs are known, not only their winner
    std::int32_t discs = 0;    ///< sum of their final differences, empties to the winner

    void add(int sign, std::optional<int> difference) noexcept;
    /// The same from the other side's view.
    [[nodiscard]] GameCount turned() const noexcept;
    /// Mean final difference in discs; empty when no game tells.
    [[nodiscard]] std::optional<double> mean() const noexcept;

    friend bool operator==(const GameCount&, const GameCount&) = default;
};

/// What a file of games gave.
struct GamesRead {
    std::size_t taken = 0;
    std::size_t rejected = 0;  ///< illegal moves, or no result
    std::string first_fault;   ///< of the rejected ones: which game and why
};

/// Statistics of many games by position, as database programs show them. Every image of a position
/// under the 8 symmetries is one; the same shape with colours and turn exchanged too.
///
/// Shape   positions of the first `plies` plies, passes not counted; a game counts once for each.
/// Cost    reading about a microsecond a ply; `find` a binary search. 40 bytes a position.
/// Threads one owner while games are added; after `finish` reading is free for all.
/// Source  the statistics of WZebra and of the French federation's WTHOR viewers.
class GameDatabase {
public:
    static constexpr int kDefaultPlies = 24;

    explicit GameDatabase(int plies = kDefaultPlies) : plies_(plies) {}

    /// Counts the game that `moves` are (forced passes may be there or left out), which ended with
    /// `difference` discs for Black, or with a winner only (`sign` > 0: Black).
    /// Errors  illegal_move with the number of the move; then nothing is counted.
    Result<void> add(const Position& start,
                     std::span<const Square> moves,
                     int sign,
                     std::optional<int> difference);

    /// Counts the games of a file in any format that `read_records` knows; WTHOR files the fast
    /// way. Games without a result are left out.
    /// Errors  those of the reader when no game of the file can be used.
    Result<GamesRead> add_file(std::string_view bytes);

    /// Ends the adding: packs what was counted.
    void finish();

    /// Empty when no game met the position.
    [[nodiscard]] std::optional<GameCount> find(const Board& board) const;
    [[nodiscard]] std::size_t games() const noexcept { return games_; }
    [[nodiscard]] std::size_t positions() const noexcept { return packed_.size() + open_.size(); }
    [[nodiscard]] int plies() const noexcept { return plies_; }

private:
    struct Entry {
        PositionKey key;
        GameCount count;
    };

    Result<GamesRead> add_wthor(std::string_view bytes);

    int plies_;
    std::size_t games_ = 0;
    std::unordered_map<PositionKey, GameCount, KeyHash> open_;
    std::vector<Entry> packed_;  ///< in the order of the keys
};

}  // namespace yomi::othello::book
