#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "core/othello/board.hpp"

namespace yomi::othello_train {

/// A position with the final score that it is worth.
///
/// Shape   20 bytes on disk, little-endian: player, opponent (64 bits), score, solved (8),
///         expected (16).
struct Sample {
    othello::Board board;
    std::int8_t score = 0;  ///< discs for the side to move, empties to the winner
    bool solved = false;    ///< by exact search; otherwise by how the game went on
    /// 1/128 disc: what the searches of the next moves thought, the nearer the heavier, and the
    /// game's score at the end of the chain (a lambda return). The same as `score` when solved.
    std::int16_t expected = 0;
};

/// Writes a unit of samples so that it is there whole or not at all.
/// Errors  internal when the file cannot be written.
Result<void> write_unit(const std::filesystem::path& file, const std::vector<Sample>& samples);

/// Reads one unit. Errors  bad_value for a file that is no unit.
Result<std::vector<Sample>> read_unit(const std::filesystem::path& file);

/// The units of a folder ("unit-000123.yos") by number.
std::vector<std::filesystem::path> units_of(const std::filesystem::path& folder);
std::string unit_name(int number);

}  // namespace yomi::othello_train
