#include "core/shogi/attacks.hpp"

namespace yomi::shogi::tables {
namespace {

struct Step {
    int file;
    int rank;
};

// In the order of Direction; Black's view, rank a is "north", file 1 is "east".
constexpr std::array<Step, 8> kStep{
    {{0, -1}, {-1, -1}, {-1, 0}, {-1, 1}, {1, -1}, {1, 0}, {1, 1}, {0, 1}}};

constexpr bool on_board(int file, int rank) {
    return file >= 0 && file < 9 && rank >= 0 && rank < 9;
}

/// Bit d set: the kind steps in direction d (as Black).
constexpr unsigned step_set(PieceType t) {
    constexpr auto bit = [](Direction d) { return 1U << index(d); };
    constexpr unsigned kFront = bit(Direction::north);
    constexpr unsigned kFrontSides = bit(Direction::north_east) | bit(Direction::north_west);
    constexpr unsigned kSides = bit(Direction::east) | bit(Direction::west);
    constexpr unsigned kBackSides = bit(Direction::south_east) | bit(Direction::south_west);
    constexpr unsigned kBack = bit(Direction::south);
    switch (t) {
        case PieceType::pawn:
            return kFront;
        case PieceType::silver:
            return kFront | kFrontSides | kBackSides;
        case PieceType::gold:
        case PieceType::pro_pawn:
        case PieceType::pro_lance:
        case PieceType::pro_knight:
        case PieceType::pro_silver:
            return kFront | kFrontSides | kSides | kBack;
        case PieceType::king:
            return 0xFF;
        case PieceType::horse:
            return kFront | kSides | kBack;
        case PieceType::dragon:
            return kFrontSides | kBackSides;
        default:
            return 0;
    }
}

constexpr Bitboard steps_of(Color c, PieceType t, int file, int rank) {
    Bitboard set;
    const int sign = c == Color::black ? 1 : -1;
    const auto add = [&](int df, int dr) {
        if (on_board(file + df, rank + dr)) set.set(make_square(file + df, rank + dr));
    };
    for (std::size_t d = 0; d < 8; ++d) {
        if ((step_set(t) >> d & 1U) != 0) add(kStep[d].file * sign, kStep[d].rank * sign);
    }
    if (t == PieceType::knight) {
        add(1, -2 * sign);
        add(-1, -2 * sign);
    }
    return set;
}

constexpr auto make_steps() {
    std::array<std::array<Bitboard, kSquares>, kPieces> table{};
    for (const Color c : {Color::black, Color::white}) {
        for (int t = 1; t < kPieceTypes; ++t) {
            const auto type = static_cast<PieceType>(t);
            for (int s = 0; s < kSquares; ++s) {
                table[make_piece(c, type)][static_cast<std::size_t>(s)] =
                    steps_of(c, type, s / 9, s % 9);
            }
        }
    }
    return table;
}

constexpr auto make_rays() {
    std::array<std::array<Bitboard, kSquares>, 9> table{};
    for (std::size_t d = 0; d < 8; ++d) {
        for (int s = 0; s < kSquares; ++s) {
            int file = s / 9 + kStep[d].file;
            int rank = s % 9 + kStep[d].rank;
            for (; on_board(file, rank); file += kStep[d].file, rank += kStep[d].rank) {
                table[d][static_cast<std::size_t>(s)].set(make_square(file, rank));
            }
        }
    }
    return table;
}

constexpr auto make_directions() {
    std::array<std::array<Direction, kSquares>, kSquares> table{};
    for (auto& row : table)
        row.fill(Direction::none);
    for (std::size_t d = 0; d < 8; ++d) {
        for (std::size_t s = 0; s < kSquares; ++s) {
            int file = static_cast<int>(s) / 9 + kStep[d].file;
            int rank = static_cast<int>(s) % 9 + kStep[d].rank;
            for (; on_board(file, rank); file += kStep[d].file, rank += kStep[d].rank) {
                table[s][static_cast<std::size_t>(make_square(file, rank))] =
                    static_cast<Direction>(d);
            }
        }
    }
    return table;
}

constexpr auto make_cross(std::array<Direction, 4> directions) {
    const auto rays = make_rays();
    std::array<Bitboard, kSquares> table{};
    for (std::size_t s = 0; s < kSquares; ++s) {
        for (const Direction d : directions)
            table[s] |= rays[static_cast<std::size_t>(index(d))][s];
    }
    return table;
}

constexpr auto make_lines() {
    // The upward direction of each axis.
    constexpr std::array<Direction, 3> kUp{
        Direction::west, Direction::south_west, Direction::north_west};
    const auto rays = make_rays();
    std::array<std::array<Line, kSquares>, 3> table{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        for (std::size_t s = 0; s < kSquares; ++s) {
            const Bitboard down = rays[static_cast<std::size_t>(index(opposite(kUp[axis])))][s];
            const Bitboard up = rays[static_cast<std::size_t>(index(kUp[axis]))][s];
            const Bitboard whole = up | down | Bitboard::of(static_cast<Square>(s));
            table[axis][s] = Line{whole.lo(),
                                  whole.hi(),
                                  static_cast<std::uint32_t>(std::popcount(whole.lo())),
                                  static_cast<std::uint32_t>(down.count())};
        }
    }
    return table;
}

/// [place][occupancy of places 1..7] -> reachable places. Places beyond a short line's end may be
/// set; whoever scatters them back into the line drops them. A blocker on an end place changes
/// nothing.
constexpr auto make_line_attacks() {
    std::array<std::array<std::uint16_t, 128>, 9> table{};
    for (int place = 0; place < 9; ++place) {
        for (unsigned inner = 0; inner < 128; ++inner) {
            const unsigned occupied = inner << 1;
            unsigned found = 0;
            for (int i = place + 1; i < 9; ++i) {
                found |= 1U << i;
                if ((occupied >> i & 1U) != 0) break;
            }
            for (int i = place - 1; i >= 0; --i) {
                found |= 1U << i;
                if ((occupied >> i & 1U) != 0) break;
            }
            table[static_cast<std::size_t>(place)][inner] = static_cast<std::uint16_t>(found);
        }
    }
    return table;
}

constexpr auto make_file_shift() {
    std::array<std::uint8_t, kSquares> table{};
    for (std::size_t s = 0; s < kSquares; ++s) {
        const std::size_t file = s / 9;
        table[s] = static_cast<std::uint8_t>((file < 7 ? file : file - 7) * 9);
    }
    return table;
}

constexpr auto make_rank_of() {
    std::array<std::uint8_t, kSquares> table{};
    for (std::size_t s = 0; s < kSquares; ++s)
        table[s] = static_cast<std::uint8_t>(s % 9);
    return table;
}

}  // namespace

constexpr std::array<std::array<Bitboard, kSquares>, kPieces> kSteps = make_steps();
constexpr std::array<std::array<Bitboard, kSquares>, 9> kRays = make_rays();
constexpr std::array<std::array<Direction, kSquares>, kSquares> kDirections = make_directions();
constexpr std::array<Bitboard, kSquares> kBishopRays = make_cross(
    {Direction::north_east, Direction::south_east, Direction::north_west, Direction::south_west});
constexpr std::array<Bitboard, kSquares> kRookRays =
    make_cross({Direction::north, Direction::east, Direction::west, Direction::south});
constexpr std::array<std::array<Line, kSquares>, 3> kLines = make_lines();
constexpr std::array<std::array<std::uint16_t, 128>, 9> kLineAttacks = make_line_attacks();
constexpr std::array<std::uint8_t, kSquares> kFileShift = make_file_shift();
constexpr std::array<std::uint8_t, kSquares> kRankOf = make_rank_of();

}  // namespace yomi::shogi::tables
