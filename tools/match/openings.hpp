#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/result.hpp"

namespace yomi::match {

/// Reads start positions, one USI position text a line; blank lines and lines that start with # are
/// skipped. Errors  not_found, or what is wrong with a line, with `line` set; a file without
/// openings is bad_value.
Result<std::vector<std::string>> load_openings(const std::filesystem::path& file);

/// How openings are made.
struct OpeningSetting {
    int count = 256;
    std::uint64_t seed = 1;
    int min_plies = 8;
    int max_plies = 12;
    std::uint64_t nodes = 20'000;  ///< our search's budget for judging one
    int window = 100;              ///< centipawns: the score must lie within +-window
};

struct OpeningReport {
    std::vector<std::string> openings;  ///< `startpos moves ...`, no two lead to the same position
    std::uint64_t tried = 0;
};

/// Plays uniformly random legal moves and keeps what our own search calls balanced and quiet (not
/// in check).
///
/// The same setting and the same search give the same openings: every judgement starts from an
/// empty table. `progress` is told after each kept opening how many there are. Fewer than `count`
/// come back after `stop`. Cost    about three searches of `nodes` for one opening that is kept.
OpeningReport make_openings(
    const OpeningSetting& setting,
    const std::stop_token& stop,
    const std::function<void(std::size_t kept, std::uint64_t tried)>& progress);

}  // namespace yomi::match
