#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/shogi/search/alpha_beta.hpp"

namespace yomi::train {

/// A position whose answer is known: a mate, or moves of which one must be played.
struct Problem {
    shogi::Position position;
    std::vector<shogi::Move> keys;  ///< empty: the side to move mates
};

/// Reads problems, one a line: SFEN (or whatever `parse_usi_position` reads), tab, further columns.
/// Lines that start with `#` and empty lines are passed over. Column `column` (the SFEN is column
/// 1) is a number, the plies of a mate, or key moves in USI divided by spaces.
///
/// Errors  the first bad line, by number: no such column, a bad SFEN, a key that is no
/// legal move.
Result<std::vector<Problem>> parse_suite(std::string_view text, int column = 2);
Result<std::vector<Problem>> read_suite(const std::filesystem::path& file, int column = 2);

struct SuiteScore {
    std::size_t problems = 0;
    std::size_t solved = 0;
    std::uint64_t nodes = 0;
};

/// How many problems the plain search solves with `net` (empty: the classic evaluation) and `nodes`
/// nodes each, nothing kept between them: its move is one of the keys, or it says that the side to
/// move mates. Deterministic.
SuiteScore run_suite(const std::vector<Problem>& problems,
                     const shogi::eval::NetChoice& net,
                     std::uint64_t nodes);

}  // namespace yomi::train
