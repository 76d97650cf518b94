#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "core/shogi/notation/record_cursor.hpp"
#include "core/shogi/types.hpp"

namespace yomi::shogi {

/// A move in one of the ASCII notations, read against a board.
struct MoveWord {
    Move move;
    std::size_t length = 0;  ///< bytes of the word
    std::string fault;       ///< why the board has no such move; then `move` is none
    std::string note;        ///< what was settled though the word did not say it
};

/// USI at the beginning of `text`: "7g7f", "8h2b+", "P*5e"; also "p*5e" and "B'5e".
std::optional<MoveWord> scan_usi_word(const RecordCursor& cursor, std::string_view text);

/// CSA: "+7776FU", "-0055KA", or the six characters without the side ("7776FU").
std::optional<MoveWord> scan_csa_word(const RecordCursor& cursor, std::string_view text);

/// "+7776FU" of a move; the sign is the piece's side.
std::string csa_move(Move move);
/// "FU" .. "RY"; `none` is "  ".
std::string_view csa_name(PieceType type) noexcept;
std::optional<PieceType> csa_kind(std::string_view name) noexcept;

}  // namespace yomi::shogi
