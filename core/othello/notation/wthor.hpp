#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/othello/notation/record.hpp"

namespace yomi::othello {

/// A game of a WTHOR file as it stands there.
struct WthorGame {
    std::uint16_t tournament = 0;  ///< index into the names of tournaments
    std::uint16_t black = 0;       ///< index into the names of players
    std::uint16_t white = 0;
    std::uint8_t score = 0;   ///< black's discs, the empties to the winner: 0..64
    std::uint8_t theory = 0;  ///< the same with perfect play from `WthorFile::depth` empties on
    std::array<std::uint8_t, 60> moves{};  ///< 10 * rank + file from 1; 0 ends; no passes

    friend bool operator==(const WthorGame&, const WthorGame&) = default;
};

/// A file WTH_YYYY.wtb.
struct WthorFile {
    int year = 0;   ///< of the games
    int depth = 0;  ///< empties from which `WthorGame::theory` was computed
    std::vector<WthorGame> games;

    friend bool operator==(const WthorFile&, const WthorFile&) = default;
};

/// The names that games refer to by number; either may be empty.
struct WthorNames {
    std::vector<std::string> players;      ///< of WTH.JOU, UTF-8
    std::vector<std::string> tournaments;  ///< of WTH.TRN, UTF-8
};

/// Whether the bytes are a game file: the header's century, and the count of games that fits the
/// length.
bool looks_like_wthor(std::string_view bytes) noexcept;

/// Reads a game file without replaying it.
///
/// Errors  bad_notation: cut off, a count that does not fit the length; unsupported: a file of
///         names, of solitaires, or of boards of another size; payload_too_large.
/// Cost    one pass over the bytes.
/// Source  the format's description of the French federation; byte map: README of this folder.
Result<WthorFile> parse_wthor(std::string_view bytes);

/// Reads WTH.JOU (names of 20 bytes) or WTH.TRN (26), Latin-1.
/// Errors  bad_notation: a header or count that does not fit the length.
Result<std::vector<std::string>> parse_wthor_names(std::string_view bytes);

/// The square that a byte of `WthorGame::moves` names; empty when it names none.
std::optional<Square> wthor_square(std::uint8_t byte) noexcept;

/// Replays a game, inserting its passes.
/// Errors  bad_notation for a byte that is no square, illegal_move; both name the move.
/// Cost    about a microsecond a move.
Result<Record> wthor_record(const WthorFile& file,
                            const WthorGame& game,
                            const WthorNames& names = {});

/// All games of a file; a game with a fault is left out and warned about while others are good.
Result<Records> read_wthor(std::string_view bytes, const WthorNames& names = {});

/// A game file with the two files of names that it refers to.
struct WthorBytes {
    std::string games;        ///< WTH_YYYY.wtb
    std::string players;      ///< WTH.JOU
    std::string tournaments;  ///< WTH.TRN
};

/// Writes records as WTHOR files: headers "black", "white", "event", the result, the theory and the
/// moves. The file's dates are those of its games, so that equal games give equal bytes.
///
/// Errors  unsupported: a game that does not begin at the standard start, or more than 65,535
///         names. `warnings` gets what the format cannot say.
Result<WthorBytes> write_wthor(std::span<const Record> records,
                               std::vector<RecordWarning>& warnings);

}  // namespace yomi::othello
