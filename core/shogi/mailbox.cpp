#include "core/shogi/mailbox.hpp"

#include <cstdio>

namespace yomi::shogi::mailbox {
namespace {

// ---- the proofs: every claim of the header that a compiler can check ---------------------------

static_assert(kRows * kStride == kCells);
static_assert(kGuardHigh - kGuardLow + 1 == kGuardCells);
static_assert(cell(1, 1) == 46 && cell(5, 5) == 110 && cell(9, 9) == 174);
static_assert(cell(1, 9) == 38 && cell(9, 1) == 182, "least and greatest square");
static_assert(38 - kSameSquare == kGuardLow && 182 + kSameSquare == kGuardHigh);

/// How many different values `width * dx - dy` takes over the 289 relative places.
constexpr int distinct_displacements(int width) noexcept {
    const int span = 8 * width + 8;
    std::array<bool, 2 * (8 * kStride + 8) + 1> seen{};
    int distinct = 0;
    for (int dx = -8; dx <= 8; ++dx) {
        for (int dy = -8; dy <= 8; ++dy) {
            bool& entry = seen[static_cast<std::size_t>(width * dx - dy + span)];
            if (!entry) ++distinct;
            entry = true;
        }
    }
    return distinct;
}
constexpr bool narrower_boards_are_ambiguous() noexcept {
    for (int width = 9; width < kStride; ++width) {
        if (distinct_displacements(width) == kRelations) return false;
    }
    return true;
}
static_assert(distinct_displacements(kStride) == kRelations, "a difference is a relative place");
static_assert(narrower_boards_are_ambiguous(), "17 is the least width");

// Figure 3: on a board 13 wide A->B, C->D and E->F have one difference although E->F is elsewhere.
constexpr int narrow_cell(int file, int rank) noexcept {
    return 13 * file - rank + 24;
}
static_assert(narrow_cell(4, 8) == 68 && narrow_cell(2, 2) == 48);
static_assert(narrow_cell(6, 2) == 100 && narrow_cell(5, 9) == 80);
static_assert(narrow_cell(2, 2) - narrow_cell(4, 8) == narrow_cell(5, 9) - narrow_cell(6, 2));

// Figure 4: on this board E plus that difference is off the board.
static_assert(cell(4, 8) == 90 && cell(2, 2) == 62 && cell(6, 2) == 130);
static_assert(!on_board(cell(6, 2) + cell(2, 2) - cell(4, 8)));

constexpr bool every_relation_is_inverted() noexcept {
    for (int dx = -8; dx <= 8; ++dx) {
        for (int dy = -8; dy <= 8; ++dy) {
            const Relation r = relation_of(kStride * dx - dy);
            if (r.dx != dx || r.dy != dy) return false;
        }
    }
    return true;
}
static_assert(every_relation_is_inverted());

constexpr bool steps_match_their_names() noexcept {
    constexpr std::array<int, 8> dx{0, -1, -1, -1, 1, 1, 1, 0};
    constexpr std::array<int, 8> dy{-1, -1, 0, 1, -1, 0, 1, 1};
    for (std::size_t d = 0; d < 8; ++d) {
        if (kSteps[d] != kStride * dx[d] - dy[d]) return false;
        if (kSteps[d] != -step_of(opposite(static_cast<Direction>(d)))) return false;
    }
    return true;
}
static_assert(steps_match_their_names());

constexpr bool king_and_knight_steps_stay_in_the_array() noexcept {
    // One step of a king or a knight needs no guard: z + d is a cell of the 221.
    constexpr std::array<int, 12> steps{1, -16, -17, -18, -1, 16, 17, 18, 19, -15, 15, -19};
    for (int s = 0; s < kSquares; ++s) {
        for (const int d : steps) {
            const int z = cell_of(static_cast<Square>(s)) + d;
            if (z < 19 || z > 201) return false;
        }
    }
    return true;
}
static_assert(king_and_knight_steps_stay_in_the_array());

}  // namespace

std::string map_text() {
    std::string text;
    for (int row = 0; row < kRows; ++row) {
        for (int column = 0; column < kStride; ++column) {
            const int z = row * kStride + column;
            std::array<char, 8> entry{};
            const char* format = on_board(z) ? "[%3d]" : " %3d ";
            std::snprintf(entry.data(), entry.size(), format, z);
            text += entry.data();
        }
        text += '\n';
    }
    return text;
}

}  // namespace yomi::shogi::mailbox
