#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <string>

#include "core/shogi/attacks.hpp"
#include "core/shogi/types.hpp"

/// The 17-wide board: one integer per square whose differences are relative places.
///
/// A square with file x = 1..9 and rank y = 1..9 is the cell z = 17x - y + 30 of an array of
/// 13 x 17 = 221 cells. A file is nine cells of a row of 17 (four cells off the board on either
/// side); two rows of cells off the board lie before file 1 and after file 9. Because the row is 17
/// wide, each of the 289 relative places (dx, dy in -8..8) has its own difference dz = 17dx - dy in
/// -144..144, and a step, a ray or "that piece as its king sees it" is one addition or subtraction.
/// 17 is the least width for which this holds; the proofs are static_asserts in mailbox.cpp.
///
/// Source  Arioka, "KFEnd: data structures" (2000), figures 2 to 4 and `position_table`.
/// Threads everything is constexpr data and pure functions.
namespace yomi::shogi::mailbox {

inline constexpr int kStride = 17;       ///< cells in a row; also the step of one file
inline constexpr int kRows = 13;         ///< nine files and two rows off the board on either side
inline constexpr int kCells = 221;       ///< kRows * kStride
inline constexpr int kRelations = 289;   ///< relative places of two squares, 17 * 17
inline constexpr int kSameSquare = 144;  ///< index of dz = 0 in a table of kRelations entries
inline constexpr int kGuardLow = -106;   ///< least z + dz for a square z and any relation dz
inline constexpr int kGuardHigh = 326;   ///< greatest z + dz
inline constexpr int kGuardCells = 433;  ///< kGuardHigh - kGuardLow + 1

/// The cell of file 1..9 and rank 1..9 (1 = rank a).
constexpr int cell(int file, int rank) noexcept {
    return kStride * file - rank + 30;
}

namespace detail {

constexpr std::array<std::uint8_t, kSquares> make_cell_table() noexcept {
    std::array<std::uint8_t, kSquares> table{};
    for (int s = 0; s < kSquares; ++s) {
        table[static_cast<std::size_t>(s)] = static_cast<std::uint8_t>(cell(s / 9 + 1, s % 9 + 1));
    }
    return table;
}
inline constexpr std::array<std::uint8_t, kSquares> kCellTable = make_cell_table();

constexpr std::array<Square, kGuardCells> make_guard_table() noexcept {
    std::array<Square, kGuardCells> table{};
    for (Square& entry : table)
        entry = kNoSquare;
    for (int s = 0; s < kSquares; ++s) {
        table[static_cast<std::size_t>(cell(s / 9 + 1, s % 9 + 1) - kGuardLow)] =
            static_cast<Square>(s);
    }
    return table;
}
inline constexpr std::array<Square, kGuardCells> kGuardTable = make_guard_table();

}  // namespace detail

/// The cell of a square, 38..182.
constexpr int cell_of(Square square) noexcept {
    return detail::kCellTable[static_cast<std::size_t>(square)];
}

/// The square at `z`, or `kNoSquare` off the board.
///
/// Shape   z in kGuardLow..kGuardHigh: any square's cell plus any relation may be asked without a
/// check.
constexpr Square square_at(int z) noexcept {
    assert(z >= kGuardLow && z <= kGuardHigh);
    return detail::kGuardTable[static_cast<std::size_t>(z - kGuardLow)];
}

constexpr bool on_board(int z) noexcept {
    return square_at(z) != kNoSquare;
}

/// The cell of the same square seen from the other side of the board.
constexpr int rotate_cell(int z) noexcept {
    return kCells - 1 - z;
}

/// An array of 221 cells: `inside` on the 81 squares, `outside` on the cells off the board.
template <class T>
constexpr std::array<T, kCells> make_cells(T inside, T outside) {
    std::array<T, kCells> cells{};
    for (int z = 0; z < kCells; ++z) {
        cells[static_cast<std::size_t>(z)] = on_board(z) ? inside : outside;
    }
    return cells;
}

// ---- relative places -------------------------------------------------------------------------

/// Where one square lies as seen from another.
///
/// Unit    dx files (positive towards file 9), dy ranks (positive towards rank i), dz cells.
struct Relation {
    std::int8_t dx = 0;
    std::int8_t dy = 0;
    std::int16_t dz = 0;

