#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/othello/book/moves.hpp"

namespace yomi::othello::book {

/// How much a value can be trusted, in one letter.
///
/// A: solved. B: searched to the end with cuts that are guesses, or an interval of one value.
/// C: interval of at most 4 discs. D: of at most 8. E: wider. F: no search behind it at all.
char accuracy_letter(const PositionInfo& info, int empties) noexcept;

/// What a book says of one legal move, from the view of the side that plays it.
struct MoveView {
    enum class From : std::uint8_t { link, leaf, none };
    Square move = kPass;
    From from = From::none;
    int value = kUnknown;
    int lower = kUnknown;
    int upper = -kUnknown;
    std::uint8_t level = 0;
    std::uint64_t lines = 0;                        ///< below the move, of every kind
    std::uint32_t wins = 0, draws = 0, losses = 0;  ///< for the side that plays it
    char accuracy = 'F';

    [[nodiscard]] bool known() const noexcept { return value != kUnknown; }
};

/// All legal moves of a position, best first, equal ones in the order of their squares. Moves that
/// are images of each other under a symmetry of the board have equal values, the leaf's images
/// too. Also for a position that is not in the book but whose moves lead into it.
std::vector<MoveView> moves_of(const Reader& book, const Board& board);

/// The line of best moves, to the last one the book knows; the leaf's move included.
std::vector<Square> best_line(const Reader& book, const Board& board, std::size_t most = 120);

/// How many lines of a kind there are, and whether a count went beyond 64 bits.
struct LineCount {
    std::uint64_t lines = 0;
    bool exact = true;
};

/// Counts the lines from `board` in which both sides keep the draw: every move is worth 0 and
/// leads on in the book, the last one is a leaf or an end of the book worth 0. Symmetric moves
/// count once each when `every_image`, else once together.
LineCount count_draws(const Reader& book, const Board& board, bool every_image = false);

/// Lists those lines (one of each set of images), in the order of their squares, `skip` left out,
/// at most `most`.
std::vector<std::vector<Square>> list_draws(const Reader& book,
                                            const Board& board,
                                            std::size_t skip,
                                            std::size_t most);

/// How many lines a side must know to keep what the book promises (the "umigame value"): at its
/// own moves the cheapest of the best moves, at the other side's all of the best moves.
///
/// Unit    lines, saturating at 2^31 - 1; 1 at an end of the book.
struct Umigame {
    std::uint32_t player = 1;    ///< for the side to move
    std::uint32_t opponent = 1;  ///< for the other side
};
Umigame umigame(const Reader& book, const Board& board);

/// Chooses a move of the book: uniformly among those at most `margin` discs below the best, as the
/// seed says. Empty: the book knows no move.
std::optional<MoveView> choose(const std::vector<MoveView>& moves,
                               int margin,
                               std::uint64_t seed) noexcept;

}  // namespace yomi::othello::book
