#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "tools/match/game.hpp"
#include "tools/match/statistics.hpp"

namespace yomi::match {

/// One finished game as the results file keeps it.
struct GameRow {
    std::uint64_t pair = 0;     ///< from 0
    std::uint64_t opening = 0;  ///< line of the openings file's order, from 0
    Engine black = 0;
    int half_points = 0;  ///< of engine A: 0, 1, 2
    EndReason reason = EndReason::mate;
    int plies = 0;
    std::array<Spent, 2> spent{};
    std::string note;

    friend bool operator==(const GameRow&, const GameRow&) = default;
};
using PairRows = std::array<GameRow, 2>;

/// Half points of A from a game.
int half_points_of(const GameRecord& record) noexcept;

/// Everything counted so far.
struct Standing {
    Pentanomial pairs;
    std::array<std::uint64_t, 3> games{};  ///< losses, draws, wins of A
    std::array<Spent, 2> spent{};
    std::map<EndReason, std::uint64_t> ends;
    /// Games that an engine lost by its own fault: illegal move, time-out, crash, garbage, false
    /// declaration.
    std::array<std::uint64_t, 2> faults{};

    void add(const PairRows& pair);
};

/// The results file (TSV) and, beside it, the games as USI position lines, two lines a pair in
/// both.
///
/// A pair is appended by one write to each file, games first, so a killed match leaves whole pairs
/// (or a last torn one, which `open` cuts off). A comment line holds the setting; a file of another
/// setting is refused.
class ResultLog {
public:
    /// Starts new files, or reads what is there with `resume`. An empty path: nothing is kept
    /// there. Errors  conflict when a file exists without `resume` or has another setting;
    /// bad_value with the line.
    static Result<ResultLog> open(const std::filesystem::path& results,
                                  const std::filesystem::path& games,
                                  const std::string& setting,
                                  bool resume);

    /// What an earlier run had finished.
    [[nodiscard]] const std::vector<PairRows>& earlier() const noexcept { return earlier_; }
    /// Errors  internal when the disk does not take it.
    Result<void> append(const PairRows& pair, const std::array<std::string, 2>& usi);

private:
    Result<void> read(const std::string& setting);

    std::filesystem::path results_;
    std::filesystem::path games_;
    std::vector<PairRows> earlier_;
};

/// One line of the results file, with its line end.
std::string to_tsv(const GameRow& row);
/// Errors  bad_value naming the column's name.
Result<GameRow> from_tsv(std::string_view line);

}  // namespace yomi::match