    friend constexpr bool operator==(const Relation&, const Relation&) = default;
};

/// The place of `to` as seen from `from`.
constexpr Relation relation(Square from, Square to) noexcept {
    return {static_cast<std::int8_t>(file_of(to) - file_of(from)),
            static_cast<std::int8_t>(rank_of(to) - rank_of(from)),
            static_cast<std::int16_t>(cell_of(to) - cell_of(from))};
}

/// Index of a difference of cells in a table of `kRelations` entries.
constexpr int relation_index(int dz) noexcept {
    return kSameSquare + dz;
}

/// The relation that has this difference: the inverse of 17dx - dy, possible because no two share
/// one. Shape   dz in -144..144.
constexpr Relation relation_of(int dz) noexcept {
    assert(dz >= -kSameSquare && dz <= kSameSquare);
    const int i = relation_index(dz);
    return {static_cast<std::int8_t>(i / kStride - 8),
            static_cast<std::int8_t>(8 - i % kStride),
            static_cast<std::int16_t>(dz)};
}

/// Index of a piece's place in `position_table[289]` as its king sees it: 144 + z - gz.
constexpr int king_relative_index(int z, int king_z) noexcept {
    return kSameSquare + z - king_z;
}

/// The same index with the board turned by 180 degrees: what White's piece looks up in Black's
/// table.
constexpr int mirrored_index(int table_index) noexcept {
    return kRelations - 1 - table_index;
}

// ---- rays ------------------------------------------------------------------------------------

inline constexpr int kDirections = 8;

/// The bit of a direction in a mask of eight; `none` has no bit.
constexpr std::uint8_t direction_bit(Direction d) noexcept {
    return d == Direction::none ? std::uint8_t{0}
                                : static_cast<std::uint8_t>(1U << static_cast<unsigned>(d));
}
constexpr bool is_diagonal(Direction d) noexcept {
    return d == Direction::north_east || d == Direction::south_east || d == Direction::north_west ||
           d == Direction::south_west;
}

/// Cells of one step in each `Direction`; the ninth entry (none) is 0.
inline constexpr std::array<std::int8_t, kDirections + 1> kSteps{
    1, -16, -17, -18, 18, 17, 16, -1, 0};
constexpr int step_of(Direction d) noexcept {
    return kSteps[static_cast<std::size_t>(d)];
}

/// What the 289-entry table says about two squares.
struct Line {
    Direction direction = Direction::none;  ///< of the ray from the first to the second square
    std::int8_t step = 0;                   ///< cells of one step, 0 when there is no ray
    std::uint8_t distance = 0;              ///< steps, 1..8, 0 when there is no ray
    std::uint8_t between = 0;               ///< squares strictly between, 0..7

    friend constexpr bool operator==(const Line&, const Line&) = default;
};
static_assert(sizeof(Line) == 4);

namespace detail {

constexpr std::array<Line, kRelations> make_line_table() noexcept {
    std::array<Line, kRelations> table{};
    for (int d = 0; d < kDirections; ++d) {
        const int step = kSteps[static_cast<std::size_t>(d)];
        for (int distance = 1; distance <= 8; ++distance) {
            table[static_cast<std::size_t>(relation_index(step * distance))] = {
                static_cast<Direction>(d),
                static_cast<std::int8_t>(step),
                static_cast<std::uint8_t>(distance),
                static_cast<std::uint8_t>(distance - 1)};
        }
    }
    return table;
}
inline constexpr std::array<Line, kRelations> kLineTable = make_line_table();

}  // namespace detail

/// The ray with difference `dz`, if there is one. Cost: one load.
constexpr Line line_of(int dz) noexcept {
    assert(dz >= -kSameSquare && dz <= kSameSquare);
    return detail::kLineTable[static_cast<std::size_t>(relation_index(dz))];
}
/// The ray from one square to another, if they share a rank, file or diagonal.
constexpr Line line_between(Square from, Square to) noexcept {
    return line_of(cell_of(to) - cell_of(from));
}
constexpr Direction direction_of(Square from, Square to) noexcept {
    return line_between(from, to).direction;
}

/// Calls `visit(Square)` for each square strictly between two squares of one line, nearest to
/// `from` first; for squares that share no line, or the same square, it calls nothing.
template <class Visit>
constexpr void for_each_between(Square from, Square to, Visit&& visit) {
    const Line line = line_between(from, to);
    int z = cell_of(from);
    for (int left = line.between; left > 0; --left) {
        z += line.step;
        visit(square_at(z));
    }
}

/// The board as text for people: 13 lines of 17 cells, one line per file from before file 1 to
/// after file 9, rank i first; a cell is its number z, in brackets when it is a square, e.g.
/// `[46]`.
std::string map_text();

}  // namespace yomi::shogi::mailbox
